package adapter

import (
	"fmt"
	"slices"

	"github.com/rehearse-go/rehearse/trace"
)

// This file is about what a handler does at once, without a message, when it has sent something under mailbox: it spawns under a name, publishes or subscribes, sends
// through a router whose turn that changes. A handler runs at its delivery, and what it has sent is released afterwards. So all that comes of the
// sends comes after the access too, whereas in a process it may come before. Where something that a send leads to accesses the same object, and one of the two changes it,
// the order matters, and the trace says that one is not explored.
//
// What is not led to by the send needs no care: before the delivery it may come just as well.

// late is an access of the handler of an actor behind something that it had captured.
type late struct {
	trace.Touch
	event, actor int32
	last         int32 // what was captured last
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

// noteLate notes an access of the step that runs.
func (r *Runtime) noteLate(t trace.Touch) {
	if r.cond.Model != trace.Mailbox || r.act != actHandle && r.act != actTest && r.act != actWake && r.act != actAnswer {
		return
	}
	if a := r.who(); r.pool.Holds(a) {
		r.late = append(r.late, late{t, r.event(), a, r.pool.Last(a)})
	}
}

// concludeLate looks for what should have come before late accesses, when the execution is over.
func (r *Runtime) concludeLate() {
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
			r.omit(fmt.Sprintf("%s (%s) does something at once, without a message, behind what it has sent: it spawns under a name, publishes or subscribes, or sends through a router. "+
				"%s (%s) does the same to the same, because of what was sent: that it comes first is not explored; send last, or use -model mailbox-serial",
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

// overtakes gives the first event that conflicts with a late access and comes of what was captured before it, -1 if there is none. It goes forward through the execution, and marks
// what comes of that: messages, actors that have handled one, and what these have accessed.
func (r *Runtime) overtakes(l *late) int32 {
	messages, actors, objects := map[int32]bool{}, map[int32]bool{}, map[trace.ID]bool{}
	for e := l.event + 1; int(e) < len(r.tr.Events); e++ {
		ev := &r.tr.Events[e]
		s := &ev.Step
		if s.Kind == trace.Advance {
			continue
		}
		if m := ev.Released; m >= 0 && s.Actor == l.actor && s.Kind == trace.Send && m <= l.last {
			messages[m] = true
		}
		comes := ev.Released >= 0 && messages[ev.Released] || s.Actor != l.actor && (actors[s.Actor] || s.Message >= 0 && messages[s.Message] ||
			slices.ContainsFunc(ev.Touched, func(t trace.Touch) bool { return objects[t.Object] }))
		if !comes {
			continue
		}
		for _, a := range ev.Stopped {
			objects[r.tr.Actors[a].Life()] = true
		}
		if s.Actor == l.actor {
			continue // a release, of which the actor knows nothing
		}
		if r.conflicts(e, l.Touch) {
			return e
		}
		actors[s.Actor] = true
		for _, t := range ev.Touched {
			objects[t.Object] = true
		}
		for _, m := range ev.Sent {
			messages[m] = true
		}
		for _, a := range ev.Created {
			actors[a] = true
		}
	}
	return -1
}
