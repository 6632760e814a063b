package actor

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/trace"
)

// SetUp is explore.Host.SetUp: it runs f and delivers all messages in sending order, unexplored, until none is left. What the test function did
// before belongs to it.
func (m *machine) SetUp(f func()) {
	c := m.running
	if c == nil || c.index != 0 || !m.nothingExplored() {
		m.breach(explore.ErrSetUp) // a mistake in the test, not in the program: no finding
		m.halt()
	}
	m.phase = settingUp
	m.pool.ReleaseAll(m.deadOnArrival)
	m.notDue()
	m.dog.Beat()
	f()
	h := c.cur
	h.wait = waitSetUp
	if m.pool.Oldest(m) >= 0 {
		m.park(h)
		return
	}
	// Nothing to deliver, as usual where set-up only wires actors: go on right here.
	if m.draws.on {
		m.reap()
	}
	more := false
	chance.Aside(func() { more = m.observe() }) // an invariant draws numbers of its own
	if !more {
		m.halt()
	}
	m.beginEvent(m.nextPart())
	m.endSetUp(m.event)
	m.tr.Events[m.event].Auto = true
	m.runner = c
	if m.draws.on {
		m.sow()
	}
}

// nothingExplored reports whether the test function was all that ran beside set-ups.
func (m *machine) nothingExplored() bool {
	return m.phase != settingUp && !slices.ContainsFunc(m.tr.Events[m.tr.Explored:], func(e trace.Event) bool { return e.Step.Kind != trace.Start })
}

// notDue takes back that timers may fire: under asynchronous timers they may as soon as they are set, but not in set-up.
func (m *machine) notDue() {
	for i := range m.timers {
		if t := &m.timers[i]; t.state == timerDue || t.state == timerFired && m.pool.Cancel(t.message) {
			m.setState(t, timerSet)
		}
	}
}

// nextPart is the start of the next part of the test function. Number 2 is what it does at the end.
func (m *machine) nextPart() trace.Step {
	m.parts++
	if m.parts > 1 {
		return trace.StartStep(m.parts + 1)
	}
	return trace.StartStep(1)
}

// endSetUp begins the explored part, with the given event.
func (m *machine) endSetUp(event int32) {
	m.phase = exploring
	m.tr.Explored = int(event)
	m.pool.Rest()
	if m.c.Timers == trace.Async {
		for i := range m.timers {
			m.due(&m.timers[i])
		}
	}
}

// nextOfSetUp gives the next step of set-up: the oldest message, or else the driver's second part.
func (m *machine) nextOfSetUp() (trace.Step, bool) {
	if msg := m.pool.Oldest(m); msg >= 0 {
		if len(m.tr.Events) > m.c.MaxSteps {
			m.err = errNever(len(m.tr.Events)-1, m.lastSteps(5))
			return trace.Step{}, false
		}
		return m.tr.DeliveryOf(msg), true
	}
	driver := m.actors[0]
	if h := driver.cur; h != nil && h.wait == waitSetUp {
		return m.nextPart(), true
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
	m.err = errStuck(m.Status(0).Awaits)
	return trace.Step{}, false
}

// lastSteps names the last steps, the last one last.
func (m *machine) lastSteps(n int) []string {
	var names []string
	for _, e := range m.tr.Events[max(0, len(m.tr.Events)-n):] {
		names = append(names, m.tr.StepName(e.Step))
	}
	return names
}

// Running is explore.Host.Running: the actor whose code runs; at the end it is the test's.
func (m *machine) Running() int32 {
	if m.running == nil {
		return 0
	}
	return m.running.index
}

// Trace is explore.Execution.Trace.
func (m *machine) Trace() *trace.Trace { return &m.tr }

// State is explore.Execution.State: the behaviour; the one given at spawn while the present one is a mere Func, since that has
// no state to show.
func (m *machine) State(actor int32) any {
	c := m.actors[actor]
	if c.behavior == nil {
		return nil
	}
	if _, mere := c.behavior.(Func); mere && len(c.previous) > 0 {
		return c.previous[0]
	}
	return c.behavior
}

// Status is explore.Execution.Status.
func (m *machine) Status(actor int32) explore.Status {
	c := m.actors[actor]
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
		k := &m.calls[h.call]
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
func (m *machine) Pending(f func(message int32)) {
	m.pool.Each(f)
	for _, c := range m.actors {
		for _, s := range slices.Clone(c.stash) {
			f(s)
		}
	}
}
