package cover

import "github.com/rehearse-go/rehearse/trace"

// follower follows a schedule as far as it goes. If its head cannot be taken, a step that is not in the rest helps; if
// there is none the head is dropped. So it never waits: measured against giving up, and against dropping at once, more
// schedules achieve their goal.
//
//	source:     [Bita13] section V; help and drop are ours
//	invariants: I1 a step that is in the rest is taken in its turn or after its head was dropped
type follower struct {
	model    trace.Model
	steps    []trace.ID
	next     int
	rest     map[trace.ID]int // steps still to come
	deciding []int
	// Helped and Dropped count what was not as scheduled.
	Helped, Dropped int
}

// follow begins to follow these steps.
func (f *follower) follow(steps []trace.ID) {
	f.steps, f.next = steps, 0
	if f.rest == nil {
		f.rest = make(map[trace.ID]int, len(steps))
	}
	clear(f.rest)
	for _, id := range steps {
		f.rest[id]++
	}
}

// choose gives the step to take; -1 if the schedule is over. pick decides which of several helps that decide an order.
func (f *follower) choose(enabled []trace.Step, pick func(deciding []int) int) int {
	for f.next < len(f.steps) {
		if i := trace.Find(enabled, f.steps[f.next]); i >= 0 {
			f.pop()
			return i
		}
		if i := f.helper(enabled, pick); i >= 0 {
			f.Helped++
			return i
		}
		f.Dropped++
		f.pop()
	}
	return -1
}

// pop takes the next step of the schedule away.
func (f *follower) pop() {
	id := f.steps[f.next]
	if f.rest[id]--; f.rest[id] == 0 {
		delete(f.rest, id)
	}
	f.next++
}

// helper gives a step that is not still to come: preferably one that decides no order, since no goal is about it. -1 if
// there is none.
func (f *follower) helper(enabled []trace.Step, pick func(deciding []int) int) int {
	free := -1
	f.deciding = f.deciding[:0]
	for i := range enabled {
		switch s := &enabled[i]; {
		case f.rest[s.ID] > 0:
		case f.decides(s):
			f.deciding = append(f.deciding, i)
		case free < 0 || s.Before(&enabled[free]):
			free = i
		}
	}
	if free < 0 && len(f.deciding) > 0 {
		return pick(f.deciding)
	}
	return free
}

// decides reports whether a step decides an order of receives (frame.go).
func (f *follower) decides(s *trace.Step) bool {
	if f.model == trace.Mailbox {
		return s.Kind == trace.Send
	}
	return s.Kind == trace.Deliver
}
