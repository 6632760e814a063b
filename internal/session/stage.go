package session

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/gotest"
	"github.com/rehearse-go/rehearse/internal/reach"
	"github.com/rehearse-go/rehearse/internal/replay"
	"github.com/rehearse-go/rehearse/internal/saved"
	"github.com/rehearse-go/rehearse/internal/startstate"
	"github.com/rehearse-go/rehearse/trace"
)

// stage is the program of a session with all that watches over its executions.
type stage struct {
	*Plan
	clock
	found
	sys      explore.System
	Header   trace.Header // of everything that is written
	journal  *saved.Journal
	progress *progress // nil: none
	orders   coverage
	Late     Late
	Chosen   int // steps that were chosen: zero means that there was nothing to explore
}

// checker makes the judge of executions. Warnings are collected by Key.
func (s *stage) checker() *check.Checker {
	c := s.Judge
	c.Warned = s.warn
	return &c
}

// newT makes what a test function gets in an execution.
func (s *stage) newT() *explore.T { return explore.NewT(s.Header.Test, nil) }

// options are those of one execution under the given conditions.
func (s *stage) options(c explore.Conditions) explore.Options {
	return explore.Options{Conditions: c, MaxSteps: s.MaxSteps, Over: s.over, Check: s.checker(), NewT: s.newT,
		Afterward: s.Late.take, Under: func(c *explore.Conditions) {
			s.journal.Under(c.Choices, c.Draws, c.Preemptions, c.EndDraws)
		}, Before: func() {
			s.memory.next()
			s.journal.Before()
		}, Probe: s.journal.Before, Probed: s.journal.Step, Back: func(tr *trace.Trace, steps int) {
			s.memory.next()
			s.journal.Back(tr, steps)
		}, Step: func(tr *trace.Trace, c explore.Choice, st trace.Step) {
			s.Chosen++
			s.journal.Step(tr, c, st)
		}}
}

// runner replays schedules. Where the time is up it gives replay.ErrTimeUp.
func (s *stage) runner(o explore.Options) replay.Runner {
	run := replay.NewRunner(s.sys, o)
	return func(forced []trace.Forced) (*replay.Run, error) {
		r, err := run(forced)
		s.journal.After()
		return r, err
	}
}

// mute keeps the program from printing, unless it is to.
func (s *stage) mute() (restore func(), err error) {
	if s.KeepLogs {
		return func() {}, nil
	}
	real, restore, err := gotest.Mute()
	if err == nil && s.progress != nil {
		s.progress.to(real)
	}
	return restore, err
}

// muted runs f while the program is kept from printing.
func (s *stage) muted(f func() error) error {
	restore, err := s.mute()
	if err != nil {
		return err
	}
	defer restore()
	return f()
}

// looker gives what looks whether actors share memory, nil if nobody wants to know.
func (s *stage) looker() explore.Looker {
	if s.levels.Of(trace.Isolation) == check.Off {
		return nil
	}
	l := &reach.Looker{}
	if !explore.ReportOf(s.strategy).EveryOrder {
		s.askOfVariables(l)
	}
	return l
}

// lookFor has all executions looked at, if that is what shows a violation.
func (s *stage) lookFor(v *trace.Violation, o explore.Options) explore.Options {
	if v != nil && v.Kind == trace.Isolation {
		o.Look, o.LookAll = s.looker(), true
	}
	return o
}

// TellStart writes what is there when the test function has returned or waits, for analyses of the source. Nothing is
// explored.
func (s *stage) TellStart(path string) error {
	restore, err := s.mute()
	if err != nil {
		return err
	}
	defer restore()
	state, err := startstate.Of(s.sys, s.ordinary(s.Model, s.Timers, trace.Faults{}), s.newT)
	if err != nil {
		state = &startstate.State{Test: s.Header.Test, Made: startstate.PlacesOf(s.sys), Err: err.Error()}
	}
	return state.Append(path)
}
