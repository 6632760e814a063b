package adapter

import (
	"fmt"

	"github.com/rehearse-go/rehearse/trace"
)

// This file writes the record. It begins events, and notes in them what nobody sends: dead letters, incidents, who
// blocked.

// recorder writes the record: it begins events, and notes what happens in them.
type recorder struct {
	*execution
	workers   *workers
	cast      *cast
	foresight *foresight

	payload []any   // by message
	touched touched // of the event that touched much last
	ofEvent         // of the open event
}

// ofEvent is what is known of the open event beside its record.
type ofEvent struct {
	choices      int    // Chooses
	sent         int    // messages
	asked        int    // calls
	dead         bool   // there was a dead letter
	announced    int    // goroutines that the framework may have started
	close        bool   // goroutines are looked up
	stray        uint64 // a goroutine that sent and is not its handler's
	severalNoted bool   // of several
}

// reset makes ready for another execution.
func (k *recorder) reset() {
	k.payload, k.touched, k.ofEvent = k.payload[:0], touched{}, ofEvent{}
}

func (k *recorder) begin(s trace.Step, auto bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.beginLocked(s, auto)
}

func (k *recorder) beginLocked(s trace.Step, auto bool) {
	k.open = k.tr.Begin(s)
	k.opened = k.open
	e := &k.tr.Events[k.open]
	e.Auto = auto
	e.Time = k.used
	k.running = s.Actor
	if k.foresight.recalls {
		k.foresight.recall(k.open, s.Actor)
	}
	k.choices, k.sent, k.asked = 0, 0, 0
	k.dead, k.announced, k.stray, k.severalNoted = false, 0, 0, false
	k.close = looksClosely(k.number, int(k.open))
}

// goOn records what the code does from here on in an event of its own, since something was chosen.
func (k *recorder) goOn(s trace.Step) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.open = k.tr.Begin(s)
	k.tr.Events[k.open].Time = k.used
}

// event is the event that effects belong to now: the open one, or the last. What final assertions and clean-ups do gets
// an event of its own: it is no effect of the last step that was explored, whose effects say what depends on it.
func (k *recorder) event() int32 {
	if k.open < 0 && k.act == actFinish {
		k.beginLocked(trace.StartStep(2), true)
	}
	if k.open >= 0 {
		return k.open
	}
	return int32(len(k.tr.Events)) - 1
}

// Event is the index of the event that effects belong to now.
func (k *recorder) Event() int32 {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.event()
}

// keep notes what Handle gets for message m.
func (k *recorder) keep(m int32, payload any) {
	for int(m) >= len(k.payload) {
		k.payload = append(k.payload, nil)
	}
	k.payload[m] = payload
}

// DeadLetter records that the running actor sent a message to nobody. to is the actor that had stopped, -1 if it was
// none. crashed: an injected fault stopped it.
func (k *recorder) DeadLetter(value any, to int32, crashed bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.isOver() {
		k.deadLetter(k.tr.TypeOf(value).Name, k.cast.who(), to, crashed)
	}
}

func (k *recorder) deadLetter(typ string, from, to int32, crashed bool) {
	k.dead = true
	e := &k.tr.Events[k.event()]
	if k.phase == concluding && e.Step.Kind == trace.Start {
		return // final assertions may ask who has stopped
	}
	text := "its receiver does not exist or has stopped"
	if to >= 0 {
		text = k.tr.ActorName(to) + " had stopped"
	}
	e.Incidents = append(e.Incidents, trace.Incident{Kind: trace.DeadLetter, Actor: from, Message: -1, Type: typ,
		Text: text, Injected: crashed || k.afterCopy()})
}

// afterCopy reports whether what happens in the open event is due to a message that a fault doubled: the second answer
// to a request has nobody to go to.
func (k *recorder) afterCopy() bool {
	if !k.cond.Faults.On() || k.open < 0 {
		return false
	}
	m := k.tr.Events[k.opened].Step.Message
	if m >= 0 && k.tr.Messages[m].Kind == trace.Answer {
		m = k.tr.Events[k.tr.StepOf(k.tr.Messages[m].SentBy)].Step.Message
	}
	return m >= 0 && k.tr.Doubled(m)
}

// Report records an incident in the running event.
func (k *recorder) Report(in trace.Incident) {
	k.mu.Lock()
	defer k.mu.Unlock()
	in.Actor = k.cast.who()
	e := &k.tr.Events[k.event()]
	e.Incidents = append(e.Incidents, in)
}

// ReportOf is Report for what comes of a step that an actor took before.
func (k *recorder) ReportOf(actor int32, in trace.Incident) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.isOver() {
		return
	}
	in.Actor = actor
	e := &k.tr.Events[k.event()]
	e.Incidents = append(e.Incidents, in)
	k.workers.signal()
}

// noteChange notes whether the event changed the handlers of the actor whose code it ran.
func (k *recorder) noteChange(event int32) {
	switch k.act {
	case actHandle, actAnswer, actFault:
		if s := &k.cast.actors[k.running]; s.Actor != nil && s.Changed() {
			k.tr.Events[event].Changes = true
		}
	}
}

// noteBlocked marks the handlers that neither ended nor move.
func (k *recorder) noteBlocked() {
	if k.cast.busy == k.cast.blocked {
		return
	}
	for a := range k.cast.actors {
		if s := &k.cast.actors[a]; s.busy && !s.blocked {
			s.blocked = true
			k.cast.blocked++
			if s.waitsFor() == nil {
				k.touch(outside, true)
			}
		}
	}
}

// Omit says what the actor whose handler runs does, and that orders which come of it are left out.
func (k *recorder) Omit(a int32, what string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.omitOf(a, what)
}

// omitOf is Omit with the lock.
func (k *recorder) omitOf(a int32, what string) {
	if k.phase == exploring {
		k.omit(fmt.Sprintf("%s (%s) %s", k.tr.ActorName(a), k.stepName(k.event()), what))
	}
}

// OmitDependence says what the actor whose handler runs does of which the record does not show that others depend on
// it. That is of no matter to a strategy that leaves no order out.
func (k *recorder) OmitDependence(a int32, what string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.phase == exploring && k.tr.Ties == "" {
		k.tr.Ties = fmt.Sprintf("%s (%s) %s", k.tr.ActorName(a), k.stepName(k.event()), what)
	}
}

// Bypass notes what the program chose for an actor and is not run.
func (k *recorder) Bypass(a int32, what string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.sys.bypassed == "" {
		k.sys.bypassed = fmt.Sprintf("%s has %s, which was not run: an unbounded mailbox took its place",
			k.tr.ActorName(a), what)
	}
}
