package actor

// This file has handlers that wait in their middle: released until something is ready, or for a message.

// Await gives the value of the future. If it is not ready, the actor is released until it is: it may handle other
// messages meanwhile, and the task resumes as a step of its own.
func (c *Context) Await(f *Future) (any, error) {
	h := c.blocks("Await")
	f.touch(false)
	if c.m.redo.noteEffect(c, noteAwait, bit(f.readyFor(c))) == 0 {
		h.wait, h.future = waitFuture, f
		if !c.m.redo.on {
			c.m.undo.setSince(h)
			c.m.undo.saveFuture(f)
			f.waiting = append(f.waiting, h)
			if c.m.handlers.polls() {
				c.m.handlers.postTask(c, h, f.request, nil)
			}
		}
		c.releaseUntilResumed(h)
	}
	if !c.m.redo.on {
		c.m.undo.saveGiven(f.value)
	}
	return f.value, f.err
}

// AwaitUntil releases the actor until the condition holds, as Await does. cond must depend on this actor's state only,
// and change nothing; it is asked between steps.
func (c *Context) AwaitUntil(cond func() bool) {
	h := c.blocks("AwaitUntil")
	holds := bit(cond())
	if c.m.redo.noteEffect(c, noteUntil, holds) != holds {
		c.m.redo.diverges("what it waits for was there, or is there now")
	}
	if holds == 0 {
		h.wait, h.cond = waitCond, cond
		if !c.m.redo.on {
			c.m.undo.setSince(h)
			c.m.handlers.postTask(c, h, c.m.tr.TypeNamed("condition"), nil)
		}
		c.releaseUntilResumed(h)
	}
}

func bit(b bool) int32 {
	if b {
		return 1
	}
	return 0
}

func (c *Context) releaseUntilResumed(h *handler) {
	c.cur = nil
	if !c.m.redo.on {
		c.m.undo.saveLife(c)
		c.tasks = append(c.tasks, h)
	}
	c.m.handlers.park(h)
}

func (c *Context) task(message int32) *handler {
	for _, h := range c.tasks {
		if h.task == message {
			return h
		}
	}
	return nil
}

// resume goes on with a suspended task, or puts it back if it was picked before it was ready.
func (hs *handlers) resume(c *Context, message int32) {
	m := hs.m
	h := c.task(message)
	if !h.isReady() {
		old := &m.tr.Messages[message]
		hs.postTask(c, h, old.Type, nil)
		m.tr.Events[m.event].Completed = true
		return
	}
	c.dropTask(h)
	m.undo.setTask(h, -1)
	hs.wake(h)
}

// Receive blocks this actor until a message that matches is delivered, and gives it; others stay in the mailbox. match
// must depend on this actor's state and the message only, and change nothing.
func (c *Context) Receive(match func(msg any) bool) any {
	h := c.blocks("Receive")
	c.m.redo.noteEffect(c, noteReceive, 0)
	h.wait, h.match = waitReceive, match
	c.m.handlers.park(h)
	h.match = nil
	// From here on the handler handles this message: Sender and Reply speak of it.
	h.message = h.taken
	return c.m.tr.Messages[h.message].Value
}
