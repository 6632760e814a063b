package explore

import (
	"errors"
	"slices"

	"github.com/rehearse-go/rehearse/trace"
)

// ReferenceGraph is an Execution whose actors know each other by more than references in their values and messages: one
// that a strategy which looks for references has to ask.
type ReferenceGraph interface {
	// Knows reports whether the actor may send to the other one, whatever State and Pending show.
	Knows(actor, other int32) bool
}

// callsAsDeclared holds what an event sent to what was declared of its handler; false ends the exploration.
func (r *run) callsAsDeclared(event int32) bool {
	if len(r.o.Conditions.Calls) == 0 {
		return true
	}
	breach := r.o.Conditions.Calls.Breach(r.tr, event)
	if breach == "" {
		return true
	}
	if r.err == nil {
		r.err = r.inapplicable(event)
	}
	if r.err == nil {
		r.err = errors.New(breach)
	}
	r.cut, r.stopped = true, true
	return false
}

// inapplicable is the error that a fact about the handler that an event ran cannot be relied on, nil if it is just
// wrong. When a handler panics, its supervision sends, which no analysis announces.
func (r *run) inapplicable(event int32) error {
	e := &r.tr.Events[event]
	m := &r.tr.Messages[e.Step.Message]
	c := &r.o.Conditions.Calls[r.o.Conditions.Calls.Of(r.tr.Actors[m.Receiver].Type.Name, m.Type.Name)]
	if c.Origin == "" || !slices.ContainsFunc(e.Incidents,
		func(in trace.Incident) bool { return in.Kind == trace.Panic }) {
		return nil
	}
	return &Inapplicable{Actor: c.Actor, Message: c.Message,
		Why: "it panics, and nobody knows what its supervision sends then"}
}
