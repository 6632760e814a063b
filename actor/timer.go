package actor

import (
	"fmt"
	"time"

	"github.com/rehearse-go/rehearse/trace"
)

// timers are the clock of this execution and what waits for it.
type timers struct {
	m        *machine
	all      []timer
	now      time.Duration
	advances int // steps by which the clock has moved
}

// timer is a timer that was set; its timeout is recorded at once, as an effect of the step that set it.
type timer struct {
	state   timerState
	owner   int32
	message int32
	// under mailbox, with asynchronous timers: what its handler had captured last when it set it, -1 if nothing
	behind   int32
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
		return c.m.redo.timerAgain(c, msg)
	}
	return TimerID(c.m.timers.set(c, max(d, 0), msg) + 1)
}

// Cancel cancels a timer of this actor. It reports whether that came in time; as with time.Timer, a timeout that is
// already in the mailbox is still delivered. Where a timer may fire at any point and what handlers send is released
// step by step (asynchronous timers, mailbox), it waits until all that was sent before is released. The timer may fire
// in between.
func (c *Context) Cancel(id TimerID) bool {
	if !c.acts() || id == 0 {
		return false
	}
	if int(id) > len(c.m.timers.all) || c.m.timers.all[id-1].owner != c.index {
		panic("rehearse: Cancel of a timer that is not this actor's own")
	}
	if c.m.calls.takesTurn(c, id-1); c.m.redo.on {
		return c.m.redo.noteEffect(c, noteCancel, 0) == 1
	}
	ok := c.m.timers.cancel(&c.m.timers.all[id-1])
	return c.m.redo.noteEffect(c, noteCancel, bit(ok)) == 1
}

func (ts *timers) set(c *Context, d time.Duration, msg any) int32 {
	m := ts.m
	m.sys.timed = true
	i := int32(len(ts.all))
	t := timer{owner: c.index, message: m.outbox.message(c, c.index, trace.Timeout, msg), behind: -1,
		deadline: c.Now() + d}
	m.outbox.extra[t.message].timer, m.outbox.extra[t.message].clock = i+1, t.deadline
	if t.deadline > m.c.Horizon {
		t.state = timerBeyond
	}
	if m.c.Timers == trace.Async && m.captures() {
		t.behind = m.pool.Last(m.runner.index)
	}
	ts.all = append(ts.all, t)
	if m.c.Timers == trace.Async && m.phase != settingUp && t.behind < 0 {
		ts.due(&ts.all[i])
	}
	return i
}

// dueBehind lets the timers fire that waited for the release of a message, which is this step: a handler sets a timer
// after it has sent what it sent before.
func (ts *timers) dueBehind(released int32) {
	m := ts.m
	if m.c.Timers != trace.Async {
		return
	}
	e := &m.tr.Events[m.event]
	for i := range ts.all {
		if t := &ts.all[i]; t.behind == released && t.state == timerSet {
			ts.due(t)
			e.Due = append(e.Due, t.message)
		}
	}
}

// due lets a timer fire: from now on it may do so at any point.
func (ts *timers) due(t *timer) {
	if t.state != timerSet {
		return
	}
	if ts.m.c.Model.Queues() {
		ts.setState(t, timerDue)
		return
	}
	ts.setState(t, timerFired)
	ts.m.pool.Post(t.message)
}

// firings appends the steps by which timers fire. Only the mailbox models have them: there firing appends to the
// mailbox.
func (ts *timers) firings(steps []trace.Step) []trace.Step {
	if !ts.m.c.Model.Queues() {
		return steps
	}
	for i := range ts.all {
		if ts.all[i].state == timerDue {
			steps = append(steps, ts.m.tr.FiringOf(ts.all[i].message))
		}
	}
	return steps
}

// fire is the step that firings announced.
func (ts *timers) fire(message int32) {
	m := ts.m
	t := &ts.all[m.outbox.extra[message].timer-1]
	ts.setState(t, timerFired)
	m.tr.Events[m.event].Time = max(ts.now, t.deadline)
	m.pool.Post(message)
}

// cancel ends a timer for its owner, who may still get a timeout that is already in the mailbox.
func (ts *timers) cancel(t *timer) bool {
	m := ts.m
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
	ts.gone(t)
	return true
}

// drop ends the timer of a call, which nobody sees.
func (ts *timers) drop(t *timer) {
	if t.state == timerFired {
		ts.m.pool.Cancel(t.message)
	}
	ts.gone(t)
}

// setState changes the state of a timer.
func (ts *timers) setState(t *timer, s timerState) {
	ts.m.undo.saveTimer(t)
	t.state = s
}

// gone ends a timer. That one which could have fired cannot any more is an effect of this step.
func (ts *timers) gone(t *timer) {
	if t.state == timerFired || t.state == timerDue {
		e := &ts.m.tr.Events[ts.m.event]
		e.Cancelled = append(e.Cancelled, t.message)
	}
	ts.setState(t, timerGone)
}

// advance moves the clock to the next deadline. All timers of that deadline may then fire, in any order and interleaved
// with what follows from them. It reports whether there is anything to wait for, and the execution goes on.
func (ts *timers) advance() bool {
	m := ts.m
	next := time.Duration(-1)
	for i := range ts.all {
		if t := &ts.all[i]; t.state == timerSet && (next < 0 || t.deadline < next) {
			next = t.deadline
		}
	}
	if next < 0 {
		ts.noteBeyond()
		return false
	}
	ts.now = max(ts.now, next)
	m.beginEvent(trace.AdvanceStep(ts.advances))
	ts.advances++
	e := &m.tr.Events[m.event]
	e.Auto, e.Completed = true, true
	for i := range ts.all {
		if ts.all[i].deadline == next && ts.all[i].state == timerSet {
			e.Due = append(e.Due, ts.all[i].message)
			ts.due(&ts.all[i])
		}
	}
	return m.observe()
}

// noteBeyond says which timer the execution has left out, now that nothing else can happen: one that was cancelled
// before, or whose actor has stopped, is missed by nobody.
func (ts *timers) noteBeyond() {
	m := ts.m
	for i := range ts.all {
		t := &ts.all[i]
		if t.state != timerBeyond || m.actors.all[t.owner].stopped {
			continue
		}
		m.tr.Beyond = fmt.Sprintf("%s for %s, due at %s", trace.ShortType(m.tr.Messages[t.message].Type.Name),
			m.tr.ActorName(t.owner), t.deadline)
		return
	}
}

// notDue takes back that timers may fire: under asynchronous timers they may as soon as they are set, but not in
// set-up.
func (ts *timers) notDue() {
	for i := range ts.all {
		if t := &ts.all[i]; t.state == timerDue || t.state == timerFired && ts.m.pool.Cancel(t.message) {
			ts.setState(t, timerSet)
		}
	}
}
