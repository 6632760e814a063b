package rehearse

import (
	"cmp"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/causal"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/isolation"
	"github.com/rehearse-go/rehearse/internal/reach"
	"github.com/rehearse-go/rehearse/internal/replay"
	"github.com/rehearse-go/rehearse/internal/strategies"
	"github.com/rehearse-go/rehearse/trace"
)

// This file says which executions are repeated, to see whether the program makes choices of its own and whether its actors share memory.

// repeats is the number of repeats that an exploration makes at least, 0 if none are wanted.
func (p *plan) repeats() int {
	if p.Recheck < 0 || p.Checks.Of(trace.Divergence) == check.Off {
		return 0
	}
	if p.guide != nil {
		return 1 // there is one execution that counts
	}
	return p.Recheck
}

// again says which executions to repeat as soon as they are over: the powers of two, the rest evenly.
func (p *plan) again() func(execution int) bool {
	if p.repeats() == 0 {
		return nil
	}
	if p.guide != nil {
		return func(int) bool { return p.guide.Followed() }
	}
	every := 1000
	if n := p.budget.Executions; n > 0 {
		powers := 1
		for 1<<powers <= n {
			powers++
		}
		every = max(1, n/max(1, p.Recheck-powers))
	}
	return func(n int) bool { return n&(n-1) == 0 || n%every == 0 }
}

// repeating has an exploration repeat some of its executions as soon as they are over.
func (s *session) repeating(o *explore.Options) {
	if o.Again = s.again(); o.Again != nil {
		o.Redraw, o.Repeat, o.Contents, o.Look = true, s.repeatOf, new(reach.Reader).Contents, s.looker()
	}
}

// orders gives what tells where the order of a step's sends counts, nil if nobody repeats executions in another one.
func (s *session) orders(c explore.Conditions) explore.Orders {
	if s.repeats() == 0 {
		return nil
	}
	return causal.NewSends(c)
}

// looker gives what looks whether actors share memory, nil if nobody wants to know.
func (s *session) looker() explore.Looker {
	if s.Checks.Of(trace.Isolation) == check.Off {
		return nil
	}
	l := &isolation.Looker{}
	if !explore.ReportOf(s.strategy).EveryOrder {
		s.askOfVariables(l)
	}
	return l
}

// lookFor has all executions looked at, if that is what shows a violation.
func (s *session) lookFor(v *Violation, o explore.Options) explore.Options {
	if v != nil && v.Kind == trace.Isolation {
		o.Look, o.LookAll = s.looker(), true
	}
	return o
}

func (s *session) repeatOf(tr *trace.Trace) explore.Strategy {
	s.first = tr
	return replay.NewRepeat(tr)
}

// leastSpare is the time that repeats may always take when the exploration is over.
const leastSpare = time.Second

// spare gives what reports whether there is time for another repeat when the exploration is over: as long as it took itself.
func (s *session) spare() func() bool {
	var end time.Time
	return func() bool {
		now := time.Now()
		if end.IsZero() {
			end = now.Add(max(leastSpare, now.Sub(s.began)))
		}
		return now.Before(end)
	}
}

// repeatHere makes the repeats that worker processes have left to make. Their executions are not known here: the first ones are executed
// anew, and each of them is repeated.
func (s *session) repeatHere(out *explore.Outcome) error {
	missing := s.repeats() - out.Rechecked
	if missing <= 0 || s.stop() {
		out.Unrepeated = max(0, missing)
		return nil
	}
	st, err := strategies.New(s.Strategy, s.Seed, 0)
	if err != nil {
		return err
	}
	o := s.options(s.conditions(s.Model, s.Timers, s.faults))
	o.Before, o.Step = nil, nil
	o.Budget.Executions, o.Repeats, o.Spare, o.Stop = missing, missing, s.spare(), s.stop
	s.repeating(&o)
	o.Again = func(int) bool { return true }
	o.Found = func(f explore.Found) bool {
		// The workers have told of all others.
		only := f.Violations[:0:0]
		for _, v := range f.Violations {
			if v.Kind == trace.Divergence {
				only = append(only, v)
			}
		}
		return s.found(explore.Found{Trace: f.Trace, Violations: only})
	}
	var again explore.Outcome
	err = s.muted(func() error {
		again, err = explore.Run(s.sys, st, o)
		return err
	})
	out.Rechecked += again.Rechecked
	out.Unrepeated = again.Unrepeated
	out.Varied, out.Drawn, out.Shared, out.Unseen = cmp.Or(out.Varied, again.Varied), cmp.Or(out.Drawn, again.Drawn), cmp.Or(out.Shared, again.Shared), explore.Union(out.Unseen, again.Unseen)
	out.Draws, out.Redrawn = out.Draws || again.Draws, out.Redrawn+again.Redrawn
	out.Uncontrolled = cmp.Or(out.Uncontrolled, again.Uncontrolled)
	out.Complete = out.Complete && out.Varied == "" && out.Drawn == "" && out.Shared == "" && out.Uncontrolled == ""
	if again.Diverged {
		out.Diverged, out.Complete = true, false
	}
	return err
}
