package actor

import "github.com/rehearse-go/rehearse/trace"

// This file ends actors, and tells those that watch them.

// Stop stops this actor when its handler ends.
func (c *Context) Stop() {
	if c.acts() {
		c.stopping = true
	}
}

// StopActor asks an actor to stop, by a system message: it takes it before user messages.
func (c *Context) StopActor(who Ref) {
	if c.acts() {
		c.m.outbox.send(c, who, trace.System, stop{})
	}
}

// Watch asks an actor, by a system message, to tell this one when it has stopped: by Terminated, which follows what it
// sent.
func (c *Context) Watch(who Ref) {
	if c.acts() {
		c.m.outbox.send(c, who, trace.System, watch{})
	}
}

// stop is what an actor that stops sees of it: it takes nothing any more, its timers are cancelled, its suspended tasks
// are unwound. Where what it has sent is captured, its end is captured too: the others see that it has stopped when
// that is released in its turn. If nothing is released before the end, the end belongs to the step, since what would
// come between the two might as well come before both. An injected crash is never captured, since nobody's code brings
// it about. Nor is the end of the test function, which the others know by what it sends alone.
func (as *actors) stop(c *Context) {
	m := as.m
	c.stopping, c.stopped = false, true
	as.endOwn(c)
	if !m.captures() || !m.pool.Holds(m.runner.index) || c.index == 0 || m.tr.Events[m.event].Step.Kind == trace.Fault {
		as.leaves(c)
		return
	}
	m.pool.SendIn(m.runner.index, m.outbox.record(m.tr.TypeNamed("end"), trace.End, c, c.index, nil))
}

// leaves is the end of an actor for all others. Its messages stay as orphans, those that watch it are told.
func (as *actors) leaves(c *Context) {
	m := as.m
	m.pool.Stop(c.index)
	e := &m.tr.Events[m.event]
	e.Stopped = append(e.Stopped, c.index)
	if as.watches > 0 {
		as.takeWatches(c)
	}
	for _, w := range c.watchers {
		as.terminated(c, w, m.pool.Send)
	}
}

// endOwn ends the timers and the suspended tasks of an actor.
func (as *actors) endOwn(c *Context) {
	m := as.m
	for i := range m.timers.all {
		if m.timers.all[i].owner == c.index {
			m.timers.cancel(&m.timers.all[i])
		}
	}
	for len(c.tasks) > 0 {
		// Whether its future was ready before decides whether the task could have gone on.
		if h := c.tasks[0]; h.wait == waitFuture && h.future.m != nil {
			e := &m.tr.Events[m.event]
			e.Touched = append(e.Touched, trace.Touch{Object: h.future.object})
		}
		m.handlers.unwind(c.tasks[0])
	}
}

// takeWatches handles the watch requests that are still before an actor that stops.
func (as *actors) takeWatches(c *Context) {
	m := as.m
	var requests []int32
	m.pool.Each(func(i int32) {
		if msg := &m.tr.Messages[i]; msg.Receiver == c.index && msg.Kind == trace.System {
			requests = append(requests, i)
		}
	})
	for _, i := range requests {
		// One that its sender has not released yet is answered on arrival.
		if m.pool.Cancel(i) && m.tr.Messages[i].Value == (watch{}) {
			as.watches--
			m.undo.saveLife(c)
			c.watchers = append(c.watchers, m.tr.Messages[i].Sender)
		}
	}
}

// terminated tells a watcher. post is Post where no handler sends it.
func (as *actors) terminated(c *Context, watcher int32, post func(int32) bool) {
	m := as.m
	msg := Terminated{refOf(c.index)}
	if m.phase == settingUp {
		post = m.pool.Post
	}
	// A watcher that has stopped does not care.
	post(m.outbox.record(m.types.of(msg).trace, trace.User, c, watcher, msg))
}

// system handles a system message; it runs no code of the program, but for what a stopped handler has deferred.
func (as *actors) system(c *Context, msg int32) {
	m := as.m
	m.tr.Events[m.event].Completed = true
	switch m.tr.Messages[msg].Value.(type) {
	case stop:
		if c.cur != nil {
			m.handlers.unwind(c.cur)
		}
		c.stopping = true
	case watch:
		as.watches--
		m.undo.saveLife(c)
		c.watchers = append(c.watchers, m.tr.Messages[msg].Sender)
	}
}
