package actor

import (
	"fmt"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/goroutine"
	"github.com/rehearse-go/rehearse/internal/startstate"
	"github.com/rehearse-go/rehearse/trace"
)

// System is a program of native actors that can be executed again and again. It executes one at a time.
type System struct {
	// Polling lets a suspended task be picked at any time; it goes back if what it awaits is not ready. By default a task
	// is picked only once it is ready. Not honoured in set-up.
	Polling bool

	test  func(t *explore.T, ctx *Context)
	timed bool     // a timer was set in some execution
	m     *machine // of the last execution, whose memory the next one uses
	strays
	oneThread
	watchers watchers
}

// New makes a system from its test function. The function is the driver, actor 0: it spawns, sends, and may block in a
// call. It runs once an execution; when it returns, the driver has stopped. It must build its program anew each time.
func New(test func(t *explore.T, ctx *Context)) *System {
	if test == nil {
		panic("rehearse: actor.New got no test function: it is nil")
	}
	s := &System{test: test, strays: newStrays()}
	startstate.Made(s)
	return s
}

// DefaultModel is Bag: any pending message may be next, as in the actor model.
func (*System) DefaultModel() trace.Model { return trace.Bag }

// Timed is explore.Timed.
func (s *System) Timed() bool { return s.timed }

// Execute is explore.System.Execute.
//
// The handlers run on a goroutine of their own while the caller watches them, since a handler that never returns could
// not be left in any other way. After an error about one, that goroutine is given up together with all that it can
// reach.
func (s *System) Execute(c explore.Conditions, d explore.Driver) error {
	if s.m == nil {
		s.m = newMachine(s, c)
	}
	for {
		if err := s.execute(withDefaults(c), d); err != nil || s.m == nil || !s.m.draws.beginsAnew() {
			return err
		}
	}
}

// execute is one execution, or more that begin like it where the driver wants that.
func (s *System) execute(c explore.Conditions, d explore.Driver) error {
	m := s.m
	m.reset(c, d)
	m.beginExecution()
	goroutine.Go(m.begin)
	if err := m.dog.Watch(m.done); err != nil {
		m.abandoned.Store(true)
		m.draws.abandon()
		s.lookout.End()
		s.pause()
		s.m = nil
		return fmt.Errorf("%s does not end: %w", m.doing(err.Error()), err)
	}
	s.lookout.End() // of an execution that was not finished
	s.pause()
	return m.err
}

// doing says what runs, for the error that it does not end, given the stack of that.
func (m *machine) doing(stack string) string {
	called := func(function string) bool { return strings.Contains(stack, function) }
	switch { // SUBTLE: only fields that were written before the last beat may be read; there is one before each handler
	case called("actor.(*machine).tell("), called("explore.(*run).Finish("), called("explore.(*T).RunCleanups("):
		return "an invariant, final check or clean-up (AtEnd, Cleanup)"
	case m.phase == settingUp && m.tr.Events[m.event].Step.Kind == trace.Start:
		return "SetUp"
	case m.event == 0 || m.runner == nil || m.runner.index == 0:
		return "the test function"
	}
	return m.tr.StepName(m.tr.Events[m.event].Step)
}

func withDefaults(c explore.Conditions) explore.Conditions {
	if c.Model == trace.DefaultModel {
		c.Model = trace.Bag
	}
	if c.Horizon == 0 {
		c.Horizon = time.Minute
	}
	if c.MaxSteps == 0 {
		c.MaxSteps = 100_000
	}
	return c
}
