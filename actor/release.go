package actor

import "github.com/rehearse-go/rehearse/trace"

// This file releases what handlers have sent under mailbox.

// releaseStep is the step that releases a captured send. It is recorded as the release of the message that was taken:
// where a schedule is followed that need not be the one that was offered.
func (o *outbox) releaseStep(offered trace.Step) {
	m := o.m
	m.dog.Beat() // no handler does, however many releases there are
	actor := offered.Actor
	msg, ordered, dead := m.pool.Release(actor, m.choice.First)
	s := m.tr.ReleaseOf(msg)
	s.Actor = actor
	m.beginEvent(s)
	e := &m.tr.Events[m.event]
	e.Completed, e.Time, e.Released = true, m.actors.all[actor].Now(), msg
	if !ordered && m.tr.Shuffled == "" {
		m.tr.Shuffled = m.tr.ActorName(actor)
	}
	m.timers.dueBehind(msg)
	switch kind := m.tr.Messages[msg].Kind; {
	case kind == trace.Answer, kind == trace.Resolution:
		m.calls.released(msg)
	case kind == trace.End:
		m.actors.leaves(m.actors.all[m.tr.Messages[msg].Receiver])
	case dead:
		o.deadOnArrival(msg)
	}
}
