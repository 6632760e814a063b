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

// Watch asks an actor, by a system message, to tell this one when it has stopped: by Terminated, which follows what it sent.
func (c *Context) Watch(who Ref) {
	if c.acts() {
		c.m.outbox.send(c, who, trace.System, watch{})
	}
}

// stop is what an actor that stops sees of it: it takes nothing any more, its timers are cancelled, its released tasks
// are unwound. Where what it has sent is captured, the others see that it has stopped when that is released in its
// turn. (What would come between the step and an end before which nothing is released might as well come before both.)
// It is not so with an injected crash, which nobody's code brings about. Nor is it with the test function, which the
// others know by what it sends alone.
func (as *actors) stop(c *Context) {
	c.stopping, c.stopped = false, true
	as.endOwn(c)
	if !as.m.captures() || !as.m.pool.Holds(as.m.runner.index) || c.index == 0 || as.m.tr.Events[as.m.event].Step.Kind == trace.Fault {
		as.leaves(c)
		return
	}
	as.m.pool.SendIn(as.m.runner.index, as.m.outbox.record(as.m.tr.TypeNamed("end"), trace.End, c, c.index, nil))
}

// leaves is the end of an actor for all others. Its messages stay as orphans, those that watch it are told.
func (as *actors) leaves(c *Context) {
	as.m.pool.Stop(c.index)
	e := &as.m.tr.Events[as.m.event]
	e.Stopped = append(e.Stopped, c.index)
	if as.watches > 0 {
		as.takeWatches(c)
	}
	for _, w := range c.watchers {
		as.terminated(c, w, as.m.pool.Send)
	}
}

// endOwn ends the timers and the released tasks of an actor.
func (as *actors) endOwn(c *Context) {
	for i := range as.m.timers.all {
		if as.m.timers.all[i].owner == c.index {
			as.m.timers.cancel(&as.m.timers.all[i])
		}
	}
	for len(c.tasks) > 0 {
		// Whether its future was ready before decides whether the task could have gone on.
		if h := c.tasks[0]; h.wait == waitFuture && h.future.m != nil {
			e := &as.m.tr.Events[as.m.event]
			e.Touched = append(e.Touched, trace.Touch{Object: h.future.object})
		}
		as.m.handlers.unwind(c.tasks[0])
	}
}

// takeWatches handles the watch requests that are still before an actor that stops.
func (as *actors) takeWatches(c *Context) {
	var requests []int32
	as.m.pool.Each(func(i int32) {
		if msg := &as.m.tr.Messages[i]; msg.Receiver == c.index && msg.Class == trace.System {
			requests = append(requests, i)
		}
	})
	for _, i := range requests {
		// One that its sender has not released yet is answered on arrival.
		if as.m.pool.Cancel(i) && as.m.tr.Messages[i].Value == (watch{}) {
			as.watches--
			as.m.undo.saveLife(c)
			c.watchers = append(c.watchers, as.m.tr.Messages[i].Sender)
		}
	}
}

// terminated tells a watcher. post is Post where no handler sends it.
func (as *actors) terminated(c *Context, watcher int32, post func(int32) bool) {
	msg := Terminated{refOf(c.index)}
	if as.m.phase == settingUp {
		post = as.m.pool.Post
	}
	// A watcher that has stopped does not care.
	post(as.m.outbox.record(as.m.types.of(msg).trace, trace.User, c, watcher, msg))
}

// system handles a system message; it runs no code of the program, but for what a stopped handler has deferred.
func (as *actors) system(c *Context, msg int32) {
	as.m.tr.Events[as.m.event].Completed = true
	switch as.m.tr.Messages[msg].Value.(type) {
	case stop:
		if c.cur != nil {
			as.m.handlers.unwind(c.cur)
		}
		c.stopping = true
	case watch:
		as.watches--
		as.m.undo.saveLife(c)
		c.watchers = append(c.watchers, as.m.tr.Messages[msg].Sender)
	}
}
