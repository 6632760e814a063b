package rehearse

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
	"github.com/rehearse-go/rehearse/internal/logcapture"
	"github.com/rehearse-go/rehearse/internal/profile"
	"github.com/rehearse-go/rehearse/internal/replay"
	"github.com/rehearse-go/rehearse/trace"
)

// toolVersion is written into schedules.
const toolVersion = "0.1"

// session is one Check or Explore.
//
//	check.go    the order of things in a test
//	coverage.go which orders were seen; corpus.go: executions that are kept because they add some
//	divide.go   an exploration by several processes: the one that coordinates; worker.go: the others
//	saved.go    what earlier runs left: journal and saved schedules
//	session.go  options of the loop, the exploration
//	clock.go    the time that there is, memory.go the memory
//	guide.go    an order that is followed in place of an exploration
//	again.go    which executions are repeated, to see whether the program makes choices of its own
//	finding.go  from a violation to a Finding: repeat, minimise, explain, replay with states and logs
//	report.go   a Finding for people
//	toolate.go  failures that come when their execution is over
//	progress.go the line on stderr
type session struct {
	*plan
	sys     System
	header  trace.Header // of everything that is written
	journal *journal.Journal
	call    string // which exploration of this process it is
	pattern string // for -test.run, to come to it in another process; "" if that cannot be done
	began   time.Time
	limit   time.Time    // when to stop because of -timeout; zero: never
	end     *alarm       // of what goes on: nothing is executed after it; nil: none
	memory  *memoryGuard // of what goes on; nil: none

	progress *progress // nil: none
	all      bool      // go on after a finding
	chosen   int       // steps that were chosen: zero means that there was nothing to explore
	executes bool      // the exploration has begun to execute: it was not refused before
	refused  bool      // it was
	done     int       // executions so far
	late     bool      // stopped because of limit
	timeUp   bool      // stopped because of the budget
	raws     []raw
	onTheWay []halfway    // what executions showed that follow Config.Guide in part
	followed *trace.Trace // the execution that followed it to its end; nil: none
	tooLate  tooLate
	first    *trace.Trace    // the execution that was last executed a second time
	known    map[string]bool // keys of raws and warnings
	warnings []Violation
	saved    int // schedules replayed

	collectors map[Model]*profile.Collector // of coverage; nil: off
	corpus     *corpus                      // nil: off
}

// raw is a violation as the exploration met it.
type raw struct {
	trace     *trace.Trace // a copy
	violation trace.Violation
	execution int
	phase     string       // of the strategy, "" if it has none
	first     *trace.Trace // of a divergence: the execution that was repeated, nil if unknown
	excess    bool         // the execution was ended because it took too long, or too much memory: it is not executed again
	died      *death       // the execution killed its process; trace is nil then
	choices   goChoices    // how Go chose in it
}

func newSession(p *plan, sys System, pkg, test string, ordinal int) *session {
	s := &session{plan: p, all: p.KeepGoing, sys: sys, began: time.Now(), known: map[string]bool{}, header: trace.Header{
		Version: trace.ScheduleVersion, Tool: toolVersion, Package: pkg, Test: test, Ordinal: ordinal,
		Model: p.Model, Timers: p.Timers, Faults: p.faults, Strategy: p.Strategy, Seed: p.Seed}}
	s.header.Choices = p.choices
	if p.limits != draws.Off {
		s.header.Layer, s.header.Draws, s.header.Preemptions, s.header.Go = layerNumbers, p.limits.Draws, p.limits.Preemptions, thisGo()
	}
	if p.CoverProfile != "" {
		s.collectors = map[Model]*profile.Collector{}
	}
	return s
}

// checker makes the judge of executions. Warnings are collected by Key.
func (s *session) checker() *check.Checker {
	return &check.Checker{Levels: s.Checks, Ends: s.Environment, Final: s.Final, Invariants: s.Invariants, Warned: s.warn}
}

func (s *session) warn(v trace.Violation) {
	if key := "warning " + v.Key(); !s.known[key] {
		s.known[key] = true
		s.warnings = append(s.warnings, v)
	}
}

// options are those of one execution under the given conditions.
func (s *session) options(c explore.Conditions) explore.Options {
	return explore.Options{Conditions: c, MaxSteps: s.MaxSteps, Over: s.over, Check: s.checker(), NewT: func() *explore.T { return explore.NewT(s.header.Test, nil) },
		Afterward: s.tooLate.take, Under: func(c *explore.Conditions) { s.journal.Under(c.Choices, c.Draws, c.Preemptions, c.EndDraws) }, Before: func() {
			s.memory.next()
			s.journal.Before()
		}, Probe: s.journal.Before, Probed: s.journal.Step, Back: func(tr *trace.Trace, steps int) {
			s.memory.next()
			s.journal.Back(tr, steps)
		}, Step: func(tr *trace.Trace, c explore.Choice, st trace.Step) {
			s.chosen++
			s.journal.Step(tr, c, st)
		}}
}

// explore runs the strategy within the budget. Violations are left in s.raws. Where it turns out that a fact cannot be relied on, everything
// begins anew without it.
func (s *session) explore() (explore.Outcome, error) {
	for {
		out, err := s.exploreOnce()
		var unfit *explore.Unfit
		if !errors.As(err, &unfit) {
			return out, err
		}
		if err := s.without(unfit); err != nil {
			return out, err
		}
	}
}

func (s *session) exploreOnce() (explore.Outcome, error) {
	if s.isDivided() {
		if s.corpus != nil {
			return explore.Outcome{}, errDividedCorpus
		}
		return s.divide()
	}
	restore, err := s.mute()
	if err != nil {
		return explore.Outcome{}, err
	}
	defer restore()
	c := s.conditions(s.Model, s.Timers, s.faults)
	c.Effects, c.Calls = s.effects, s.calls
	o := s.options(c)
	o.Budget, o.Stop, o.Found = s.budget, s.stop, s.found
	soft, release := s.exploring()
	defer release()
	if soft != nil {
		o.Late = soft.rings
	}
	s.repeating(&o)
	o.Ends, o.Repeat = true, s.repeatOf
	o.Sample, o.Repeats, o.Spare, o.Orders = true, s.repeats(), s.spare(), s.orders(o.Conditions)
	before, redrawn := o.Before, 0
	o.Before = func() {
		s.executes = true
		before()
	}
	o.After = func(c *explore.Counters, tr *trace.Trace) {
		s.memory.next()
		s.journal.After()
		s.cover(tr, s.Model)
		if c.Redrawn == redrawn { // else no schedule of ours leads there
			s.corpus.observe(tr, len(s.raws) > 0)
		}
		redrawn = c.Redrawn
		if s.guide != nil && s.guide.Followed() && s.followed == nil {
			s.followed = tr.Clone()
		}
		s.first = nil
		s.done = c.Executions + c.Blocked
		s.progress.tick(c)
	}
	return explore.Run(s.sys, s.strategy, o)
}

// isDivided reports whether processes share the exploration, or it is kept to go on later, which takes the same parts.
func (p *plan) isDivided() bool { return p.Workers > 1 || p.values.Resume != "" }

// mute keeps the program from printing, unless it is to.
func (s *session) mute() (restore func(), err error) {
	if s.KeepLogs {
		return func() {}, nil
	}
	real, restore, err := logcapture.Mute()
	if err == nil && s.progress != nil {
		s.progress.to(real)
	}
	return restore, err
}

// muted runs f while the program is kept from printing.
func (s *session) muted(f func() error) error {
	restore, err := s.mute()
	if err != nil {
		return err
	}
	defer restore()
	return f()
}

// found takes the violations of an execution; those that the loop itself reports have not passed the checker.
func (s *session) found(f explore.Found) bool {
	raws := s.rawsOf(f)
	if s.guide != nil && !s.guide.Followed() {
		s.foundOnTheWay(raws)
		return true
	}
	s.raws = append(s.raws, raws...)
	return s.all || len(s.raws) == 0
}

// rawsOf are those that were not met before. What only warns is kept elsewhere.
func (s *session) rawsOf(f explore.Found) (raws []raw) {
	var kept *trace.Trace
	for _, v := range f.Violations {
		switch s.Checks.Of(v.Kind) {
		case check.Off:
			continue
		case check.Warning:
			s.warn(v)
			continue
		}
		if s.known[v.Key()] {
			continue
		}
		s.known[v.Key()] = true
		if kept == nil {
			kept = f.Trace.Clone()
		}
		n := s.done + 1
		if v.Kind == trace.Divergence {
			n = max(1, s.done) // the second execution of one that was counted
		}
		raws = append(raws, raw{kept, v, n, s.phase(), s.first, v.Kind == trace.Livelock && s.isOver(), nil, choicesUnder(&f.Under)})
	}
	return raws
}

// phase is whose turn it is in a strategy that takes turns.
func (s *session) phase() string {
	if p, ok := s.strategy.(interface{ Phase() string }); ok {
		return p.Phase()
	}
	return ""
}

// runner replays schedules. Where the time is up it gives replay.ErrTimeUp.
func (s *session) runner(o explore.Options) replay.Runner {
	run := replay.NewRunner(s.sys, o)
	return func(forced []trace.Forced) (*replay.Run, error) {
		r, err := run(forced)
		s.journal.After()
		return r, err
	}
}

// result is the Result so far.
func (s *session) result(out explore.Outcome) Result {
	r := Result{Counters: out.Counters, Verdict: out.Verdict, Complete: out.Complete, ForOneSeed: out.ForOneSeed, OneOrder: out.OneOrder,
		Unrepeated: out.Unrepeated, Reason: out.Reason, Strategy: s.strategy.Name(), Budget: s.budget.String(), Seed: s.Seed, Model: s.Model,
		Timers: s.Timers, Faults: s.faults, Horizon: s.Horizon, Saved: s.saved, Warnings: s.warnings, Facts: s.noted}
	switch {
	case r.Reason == "stopped" && s.timeUp:
		r.Reason = "budget"
	case r.Reason == "":
		r.Reason = "error"
	}
	if why := s.unappliedChoices(); why != "" {
		r.Remarks = strings.TrimPrefix(r.Remarks+explore.RemarkSeparator+why, explore.RemarkSeparator)
	}
	r.Guided = s.guided()
	r.exact()
	if t, ok := s.sys.(explore.Timed); ok {
		r.Timed = t.Timed()
	}
	r.Estimate = explore.ReportOf(s.strategy).Estimate
	return r
}

// openJournal opens the journal. That there is none is worth a warning, not more.
func (s *session) openJournal() (*journal.Died, string) {
	j, died, err := journal.Open(journal.Dir(), journal.Key(s.header.Test, s.header.Ordinal), s.header)
	s.journal = j
	if err != nil {
		return died, fmt.Sprintf("rehearse: a fatal error of the runtime would not be reported by the next run: %v", err)
	}
	return died, ""
}

// close ends the session.
func (s *session) close() { s.journal.Close() }

// realStderr is for progress while nothing is muted.
func realStderr() *os.File { return os.Stderr }
