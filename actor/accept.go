package actor

import "github.com/rehearse-go/rehearse/trace"

// This file says which messages an actor would handle now, for package delivery.

// Accepts is delivery.Host: whether the actor would handle the message now.
func (hs *handlers) Accepts(actor, message int32) bool {
	c := hs.m.actors.all[actor]
	if c.stopped {
		return false
	}
	msg := &hs.m.tr.Messages[message]
	if c.cur != nil {
		return hs.takes(c.cur, message, msg)
	}
	switch msg.Kind {
	case trace.System:
		return true
	case trace.Answer:
		return false
	case trace.Task:
		return hs.mayResume(c, message)
	}
	if c.index == 0 {
		return false // the test function takes messages by Receive only, also while it is released
	}
	return c.accepter == nil || c.accepter.Accepts(msg.Value)
}

// Steady is delivery.Steady: whether Accepts depends on the actor's own steps only, and on no code of the program.
func (hs *handlers) Steady(actor int32) bool {
	c := hs.m.actors.all[actor]
	return c.accepter == nil && c.cur == nil && len(c.tasks) == 0
}

// Closed is delivery.Closer: whether the actor takes no message of others, since it has stopped or waits for a reply.
func (hs *handlers) Closed(actor int32) bool {
	c := hs.m.actors.all[actor]
	return c.stopped || c.cur != nil && c.cur.wait == waitCall
}

// takes reports whether a blocked handler waits for this message.
func (hs *handlers) takes(h *handler, message int32, msg *trace.Message) bool {
	switch h.wait {
	case waitCall:
		return msg.Kind != trace.User && hs.m.outbox.extra[message].call == h.call+1
	case waitReceive:
		// A system message is handled at once, beside the handler.
		return msg.Kind == trace.System ||
			(msg.Kind == trace.User || msg.Kind == trace.Timeout) && h.match(msg.Value)
	}
	return false
}

// polls reports whether a task may be picked before it is ready.
func (hs *handlers) polls() bool { return hs.m.sys.Polling && hs.m.phase != settingUp }

// mayResume reports whether the suspended task that the message resumes may be picked.
func (hs *handlers) mayResume(c *Context, message int32) bool {
	h := c.task(message)
	return h != nil && (hs.polls() || h.isReady()) // a restart has ended the tasks of before
}

func (h *handler) isReady() bool {
	if h.wait == waitCond {
		return h.cond()
	}
	return h.future.ready
}
