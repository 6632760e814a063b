package causal

import "github.com/rehearse-go/rehearse/trace"

// Completed reports whether no handler was left in its middle by event i. A message that is lost or doubled after a
// step changes nothing about that; an actor that crashes or is restarted has none. Nor does the release of a send,
// which comes after the part of a handler that sent.
func (o *Order) Completed(i int32) bool {
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
