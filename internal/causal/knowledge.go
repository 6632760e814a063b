package causal

import (
	"github.com/rehearse-go/rehearse/internal/bitset"
	"github.com/rehearse-go/rehearse/internal/delivery"
	"github.com/rehearse-go/rehearse/trace"
)

// This file: the messages that a send knows of under Causal, since they precede it causally. It has them with the order
// in which a step sends to different receivers, and without it. With the order that is rule R8 of internal/delivery. It
// is computed here too, since both have to speak of the same messages: delivery leaves out timers that did not fire.
//
//	checked by: knowledge_test.go

// knowledge is what precedes sends, by message, and what actors know of.
type knowledge struct {
	free bool // a send does not know of those of its step to other receivers
	past []bitset.Packed
	seen []bitset.Packed
}

// addKnowledge is Add under Causal. Take two messages to the same receiver, one of which precedes the other by the kept
// order alone. In another order of the sends it could be overtaken, so the order counts.
func (s *Sends) addKnowledge(tr *trace.Trace) {
	s.known[1].free = true
	for i := range s.known {
		s.known[i].build(tr)
	}
	for m := range tr.Messages {
		kept, free := &s.known[0].past[delivery.Original(tr, int32(m))], &s.known[1].past[delivery.Original(tr, int32(m))]
		kept.Each(0, func(i int32) bool {
			x, y := &tr.Messages[i], &tr.Messages[m]
			if !free.Has(i) && x.Receiver == y.Receiver && x.Kind == trace.User && y.Kind == trace.User {
				s.countKnown(tr, i, int32(m))
			}
			return true
		})
	}
}

// countKnown notes actors whose order of sends may be what puts message i before message m. They have two sends of one
// step on causal chains from the one to the other.
func (s *Sends) countKnown(tr *trace.Trace, i, m int32) {
	past, met := s.known[0].past, map[int32]bool{}
	for k := i; k <= m; k++ {
		if (k == i || past[k].Has(i)) && (k == m || past[m].Has(k)) {
			s.meet(met, tr, k)
		}
	}
}

// build goes through the record once. A message knows what its sender knew when it sent, and a receiver knows from then
// on what the message knows. These are vector clocks, with sets of messages in the place of counters.
func (k *knowledge) build(tr *trace.Trace) {
	n := len(tr.Messages)
	for len(k.past) < n {
		k.past = append(k.past, bitset.Packed{})
	}
	for len(k.seen) < len(tr.Actors) {
		k.seen = append(k.seen, bitset.Packed{})
	}
	for i := range k.past[:n] {
		k.past[i] = k.past[i].Emptied(n)
	}
	for i := range k.seen {
		k.seen[i] = k.seen[i].Emptied(n)
	}
	for i := range tr.Events {
		e := &tr.Events[i]
		if e.Step.Kind.Handles() { // a fault names a message too, and nobody learns of it
			k.learn(&k.seen[e.Step.Actor], delivery.Original(tr, e.Step.Message))
		}
		k.sends(tr, e)
	}
}

// sends takes in what event e has sent.
func (k *knowledge) sends(tr *trace.Trace, e *trace.Event) {
	for at, m := range e.Sent {
		msg, knower := &tr.Messages[m], delivery.Knower(tr, m)
		if msg.Renews >= 0 {
			continue // it tells what it told at first
		}
		k.past[m].AddFrom(&k.seen[knower], m)
		for _, earlier := range e.Sent[:at] {
			x := &tr.Messages[earlier]
			kept := !k.free || x.Receiver == msg.Receiver || !x.Unordered() || !msg.Unordered()
			if x.Renews < 0 && kept && delivery.Knower(tr, earlier) == knower {
				k.learn(&k.past[m], earlier)
			}
		}
	}
	for _, m := range e.Sent {
		if msg := &tr.Messages[m]; msg.Renews < 0 {
			k.learn(&k.seen[delivery.Knower(tr, m)], m)
			if !tr.Copy(m) {
				k.learn(&k.seen[msg.Sender], m)
			}
		}
	}
}

// learn adds message m and what precedes its send.
func (k *knowledge) learn(of *bitset.Packed, m int32) {
	of.AddAll(&k.past[m])
	of.Add(m)
}
