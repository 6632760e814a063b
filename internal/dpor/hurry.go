package dpor

// hasty is what a strategy knows of the time: it goes through all races of an execution, or all children of a class, before the next one
// begins, which takes seconds where thousands of messages wait for one actor.
type hasty struct {
	late func() bool // whether the time is up; nil: it never is
}

// Hurry is explore.Hasty. What is left undone is never asked for.
func (h *hasty) Hurry(late func() bool) { h.late = late }

func (h *hasty) givesUp() bool { return h.late != nil && h.late() }
