package adapter

import (
	"slices"

	"github.com/rehearse-go/rehearse/trace"
)

// This file notes what steps depend on that is no message: names, calls that are over, state that a framework shares between actors.

// Attentive is a Framework with state that handlers change without calling the adapter: it is asked at the end of each step.
type Attentive interface {
	StepEnds(*Runtime)
}

// Touch notes that the step that runs reads or changes something that steps of other actors reach too.
func (r *Runtime) Touch(object trace.ID, write bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.touch(object, write)
}

func (r *Runtime) touch(object trace.ID, write bool) {
	if r.phase != exploring {
		return
	}
	e := &r.tr.Events[r.event()]
	t := trace.Touch{Object: object, Write: write}
	if !slices.Contains(e.Touched, t) {
		e.Touched = append(e.Touched, t)
	}
}

// Missed notes that the step that runs found an actor stopped.
func (r *Runtime) Missed(a int32) { r.Touch(r.tr.Actors[a].Life(), false) }

// Shared is an object that stands for something that an actor shares with others.
func (r *Runtime) Shared(a int32) trace.ID { return r.tr.Actors[a].ID.With(ofShared) }

// Name is an object that stands for whether an actor of that name was created.
func Name(name string) trace.ID { return trace.ID{Lo: trace.HashString(name)}.With(ofName) }

// Object stands for whether the call is over.
func (c *Call) Object() trace.ID { return c.object }

// outside stands for everything that handlers may wait for and that is no message, such as a channel. Steps that block on it or wake
// others depend on each other.
var outside = trace.ID{Lo: ofOutside}

// What tells objects apart that are derived from the same identity.
const (
	ofShared  = 0x736861726564
	ofName    = 0x6e616d65
	ofCall    = 0x63616c6c
	ofFutures = 0x66757475726573
	ofOutside = 0x6f757473696465
)
