package goakt

import (
	"sync/atomic"
	"unsafe"

	"github.com/tochemey/goakt/v4/actor"

	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/trace"
)

// This file notes at the end of a step what the framework tells nobody.
//
// Whether an actor runs is a word in its PID, which Tell looks at and no function of ours sees. So each step that runs
// code has read it, of all actors that others find dead. Of the others the message that was sent says so.

// lookAround notes what the step may have found, or changed.
func (f *framework) lookAround(rt *adapter.Runtime) {
	tr := rt.Trace()
	if tr.Events[tr.StepOf(rt.Event())].Step.Kind == trace.Send {
		f.lateOnes(rt)
		return
	}
	f.sendResults(rt)
	for _, b := range f.actors {
		if b != nil {
			b.answers()
			b.lookAtWatchers()
		}
	}
	for _, b := range f.dead {
		switch {
		case b.ended:
			rt.Missed(b.index)
		default:
			rt.Touch(b.state(), false)
		}
	}
}

// lateOnes tells of what was released to actors that are suspended.
func (f *framework) lateOnes(rt *adapter.Runtime) {
	for _, b := range f.dead {
		if b.late {
			b.late = false
			rt.Omit(b.index, "is sent something while it is suspended by then: that the sender is told so is not explored; "+
				"use -model mailbox-serial")
		}
	}
}

// Arrives is adapter.Arriving.
func (f *framework) Arrives(a adapter.Actor, class trace.MessageKind, _ any) (touches bool) {
	if b, ok := a.(*box); ok && b.away && class == trace.User {
		b.late = true
	}
	return false
}

// lookAtWatchers notes that somebody has begun, or ended, to watch the actor: nobody is told of that.
func (b *box) lookAtWatchers() {
	node, ok := treeNode(b.system.tree, b.pid.ID())
	if !ok {
		return
	}
	f := b.framework
	now := [2]int{len(*at[map[string]*actor.PID](node, f.ofNode.watchers)), 0}
	if before := b.watched; before != now {
		b.watched = now
		if before != [2]int{} {
			b.rt.Access(b.watchers(), true)
		}
	}
}

// nodePID is the PID in a node of the tree.
func (f *framework) nodePID(node nodePtr) *actor.PID {
	return (*actor.PID)(atomic.LoadPointer(at[unsafe.Pointer](node, f.ofNode.pid)))
}
