package causal

import "github.com/rehearse-go/rehearse/trace"

// This file: under Causal, what sends know of, with and without the order in which a step sends to different receivers.

// knowledge is what precedes sends, by message, and what actors know of.
type knowledge struct {
	free bool // a send does not know of those of its step to other receivers
	past []Set
	seen []Set
}

// addKnowledge is Add under Causal: a message that another one to the same receiver follows by the kept order alone could be overtaken.
func (s *Sends) addKnowledge(tr *trace.Trace) {
	s.known[1].free = true
	for i := range s.known {
		s.known[i].build(tr)
	}
	o := &Order{model: trace.Causal, tr: tr}
	for m := range tr.Messages {
		kept, free := &s.known[0].past[o.original(int32(m))], &s.known[1].past[o.original(int32(m))]
		kept.Each(0, func(i int32) bool {
			x, y := &tr.Messages[i], &tr.Messages[m]
			if !free.Has(i) && x.Receiver == y.Receiver && x.Class == trace.User && y.Class == trace.User {
				s.countKnown(tr, i, int32(m))
			}
			return true
		})
	}
}

// countKnown notes the actors that have two sends of one step on ways from that of message i to that of message m.
func (s *Sends) countKnown(tr *trace.Trace, i, m int32) {
	past, met := s.known[0].past, map[int32]bool{}
	for k := i; k <= m; k++ {
		if (k == i || past[k].Has(i)) && (k == m || past[m].Has(k)) {
			s.meet(met, tr, k)
		}
	}
}

func (k *knowledge) build(tr *trace.Trace) {
	o := &Order{model: trace.Causal, tr: tr}
	n := len(tr.Messages)
	for len(k.past) < n {
		k.past = append(k.past, Set{})
	}
	for len(k.seen) < len(tr.Actors) {
		k.seen = append(k.seen, Set{})
	}
	for i := range k.past[:n] {
		k.past[i] = k.past[i].resized(n)
	}
	for i := range k.seen {
		k.seen[i] = k.seen[i].resized(n)
	}
	for i := range tr.Events {
		e := &tr.Events[i]
		if m := e.Step.Message; m >= 0 && e.Step.Kind != trace.Timer {
			told := o.original(m)
			k.seen[e.Step.Actor].add(k.past[told], told)
		}
		k.sends(o, e)
	}
}

// sends takes in what event e has sent.
func (k *knowledge) sends(o *Order, e *trace.Event) {
	for at, m := range e.Sent {
		msg, knower := &o.tr.Messages[m], o.knower(m)
		if msg.Renews >= 0 {
			continue // it tells what it told at first
		}
		k.past[m].addBelow(k.seen[knower], m)
		for _, earlier := range e.Sent[:at] {
			x := &o.tr.Messages[earlier]
			if x.Renews < 0 && (!k.free || x.Receiver == msg.Receiver || !x.Unordered() || !msg.Unordered()) && o.knower(earlier) == knower {
				k.past[m].add(k.past[earlier], earlier)
			}
		}
	}
	for _, m := range e.Sent {
		if msg := &o.tr.Messages[m]; msg.Renews < 0 {
			k.seen[o.knower(m)].add(k.past[m], m)
			if !o.tr.Copy(m) {
				k.seen[msg.Sender].add(k.past[m], m)
			}
		}
	}
}
