package goakt

import (
	"slices"

	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/trace"
)

// This file is about looks at actors that may be dead. Whether an actor runs is a word in its PID, which Tell looks at,
// and IsRunning, and no function of ours sees. So each step that runs code counts as having read it, of each actor that
// any execution has found dead: one that others find dead in this execution, or may.
//
//	invariants: I1 an execution in which an actor is found dead says so if none before has shown that it may be
//	cost:       such an end is in order with each step that runs code
//	checked by: mortal_test.go

// noteDead notes that others find the actor dead from now on.
func (f *framework) noteDead(b *box) {
	f.mu.Lock()
	known := slices.Contains(f.dead, b)
	if !known {
		f.dead = append(f.dead, b)
	}
	f.mu.Unlock()
	if known || !b.rt.Choosing() || b.rt.Crashes() {
		return
	}
	id := b.rt.Trace().Actors[b.index].ID
	f.mu.Lock()
	known = f.mortal[id]
	if f.mortal == nil {
		f.mortal = map[trace.ID]bool{}
	}
	f.mortal[id] = true
	f.mu.Unlock()
	if !known {
		b.rt.OmitDependence(b.index, lateEnd)
	}
}

// lateEnd is what an execution leaves out that shows first that an actor may be dead.
const lateEnd = "stops or is suspended, which no earlier execution has shown: that others look before that whether it " +
	"runs is not explored whole; use naive"

// lookAtStates notes that the step that runs may have looked whether actors run.
func (f *framework) lookAtStates(rt *adapter.Runtime) {
	for _, b := range f.dead {
		if b.ended {
			rt.Missed(b.index)
		}
	}
	all, actors := rt.Crashes(), rt.Trace().Actors
	if len(f.mortal) == 0 && !all {
		return
	}
	for _, b := range f.actors {
		if b != nil && (all || f.mortal[actors[b.index].ID]) {
			rt.Touch(b.state(), false)
		}
	}
}
