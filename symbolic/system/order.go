package system

import (
	"fmt"
	"slices"

	"github.com/rehearse-go/rehearse/trace"
)

// This file writes what has happened as an order by names, which the compiled program can follow.

// order lists what actors have received since set-up, timeouts, and values that were chosen. What a guide fills in by itself, releases and answers, is left out.
func (w *world) order() (list trace.Order) {
	for i := range w.tr.Events {
		if i < w.tr.Explored {
			continue
		}
		s := &w.tr.Events[i].Step
		switch {
		case s.Kind == trace.Choose:
			list = append(list, trace.OrderEntry{Actor: w.tr.ActorName(s.Actor), Choose: fmt.Sprint(s.Value)})
		case s.Kind == trace.Deliver && s.Message >= 0:
			if e, ok := w.entry(s.Message); ok {
				list = append(list, e)
			}
		}
	}
	return list
}

// entry names the receive of a message.
func (w *world) entry(message int32) (e trace.OrderEntry, ok bool) {
	msg, x := &w.tr.Messages[message], &w.letters[message]
	e.Actor = w.tr.ActorName(msg.Receiver)
	switch {
	case msg.EndsCall:
		e.Timeout = true
		return e, true
	case msg.Class == trace.Timeout:
		e.Timer = trace.ShortType(msg.Type.Name)
		e.Sent = w.nth(message)
		return e, true
	case msg.Class == trace.User:
	case msg.Class == trace.System && x.kind != startedKind && x.kind != resumeKind:
	default:
		return e, false
	}
	e.Message, e.From = trace.ShortType(msg.Type.Name), w.tr.ActorName(msg.Sender)
	if w.model == trace.Bag {
		e.Sent = w.nth(message)
	}
	return e, true
}

// nth tells which of the messages that look alike to an order, in the order of sending, a message is; 0 if there is one.
func (w *world) nth(message int32) int {
	last := &w.tr.Messages[message]
	var alike []int32
	for i := range w.tr.Messages {
		msg := &w.tr.Messages[i]
		if msg.Sender == last.Sender && msg.Receiver == last.Receiver && int(msg.SentBy) >= w.tr.Explored && msg.Type == last.Type && msg.Class == last.Class && !msg.EndsCall {
			alike = append(alike, int32(i))
		}
	}
	if len(alike) < 2 {
		return 0
	}
	return slices.Index(alike, message) + 1
}
