package session

import (
	"errors"
	"fmt"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// Explore runs the strategy within the budget. Violations are left in Raws. Where it turns out that a fact cannot be
// relied on, everything begins anew without it.
func (s *Session) Explore() (explore.Outcome, error) {
	s.Chosen = 0
	for {
		out, err := s.explore()
		var inapplicable *explore.Inapplicable
		if !errors.As(err, &inapplicable) {
			return out, err
		}
		if err := s.without(inapplicable); err != nil {
			return out, err
		}
		// What was found before is found again.
		s.found = newFound(s.levels)
		s.first, s.done, s.cutShort, s.Chosen, s.timeUp = nil, 0, 0, 0, false
	}
}

func (s *Session) explore() (explore.Outcome, error) {
	if s.isDivided() {
		if s.corpus != nil {
			return explore.Outcome{}, errDividedCorpus
		}
		return (&division{s}).divide()
	}
	var out explore.Outcome
	err := s.muted(func() (err error) {
		o, release := s.exploration()
		defer release()
		out, err = explore.Run(s.sys, s.strategy, o)
		return err
	})
	return out, err
}

// exploration gives the options of an exploration in this process, and what ends its alarms.
func (s *Session) exploration() (o explore.Options, release func()) {
	c := s.ordinary(s.Model, s.Timers, s.Faults)
	c.Effects, c.Calls = s.effects, s.calls
	o = s.options(c)
	o.Budget, o.Stop, o.Found = s.Budget, s.stops, s.met
	soft, release := s.exploring()
	if soft != nil {
		o.Late = soft.rings
	}
	s.repeating(&o)
	o.Ends, o.Repeat = true, s.repeatOf
	o.Sample, o.Repeats, o.Spare, o.Orders = true, s.repeats(), s.spare(), s.sends(o.Conditions)
	before, redrawn, under := o.Before, 0, o.Under
	if s.watch != nil {
		o.Under = func(c *explore.Conditions) {
			under(c)
			s.watch.conditions(c)
		}
	}
	o.Before = func() {
		s.executes = true
		before()
	}
	o.After = func(c *explore.Counters, tr *trace.Trace) {
		s.memory.next()
		s.journal.After()
		s.orders.observe(tr, s.Model)
		again := c.Redrawn != redrawn // then no schedule of ours leads there
		if !again {
			s.corpus.observe(tr, len(s.Raws) > 0)
		}
		redrawn = c.Redrawn
		if s.guide != nil && s.guide.Followed() && s.followed == nil {
			s.followed = tr.Clone()
		}
		s.first = nil
		s.done, s.cutShort = c.Executions+c.Blocked, c.Blocked
		s.progress.tick(c)
		if s.watch != nil {
			s.watch.after(c, tr, again)
		}
	}
	return o, release
}

// Summary is an outcome with what the session knows of it.
type Summary struct {
	explore.Outcome                  // Reason is never empty
	Strategy        string           // its name
	Guided          string           // how far the guide was followed, "" if there is none, or nothing was executed
	Facts           string           // what became of facts, "" if there was nothing to use or no use for it
	Timed           bool             // the program sets timers
	StoppedBy       string           // who has stopped it where that is neither -timeout nor the budget
	Tasks           int              // into which another process has divided the exploration; 0: none has
	Estimate        explore.Estimate // zero if the strategy cannot tell
}

// Summary tells what the session knows of an outcome.
func (s *Session) Summary(out explore.Outcome) Summary {
	switch {
	case out.Reason == "stopped" && s.timeUp:
		out.Reason = "budget"
	case out.Reason == "":
		out.Reason = "error"
	}
	if why := s.unappliedChoices(); why != "" {
		out.Remarks = strings.TrimPrefix(out.Remarks+explore.RemarkSeparator+why, explore.RemarkSeparator)
	}
	if !s.isDivided() {
		s.estimate = explore.ReportOf(s.strategy).Estimate
	}
	t, ok := s.sys.(explore.Timed)
	return Summary{out, s.strategy.Name(), s.guided(), s.noted, ok && t.Timed(), s.stoppedBy, s.tasks, s.estimate}
}

// Stands says where the exploration stands, for an error.
func (s *Session) Stands(out *explore.Outcome) string {
	return fmt.Sprintf("in execution %d of strategy %s, seed %d, model %s, timers %s",
		out.Executions+out.Blocked+1, s.strategy.Name(), s.Seed, s.Model, s.Timers)
}
