package adapter

import "github.com/rehearse-go/rehearse/trace"

// This file is about the end of actors. A framework takes an actor out of its registry at one point of the handler in
// which it stops. What the handler has sent by then comes before that, and what it sends later comes after it, as the
// messages to its watchers do. Under mailbox that is an effect like a send: it is captured in its place and released by
// a step of its own. Until then the others find the actor as if it was there. Where nothing that was sent before is
// still to be released, the end is a part of the step. What would come between the two might as well come before both.

// endType names the message that stands for an end.
const endType = "end"

// end is how far an actor has come with its end.
type end struct {
	mayStop  bool // the handler that runs, or ran last, may end the actor: it is that of a system message (see Inline)
	left     bool // the registry
	captured bool // that is a step yet to be taken
	stays    bool // others still find it
}

// ends notes when actors stop.
type ends struct {
	*execution
	cast     *cast
	recorder *recorder
}

// noteEnd captures the end of an actor that has left the registry since its handler last did something. It is called
// with the lock, before what the handler does next is captured, and when its step is over. An injected crash is no
// effect of a handler: it takes an actor away at once.
func (n *ends) noteEnd(a int32) {
	s := &n.cast.actors[a]
	if !s.mayStop || s.left || n.act == actFault || !s.Gone() {
		return
	}
	s.left = true
	if n.cond.Model != trace.Mailbox || n.phase != exploring || !n.pool.Holds(a) {
		return
	}
	m := n.tr.AddMessage(n.tr.TypeNamed(endType), trace.End, a, a, n.recorder.event(), nil)
	n.recorder.keep(m, nil)
	n.pool.Send(m)
	s.captured = true
}

// Ended notes that an actor has stopped in the step that runs, which may be that of another one: at once, and not as an
// effect that is released. Where the actor that runs has captured sends (Captured), it is to release them before.
func (n *ends) Ended(a int32) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.isOver() {
		return
	}
	s := &n.cast.actors[a]
	s.mayStop, s.left = true, true
	n.cast.through = append(n.cast.through, a)
}

// Captured reports whether the actor that runs has sent something that is yet to be released.
func (n *ends) Captured() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.Captures() && n.pool.Holds(n.cast.who())
}

// noteGone notes at the end of a step whether an actor has stopped in it. Where its end was captured, the others find
// it until that is released.
func (n *ends) noteGone(a int32) {
	n.noteEnd(a)
	s := &n.cast.actors[a]
	switch {
	case s.Actor == nil || s.gone || !s.left && !s.Gone():
	case !s.captured:
		n.gone(a)
	case !s.stays:
		s.stays = true
		if !s.Stay() {
			n.sys.reordered = true
			n.uncontrolled("has its name taken while it stops: that others still find it under this name is not explored")
		}
	}
}

// noteAllGone is noteGone of all actors that may have stopped in the step: that of the step, and those whose handlers
// it has woken.
func (n *ends) noteAllGone() {
	if s := &n.cast.actors[n.running]; s.mayStop || n.act == actFault {
		n.noteGone(n.running)
	}
	for _, a := range n.cast.through {
		if n.cast.actors[a].mayStop {
			n.noteGone(a)
		}
	}
	n.cast.through = n.cast.through[:0]
	if n.sys.stopsInline() && n.open >= 0 {
		for _, a := range n.tr.Events[n.open].Created {
			n.cast.actors[a].mayStop = true
			n.noteGone(a)
		}
	}
}

// gone marks that an actor has stopped.
func (n *ends) gone(a int32) {
	n.cast.actors[a].gone = true
	n.pool.Stop(a)
	e := &n.tr.Events[n.open]
	e.Stopped = append(e.Stopped, a)
}
