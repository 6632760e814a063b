package toy

import (
	"fmt"
	"slices"

	"github.com/rehearse-go/rehearse/trace"
)

// deliver has the receiver of the i-th pending message take it. If it may crash at that, nothing more happens yet.
func (c *config) deliver(i int) {
	m := c.pending[i]
	c.pending = slices.Delete(c.pending, i, i+1)
	a := &c.actors[m.to]
	c.begin(a.name, m.name)
	c.whole = c.step
	if c.model == trace.Causal {
		a.seen = know(know(a.seen, m.past...), m.number)
	}
	if c.mayFail(trace.CrashLosing) && (m.kind == trace.User || m.kind == trace.Timeout) {
		c.taken, c.begins = m, true
		return
	}
	c.handle(m)
}

// handle has the receiver of m, which it has taken, handle it.
func (c *config) handle(m twinMessage) {
	a := &c.actors[m.to]
	c.begins = false
	if m.kind != trace.System {
		c.mortal = m.to
	}
	switch m.kind {
	case trace.System:
		c.stop(m.to, false)
		return
	case trace.Answer:
		a.waits = false
		a.state[a.at] = (a.state[a.at] + m.value) % Modulus
	default:
		h := c.p.Kinds[a.kind][m.typ]
		a.at = h.Register
		a.state[a.at] = h.after(a.state, m.value)
		if a.state[a.at] == h.Fail {
			c.failed = append(c.failed, fmt.Sprintf("assertion: toy.K%d: toy.M%d: K%d.M%d", a.kind, m.typ, a.kind, m.typ))
		}
		a.ops, a.sender, a.caller = h.Ops, m.from, -1
		if m.call {
			a.caller, a.request = m.from, m.callNumber
		}
		c.free(m)
	}
	c.run(m.to)
}

// choose goes on with value v for the actor that chooses.
func (c *config) choose(v int) {
	n := c.choosing
	a := &c.actors[n]
	c.choosing = -1
	c.begin(a.name, c.name(cause{from: c.step, what: chosen, kind: v}))
	a.state[a.at] = (a.state[a.at] + v) % Modulus
	c.run(n)
}

// run goes on with the handler of actor n, up to a call or a choice.
func (c *config) run(n int) {
	for len(c.actors[n].ops) > 0 {
		op := c.actors[n].ops[0]
		c.actors[n].ops = c.actors[n].ops[1:]
		if op.When >= 0 && c.actors[n].state[c.actors[n].at]%2 != op.When {
			continue
		}
		c.do(n, op)
		if c.choosing >= 0 {
			return
		}
		if c.actors[n].waits {
			return
		}
	}
	c.respond(n)
}

// respond sends the answer that actor n owes, if it does.
func (c *config) respond(n int) {
	a := &c.actors[n]
	if to := a.caller; to >= 0 && c.actors[to].answered < a.request {
		c.actors[to].answered = a.request
		c.send(twinMessage{from: n, to: to, kind: trace.Answer, value: a.state[a.at], callNumber: a.request})
	}
}

func (c *config) do(n int, op Op) {
	a := &c.actors[n]
	m := twinMessage{from: n, to: op.To + 1, typ: op.Message, value: a.state[a.at]}
	switch op.Kind {
	case Send:
		c.send(m)
	case Answer:
		if m.to = a.sender; m.to != 0 {
			c.send(m)
		}
	case Call:
		if m.to != n {
			a.calls++
			m.call, m.callNumber, a.waits = true, a.calls, true
			c.send(m)
		}
	case Spawn:
		m.to = c.spawn(n, op.To)
		c.send(m)
	case Kill:
		m.kind = trace.System
		c.send(m)
	case Quit:
		c.stop(n, false)
	case After:
		m.to, m.kind = n, trace.Timeout
		c.set(m, op.To)
	case Cancel:
		if c.late(n) {
			a.ops = append([]Op{op}, a.ops...)
			a.calls++
			a.answered, a.waits = a.calls, true
			c.send(twinMessage{from: n, to: n, kind: trace.Answer, callNumber: a.calls})
			return
		}
		c.cancel(func(m twinMessage) bool { return m.number == c.actors[n].timer })
	case Choose:
		c.choosing, c.values = n, op.To
	case Respond:
		c.respond(n)
	}
}

// stop has actor n take nothing any more. Others find that it has stopped at once if it crashes, else, under mailbox,
// when what it has sent before has reached them.
func (c *config) stop(n int, crashes bool) {
	a := &c.actors[n]
	if a.stopped {
		return
	}
	a.stopped = true
	c.cancel(func(m twinMessage) bool { return m.to == n })
	if c.model == trace.Mailbox && !crashes {
		c.send(twinMessage{from: n, to: n, kind: trace.End})
		return
	}
	a.left = true
}

func (c *config) spawn(by, kind int) int {
	c.actors[by].children++
	c.actors = append(c.actors,
		twinActor{kind: kind, path: fmt.Sprintf("%s/%d", c.actors[by].path, c.actors[by].children), caller: -1,
			timer: -1, name: c.effect(cause{what: spawned, kind: kind})})
	return len(c.actors) - 1
}

// label gives m its name and its number.
func (c *config) label(m *twinMessage) {
	m.name = c.effect(cause{what: sent, to: c.actors[m.to].name, class: m.kind, kind: m.typ})
	m.number = c.sent
	c.sent++
}

func (c *config) send(m twinMessage) {
	c.label(&m)
	a := &c.actors[m.from]
	if c.model == trace.Causal {
		m.past = a.seen
		a.seen = know(a.seen, m.number)
	}
	if c.model == trace.Mailbox {
		a.held = append(a.held, m)
		return
	}
	c.arrive(m)
}

func (c *config) arrive(m twinMessage) {
	c.appended(m)
	if c.actors[m.to].left && m.kind != trace.Answer { // which ends a call made since
		if m.kind != trace.Timeout { // nobody sent it
			c.bury(m)
		}
		return
	}
	c.pending = append(c.pending, m)
	c.reached = append(c.reached, m)
}

// bury notes a dead letter.
func (c *config) bury(m twinMessage) {
	from, what := "Driver", "toy.Stop"
	if k := c.actors[m.from].kind; k >= 0 {
		from = fmt.Sprintf("toy.K%d", k)
	}
	if m.kind == trace.User {
		what = fmt.Sprintf("toy.M%d", m.typ)
	}
	c.dead = append(c.dead, m)
	c.failed = append(c.failed, fmt.Sprintf("dead-letter: %s: %s: ", from, what))
}

// release is the step that appends the oldest captured send of actor n.
func (c *config) release(n int) {
	a := &c.actors[n]
	m := a.held[0]
	c.begin(a.name, c.name(cause{from: m.name, what: released}))
	c.whole = c.step
	a.held = slices.Delete(a.held, 0, 1)
	for i := range c.timers {
		if t := &c.timers[i]; t.behind == m.number {
			t.due = true
		}
	}
	if m.kind == trace.End {
		a.left = true
		return
	}
	c.arrive(m)
}

// look is the end of a step of actor n, which looks for system messages.
func (c *config) look(n int) {
	for i := range c.pending {
		if m := &c.pending[i]; m.to == n && m.kind == trace.System {
			m.seen = true
		}
	}
}

// set sets a timer. In asynchronous time it may fire once all has arrived that its actor has sent so far.
func (c *config) set(m twinMessage, delay int) {
	c.label(&m)
	c.actors[m.to].timer = m.number
	switch {
	case c.actors[m.to].stopped:
	case c.async && !c.model.Queues():
		c.arrive(m)
	default:
		behind := -1
		if held := c.actors[m.to].held; c.async && len(held) > 0 {
			behind = held[len(held)-1].number
		}
		c.timers = append(c.timers, twinTimer{m, c.now + delay, c.async && behind < 0, behind, c.whole})
	}
}

// late reports whether actor n is to cancel a timer, not handled yet, that may fire between what its handler has done
// before in its step and the cancel. The handler waits then until all that it has sent is released.
func (c *config) late(n int) bool {
	a := &c.actors[n]
	if c.model != trace.Mailbox || !c.async {
		return false
	}
	for _, t := range c.timers {
		if t.timeout.number == a.timer {
			return len(a.held) > 0 || t.step == c.whole
		}
	}
	return len(a.held) > 0 && slices.ContainsFunc(c.pending, func(m twinMessage) bool { return m.number == a.timer })
}

// cancel ends the timers of these timeouts. A timeout in a mailbox stays there.
func (c *config) cancel(these func(m twinMessage) bool) {
	c.timers = slices.DeleteFunc(c.timers, func(t twinTimer) bool { return these(t.timeout) })
	if !c.model.Queues() {
		c.pending = slices.DeleteFunc(c.pending, func(m twinMessage) bool { return m.kind == trace.Timeout && these(m) })
	}
}

// fire puts the timeout of timer i into the mailbox. It is a step of no actor.
func (c *config) fire(i int) {
	m := c.timers[i].timeout
	c.timers = slices.Delete(c.timers, i, i+1)
	c.arrive(m)
}

// advance moves the clock to the least deadline. All timers of that deadline are due then.
func (c *config) advance() {
	c.now = c.timers[0].deadline
	for _, t := range c.timers {
		c.now = min(c.now, t.deadline)
	}
	c.advances++
	var still []twinTimer
	for _, t := range c.timers {
		switch {
		case t.deadline > c.now:
			still = append(still, t)
		case c.model.Queues():
			t.due = true
			still = append(still, t)
		default:
			c.arrive(t.timeout)
		}
	}
	c.timers = still
}
