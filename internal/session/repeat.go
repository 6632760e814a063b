package session

import (
	"cmp"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/causal"
	"github.com/rehearse-go/rehearse/internal/reach"
	"github.com/rehearse-go/rehearse/internal/replay"
	"github.com/rehearse-go/rehearse/internal/strategies"
	"github.com/rehearse-go/rehearse/trace"
)

// This file says which executions are repeated, to see whether the program makes choices of its own and whether its
// actors share memory.

// repeating has an exploration repeat some of its executions as soon as they are over.
func (s *Session) repeating(o *explore.Options) {
	if o.Again = s.again(); o.Again != nil {
		o.Redraw, o.Repeat, o.Contents, o.Look = true, s.repeatOf, new(reach.Reader).Contents, s.looker()
	}
}

func (s *Session) repeatOf(tr *trace.Trace) explore.Strategy {
	s.first = tr
	return replay.NewRepeat(tr)
}

// sends gives what tells where the order of a step's sends counts, nil if nobody repeats executions in another one.
func (s *Session) sends(c explore.Conditions) explore.Orders {
	if s.repeats() == 0 {
		return nil
	}
	return causal.NewSends(c)
}

// repeatHere makes the repeats that worker processes have left to make. Their executions are not known here: the first
// ones are executed anew, and each of them is repeated.
func (s *Session) repeatHere(out *explore.Outcome) error {
	missing := s.repeats() - out.Rechecked
	if missing <= 0 || s.stops() {
		out.Unrepeated = max(0, missing)
		return nil
	}
	st, err := strategies.New(s.Strategy, s.Seed, 0)
	if err != nil {
		return err
	}
	o := s.options(s.ordinary(s.Model, s.Timers, s.Faults))
	o.Before, o.Step = nil, nil
	o.Budget.Executions, o.Repeats, o.Spare, o.Stop = missing, missing, s.spare(), s.stops
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
		return s.met(explore.Found{Trace: f.Trace, Violations: only})
	}
	var again explore.Outcome
	err = s.muted(func() error {
		again, err = explore.Run(s.sys, st, o)
		return err
	})
	out.Rechecked += again.Rechecked
	out.Unrepeated = again.Unrepeated
	out.Varied, out.Drawn, out.Shared, out.Unseen = cmp.Or(out.Varied, again.Varied), cmp.Or(out.Drawn, again.Drawn),
		cmp.Or(out.Shared, again.Shared), explore.Union(out.Unseen, again.Unseen)
	out.Draws, out.Redrawn = out.Draws || again.Draws, out.Redrawn+again.Redrawn
	if out.Uncontrolled == "" {
		out.Uncontrolled, out.OnlyGoroutines = again.Uncontrolled, again.OnlyGoroutines
	}
	out.Diverged = out.Diverged || again.Diverged
	return err
}
