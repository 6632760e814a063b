package baseline

import "github.com/rehearse-go/rehearse/trace"

// Races are looked for as events happen. Of each message sent, against what the target did before; that takes in
// messages which are never delivered, because their receiver has stopped or waits for something else. What the counts
// settle:
//
//   - all earlier receives of the target count that do not happen before the send, not only the first or the last;
//   - the actor added at k is the receiver of the earliest event after k that happens before the send, or sends.
//
// That event is enabled at k: what it needs happens before it, so before the send, so not after k. Where the target is
// blocked or refuses the message at k, an earlier or later receive at which it is acceptable counts too, so nothing is
// lost.
//
// Two more tests are for dependencies that the sources do not know (internal/causal: system messages, stops, futures).

// races looks at event e, which is over.
func (s *Search) races(e int32) {
	ev := s.event(e)
	if ev.Step.Kind == trace.Advance {
		return // depends on everything and cannot come earlier
	}
	for _, m := range ev.Sent {
		s.sent(m, e)
	}
	s.footprint = s.hb.Footprint(s.footprint[:0], e)
	s.collisions(e)
	if !s.sleeps {
		return
	}
	s.sleepers(e)
	if n := s.nodeOf(s.hb.Head(e)); n != nil {
		n.note(s.footprint)
	}
}

// sent tests message m, sent by event i, against the earlier steps of its receiver.
func (s *Search) sent(m, i int32) {
	msg := &s.tr.Messages[m]
	for k := int32(0); k < i; k++ {
		ev, head := s.event(k), s.hb.Head(k)
		if head == s.hb.Head(i) || s.hb.Before(head, i) {
			continue
		}
		switch {
		case ev.Step.Actor == msg.Receiver && head == k:
			s.race(head, i, s.reduction.race)
		case s.commands(ev, msg.Receiver):
			s.race(head, i, s.reduction.collision)
		}
	}
	if msg.Kind == trace.System {
		// It overtakes the messages that are pending, so one of these first is another order.
		if n := s.nodeOf(s.hb.Head(i)); n != nil && n.taken().actor != msg.Receiver {
			s.reduction.collision(n, msg.Receiver)
		}
	}
}

// commands reports whether the event sent a system message to the actor.
func (s *Search) commands(ev *trace.Event, to int32) bool {
	for _, m := range ev.Sent {
		if o := &s.tr.Messages[m]; o.Kind == trace.System && o.Receiver == to {
			return true
		}
	}
	return false
}

// race says that event i could have come without event k, which comes before it. add tells the reduction.
func (s *Search) race(k, i int32, add func(n *node, a int32)) {
	n := s.nodeOf(k)
	if n == nil || n.all {
		return
	}
	first := i
	s.hb.Past(i).Each(k+1, func(e int32) bool { first = e; return false })
	if ev := s.event(first); !ev.Auto {
		add(n, ev.Step.Actor)
		return
	}
	n.addAll()
}
