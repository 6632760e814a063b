package actor

import (
	"fmt"

	"github.com/rehearse-go/rehearse/trace"
)

// This file releases what handlers have sent under mailbox.

// release appends a captured send of the actor to its receiver's mailbox, as part of the present step.
func (m *machine) release(actor int32) {
	if msg, ordered, dead := m.pool.Release(actor, m.choice.First); msg >= 0 {
		m.released(actor, msg, ordered, dead)
	}
}

// releaseStep is the step that releases a captured send. It is recorded as the release of the message that was taken: where a
// schedule is followed that need not be the one that was offered.
func (m *machine) releaseStep(offered trace.Step) {
	actor := offered.Actor
	msg, ordered, dead := m.pool.Release(actor, m.choice.First)
	s := m.tr.ReleaseOf(msg)
	s.Actor = actor
	m.beginEvent(s)
	e := &m.tr.Events[m.event]
	e.Completed, e.Time = true, m.actors[actor].Now()
	m.released(actor, msg, ordered, dead)
}

func (m *machine) released(actor, msg int32, ordered, dead bool) {
	m.tr.Events[m.event].Released = msg
	if !ordered && m.tr.Uncontrolled == "" {
		m.tr.Uncontrolled = fmt.Sprintf("%s sent its messages in another order than in the run that is repeated (a loop over a map?): "+
			"the order of these sends is the program's own and is not explored", m.tr.ActorName(actor))
	}
	switch class := m.tr.Messages[msg].Class; {
	case class == trace.Answer, class == trace.Resolution:
		m.releasedAnswer(msg)
	case dead:
		m.deadOnArrival(msg)
	}
}
