package actor

import "github.com/rehearse-go/rehearse/trace"

// This file has futures: what an Ask gives at once, and what makes it ready.

// Future is the reply to an Ask. It may be handed to other actors, which may await it too.
type Future struct {
	m       *machine
	object  trace.ID // the request's identity
	ready   bool
	value   any
	err     error
	by      int32 // the actor that has resolved it, plus one; others see that when it is ready
	callee  int32
	request *trace.Type
	waiting []*handler
}

// Ready reports whether the reply is there.
func (f *Future) Ready() bool {
	f.touch(false)
	if f.m == nil || f.m.running == nil {
		return f.ready
	}
	return f.m.redo.noteEffect(f.m.running, noteReady, bit(f.readyFor(f.m.running))) == 1
}

// readyFor reports whether an actor sees the future ready: who has resolved it does so before that is released.
func (f *Future) readyFor(c *Context) bool { return f.ready || f.by == c.index+1 }

// touch notes that the present step depends on the future: it is the one thing besides messages that actors share.
func (f *Future) touch(write bool) {
	if f.m == nil || f.m.running == nil || f.m.redo.on {
		return
	}
	e := &f.m.tr.Events[f.m.event]
	e.Touched = append(e.Touched, trace.Touch{Object: f.object, Write: write})
}

// Ask sends msg and gives the future of its reply. The reply is no message: the future is ready as soon as the other
// replies.
func (c *Context) Ask(to Ref, msg any) *Future {
	f := &Future{callee: -1}
	if !c.acts() {
		return f
	}
	if c.m.redo.on {
		return c.m.redo.askAgain(to, msg)
	}
	i := c.m.calls.request(c, to, msg)
	k := &c.m.calls.all[i]
	if k.callee >= 0 { // else nobody will ever make it ready
		f.m, f.object = c.m, c.m.tr.Messages[len(c.m.tr.Messages)-1].ID
	}
	k.future, f.callee, f.request = f, k.callee, k.request
	return f
}

// resolve makes a future ready. Each task that awaits it may resume: that is an effect of this step.
func (cs *calls) resolve(c *Context, f *Future, ty *trace.Type, value any, err error) {
	cs.m.undo.saveFuture(f)
	f.ready, f.value, f.err = true, value, err
	f.touch(true)
	for _, h := range f.waiting {
		if h.task < 0 && !h.ctx.stopped {
			cs.m.handlers.postTask(c, h, ty, value)
		}
	}
	f.waiting = nil
}

// postTask makes the message by which a suspended task will resume.
func (hs *handlers) postTask(c *Context, h *handler, ty *trace.Type, value any) {
	m := hs.m
	m.undo.setTask(h, m.outbox.record(ty, trace.Task, c, h.ctx.index, value))
	m.outbox.extra[h.task].since = h.since
	m.pool.Post(h.task)
}
