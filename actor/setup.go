package actor

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/trace"
)

// setUp runs the parts of an execution that are not explored. The test function has a part before each of them.
type setUp struct {
	m     *machine
	parts int // of the test function that are over
}

// run runs f and delivers all messages in sending order, unexplored, until none is left. What the test function did
// before belongs to it.
func (s *setUp) run(f func()) {
	c := s.m.running
	if c == nil || c.index != 0 || !s.nothingExplored() {
		s.m.breach(explore.ErrSetUp) // a mistake in the test, not in the program: no finding
		s.m.halt()
	}
	s.m.phase = settingUp
	s.m.pool.ReleaseAll(s.m.outbox.deadOnArrival)
	s.m.timers.notDue()
	s.m.dog.Beat()
	f()
	h := c.cur
	h.wait = waitSetUp
	if s.m.pool.Oldest(&s.m.handlers) >= 0 {
		s.m.handlers.park(h)
		return
	}
	// Nothing to deliver, as usual where set-up only wires actors: go on right here.
	if s.m.draws.on {
		s.m.draws.reap()
	}
	more := false
	chance.Aside(func() { more = s.m.observe() }) // an invariant draws numbers of its own
	if !more {
		s.m.halt()
	}
	s.m.beginEvent(s.nextPart())
	s.end(s.m.event)
	s.m.tr.Events[s.m.event].Auto = true
	s.m.runner = c
	if s.m.draws.on {
		s.m.draws.sow()
	}
}

// nothingExplored reports whether the test function was all that ran beside set-ups.
func (s *setUp) nothingExplored() bool {
	return s.m.phase != settingUp && !slices.ContainsFunc(s.m.tr.Events[s.m.tr.Explored:], func(e trace.Event) bool { return e.Step.Kind != trace.Start })
}

// nextPart is the start of the next part of the test function. Number 2 is what it does at the end.
func (s *setUp) nextPart() trace.Step {
	s.parts++
	if s.parts > 1 {
		return trace.StartStep(s.parts + 1)
	}
	return trace.StartStep(1)
}

// endSetUp begins the explored part, with the given event.
func (s *setUp) end(event int32) {
	s.m.phase = exploring
	s.m.tr.Explored = int(event)
	s.m.pool.Rest()
	if s.m.c.Timers == trace.Async {
		for i := range s.m.timers.all {
			s.m.timers.due(&s.m.timers.all[i])
		}
	}
}

// nextOfSetUp gives the next step of set-up: the oldest message, or else the driver's second part.
func (s *setUp) next() (trace.Step, bool) {
	if msg := s.m.pool.Oldest(&s.m.handlers); msg >= 0 {
		if len(s.m.tr.Events) > s.m.c.MaxSteps {
			s.m.err = errNever(len(s.m.tr.Events)-1, s.lastSteps(5))
			return trace.Step{}, false
		}
		return s.m.tr.DeliveryOf(msg), true
	}
	driver := s.m.actors.all[0]
	if h := driver.cur; h != nil && h.wait == waitSetUp {
		return s.nextPart(), true
	}
	if driver.stopped {
		// It panicked in set-up; what it started is explored, so that the finding has an execution.
		s.m.phase = exploring
		s.m.tr.Explored = len(s.m.tr.Events)
		s.m.pool.Rest()
		s, ok := s.m.choose()
		if !ok {
			return trace.Step{}, false
		}
		return *s, true
	}
	s.m.err = errStuck(s.m.host.Status(0).Awaits)
	return trace.Step{}, false
}

// lastSteps names the last steps, the last one last.
func (s *setUp) lastSteps(n int) []string {
	var names []string
	for _, e := range s.m.tr.Events[max(0, len(s.m.tr.Events)-n):] {
		names = append(names, s.m.tr.StepName(e.Step))
	}
	return names
}

// errNever is what a set-up without end is told.
func errNever(steps int, last []string) error {
	return fmt.Errorf("set-up never quiesces: %d messages were delivered and more are pending; the last were %s; "+
		"move what starts the endless exchange out of SetUp, or raise MaxSteps if set-up needs more", steps, strings.Join(last, "; "))
}

// errStuck is what a set-up that blocks for ever is told.
func errStuck(awaits string) error {
	return fmt.Errorf("set-up is stuck: the test function waits for %s inside SetUp and no message is left to deliver; "+
		"move the wait behind SetUp to have it explored", awaits)
}
