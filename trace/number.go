package trace

// This file numbers the steps as people count them.

// Counted reports whether people count the event as a step: a delivery, a timer, an advance of the clock, an injected
// fault, or a value that the program chooses. Parts of such a step are none: the start of the test function, the
// release of a captured send, a choice of Go's.
func (t *Trace) Counted(event int) bool {
	switch t.Events[event].Step.Kind {
	case Start, Send, Draw:
		return false
	}
	return event >= t.Explored
}

// StepNumber is the number of the step that the event belongs to: the first counted step after set-up is 1. It is 0
// for what comes before that.
func (t *Trace) StepNumber(event int) (n int) {
	for e := t.Explored; e <= event && e < len(t.Events); e++ {
		if t.Counted(e) {
			n++
		}
	}
	return n
}
