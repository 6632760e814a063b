package causal

import "github.com/rehearse-go/rehearse/trace"

// Completed reports whether no handler was left in its middle by event i. Some events run no part of a handler, and the
// one before decides: a message that is lost or doubled after a step, and the release of a send. An actor that crashes
// or is restarted has no handler.
func (o *record) Completed(i int32) bool {
	for o.Step(i).Kind == trace.Send {
		if i = o.events[i].own; i < 0 {
			return true
		}
	}
	switch o.Step(i).Fault() {
	case trace.Drop, trace.Duplicate:
		return o.Completed(i - 1)
	}
	return o.Event(i).Completed
}
