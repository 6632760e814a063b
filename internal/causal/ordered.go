package causal

import "github.com/rehearse-go/rehearse/trace"

// ordered reports whether the delivery model hands the message of step i over before m.
func (o *Order) ordered(i, m int32) bool {
	b := o.Step(i).Message
	return b >= 0 && o.Ordered(b, m)
}

// Ordered reports whether the delivery model orders two messages to the same receiver, the first before the second.
func (o *Order) Ordered(first, second int32) bool {
	x, y := &o.tr.Messages[first], &o.tr.Messages[second]
	if x.Class != trace.User || y.Class != trace.User || x.Receiver != y.Receiver || first == second {
		return false
	}
	switch o.model {
	case trace.FIFO:
		return x.Sender == y.Sender && o.original(first) < o.original(second)
	case trace.Causal:
		return o.sentBefore(first, second)
	}
	return false
}

// original gives the message that m stands for, which is m itself unless its receiver had put it aside.
func (o *Order) original(m int32) int32 {
	for o.tr.Messages[m].Renews >= 0 {
		m = o.tr.Messages[m].Renews
	}
	return m
}

// renewed reports whether step i handles a message that its actor had put aside.
func (o *Order) renewed(i int32) bool {
	m := o.Step(i).Message
	return m >= 0 && o.tr.Messages[m].Renews >= 0
}

// sentBefore reports whether the send of message m happens before that of message n, under Causal. The past is that of the send, not
// of its step: an actor knows what it handled and sent before, and a message tells what its sender knew when it sent it.
func (o *Order) sentBefore(m, n int32) bool {
	m, n = o.original(m), o.original(n)
	if m == n {
		return false
	}
	type send struct{ at, actor int32 }
	seen := map[send]bool{}
	var search func(n int32) bool
	search = func(n int32) bool {
		s := send{o.tr.Messages[n].SentBy, o.knower(n)}
		if m <= n && (o.knower(m) == s.actor || o.tr.Messages[m].Sender == s.actor && !o.tr.Copy(m)) {
			return true
		}
		if seen[s] {
			return false
		}
		seen[s] = true
		for e := s.at; e >= 0; e-- {
			ev := &o.tr.Events[e]
			if ev.Step.Actor != s.actor || ev.Step.Kind == trace.Timer || ev.Step.Message < 0 {
				continue
			}
			// SUBTLE: what was put aside and back is sent anew, after what its sender sent since; it tells what it told at first.
			if told := o.original(ev.Step.Message); told == m || search(told) {
				return true
			}
		}
		return false
	}
	return search(n)
}

// knower is the actor whose knowledge message m tells: its sender, also one that waited in a handler and was woken in the step of another. What
// a new actor sends in the step that creates it is the doing of who takes that step, as is the copy of a message that was put back in it.
func (o *Order) knower(m int32) int32 {
	msg := &o.tr.Messages[m]
	if o.tr.Copy(m) {
		return o.tr.Events[msg.SentBy].Step.Actor
	}
	if at := o.tr.Actors[msg.Sender].Creator; at >= 0 && at == msg.SentBy {
		return o.tr.Events[at].Step.Actor
	}
	return msg.Sender
}
