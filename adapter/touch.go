package adapter

import (
	"slices"

	"github.com/rehearse-go/rehearse/trace"
)

// This file notes what steps depend on that is no message: names, calls that are over, state that a framework shares
// between actors.

// Attentive is a Framework with state that handlers change without calling the adapter: it is asked at the end of each
// step.
type Attentive interface {
	StepEnds(*Runtime)
}

// Touch notes that the step that runs reads or changes something that steps of other actors reach too.
func (k *recorder) Touch(object trace.ID, write bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.touch(object, write)
}

func (k *recorder) touch(object trace.ID, write bool) {
	if k.phase != exploring {
		return
	}
	event := k.event()
	e := &k.tr.Events[event]
	if t := (trace.Touch{Object: object, Write: write}); !k.touches(event, e.Touched, t) {
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
func (k *recorder) touches(event int32, before []trace.Touch, t trace.Touch) bool {
	if len(before) < fewTouches {
		return slices.Contains(before, t)
	}
	if m := &k.touched; m.event != event || len(m.known) != len(before) {
		m.event, m.known = event, make(map[trace.Touch]bool, 2*len(before))
		for _, b := range before {
			m.known[b] = true
		}
	}
	known := k.touched.known[t]
	k.touched.known[t] = true
	return known
}

// Missed notes that the step that runs found an actor stopped, as it would later too.
func (k *recorder) Missed(a int32) { k.Touch(k.tr.Actors[a].Life(), false) }

// Shared is an object that stands for something that an actor shares with others.
func (k *recorder) Shared(a int32) trace.ID { return k.tr.Actors[a].ID.With(ofShared) }

// Name is an object that stands for whether an actor of that name was created.
func Name(name string) trace.ID { return trace.ID{Lo: trace.HashString(name)}.With(ofName) }

// Object stands for whether the call is over.
func (c *Call) Object() trace.ID { return c.object }

// outside stands for everything that handlers may wait for and that is no message, such as a channel. Steps that block
// on it or wake others depend on each other.
var outside = trace.ID{Lo: ofOutside}

// What tells objects apart that are derived from the same identity.
const (
	ofShared  = 0x736861726564
	ofName    = 0x6e616d65
	ofCall    = 0x63616c6c
	ofFutures = 0x66757475726573
	ofOutside = 0x6f757473696465
)
