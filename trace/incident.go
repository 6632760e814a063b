package trace

import "fmt"

// MessageOf is the message that an incident of an event is about, -1 for none. Where the incident has neither a message
// nor the type of one, it is that of the event's step.
func (t *Trace) MessageOf(event int, in *Incident) int32 {
	if in.Message >= 0 || in.Type != "" || event >= len(t.Events) {
		return in.Message
	}
	return t.Events[event].Step.Message
}

// IncidentText says what went wrong in an incident of an event, without its kind and place.
func (t *Trace) IncidentText(event int, in *Incident) string {
	actor, what := "", ShortType(in.Type)
	if in.Actor >= 0 {
		actor = t.ActorName(in.Actor)
	}
	if m := t.MessageOf(event, in); m >= 0 {
		what = t.MessageName(m)
	}
	switch {
	case in.Kind == Panic && what == "": // the test function
		return fmt.Sprintf("%s panicked: %s", actor, in.Text)
	case in.Kind == Panic:
		return fmt.Sprintf("%s panicked on %s: %s", actor, what, in.Text)
	case in.Kind == DeadLetter:
		return fmt.Sprintf("%s was sent to nobody: %s", what, in.Text)
	case in.Kind == Unhandled && in.Text == "":
		return fmt.Sprintf("%s has no handler for %s", actor, what)
	case in.Kind == Unhandled:
		return fmt.Sprintf("%s has no handler for %s: %s", actor, what, in.Text)
	}
	return in.Text
}
