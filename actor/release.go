package actor

import "github.com/rehearse-go/rehearse/trace"

// This file releases what handlers have sent under mailbox.

// releaseStep is the step that releases a captured send. It is recorded as the release of the message that was taken: where a
// schedule is followed that need not be the one that was offered.
func (m *machine) releaseStep(offered trace.Step) {
	actor := offered.Actor
	msg, ordered, dead := m.pool.Release(actor, m.choice.First)
	s := m.tr.ReleaseOf(msg)
	s.Actor = actor
	m.beginEvent(s)
	e := &m.tr.Events[m.event]
	e.Completed, e.Time, e.Released = true, m.actors[actor].Now(), msg
	if !ordered && m.tr.Shuffled == "" {
		m.tr.Shuffled = m.tr.ActorName(actor)
	}
	m.dueBehind(msg)
	switch class := m.tr.Messages[msg].Class; {
	case class == trace.Answer, class == trace.Resolution:
		m.releasedAnswer(msg)
	case class == trace.End:
		m.leaves(m.actors[m.tr.Messages[msg].Receiver])
	case dead:
		m.deadOnArrival(msg)
	}
}
