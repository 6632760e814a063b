// Package session is the life of one Check or Explore of the root package, but for what it tells the test: plan, explore,
// investigate what was found, replay what earlier runs left, save.
//
// The files, each of which knows those above it only:
//
//	alarm.go, memory.go    end an execution that takes too long, or too much memory; clock.go: the time that each part has
//	found.go               the violations that were met
//	coverage.go, corpus.go which orders were seen; executions that are kept because they add some
//	late.go, progress.go   failures that come when their execution is over; the line on stderr
//	plan.go                what is to be done; facts.go: what an analysis of the source adds
//	choices.go             what becomes of the choices of Go
//	stage.go               the program with all that watches over its executions
//	report.go              a finding for people
//	ends.go, study.go      from a violation to a finding: repeat, minimise, explain, replay with states and logs
//	replay.go, start.go    one schedule; the state in which the test function leaves the program
//	guide.go, repeat.go    an order that is followed in place of an exploration; which executions are repeated
//	session.go             the exploration
//	divide.go              an exploration by several processes: the one that coordinates; worker.go: the others
package session

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/draws"
	"github.com/rehearse-go/rehearse/internal/journal"
	"github.com/rehearse-go/rehearse/trace"
)

// toolVersion is written into schedules.
const toolVersion = "0.1"

// Session is one Check or Explore.
type Session struct {
	stage
	ID

	corpus   *corpus      // nil: off
	onTheWay []halfway    // what executions showed that follow Plan.Guide in part
	followed *trace.Trace // the execution that followed it to its end; nil: none
	first    *trace.Trace // the execution that was last executed a second time
	executes bool         // the exploration has begun to execute: it was not refused before
	done     int          // executions so far
}

// ID names a session.
type ID struct {
	Package, Test string
	Ordinal       int    // among the Checks of the test, from 0
	Call          string // which exploration of this process it is
	Pattern       string // for -test.run, to come to it in another process; "" if that cannot be done
	Earlier       any    // the results of the explorations before, for worker processes: they go on from them
}

// New makes a session that is to carry out a plan.
func New(p *Plan, sys explore.System, id ID) *Session {
	h := trace.Header{Version: trace.ScheduleVersion, Tool: toolVersion, Package: id.Package, Test: id.Test, Ordinal: id.Ordinal,
		Model: p.Model, Timers: p.Timers, Faults: p.Faults, Strategy: p.Strategy, Seed: p.Seed, Choices: p.Choices}
	if (draws.Limits{Draws: p.Draws, Preemptions: p.Preemptions}) != draws.Off {
		h.Layer, h.Draws, h.Preemptions, h.Go = LayerNumbers, p.Draws, p.Preemptions, ThisGo()
	}
	return &Session{ID: id, stage: stage{Plan: p, clock: clock{budget: p.Budget, began: time.Now()}, found: newFound(p.Judge.Levels),
		sys: sys, Header: h, orders: coverageFor(p.CoverProfile)}}
}

// EndBefore has everything end before -timeout. A handler that hangs is given up early enough to tell of it.
func (s *Session) EndBefore(deadline time.Time) {
	left := s.endBefore(deadline)
	s.Blocked = min(s.Blocked, max((left/2).Round(10*time.Millisecond), 10*time.Millisecond))
}

// OpenJournal opens the journal, and gives the execution in which an earlier run died, nil if there is none. That there is
// no journal is worth a warning, not more.
func (s *Session) OpenJournal() (died *journal.Died, warning string) {
	j, died, err := journal.Open(journal.Dir(), journal.Key(s.Header.Test, s.Header.Ordinal), s.Header)
	s.journal = j
	if err != nil {
		return died, fmt.Sprintf("rehearse: a fatal error of the runtime would not be reported by the next run: %v", err)
	}
	return died, ""
}

// CloseJournal ends what OpenJournal began.
func (s *Session) CloseJournal() { s.journal.Close() }

// KeepNew has executions be kept that add orders: see KeepCorpus.
func (s *Session) KeepNew() { s.corpus = newCorpus() }

// ShowProgress has a line on stderr tell now and then how far the exploration is.
func (s *Session) ShowProgress(verbose bool) {
	s.progress = newProgress(os.Stderr, verbose, time.Now)
	s.progress.divided = s.isDivided()
	s.progress.estimate = func() explore.Estimate { return explore.ReportOf(s.strategy).Estimate }
}

// Explore runs the strategy within the budget. Violations are left in Raws. Where it turns out that a fact cannot be relied
// on, everything begins anew without it.
func (s *Session) Explore() (explore.Outcome, error) {
	s.Chosen = 0
	for {
		out, err := s.explore()
		var unfit *explore.Unfit
		if !errors.As(err, &unfit) {
			return out, err
		}
		if err := s.without(unfit); err != nil {
			return out, err
		}
		// What was found before is found again.
		s.found = newFound(s.levels)
		s.first, s.done, s.Chosen, s.timeUp = nil, 0, 0, false
	}
}

func (s *Session) explore() (explore.Outcome, error) {
	if s.isDivided() {
		if s.corpus != nil {
			return explore.Outcome{}, errDividedCorpus
		}
		return s.divide()
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
	before, redrawn := o.Before, 0
	o.Before = func() {
		s.executes = true
		before()
	}
	o.After = func(c *explore.Counters, tr *trace.Trace) {
		s.memory.next()
		s.journal.After()
		s.orders.observe(tr, s.Model)
		if c.Redrawn == redrawn { // else no schedule of ours leads there
			s.corpus.observe(tr, len(s.Raws) > 0)
		}
		redrawn = c.Redrawn
		if s.guide != nil && s.guide.Followed() && s.followed == nil {
			s.followed = tr.Clone()
		}
		s.first = nil
		s.done = c.Executions + c.Blocked
		s.progress.tick(c)
	}
	return o, release
}

func (s *Session) stops() bool { return s.stop(s.done) }

// met takes the violations of an execution; those that the loop itself reports have not passed the checker.
func (s *Session) met(f explore.Found) bool {
	raws := s.rawsOf(f)
	if s.guide != nil && !s.guide.Followed() {
		s.foundOnTheWay(raws)
		return true
	}
	s.Raws = append(s.Raws, raws...)
	return s.All || len(s.Raws) == 0
}

// rawsOf are those that were not met before. What only warns is kept elsewhere.
func (s *Session) rawsOf(f explore.Found) (raws []Raw) {
	var kept *trace.Trace
	for _, v := range f.Violations {
		switch s.levels.Of(v.Kind) {
		case check.Off:
			continue
		case check.Warning:
			s.warn(v)
			continue
		}
		if !s.isNew(&v) {
			continue
		}
		if kept == nil {
			kept = f.Trace.Clone()
		}
		n := s.done + 1
		if v.Kind == trace.Divergence {
			n = max(1, s.done) // the second execution of one that was counted
		}
		raws = append(raws, Raw{Violation: v, trace: kept, execution: n, phase: s.phase(), first: s.first,
			excess: v.Kind == trace.Livelock && s.isOver(), choices: choicesUnder(&f.Under)})
	}
	return raws
}

// phase is whose turn it is in a strategy that takes turns.
func (s *Session) phase() string {
	if p, ok := s.strategy.(interface{ Phase() string }); ok {
		return p.Phase()
	}
	return ""
}

// Began reports whether the exploration has begun to execute: it was not refused before.
func (s *Session) Began() bool { return s.executes }

// StoppedForTimeout reports whether -timeout ended the exploration.
func (s *Session) StoppedForTimeout() bool { return s.late }

// Summary is an outcome with what the session knows of it.
type Summary struct {
	explore.Outcome                  // Reason is never empty
	Strategy        string           // its name
	Guided          string           // how far the guide was followed, "" if there is none, or nothing was executed
	Facts           string           // what became of facts, "" if there was nothing to use or no use for it
	Timed           bool             // the program sets timers
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
	t, ok := s.sys.(explore.Timed)
	return Summary{out, s.strategy.Name(), s.guided(), s.noted, ok && t.Timed(), explore.ReportOf(s.strategy).Estimate}
}

// Stands says where the exploration stands, for an error.
func (s *Session) Stands(out *explore.Outcome) string {
	return fmt.Sprintf("in execution %d of strategy %s, seed %d, model %s, timers %s",
		out.Executions+out.Blocked+1, s.strategy.Name(), s.Seed, s.Model, s.Timers)
}

// WriteCoverage merges the orders that were seen into the file of Plan.CoverProfile, if that is wanted.
func (s *Session) WriteCoverage() error { return s.orders.write(&s.Header) }
