package causal

import (
	"github.com/rehearse-go/rehearse/internal/delivery"
	"github.com/rehearse-go/rehearse/trace"
)

// Accesses tells, event by event and without happens-before, which objects are written. It answers one question: does a
// pending step depend on a step that was just executed? All that is known of a pending step is objects that it writes
// (Expected). So it depends on the event if the event writes one of them (Written). It tells the same as Footprint and
// DependsOn of an Order.
//
//	cost:       what the event has of messages, stops, timers
//	checked by: access_test.go against Order
type Accesses struct{}

// Written calls f for the objects that event e writes, some more than once. everything: the event is one that all steps
// depend on.
func (Accesses) Written(model trace.Model, tr *trace.Trace, e int32, f func(object trace.ID)) (everything bool) {
	ev := &tr.Events[e]
	switch tr.Events[tr.StepOf(e)].Step.Kind {
	case trace.Advance:
		return true
	case trace.Timer:
		f(tr.Messages[ev.Step.Message].ID)
	default:
		f(tr.Actors[ev.Step.Actor].ID)
	}
	queues := model.Queues()
	arrives := func(m int32) {
		msg := &tr.Messages[m]
		receiver := &tr.Actors[msg.Receiver]
		switch {
		case msg.Class == trace.System:
			f(receiver.ID)
		case msg.Class == trace.User && queues, msg.Class == trace.Timeout && (ev.Step.Kind == trace.Timer || ev.Step.Kind == trace.Send):
			f(receiver.ID.With(ofBox))
		}
	}
	for _, m := range ev.Sent {
		if !delivery.Captured(model, &tr.Messages[m]) {
			arrives(m)
		}
	}
	if ev.Released >= 0 {
		arrives(ev.Released)
	}
	for _, a := range ev.Stopped {
		f(tr.Actors[a].Life())
	}
	for _, m := range ev.Cancelled {
		f(tr.Messages[m].ID)
	}
	for _, t := range ev.Touched {
		if t.Write {
			f(t.Object)
		}
	}
	return false
}

// Expected appends the objects that a pending step is known to write before it happens. everything: the step depends on
// all.
func (Accesses) Expected(tr *trace.Trace, s *trace.Step, objects []trace.ID) (written []trace.ID, everything bool) {
	switch s.Kind {
	case trace.Advance:
		return objects, true
	case trace.Timer:
		for _, a := range Firing(tr, s.Message) {
			objects = append(objects, a.Object)
		}
		return objects, false
	case trace.Send:
		msg := &tr.Messages[s.Message]
		receiver := tr.Actors[msg.Receiver].ID
		if msg.Class == trace.System {
			objects = append(objects, receiver)
		} else if msg.Class == trace.User || msg.Class == trace.Timeout {
			objects = append(objects, receiver.With(ofBox))
		}
	}
	return append(objects, tr.Actors[s.Actor].ID), false
}
