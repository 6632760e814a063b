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
	m := s.m
	c := m.running
	if c == nil || c.index != 0 || !s.nothingExplored() {
		m.breach(explore.ErrSetUp) // a mistake in the test, not in the program: no finding
		m.halt()
	}
	m.phase = settingUp
	m.pool.ReleaseAll(m.outbox.deadOnArrival)
	m.timers.notDue()
	m.dog.Beat()
	f()
	h := c.cur
	h.wait = waitSetUp
	if m.pool.Oldest(&m.handlers) >= 0 {
		m.handlers.park(h)
		return
	}
	// Nothing to deliver, as usual where set-up only wires actors: go on right here.
	if m.draws.on {
		m.draws.reap()
	}
	more := false
	chance.Aside(func() { more = m.observe() }) // an invariant draws numbers of its own
	if !more {
		m.halt()
	}
	m.beginEvent(s.nextPart())
	s.end(m.event)
	m.tr.Events[m.event].Auto = true
	m.runner = c
	if m.draws.on {
		m.draws.sow()
	}
}

// nothingExplored reports whether the test function was all that ran beside set-ups.
func (s *setUp) nothingExplored() bool {
	m := s.m
	return m.phase != settingUp &&
		!slices.ContainsFunc(m.tr.Events[m.tr.Explored:], func(e trace.Event) bool { return e.Step.Kind != trace.Start })
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
	m := s.m
	m.phase = exploring
	m.tr.Explored = int(event)
	m.pool.Rest()
	if m.c.Timers == trace.Async {
		for i := range m.timers.all {
			m.timers.due(&m.timers.all[i])
		}
	}
}

// nextOfSetUp gives the next step of set-up: the oldest message, or else the driver's second part.
func (s *setUp) next() (trace.Step, bool) {
	m := s.m
	if msg := m.pool.Oldest(&m.handlers); msg >= 0 {
		if len(m.tr.Events) > m.c.MaxSteps {
			m.err = errNever(len(m.tr.Events)-1, s.lastSteps(5))
			return trace.Step{}, false
		}
		return m.tr.DeliveryOf(msg), true
	}
	driver := m.actors.all[0]
	if h := driver.cur; h != nil && h.wait == waitSetUp {
		return s.nextPart(), true
	}
	if driver.stopped {
		// It panicked in set-up; what it started is explored, so that the finding has an execution.
		m.phase = exploring
		m.tr.Explored = len(m.tr.Events)
		m.pool.Rest()
		s, ok := m.choose()
		if !ok {
			return trace.Step{}, false
		}
		return *s, true
	}
	m.err = errStuck(m.host.Status(0).Awaits)
	return trace.Step{}, false
}

// lastSteps names the last steps, the last one last.
func (s *setUp) lastSteps(n int) []string {
	m := s.m
	var names []string
	for _, e := range m.tr.Events[max(0, len(m.tr.Events)-n):] {
		names = append(names, m.tr.StepName(e.Step))
	}
	return names
}

// errNever is what a set-up without end is told.
func errNever(steps int, last []string) error {
	return fmt.Errorf("set-up never quiesces: %d messages were delivered and more are pending; the last were %s; "+
		"move what starts the endless exchange out of SetUp, or raise MaxSteps if set-up needs more", steps,
		strings.Join(last, "; "))
}

// errStuck is what a set-up that blocks for ever is told.
func errStuck(awaits string) error {
	return fmt.Errorf("set-up is stuck: the test function waits for %s inside SetUp and no message is left to deliver; "+
		"move the wait behind SetUp to have it explored", awaits)
}
