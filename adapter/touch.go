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

// Access is Touch of what may have been otherwise between what the handler has done before and now: an order that is not explored (late.go).
func (r *Runtime) Access(object trace.ID, write bool) { r.access(object, write, false) }

// AccessAgain is Access that nothing comes between and the access of the object before.
func (r *Runtime) AccessAgain(object trace.ID, write bool) { r.access(object, write, true) }

func (r *Runtime) access(object trace.ID, write, again bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.phase == exploring {
		r.noteLate(trace.Touch{Object: object, Write: write}, again)
	}
	r.touch(object, write)
}

func (r *Runtime) touch(object trace.ID, write bool) {
	if r.phase != exploring {
		return
	}
	event := r.event()
	e := &r.tr.Events[event]
	if t := (trace.Touch{Object: object, Write: write}); !r.touches(event, e.Touched, t) {
		e.Touched = append(e.Touched, t)
	}
}

// touched has what an event touches, if that is much: a handler may start actors in a loop without an end.
type touched struct {
	event int32
	known map[trace.Touch]bool
}

// fewTouches are searched one by one.
const fewTouches = 32

// touches reports whether an event has a touch among those before.
func (r *Runtime) touches(event int32, before []trace.Touch, t trace.Touch) bool {
	if len(before) < fewTouches {
		return slices.Contains(before, t)
	}
	if m := &r.touched; m.event != event || len(m.known) != len(before) {
		m.event, m.known = event, make(map[trace.Touch]bool, 2*len(before))
		for _, b := range before {
			m.known[b] = true
		}
	}
	known := r.touched.known[t]
	r.touched.known[t] = true
	return known
}

// Missed notes that the step that runs found an actor stopped, as it would later too.
func (r *Runtime) Missed(a int32) { r.Touch(r.tr.Actors[a].Life(), false) }

// Holder notes that the step that runs finds out whether an actor has stopped.
func (r *Runtime) Holder(a int32) { r.Access(r.tr.Actors[a].Life(), false) }

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
