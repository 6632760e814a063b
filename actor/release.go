package actor

import "github.com/rehearse-go/rehearse/trace"

// This file releases what handlers have sent under mailbox.

// releaseStep is the step that releases a captured send. It is recorded as the release of the message that was taken: where a
// schedule is followed that need not be the one that was offered.
func (o *outbox) releaseStep(offered trace.Step) {
	actor := offered.Actor
	msg, ordered, dead := o.m.pool.Release(actor, o.m.choice.First)
	s := o.m.tr.ReleaseOf(msg)
	s.Actor = actor
	o.m.beginEvent(s)
	e := &o.m.tr.Events[o.m.event]
	e.Completed, e.Time, e.Released = true, o.m.actors.all[actor].Now(), msg
	if !ordered && o.m.tr.Shuffled == "" {
		o.m.tr.Shuffled = o.m.tr.ActorName(actor)
	}
	o.m.timers.dueBehind(msg)
	switch class := o.m.tr.Messages[msg].Class; {
	case class == trace.Answer, class == trace.Resolution:
		o.m.calls.released(msg)
	case class == trace.End:
		o.m.actors.leaves(o.m.actors.all[o.m.tr.Messages[msg].Receiver])
	case dead:
		o.deadOnArrival(msg)
	}
}
