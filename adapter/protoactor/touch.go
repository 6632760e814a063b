package protoactor

import (
	"reflect"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/asynkron/protoactor-go/eventstream"

	"github.com/rehearse-go/rehearse/adapter"
)

// This file notes what steps use that is no message: names of actors, and the event streams of actor systems.
//
// A stream is no actor, and calling it sends no message: it runs the functions that are subscribed. Publishing reads
// who they are, which the adapter learns by being subscribed itself. Subscribing and what ends it change that; the
// framework calls nobody then, so the subscriptions are looked at after each step.
//
// Two steps that publish do not depend on each other: what subscribers keep between them beside actors is memory that
// actors share. Streams that the program makes for itself are not seen.

// listeners are the subscriptions of a system's stream as they were last seen.
type listeners struct {
	stream *eventstream.EventStream
	seen   []*eventstream.Subscription
	active []bool
}

var (
	subscriptionsField = field(reflect.TypeFor[eventstream.EventStream](), "subscriptions")
)

// listen begins to look at a system that this execution has not used before.
func (f *framework) listen(system *actor.ActorSystem) {
	l := &listeners{stream: system.EventStream}
	l.changes()
	f.listeners = append(f.listeners, l)
}

// changes counts how often somebody has subscribed or unsubscribed since it was last asked: 2 stands for more. SUBTLE:
// a handler that is blocked runs no code now, but may hold the stream's lock, by publishing in a subscriber's function;
// only readers do that.
func (l *listeners) changes() (n int) {
	if l.stream.TryRLock() { // not RLock: somebody may wait to write for as long as that handler is blocked
		defer l.stream.RUnlock()
	}
	now := *at[[]*eventstream.Subscription](l.stream, subscriptionsField)
	for i := range max(len(now), len(l.seen)) {
		if i >= len(now) || i >= len(l.seen) || now[i] != l.seen[i] || now[i].IsActive() != l.active[i] {
			n++
		}
	}
	if n == 0 {
		return 0
	}
	l.seen, l.active = append(l.seen[:0], now...), l.active[:0]
	for _, s := range now {
		l.active = append(l.active, s.IsActive())
	}
	return min(n, 2)
}

// StepEnds notes what the step has changed. adapter.Attentive.
func (f *framework) StepEnds(rt *adapter.Runtime) {
	f.meetLone(rt)
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.execution != rt.Serial() {
		return // nothing was spawned yet
	}
	f.lookAtStreams(rt)
	f.replaceNilPipes(rt)
}

// lookAtStreams notes whether subscriptions have changed.
func (f *framework) lookAtStreams(rt *adapter.Runtime) {
	for _, l := range f.listeners {
		for range l.changes() {
			rt.Access(streams, true)
		}
	}
}

// sends is called before a handler sends something under mailbox: what it has changed before is not behind that.
func (f *framework) sends(rt *adapter.Runtime) {
	if rt.Captures() {
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.execution == rt.Serial() {
			f.lookAtStreams(rt)
		}
	}
}

// streams stands for who listens to event streams.
var streams = adapter.Name("eventstream$subscriptions")

// claim notes that a step spawns an actor of that name, which fails while another one has it: whether there is one, and
// whether it has stopped, matters. (That a spawn was not in vain is noted when the actor exists.)
func (f *framework) claim(rt *adapter.Runtime, p place) {
	rt.Access(adapter.Name(p.id), false)
	f.mu.Lock()
	holder := f.boxes[p]
	f.mu.Unlock()
	if holder != nil {
		rt.Holder(holder.index)
	}
}
