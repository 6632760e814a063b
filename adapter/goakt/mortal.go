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
	if !slices.Contains(f.dead, b) {
		f.dead = append(f.dead, b)
	}
	f.mu.Unlock()
	b.mayDie()
}

// mayDie notes that whether the actor runs changes.
func (b *box) mayDie() {
	f, explored := b.framework, b.rt.Choosing()
	if b.mortal || !explored && !b.rt.SettingUp() {
		return
	}
	b.mortal = true
	f.mu.Lock()
	if f.mortal == nil {
		f.mortal = map[trace.ID]bool{}
	}
	f.mortal[b.rt.Trace().Actors[b.index].ID] = true
	f.mu.Unlock()
	if explored {
		b.rt.OmitDependence(b.index, lateEnd)
	}
}

// knowsMortal finds out, of an actor that is born, whether it may be dead at some time.
func (b *box) knowsMortal() {
	b.mortal = b.rt.Crashes() || b.framework.mortal[b.rt.Trace().Actors[b.index].ID]
}

// looked notes that the step that runs has looked whether the actor runs. Of one that always does that is of no
// matter: so what handlers are declared to do may be all that they do.
func (b *box) looked() {
	if b.mortal {
		b.rt.Touch(b.state(), false)
	}
}

// lateEnd is what an execution leaves out that shows first that an actor may be dead.
const lateEnd = "stops or is suspended, which no earlier execution has shown: that others look before that whether " +
	"it runs is not explored whole; use naive"

// lookAtStates notes that the step that runs may have looked whether actors run.
func (f *framework) lookAtStates(rt *adapter.Runtime) {
	for _, b := range f.dead {
		if b.ended {
			rt.Missed(b.index)
		}
	}
	for _, b := range f.actors {
		if b != nil {
			b.looked()
		}
	}
}
