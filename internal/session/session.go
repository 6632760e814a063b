// Package session is the life of one Check or Explore of the root package, but for what it tells the test. It is: plan,
// explore, investigate what was found, replay what earlier runs left, save.
//
// The files, each of which knows only those before it:
//
//	alarm.go, memory.go    end an execution that takes too long, or too much memory
//	clock.go               how long each part of a session may take
//	coverage.go, corpus.go which orders were seen; executions that are kept because they add some
//	late.go, progress.go   failures that come when their execution is over; the line on stderr
//	found.go               the violations that were met
//	plan.go                what is to be done; facts.go: what an analysis of the source adds
//	stage.go               the program with all that watches over its executions
//	choices.go             what becomes of the choices of Go
//	prepare.go             from what was asked for to a plan
//	report.go              a finding for people
//	ends.go, tell.go       parts of an investigation: final checks; states, logs and the order that decides
//	schedule.go            all that is done to a schedule: followed, made to force less, written, found again
//	death.go               an execution that killed its process
//	session.go             the session itself
//	guide.go, keep.go      an order that is followed in place of an exploration; the corpus
//	met.go, repeat.go      what executions show; which of them are repeated
//	divide.go              an exploration by several processes: the one that coordinates
//	explore.go             the exploration
//	study.go               from a violation to a finding: repeat, minimise, explain, replay
//	byhand.go, watch.go    for `rehearse explore`: positions that are gone to by hand; an exploration that is looked at
//	worker.go              an exploration by several processes: the others
package session

import (
	"fmt"
	"os"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/parallel"
	"github.com/rehearse-go/rehearse/internal/profile"
	"github.com/rehearse-go/rehearse/internal/saved"
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
	watch    *watch       // somebody looks at the exploration; nil: nobody
	executes bool         // the exploration has begun to execute: it was not refused before
	done     int          // executions so far, those that were cut short included
	cutShort int          // of them

	openItems, foundByWorkers int                // of a divided search: items, violations,
	estimator                 parallel.Estimator // and who knows how many executions there are
	estimate                  explore.Estimate   // when it ended
	tasks                     int                // of one that another process has divided,
	stoppedBy                 string             // and who stopped that, "" if nobody did
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
	h := trace.Header{Version: trace.ScheduleVersion, Tool: toolVersion,
		Package: id.Package, Test: id.Test, Ordinal: id.Ordinal,
		Model: p.Model, Timers: p.Timers, Faults: p.Faults, Strategy: p.Strategy, Seed: p.Seed, Choices: p.Choices}
	if (chance.Limits{Draws: p.Draws, Preemptions: p.Preemptions}) != chance.LimitsOff {
		h.Layer, h.Draws, h.Preemptions, h.Go = LayerNumbers, p.Draws, p.Preemptions, ThisGo()
	}
	return &Session{ID: id, stage: stage{Plan: p, clock: clock{budget: p.Budget, began: time.Now()},
		found: newFound(p.Judge.Levels),
		sys:   sys, Header: h, orders: coverageFor(p.CoverProfile, p.CountOrders && !p.isDivided())}}
}

// EndBefore has everything end before -timeout. A handler that hangs is given up early enough to tell of it.
func (s *Session) EndBefore(deadline time.Time) {
	left := s.endBefore(deadline)
	s.Blocked = min(s.Blocked, max((left/2).Round(10*time.Millisecond), 10*time.Millisecond))
}

// OpenJournal opens the journal, and gives the execution in which an earlier run died, nil if there is none. That there
// is no journal is worth a warning, not more.
func (s *Session) OpenJournal() (died *saved.Died, warning string) {
	j, died, err := saved.OpenJournal(saved.JournalDir(), saved.JournalKey(s.Header.Test, s.Header.Ordinal), s.Header)
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

// ShowProgress has a line on stderr tell how far the exploration is: each time so long, or when it suits for 0.
func (s *Session) ShowProgress(verbose bool, every time.Duration) {
	s.progress = newProgress(os.Stderr, verbose, every, time.Now)
	s.progress.found = func() int { return len(s.Raws) }
	if s.isDivided() {
		s.progress.found = func() int { return s.foundByWorkers }
		if _, sample := s.strategy.(explore.Numbered); sample {
			s.progress.budget = s.Budget.Executions
		} else {
			s.progress.open = func() int { return s.openItems }
		}
	}
	s.progress.estimate = s.estimateNow
}

// estimateNow estimates how many executions there are, or says why that cannot be done.
func (s *Session) estimateNow() (e explore.Estimate, why string) {
	switch {
	case !s.isDivided():
		return explore.ReportOf(s.strategy).Estimate, ""
	case s.estimator == nil:
		return e, ""
	}
	return s.estimator()
}

func (s *Session) stops() bool { return s.stop(s.done) }

// Began reports whether the exploration has begun to execute: it was not refused before.
func (s *Session) Began() bool { return s.executes }

// StoppedForTimeout reports whether -timeout ended the exploration.
func (s *Session) StoppedForTimeout() bool { return s.late }

// Unshared reports whether the exploration was left to a swarm of which no machine has executed anything.
func (s *Session) Unshared() bool { return s.elsewhere != nil && s.done == 0 }

// WriteCoverage merges the orders that were seen into the file of Plan.CoverProfile, if that is wanted.
func (s *Session) WriteCoverage() error { return s.orders.write(&s.Header) }

// OrdersSeen is which orders of messages this process has seen, by type of actor, under all models that it executed. It
// is nil unless Plan.CountOrders wants it, and where processes share the exploration: each knows its own only.
func (s *Session) OrdersSeen() []profile.Actor {
	if !s.CountOrders || s.isDivided() {
		return nil
	}
	return s.orders.profile(&s.Header).Classify()
}
