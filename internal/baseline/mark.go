package baseline

import (
	"github.com/rehearse-go/rehearse/internal/causal"
	"github.com/rehearse-go/rehearse/trace"
)

// Marks is how tasks are left out that are independent of others. A marked task is not taken: the execution in which it
// comes before what marked it is explored from the state above.
//
// This is the mirror of sleep sets. There the first of two siblings sleeps below the second, here the second is marked
// below the first. What is explored is the order in which the later message comes first.
type Marks uint8

// The marks.
const (
	Persist Marks = iota // a mark falls only when something happens that depends on the task: ours
	// as [ASTS] figure 6 has it: each step of the actor takes all its marks away and sets those that follow from itself
	Figure6
	// the same, as printed: an actor all of whose tasks are marked may be chosen, which ends the execution for nothing;
	// loses executions
	Unsound
	NoMarks // every task of a chosen actor is tried
)

// footprintOf is what is known of the task of a message before it runs.
func (s *Search) footprintOf(m int32) causal.Footprint {
	if s.selects.o.Marks != Unsound {
		return s.hb.Handling(m)
	}
	// As printed: reads and writes, whatever the delivery model.
	s.selects.printed.Extend(s.tr, 0)
	return s.selects.printed.Handling(m)
}

// mark finds the tasks that are marked in n, the state below above.
func (s *Search) mark(n, above *node) {
	f := s.footprint[:0]
	for e := above.event; e < int32(s.hb.Len()); e++ {
		ev := s.event(e)
		if ev.Step.Kind == trace.Advance || s.outOfTheOrdinary(ev) {
			return // what a task has to do with that is not known before it runs
		}
		f = s.hb.Footprint(f, e)
	}
	s.footprint = f
	taken := above.taken()
	if taken.message < 0 {
		return
	}
	if s.selects.o.Marks != Persist {
		f = s.footprintOf(taken.message)
	}
	for i := range above.sleep {
		if z := &above.sleep[i]; s.stays(z, taken, f) {
			n.sleep = append(n.sleep, *z)
		}
	}
	for _, i := range above.queue[above.at+1:] {
		o := above.enabled[i]
		if o.actor != taken.actor {
			break
		}
		z := sleeper{step: o.step, actor: o.actor, footprint: s.footprintOf(o.message)}
		if (s.selects.o.Marks != Persist || !above.sleep.has(o.step)) && !z.footprint.Dependent(f) {
			n.sleep = append(n.sleep, z)
		}
	}
}

// stays reports whether a mark outlives a step with that footprint.
func (s *Search) stays(z *sleeper, taken offer, f causal.Footprint) bool {
	if s.selects.o.Marks != Persist {
		return z.actor != taken.actor
	}
	return !z.footprint.Dependent(f)
}

// outOfTheOrdinary reports whether the event did more than change its actor and send.
func (s *Search) outOfTheOrdinary(ev *trace.Event) bool {
	if len(ev.Stopped)+len(ev.Cancelled)+len(ev.Touched) > 0 {
		return true
	}
	for _, m := range ev.Sent {
		if s.tr.Messages[m].Kind == trace.System {
			return true
		}
	}
	return false
}
