package actor

import (
	"fmt"
	"time"

	"github.com/rehearse-go/rehearse/trace"
)

// timer is a timer that was set; its timeout is recorded at once, as an effect of the step that set it.
type timer struct {
	state    timerState
	owner    int32
	message  int32
	behind   int32 // under mailbox, with asynchronous timers: what its handler had captured last when it set it, -1 if nothing
	deadline time.Duration
}

type timerState uint8

const (
	timerSet    timerState = iota // the clock has not reached it, or what it is behind is still captured
	timerDue                      // mailbox models: it may fire
	timerFired                    // its timeout is pending
	timerGone                     // handled or cancelled
	timerBeyond                   // its deadline lies beyond the horizon: it never fires, and the trace says so
)

// After sets a timer: d from now, in virtual time, this actor gets msg. When exactly it may fire is a condition of the
// exploration: when nothing else can happen, or at any later point.
func (c *Context) After(d time.Duration, msg any) TimerID {
	if !c.acts() {
		return 0
	}
	if c.m.redo.on {
		return c.m.timerAgain(c, msg)
	}
	return TimerID(c.m.setTimer(c, max(d, 0), msg) + 1)
}

// Cancel cancels a timer of this actor. It reports whether that came in time; as with time.Timer, a timeout that is already in
// the mailbox is still delivered. Where a timer may fire at any point and what handlers send is released step by step (asynchronous timers,
// mailbox), it waits until all that was sent before is released: the timer may fire in between.
func (c *Context) Cancel(id TimerID) bool {
	if !c.acts() || id == 0 {
		return false
	}
	if int(id) > len(c.m.timers) || c.m.timers[id-1].owner != c.index {
		panic("rehearse: Cancel of a timer that is not this actor's own")
	}
	if c.m.takesTurn(c, id-1); c.m.redo.on {
		return c.m.told(c, noteCancel, 0) == 1
	}
	ok := c.m.cancel(&c.m.timers[id-1])
	return c.m.told(c, noteCancel, bit(ok)) == 1
}

// Delay gives how much longer a timer waits, of which this is the message.
func (m *machine) Delay(message int32) time.Duration {
	t := &m.timers[m.extra[message].timer-1]
	return t.deadline - m.actors[t.owner].Now()
}

func (m *machine) setTimer(c *Context, d time.Duration, msg any) int32 {
	m.sys.timed = true
	i := int32(len(m.timers))
	t := timer{owner: c.index, message: m.message(c, c.index, trace.Timeout, msg), behind: -1, deadline: c.Now() + d}
	m.extra[t.message].timer, m.extra[t.message].clock = i+1, t.deadline
	if t.deadline > m.c.Horizon {
		t.state = timerBeyond
	}
	if m.c.Timers == trace.Async && m.captures() {
		t.behind = m.pool.Last(m.runner.index)
	}
	m.timers = append(m.timers, t)
	if m.c.Timers == trace.Async && m.phase != settingUp && t.behind < 0 {
		m.due(&m.timers[i])
	}
	return i
}

// dueBehind lets the timers fire that waited for the release of a message, which is this step: a handler sets a timer after it has sent
// what it sent before.
func (m *machine) dueBehind(released int32) {
	if m.c.Timers != trace.Async {
		return
	}
	e := &m.tr.Events[m.event]
	for i := range m.timers {
		if t := &m.timers[i]; t.behind == released && t.state == timerSet {
			m.due(t)
			e.Due = append(e.Due, t.message)
		}
	}
}

// due lets a timer fire: from now on it may do so at any point.
func (m *machine) due(t *timer) {
	if t.state != timerSet {
		return
	}
	if m.c.Model.Queues() {
		m.setState(t, timerDue)
		return
	}
	m.setState(t, timerFired)
	m.pool.Post(t.message)
}

// firings appends the steps by which timers fire. Only the mailbox models have them: there firing appends to the mailbox.
func (m *machine) firings(steps []trace.Step) []trace.Step {
	if len(m.timers) == 0 || !m.c.Model.Queues() {
		return steps
	}
	for i := range m.timers {
		if m.timers[i].state == timerDue {
			steps = append(steps, m.tr.FiringOf(m.timers[i].message))
		}
	}
	return steps
}

// fire is the step that firings announced.
func (m *machine) fire(message int32) {
	t := &m.timers[m.extra[message].timer-1]
	m.setState(t, timerFired)
	m.tr.Events[m.event].Time = max(m.now, t.deadline)
	m.pool.Post(message)
}

// cancel ends a timer for its owner, who may still get a timeout that is already in the mailbox.
func (m *machine) cancel(t *timer) bool {
	switch {
	case t.state == timerSet, t.state == timerDue, t.state == timerBeyond:
	case t.state == timerFired && !m.c.Model.Queues() && m.pool.Cancel(t.message):
	case t.state == timerFired:
		// In vain; before the timer fired it would not have been.
		e := &m.tr.Events[m.event]
		e.Touched = append(e.Touched, trace.Touch{Object: m.tr.Messages[t.message].ID, Write: true})
		return false
	default:
		return false
	}
	m.gone(t)
	return true
}

// drop ends the timer of a call, which nobody sees.
func (m *machine) drop(t *timer) {
	if t.state == timerFired {
		m.pool.Cancel(t.message)
	}
	m.gone(t)
}

// gone ends a timer. That one which could have fired cannot any more is an effect of this step.
func (m *machine) gone(t *timer) {
	if t.state == timerFired || t.state == timerDue {
		e := &m.tr.Events[m.event]
		e.Cancelled = append(e.Cancelled, t.message)
	}
	m.setState(t, timerGone)
}

// advance moves the clock to the next deadline. All timers of that deadline may then fire, in any order and interleaved with
// what follows from them. It reports whether there is anything to wait for, and the execution goes on.
func (m *machine) advance() bool {
	next := time.Duration(-1)
	for i := range m.timers {
		if t := &m.timers[i]; t.state == timerSet && (next < 0 || t.deadline < next) {
			next = t.deadline
		}
	}
	if next < 0 {
		m.noteBeyond()
		return false
	}
	m.now = max(m.now, next)
	m.beginEvent(trace.AdvanceStep(m.advances))
	m.advances++
	e := &m.tr.Events[m.event]
	e.Auto, e.Completed = true, true
	for i := range m.timers {
		if m.timers[i].deadline == next && m.timers[i].state == timerSet {
			e.Due = append(e.Due, m.timers[i].message)
			m.due(&m.timers[i])
		}
	}
	return m.observe()
}

// noteBeyond says which timer the execution has left out, now that nothing else can happen: one that was cancelled before, or whose
// actor has stopped, is missed by nobody.
func (m *machine) noteBeyond() {
	for i := range m.timers {
		t := &m.timers[i]
		if t.state != timerBeyond || m.actors[t.owner].stopped {
			continue
		}
		m.tr.Beyond = fmt.Sprintf("%s for %s, due at %s", trace.ShortType(m.tr.Messages[t.message].Type.Name), m.tr.ActorName(t.owner), t.deadline)
		return
	}
}
