package causal

import (
	"slices"

	"github.com/rehearse-go/rehearse/internal/bitset"
	"github.com/rehearse-go/rehearse/internal/delivery"
	"github.com/rehearse-go/rehearse/trace"
)

// record is what happened: the explored events of a trace, and what is known of each as soon as it is there.
type record struct {
	model trace.Model
	async bool // timers may fire at any point
	tr    *trace.Trace
	first int // index of event 0 in the trace

	events    []event
	last      []int32 // by actor: its last step, -1 if none
	arrival   []int32 // by message: the event by which it reached its receiver; see Arrival
	system    []int32 // system messages that arrived
	hookSends []int32 // releases of what start hooks sent; see owed
}

// event is what is known of an event beyond the trace.
type event struct {
	parent    int32 // the event by which its message arrived, or that it is a part of; -1 if before all
	own       int32 // the step of the same actor before, -1 if none
	head      int32 // the first event of the macro-step that it is a part of: itself but for choices
	barrier   int32 // the last event before that all depend on, -1 if none
	advance   bool  // it is one itself; noted here since between executions the trace may hold another strategy's
	accesses  int32 // index of its first
	systems   int32 // number of system messages before
	hookSends int32 // number of such releases before
	actor     int32 // see Actor
	past      bitset.Packed
	open      bool // past is being built, and its accesses are not linked yet
	widened   bool // past was widened to that of the macro-step; upto holds what it was
	upto      bitset.Packed
	released  int32 // the message that it released, -1 if none,
	due       int32 // and when that was sent or became due
}

// Timers says when timers may fire.
func (o *record) Timers() trace.TimerMode {
	if o.async {
		return trace.Async
	}
	return trace.Quiescent
}

// lane gives the order that a message obeys at its receiver.
func (o *record) lane(m int32) delivery.Lane { return delivery.LaneOf(o.model, &o.tr.Messages[m]) }

// Message is message m of the trace.
func (o *record) Message(m int32) *trace.Message { return &o.tr.Messages[m] }

func (o *record) queues() bool { return o.model.Queues() }

// Len is the number of events.
func (o *record) Len() int { return len(o.events) }

// First is the index of event 0 in the trace.
func (o *record) First() int { return o.first }

// follow notes whose step event i is and which step of that actor came before.
func (o *record) follow(e *trace.Event, ev *event, i int32) {
	for int(e.Step.Actor) >= len(o.last) {
		o.last = append(o.last, -1)
	}
	if i == 0 {
		for a := range o.last {
			o.last[a] = -1
		}
	}
	// An advance is taken by the driver, and is no part of what it does: it may be in the middle of a call.
	if e.Step.Kind != trace.Timer && e.Step.Kind != trace.Advance {
		ev.actor, ev.own = e.Step.Actor, o.last[e.Step.Actor]
		if ev.own >= i {
			ev.own = -1 // of another execution
		}
		o.last[e.Step.Actor] = i
	}
}

// note keeps when messages arrive.
func (o *record) note(e *trace.Event, i int32) {
	for _, m := range e.Sent {
		o.setArrival(m, i)
		if !delivery.Captured(o.model, &o.tr.Messages[m]) {
			o.noteSystem(m)
		}
	}
	if e.Released >= 0 {
		o.noteSystem(e.Released)
		o.events[i].released, o.events[i].due = e.Released, o.Arrival(e.Released)
		o.setArrival(e.Released, i)
		if e.Step.Kind == trace.Send && delivery.Owes(o.tr, e.Step.Actor, e.Released) {
			o.hookSends = append(o.hookSends, i)
		}
	}
	for _, m := range e.Due {
		o.setArrival(m, i)
	}
}

// noteSystem notes that message m reached its receiver, if it is a system message.
func (o *record) noteSystem(m int32) {
	if o.tr.Messages[m].Kind == trace.System {
		o.system = append(o.system, m)
	}
}

func (o *record) setArrival(m, i int32) {
	for int(m) >= len(o.arrival) {
		o.arrival = append(o.arrival, -1)
	}
	o.arrival[m] = i
}

// Arrival gives the event by which message m reached its receiver (or was captured, if it has not been released yet),
// -1 if that was before all.
func (o *record) Arrival(m int32) int32 {
	sent := o.tr.Messages[m].SentBy - int32(o.first)
	sent = max(sent, -1)
	// SUBTLE: what is noted may be of a release that was truncated since, or of another message with this number.
	if int(m) < len(o.arrival) {
		if at := o.arrival[m]; at > sent && at < int32(len(o.events)) &&
			(o.Event(at).Released == m || slices.Contains(o.Event(at).Due, m)) {
			return at
		}
	}
	return sent
}

// Step is the step of event i.
func (o *record) Step(i int32) *trace.Step { return &o.tr.Events[o.first+int(i)].Step }

// Barrier reports whether all events depend on event i, the clock's advance: those before it happen before it, and it
// before those that come later.
func (o *record) Barrier(i int32) bool { return o.events[i].advance }

// advanced gives the last advance of the clock before event e, which may be the next one; -1 if there is none.
func (o *record) advanced(e int32) int32 {
	if e == 0 {
		return -1
	}
	if o.Barrier(e - 1) {
		return e - 1
	}
	return o.events[e-1].barrier
}

// owed calls f for the releases before event i of what its actor has sent in its start hook. The creator of the actor
// releases that, and until then the actor takes nothing. No access says so: then the two would be a race, and their
// order can never be the other one.
func (o *record) owed(i int32, f func(p int32)) {
	if o.events[i].actor < 0 {
		return
	}
	for _, at := range o.hookSends[:o.events[i].hookSends] {
		if o.tr.Messages[o.events[at].released].Sender == o.events[i].actor {
			f(at)
		}
	}
}

// Head is the first event of the macro-step of event e: e itself, unless e is a choice in the middle of a step.
func (o *record) Head(e int32) int32 { return o.events[e].head }

// Parent is the event by which the message of event e arrived, -1 if that was before all.
func (o *record) Parent(e int32) int32 { return o.events[e].parent }

// Actor is the actor whose step event e is. It is -1 for the firing of a timer and for an advance of the clock, which
// are no steps of actors.
func (o *record) Actor(e int32) int32 { return o.events[e].actor }

// Own is the step of the same actor before event e, -1 if there is none.
func (o *record) Own(e int32) int32 { return o.events[e].own }

// Last is the last step of an actor, -1 if there is none.
func (o *record) Last(actor int32) int32 {
	if len(o.events) == 0 || int(actor) >= len(o.last) || o.last[actor] >= int32(len(o.events)) {
		return -1
	}
	return o.last[actor]
}

// cancelledBy gives the event that took timeout m back, -1 if none did.
func (o *record) cancelledBy(m int32) int32 {
	for e := range o.events {
		if slices.Contains(o.Event(int32(e)).Cancelled, m) {
			return int32(e)
		}
	}
	return -1
}

// Takes reports whether event e takes a message out of what its actor has before it.
func (o *record) Takes(e int32) bool {
	k := o.Step(e).Kind
	return k == trace.Deliver || k == trace.Reply || k == trace.Resume
}

// own reports whether events i and e are steps of one actor, or parts of one macro-step. What is chosen while the clock
// advances is a step of the driver, but the advance is no actor's.
func (o *record) own(i, e int32) bool {
	return o.events[i].head == o.events[e].head || o.Actor(i) >= 0 && o.Actor(i) == o.Actor(e)
}

// Event is event i of the trace.
func (o *record) Event(i int32) *trace.Event { return &o.tr.Events[o.first+int(i)] }

// inCall reports whether the actor of step i was in the middle of a handler before it.
func (o *record) inCall(i int32) bool {
	own := o.events[i].own
	return own >= 0 && !o.Completed(own)
}

// isFree reports whether event e releases a send that the free relation does not order with others of its step.
func (o *record) isFree(e *trace.Event) bool {
	return e.Step.Kind == trace.Send && e.Released >= 0 && o.tr.Messages[e.Released].Unordered()
}
