package toy

import "github.com/rehearse-go/rehearse/trace"

// timer is a timer that was set; its timeout is recorded at once, as an effect of the step that set it.
type timer struct {
	state    timerState
	owner    int32
	message  int32
	behind   int32 // mailbox, asynchronous timers: what its actor had captured last when it was set, -1 if nothing
	deadline int
}

type timerState int

const (
	timerSet   timerState = iota // the clock has not reached it, or what it is behind is still captured
	timerDue                     // mailbox models: it may fire
	timerFired                   // its timeout is pending, or was
	timerGone                    // cancelled
)

// set sets a timer of actor n.
func (x *execution) set(n int32, op Op) {
	a := &x.actors[n]
	m := x.message(x.sys.messages[op.Message], trace.Timeout, n, n, x.sys.values[op.Message][*a.now()])
	a.timer = len(x.timers)
	x.timers = append(x.timers, timer{owner: n, message: m, behind: -1, deadline: x.now + op.To})
	t := &x.timers[a.timer]
	switch {
	case a.stopped: // as by Quit: nobody waits for it
		t.state = timerGone
	case x.cond.Timers == trace.Async && x.pool.Holds(n):
		t.behind = x.pool.Last(n)
	case x.cond.Timers == trace.Async:
		x.due(t)
	}
}

// dueBehind lets the timers fire that waited for the release of m, which is this step.
func (x *execution) dueBehind(m int32) {
	for i := range x.timers {
		if t := &x.timers[i]; t.behind == m && t.state == timerSet {
			x.due(t)
			x.tr.Events[x.event].Due = append(x.tr.Events[x.event].Due, t.message)
		}
	}
}

// due lets a timer fire: from now on it may do so at any point.
func (x *execution) due(t *timer) {
	if x.cond.Model.Queues() {
		t.state = timerDue
		return
	}
	t.state = timerFired
	x.pool.Post(t.message)
}

// firings appends the steps by which timers fire. Only the mailbox models have them: there firing appends to the
// mailbox.
func (x *execution) firings(steps []trace.Step) []trace.Step {
	for i := range x.timers {
		if x.timers[i].state == timerDue {
			steps = append(steps, x.tr.FiringOf(x.timers[i].message))
		}
	}
	return steps
}

// fire is the step that firings announced.
func (x *execution) fire(m int32) {
	for i := range x.timers {
		if t := &x.timers[i]; t.message == m {
			t.state = timerFired
		}
	}
	e := &x.tr.Events[x.event]
	e.Completed, e.Released = true, m
	x.pool.Post(m)
}

// isLate reports whether, under mailbox, a timer may fire, or have fired, after something that its actor's handler has
// done before in its step: sent, or set the timer.
func (x *execution) isLate(t *timer, n int32) bool {
	return x.cond.Model == trace.Mailbox && x.cond.Timers == trace.Async &&
		(t.state < timerFired || t.state == timerFired && x.pool.Waits(t.message)) &&
		(x.pool.Holds(n) || x.tr.StepOf(x.tr.Messages[t.message].SentBy) == x.tr.StepOf(x.event))
}

// takeTurn has the handler of actor n wait before op until all that it has captured is released: for an answer to
// itself.
func (x *execution) takeTurn(n int32, op Op) {
	a := &x.actors[n]
	a.ops = append([]Op{op}, a.ops...)
	a.calls++
	a.answered, a.waits = a.calls, n
	m := x.message(x.sys.answer, trace.Answer, n, n, x.sys.values[0][0])
	x.extra[m].call = a.calls
	x.post(n, m)
}

// cancel ends a timer for its owner, who still gets a timeout that is already in the mailbox.
func (x *execution) cancel(t *timer) {
	switch {
	case t.state == timerSet:
	case t.state == timerDue, t.state == timerFired && !x.cond.Model.Queues() && x.pool.Cancel(t.message):
		e := &x.tr.Events[x.event]
		e.Cancelled = append(e.Cancelled, t.message)
	case t.state == timerFired:
		// In vain; before the timer fired it would not have been.
		e := &x.tr.Events[x.event]
		e.Touched = append(e.Touched, trace.Touch{Object: x.tr.Messages[t.message].ID, Write: true})
		return
	default:
		return
	}
	t.state = timerGone
	x.extra[t.message].cancelled = x.event
}

// elapse moves the clock to the least deadline, whose timers may then fire. It reports whether there is one.
func (x *execution) elapse() bool {
	next := -1
	for i := range x.timers {
		if t := &x.timers[i]; t.state == timerSet && (next < 0 || t.deadline < next) {
			next = t.deadline
		}
	}
	if next < 0 {
		return false
	}
	x.now = next
	x.begin(trace.AdvanceStep(x.advance))
	x.advance++
	e := &x.tr.Events[x.event]
	e.Auto, e.Completed = true, true
	for i := range x.timers {
		if t := &x.timers[i]; t.state == timerSet && t.deadline == next {
			x.due(t)
			e.Due = append(e.Due, t.message)
		}
	}
	return true
}
