package adapter

import (
	"fmt"
	"slices"

	"github.com/rehearse-go/rehearse/trace"
)

// This file is about what a handler does at once, without a message, under mailbox: it spawns under a name, publishes or subscribes, sends through a router whose turn
// that changes. A handler runs at its delivery, whole, and what it has sent is released afterwards. In a process others run beside it. So what one of its
// sends leads to, or who accesses what it has accessed before, may come before a later access.
// Where such a one accesses the same object, and one of the two changes it, the order matters, and the trace says that it is not explored.
//
// What else there is needs no care: before the delivery it may come just as well.

// late is an access of the handler of an actor behind something else that the same handler has done.
type late struct {
	trace.Touch
	event, actor int32
	last         int32 // what was captured last, -1 if nothing
	from, to     int   // what the handler had accessed, in lates.done
}

// lates are the accesses of an execution that count here.
type lates struct {
	late  []late
	done  []trace.Touch // all, in their order
	event int32         // that of the last,
	actor int32         // the actor whose handler it was,
	from  int           // and where the accesses of that handler in that event begin
	hooks []handedOn    // answers that were handed on (latehooks.go)
}

func (l *lates) forget() {
	*l = lates{late: l.late[:0], done: l.done[:0], event: -1, hooks: l.hooks[:0]}
}

// hand has what was noted of an event be of a later one.
func (l *lates) hand(from, to int32) {
	for i := range l.late {
		if l.late[i].event == from {
			l.late[i].event = to
		}
	}
	if l.event == from {
		l.event = to
	}
}

// Captures reports whether what handlers send is released afterwards.
func (r *Runtime) Captures() bool { return r.cond.Model == trace.Mailbox && r.phase == exploring }

// Omit says what the actor whose handler runs does, and that orders which come of it are left out.
func (r *Runtime) Omit(a int32, what string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.phase == exploring {
		r.omit(fmt.Sprintf("%s (%s) %s", r.tr.ActorName(a), r.stepName(r.event()), what))
	}
}

// noteLate notes an access of the step that runs. again: it is one with the access of the same object before it.
func (r *Runtime) noteLate(t trace.Touch, again bool) {
	if r.cond.Model != trace.Mailbox || r.act != actHandle && r.act != actTest && r.act != actWake && r.act != actAnswer {
		return
	}
	a, e, l := r.who(), r.event(), &r.lates
	if l.event != e || l.actor != a {
		l.event, l.actor, l.from = e, a, len(l.done)
	}
	to := len(l.done)
	if again && to > l.from && l.done[to-1].Object == t.Object {
		to--
	}
	if last := r.pool.Last(a); last >= 0 || to > l.from {
		l.late = append(l.late, late{t, e, a, last, l.from, to})
	}
	l.done = append(l.done, t)
}

// concludeLate looks for what should have come before late accesses, when the execution is over.
func (r *Runtime) concludeLate() {
	r.concludeHooks()
	if len(r.late) == 0 || r.tr.Omitted != "" {
		return
	}
	by := map[trace.ID][]int32{} // the events that access an object
	for e := r.tr.Explored; e < len(r.tr.Events); e++ {
		for _, t := range r.tr.Events[e].Touched {
			by[t.Object] = append(by[t.Object], int32(e))
		}
		for _, a := range r.tr.Events[e].Stopped {
			life := r.tr.Actors[a].Life()
			by[life] = append(by[life], int32(e))
		}
	}
	for i := range r.late {
		l := &r.late[i]
		others := func(e int32) bool {
			return e > l.event && r.tr.Events[e].Step.Actor != l.actor && r.conflicts(e, l.Touch)
		}
		if !slices.ContainsFunc(by[l.Object], others) {
			continue
		}
		if e := r.overtakes(l); e >= 0 {
			r.omit(fmt.Sprintf("%s (%s) does something at once, without a message, behind what it has sent or done so before: it spawns under a name, publishes or subscribes, or sends through a router. "+
				"%s (%s) does so too, and could come between the two: that is not explored; do one such thing in a handler, and send behind it, or use -model mailbox-serial",
				r.tr.ActorName(l.actor), r.stepName(l.event), r.tr.ActorName(r.tr.Events[e].Step.Actor), r.stepName(e)))
			return
		}
	}
}

func (r *Runtime) stepName(event int32) string {
	return r.tr.StepName(r.tr.Events[r.tr.StepOf(event)].Step)
}

// conflicts reports whether an event accesses the object too, so that the order matters.
func (r *Runtime) conflicts(event int32, t trace.Touch) bool {
	e := &r.tr.Events[event]
	return slices.ContainsFunc(e.Touched, func(o trace.Touch) bool { return o.Object == t.Object && (o.Write || t.Write) }) ||
		slices.ContainsFunc(e.Stopped, func(a int32) bool { return r.tr.Actors[a].Life() == t.Object })
}

// overtakes gives the first event that conflicts with a late access and comes of what its handler had done before it, -1 if there is none.
func (r *Runtime) overtakes(l *late) int32 {
	c := consequences{messages: map[int32]bool{}, actors: map[int32]bool{}, objects: map[trace.ID]bool{}}
	for e := l.event + 1; int(e) < len(r.tr.Events); e++ {
		ev := &r.tr.Events[e]
		s := &ev.Step
		if s.Kind == trace.Advance {
			continue
		}
		if m := ev.Released; m >= 0 && s.Actor == l.actor && s.Kind == trace.Send && m <= l.last {
			c.messages[m] = true
		}
		did := func(t trace.Touch) bool { return r.conflicts(e, t) }
		comes := ev.Released >= 0 && c.messages[ev.Released] || s.Actor != l.actor && (c.has(ev) || slices.ContainsFunc(r.done[l.from:l.to], did))
		if !comes {
			continue
		}
		if s.Actor == l.actor { // a release, of which the actor knows nothing
			r.spreadEnds(&c, ev)
			continue
		}
		if r.conflicts(e, l.Touch) {
			return e
		}
		r.spread(&c, ev)
	}
	return -1
}

// consequences are what comes of something, as far as an execution has been followed: messages, actors that have handled one, and what these have accessed.
type consequences struct {
	messages, actors map[int32]bool
	objects          map[trace.ID]bool
}

// has reports whether an event comes of that.
func (c *consequences) has(ev *trace.Event) bool {
	s := &ev.Step
	return c.actors[s.Actor] || s.Message >= 0 && c.messages[s.Message] ||
		slices.ContainsFunc(ev.Touched, func(t trace.Touch) bool { return c.objects[t.Object] })
}

// spread adds an event, which comes of the others.
func (r *Runtime) spread(c *consequences, ev *trace.Event) {
	r.spreadEnds(c, ev)
	c.actors[ev.Step.Actor] = true
	for _, t := range ev.Touched {
		c.objects[t.Object] = true
	}
	for _, m := range ev.Sent {
		c.messages[m] = true
	}
	for _, a := range ev.Created {
		c.actors[a] = true
	}
}

// spreadEnds adds the ends of actors in an event.
func (r *Runtime) spreadEnds(c *consequences, ev *trace.Event) {
	for _, a := range ev.Stopped {
		c.objects[r.tr.Actors[a].Life()] = true
	}
}
