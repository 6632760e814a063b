package system

import (
	"math"
	"time"

	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
	"github.com/rehearse-go/rehearse/trace"
)

// This file has timers: actor/timer.go.

// timer is a timer that was set.
type timer struct {
	state    timerState
	number   int // from 1
	owner    int32
	message  int32
	behind   int32 // what its handler had captured last when it set it, -1 if nothing
	deadline *term.Term
}

type timerState uint8

const (
	timerSet    timerState = iota
	timerDue               // mailbox models: it may fire
	timerFired             // its timeout is pending
	timerGone              // handled or cancelled
	timerBeyond            // its deadline lies beyond the horizon
)

// horizon is how long an execution lasts in virtual time, as explorations have it.
const horizon = time.Minute

func (w *world) duration(d time.Duration) *term.Term { return w.store.Int(term.Word64, int64(d)) }

// later gives the later of two times.
func (w *world) later(a, b *term.Term) *term.Term {
	if a == b || w.m.True(w.store.SLess(b, a)) {
		return a
	}
	return b
}

// setTimer sets a timer of an actor, whose timeout is recorded at once.
func (w *world) setTimer(a *agent, d *term.Term, x letter, typ string) *timer {
	t := &timer{number: len(w.timers) + 1, owner: a.index, behind: -1}
	d = w.later(d, w.duration(0))
	from := w.later(w.now, a.clock)
	t.deadline = w.store.Add(from, d)
	if w.m.True(w.store.SLess(t.deadline, from)) {
		t.deadline = w.duration(math.MaxInt64)
	}
	x.timer = t
	t.message = w.message(a, a.index, trace.Timeout, typ, x)
	w.letters[t.message].clock = t.deadline
	if w.m.True(w.store.SLess(w.duration(horizon), t.deadline)) {
		t.state = timerBeyond
	}
	if w.async && w.captures() {
		t.behind = w.pool.Last(w.runner.index)
	}
	w.timers = append(w.timers, t)
	if w.async && w.phase != settingUp && t.behind < 0 {
		w.due(t)
	}
	return t
}

// due lets a timer fire.
func (w *world) due(t *timer) {
	if t.state != timerSet {
		return
	}
	if w.model.Queues() {
		t.state = timerDue
		return
	}
	t.state = timerFired
	w.pool.Post(t.message)
}

// notDue takes back that timers may fire: not in set-up.
func (w *world) notDue() {
	for _, t := range w.timers {
		if t.state == timerDue || t.state == timerFired && w.pool.Cancel(t.message) {
			t.state = timerSet
		}
	}
}

// dueBehind lets the timers fire that waited for the release of a message.
func (w *world) dueBehind(released int32) {
	for _, t := range w.timers {
		if w.async && t.behind == released && t.state == timerSet {
			w.due(t)
		}
	}
}

// firings appends the steps by which timers fire, which only the mailbox models have.
func (w *world) firings(steps []trace.Step) []trace.Step {
	for _, t := range w.timers {
		if w.model.Queues() && t.state == timerDue {
			steps = append(steps, w.tr.FiringOf(t.message))
		}
	}
	return steps
}

// fire is the step that firings announced.
func (w *world) fire(message int32) {
	w.letters[message].timer.state = timerFired
	w.pool.Post(message)
}

// numbered gives the timer that a value names, nil for none.
func (w *world) numbered(v exec.Value) *timer {
	n, ok := w.m.Held(v).(*term.Term)
	if !ok || !n.Const() || n.Val > uint64(len(w.timers)) {
		w.m.End("a timer that is not known is cancelled")
	}
	if n.Val == 0 {
		return nil
	}
	return w.timers[n.Val-1]
}

// takesTurn has the handler wait where the timer may fire between what it has done before in its step and the cancel:
// actor/turn.go. It waits for an answer that it captures behind that, to a call of its own.
func (w *native) takesTurn(t *timer) {
	if !w.async || !w.captures() || t.state == timerGone || t.state == timerBeyond {
		return
	}
	if !w.pool.Holds(w.runner.index) && w.tr.StepOf(w.tr.Messages[t.message].SentBy) != w.tr.StepOf(w.event) {
		return
	}
	if w.running.starting {
		w.mark("whether the timer fires between what was sent before in the step and its Cancel in a start hook")
		return
	}
	h, a := w.blocks("Cancel"), w.running
	c := &call{asker: a.index, callee: a.index, caller: h, request: -1, replied: true}
	w.calls = append(w.calls, c)
	c.answer = w.message(a, a.index, trace.Answer, "cancel", letter{call: c})
	w.pool.SendIn(w.runner.index, c.answer)
	h.wait, h.call = waitCall, c
	w.park(h)
}

// cancel ends a timer for its owner, who may still get a timeout that is in the mailbox.
func (w *world) cancel(t *timer) bool {
	switch {
	case t.state == timerSet, t.state == timerDue, t.state == timerBeyond:
	case t.state == timerFired && !w.model.Queues() && w.pool.Cancel(t.message):
	default:
		return false
	}
	t.state = timerGone
	return true
}

// drop ends the timer of a call, which nobody sees.
func (w *world) drop(t *timer) {
	if t.state == timerFired {
		w.pool.Cancel(t.message)
	}
	t.state = timerGone
}

// advance moves the clock to the next deadline. It reports whether there is one.
func (w *world) advance() bool {
	if p := w.proto(); p != nil {
		return p.passes()
	}
	var next *term.Term
	for _, t := range w.timers {
		if t.state == timerSet && (next == nil || w.m.True(w.store.SLess(t.deadline, next))) {
			next = t.deadline
		}
	}
	if next == nil {
		return false
	}
	w.now = w.later(w.now, next)
	w.beginAdvance()
	for _, t := range w.timers {
		if t.state == timerSet && w.m.True(w.store.Equal(t.deadline, next)) {
			w.due(t)
		}
	}
	return true
}

// beginAdvance begins the step in which the clock moves.
func (w *world) beginAdvance() {
	w.beginEvent(trace.AdvanceStep(w.advances))
	w.advances++
	e := &w.tr.Events[w.event]
	e.Auto, e.Completed = true, true
}
