package actor

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/trace"
)

// host is what the driver, strategies and checks see of a machine: explore.Host, and what else they ask an execution for.
type host struct{ m *machine }

var _ explore.Host = (*host)(nil)

// SetUp is explore.Host.SetUp.
func (x *host) SetUp(f func()) { x.m.setUp.run(f) }

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

// notDue takes back that timers may fire: under asynchronous timers they may as soon as they are set, but not in set-up.
func (ts *timers) notDue() {
	for i := range ts.all {
		if t := &ts.all[i]; t.state == timerDue || t.state == timerFired && ts.m.pool.Cancel(t.message) {
			ts.setState(t, timerSet)
		}
	}
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

// Running is explore.Host.Running: the actor whose code runs; at the end it is the test's.
func (x *host) Running() int32 {
	if x.m.running == nil {
		return 0
	}
	return x.m.running.index
}

// Trace is explore.Execution.Trace.
func (x *host) Trace() *trace.Trace { return &x.m.tr }

// State is explore.Execution.State: the behaviour; the one given at spawn while the present one is a mere Func, since that has
// no state to show.
func (x *host) State(actor int32) any {
	c := x.m.actors.all[actor]
	if c.behavior == nil {
		return nil
	}
	if _, mere := c.behavior.(Func); mere && len(c.previous) > 0 {
		return c.previous[0]
	}
	return c.behavior
}

// Status is explore.Execution.Status.
func (x *host) Status(actor int32) explore.Status {
	c := x.m.actors.all[actor]
	st := explore.Status{Stopped: c.stopped, Crashed: c.crashed, On: -1}
	h := c.cur
	if h == nil && len(c.tasks) > 0 {
		h = c.tasks[0]
	}
	if h == nil {
		return st
	}
	st.Blocked = true
	switch h.wait {
	case waitCall:
		k := &x.m.calls.all[h.call]
		st.Awaits, st.On = "reply to "+trace.ShortType(k.request.Name), k.callee
	case waitFuture:
		st.Awaits, st.On = "a future", h.future.callee
		if h.future.request != nil {
			st.Awaits = "reply to " + trace.ShortType(h.future.request.Name)
		}
	case waitReceive:
		st.Awaits = "a message that matches"
	case waitCond:
		st.Awaits = "a condition"
	case waitGoroutines:
		st.Awaits = h.waits
	}
	return st
}

// Pending is explore.Execution.Pending. Stashed messages are among them: they were put aside, not handled.
func (x *host) Pending(f func(message int32)) {
	x.m.pool.Each(f)
	for _, c := range x.m.actors.all {
		for _, s := range slices.Clone(c.stash) {
			f(s)
		}
	}
}
