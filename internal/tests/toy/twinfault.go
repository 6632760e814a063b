package toy

import (
	"slices"

	"github.com/rehearse-go/rehearse/trace"
)

// mishap is an injected fault: what befalls a message, or an actor.
type mishap struct {
	kind    trace.FaultKind
	message twinMessage // of a loss or a duplication, and the one that a crash loses
	actor   int         // whose step it belongs to
}

// mayFail reports whether a fault of the kind is still possible.
func (c *config) mayFail(kind trace.FaultKind) bool {
	return c.injected < c.faults.Max && c.faults.Kinds.Has(kind)
}

// settle asks, when a step is over, what goes wrong. A user message to another or an answer is lost, a user message
// comes twice, or the actor that has handled a message crashes or starts anew. Two questions of one step are one.
func (c *config) settle() {
	if c.begins || c.choosing >= 0 {
		return // in the middle of it
	}
	for _, m := range c.reached {
		if m.from == m.to || m.kind == trace.System || m.kind == trace.Timeout || m.copy {
			continue
		}
		if c.mayFail(trace.Drop) {
			c.question = append(c.question, mishap{trace.Drop, m, m.from})
		}
		if c.mayFail(trace.Duplicate) && m.kind == trace.User {
			c.question = append(c.question, mishap{trace.Duplicate, m, m.from})
		}
	}
	if n := c.mortal; n >= 0 && !c.actors[n].stopped && !c.actors[n].waits {
		for _, kind := range []trace.FaultKind{trace.Crash, trace.Restart} {
			if c.mayFail(kind) {
				c.question = append(c.question, mishap{kind: kind, actor: n})
			}
		}
	}
	c.reached, c.mortal = c.reached[:0], -1
}

// suffer injects a fault, after which the step asks no more.
func (c *config) suffer(f mishap) {
	c.injected++
	c.question, c.begins = c.question[:0], false
	c.begin(c.actors[f.actor].name, c.name(cause{from: c.whole, what: faulted, to: f.message.name, kind: int(f.kind)}))
	switch a := &c.actors[f.actor]; f.kind {
	case trace.Drop:
		c.pending = slices.DeleteFunc(c.pending, func(m twinMessage) bool { return m.number == f.message.number })
	case trace.Duplicate:
		again := f.message
		again.copy = true
		c.send(again)
	case trace.Restart:
		c.cancel(func(m twinMessage) bool { return m.to == f.actor })
		a.state, a.timer = registers{}, -1
	default:
		c.stop(f.actor, true)
	}
	c.reached, c.mortal = c.reached[:0], -1
}
