package adapter

import (
	"fmt"
	"slices"

	"github.com/rehearse-go/rehearse/trace"
)

// This file is about what a handler does at once, without a message, under mailbox. It spawns under a name, publishes
// or subscribes, or sends through a router whose turn that changes. A handler runs at its delivery, whole, and what it
// has sent is released afterwards. In a process others run beside it. So what one of its sends leads to, or who
// accesses what it has accessed before, may come before a later access. Where such a one accesses the same object, and
// one of the two changes it, the order matters, and the trace says that it is not explored.
//
// What else there is needs no care: before the delivery it may come just as well.

// late is an access of the handler of an actor behind something else that the same handler has done.
type late struct {
	trace.Touch
	event, actor int32
	last         int32 // what was captured last, -1 if nothing
	from, to     int   // what the handler had accessed, in lates.done
}

// accesses notes what steps use that is no message, and which accesses are late.
type accesses struct {
	*execution
	cast     *cast
	recorder *recorder

	lates
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

// noteLate notes an access of the step that runs. with: it is one with so many accesses before it.
func (ac *accesses) noteLate(t trace.Touch, with int) {
	if ac.cond.Model != trace.Mailbox ||
		ac.act != actHandle && ac.act != actTest && ac.act != actWake && ac.act != actAnswer {
		return
	}
	a, e, l := ac.cast.who(), ac.recorder.event(), &ac.lates
	if l.event != e || l.actor != a {
		l.event, l.actor, l.from = e, a, len(l.done)
	}
	to := max(l.from, len(l.done)-with)
	if last := ac.pool.Last(a); last >= 0 || to > l.from {
		l.late = append(l.late, late{t, e, a, last, l.from, to})
	}
	l.done = append(l.done, t)
}

// concludeLate looks for what should have come before late accesses, when the execution is over.
func (ac *accesses) concludeLate() {
	ac.concludeHooks()
	if len(ac.late) == 0 || ac.tr.Omitted != "" {
		return
	}
	by := map[trace.ID][]int32{} // the events that access an object
	for e := ac.tr.Explored; e < len(ac.tr.Events); e++ {
		for _, t := range ac.tr.Events[e].Touched {
			by[t.Object] = append(by[t.Object], int32(e))
		}
		for _, a := range ac.tr.Events[e].Stopped {
			life := ac.tr.Actors[a].Life()
			by[life] = append(by[life], int32(e))
		}
	}
	for i := range ac.late {
		l := &ac.late[i]
		others := func(e int32) bool {
			return e > l.event && ac.tr.Events[e].Step.Actor != l.actor && ac.conflicts(e, l.Touch)
		}
		if !slices.ContainsFunc(by[l.Object], others) {
			continue
		}
		if e := ac.overtakes(l); e >= 0 {
			ac.omit(fmt.Sprintf("%s (%s) does something at once, without a message, behind what it has sent or done so "+
				"before: it spawns or stops, looks up who is there, publishes or subscribes, or sends through a router. "+
				"%s (%s) does so too, and could come between the two: that is not explored; do one such thing in a handler, and "+
				"send behind it, or use -model mailbox-serial",
				ac.tr.ActorName(l.actor), ac.stepName(l.event), ac.tr.ActorName(ac.tr.Events[e].Step.Actor), ac.stepName(e)))
			return
		}
	}
}

// overtakes gives the first event that conflicts with a late access and comes of what its handler had done before it,
// -1 if there is none.
func (ac *accesses) overtakes(l *late) int32 {
	c := consequences{messages: map[int32]bool{}, actors: map[int32]bool{}, objects: map[trace.ID]bool{}}
	for e := l.event + 1; int(e) < len(ac.tr.Events); e++ {
		ev := &ac.tr.Events[e]
		s := &ev.Step
		if s.Kind == trace.Advance {
			continue
		}
		if m := ev.Released; m >= 0 && s.Actor == l.actor && s.Kind == trace.Send && m <= l.last {
			c.messages[m] = true
		}
		did := func(t trace.Touch) bool { return ac.conflicts(e, t) }
		comes := ev.Released >= 0 && c.messages[ev.Released] ||
			s.Actor != l.actor && (c.has(ev) || slices.ContainsFunc(ac.done[l.from:l.to], did))
		if !comes {
			continue
		}
		if s.Actor == l.actor { // a release, of which the actor knows nothing
			ac.spreadEnds(&c, ev)
			continue
		}
		if ac.conflicts(e, l.Touch) {
			return e
		}
		ac.spread(&c, ev)
	}
	return -1
}

// consequences are what comes of something, as far as an execution has been followed: messages, actors that have
// handled one, and what these have accessed.
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
func (ac *accesses) spread(c *consequences, ev *trace.Event) {
	ac.spreadEnds(c, ev)
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
func (ac *accesses) spreadEnds(c *consequences, ev *trace.Event) {
	for _, a := range ev.Stopped {
		c.objects[ac.tr.Actors[a].Life()] = true
	}
}

// Access is Touch of what may have been otherwise between what the handler has done before and now: an order that is
// not explored (late.go).
func (ac *accesses) Access(object trace.ID, write bool) {
	ac.AccessTogether(trace.Touch{Object: object, Write: write})
}

// AccessAgain is AccessTogether of what nothing comes between and the access of the first of these before.
func (ac *accesses) AccessAgain(all ...trace.Touch) {
	ac.mu.Lock()
	defer ac.mu.Unlock()
	with := 0
	if last := len(ac.done) - 1; last >= 0 && ac.done[last].Object == all[0].Object {
		with = 1
	}
	ac.access(all, with)
}

// AccessTogether is Access of several objects at one point: nothing comes between them.
func (ac *accesses) AccessTogether(all ...trace.Touch) {
	ac.mu.Lock()
	defer ac.mu.Unlock()
	ac.access(all, 0)
}

// access notes accesses that are one, and one with so many before them. It is called with the lock.
func (ac *accesses) access(all []trace.Touch, with int) {
	for i, t := range all {
		if ac.phase == exploring {
			ac.noteLate(t, with+i)
		}
		ac.recorder.touch(t.Object, t.Write)
	}
}

// Holder notes that the step that runs finds out whether an actor has stopped.
func (ac *accesses) Holder(a int32) { ac.Access(ac.tr.Actors[a].Life(), false) }
