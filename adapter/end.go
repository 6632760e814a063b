package adapter

import "github.com/rehearse-go/rehearse/trace"

// This file is about the end of actors. A framework takes an actor out of its registry at one point of the handler in which it stops: after what
// was sent before, before what is sent after it, the messages to its watchers among it. Under mailbox that is an effect like a send: it is
// captured in its place and released by a step of its own. Until then the others find the actor as if it was there. Where nothing was sent before
// that is still to be released, the end is a part of the step: what would come between the two might as well come before both.

// endType names the message that stands for an end.
const endType = "end"

// end is how far an actor has come with its end.
type end struct {
	mayStop  bool // the handler that runs, or ran last, is that of a system message
	left     bool // the registry
	captured bool // that is a step yet to be taken
	stays    bool // others still find it
}

// noteEnd captures the end of an actor that has left the registry since its handler last did something. It is called with the lock, before
// what the handler does next is captured, and when its step is over. An injected crash is no effect of a handler: it takes an actor away
// at once.
func (r *Runtime) noteEnd(a int32) {
	s := &r.actors[a]
	if !s.mayStop || s.left || r.act == actFault || !s.Gone() {
		return
	}
	s.left = true
	if r.cond.Model != trace.Mailbox || r.phase != exploring || !r.pool.Holds(a) {
		return
	}
	m := r.tr.AddMessage(r.tr.TypeNamed(endType), trace.End, a, a, r.event(), nil)
	r.keep(m, nil)
	r.pool.Send(m)
	s.captured = true
}

// noteGone notes at the end of a step whether an actor has stopped in it. Where its end was captured, the others find it until that is released.
func (r *Runtime) noteGone(a int32) {
	r.noteEnd(a)
	s := &r.actors[a]
	switch {
	case s.Actor == nil || s.gone || !s.left && !s.Gone():
	case !s.captured:
		r.gone(a)
	case !s.stays:
		s.stays = true
		if !s.Stay() {
			r.sys.reordered = true
			r.uncontrolled("has its name taken while it stops: that others still find it under this name is not explored")
		}
	}
}

// noteAllGone is noteGone of all actors that may have stopped in the step: that of the step, and those whose handlers it has woken.
func (r *Runtime) noteAllGone() {
	if s := &r.actors[r.running]; s.mayStop || r.act == actFault {
		r.noteGone(r.running)
	}
	for _, a := range r.through {
		if r.actors[a].mayStop {
			r.noteGone(a)
		}
	}
	r.through = r.through[:0]
}

// gone marks that an actor has stopped.
func (r *Runtime) gone(a int32) {
	r.actors[a].gone = true
	r.pool.Stop(a)
	e := &r.tr.Events[r.open]
	e.Stopped = append(e.Stopped, a)
}
