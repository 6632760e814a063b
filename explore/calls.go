package explore

import "errors"

// Acquainter is an Execution whose actors know each other by more than references in their values and messages: one that a strategy which
// looks for references has to ask.
type Acquainter interface {
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
		r.err = errors.New(breach)
	}
	r.cut, r.stopped = true, true
	return false
}
