package actor

import "github.com/rehearse-go/rehearse/trace"

// Stash puts the message being handled aside, until UnstashAll.
func (c *Context) Stash() {
	if !c.acts() {
		return
	}
	if c.cur.message < 0 {
		panic("rehearse: Stash while no message is being handled")
	}
	if c.m.redo.noteEffect(c, noteStash, 0); c.m.redo.on {
		return
	}
	c.m.undo.saveLife(c)
	c.stash = append(c.stash, c.cur.message)
}

// UnstashAll puts the stashed messages back, before all others of the mailbox and in the order in which they came.
func (c *Context) UnstashAll() {
	if !c.acts() {
		return
	}
	m := c.m
	first, n := m.redo.noteEffect(c, noteUnstash, int32(len(m.tr.Messages))), m.redo.noteEffect(c, noteUnstash,
		int32(len(c.stash)))
	if m.redo.on {
		m.redo.unstashAgain(first, n)
		return
	}
	m.outbox.unstash(c)
}

func (o *outbox) unstash(c *Context) {
	m := o.m
	first := int32(len(m.tr.Messages))
	for _, old := range c.stash {
		msg := m.tr.Messages[old]
		m.tr.AddMessage(msg.Type, trace.User, msg.Sender, msg.Receiver, m.event, msg.Value)
		o.extra = append(o.extra, extra{call: o.extra[old].call, clock: o.extra[old].clock})
	}
	for i := len(c.stash) - 1; i >= 0; i-- {
		m.pool.Return(first+int32(i), c.stash[i])
	}
	m.undo.saveLife(c)
	c.stash = nil // not shortened: see life
}
