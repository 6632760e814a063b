package goakt

import (
	"fmt"
	"sync/atomic"
	"unsafe"

	"github.com/tochemey/goakt/v4/actor"

	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/trace"
)

// This file notes at the end of a step what the framework tells nobody.
//

// lookAround notes what the step may have found, or changed.
func (f *framework) lookAround(rt *adapter.Runtime) {
	tr := rt.Trace()
	if tr.Events[tr.StepOf(rt.Event())].Step.Kind == trace.Send {
		f.lateOnes(rt)
		return
	}
	f.lookedUp()
	f.sendResults(rt)
	f.lookAtWatchers()
	for _, b := range f.actors {
		if b == nil {
			continue
		}
		b.answers()
		if b.current == nil {
			b.requests = b.requests[:0]
			continue
		}
		b.besides()
		if tr.Events[tr.StepOf(rt.Event())].Step.Actor == b.index {
			b.looked()
		}
	}
	defer func() { // what was read here is no lookup
		for _, s := range f.systems {
			s.counts()
		}
	}()
	f.lookAtStates(rt)
}

// lateOnes tells of what was released to actors that are suspended.
func (f *framework) lateOnes(rt *adapter.Runtime) {
	for _, b := range f.dead {
		if b.late {
			b.late = false
			rt.Omit(b.index, fmt.Sprintf(toldDead, b.name))
		}
	}
}

// Arrives is adapter.Arriving. What comes to an actor that is suspended by then was not sent: who has sent it by a
// method of its context does not see that it failed.
func (f *framework) Arrives(a adapter.Actor, class trace.MessageKind, payload any) (touches bool, omits string) {
	b, ok := a.(*box)
	l, is := payload.(*letter)
	if !ok || !is || class != trace.User {
		return false, ""
	}
	l.lost = b.away
	b.late = b.late || b.away && l.direct
	return true, ""
}

// lookAtWatchers notes that somebody has begun, or ended, to watch an actor: nobody is told of that.
func (f *framework) lookAtWatchers() {
	for _, b := range f.actors {
		if b == nil || b.ended {
			continue
		}
		now := b.watch()
		if before := b.watched; before != now && before != 0 && !b.restarting {
			b.rt.Access(b.watchers(), true)
		}
		b.watched = now
	}
}

// forgetWatchers has what has changed since the last look be of no matter.
func (f *framework) forgetWatchers() {
	for _, b := range f.actors {
		if b != nil {
			b.watched = b.watch()
		}
	}
}

// watch is how many watch the actor.
func (b *box) watch() int {
	node, ok := treeNode(b.system.tree, b.pid.ID())
	if !ok {
		return 0
	}
	return len(*at[map[string]*actor.PID](node, b.framework.ofNode.watchers))
}

// nodePID is the PID in a node of the tree.
func (f *framework) nodePID(node nodePtr) *actor.PID {
	return (*actor.PID)(atomic.LoadPointer(at[unsafe.Pointer](node, f.ofNode.pid)))
}
