package causal

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// Sends tells for which actors it matters in which order a step of theirs sends to different receivers, as a loop over
// a map may decide it. It takes in executions in which each step has sent in one order. If the order counts in none of
// them, the step may send in any order, and nothing else can happen.
//
// Under Mailbox the releases of a step to different receivers are held to be independent (free), and races are compared
// with those of the order in which they came (kept). A race that the kept order alone rules out shows that the order
// counts. Without such a race all classes of the free relation are executed. For assume that an execution leaves them,
// and let e be the first step that does. It is a release, and comes before an arrival z in the same mailbox that e
// follows by the kept order alone. Take the execution that has released in the kept order what e's past takes. There e
// and z are such a race. Under Causal the same is asked of the messages that a send knows of.
//
//	source:     ours
//	assumes:    the executions are one of each class of the relation in order.go, or all; a step depends on nothing but
//	            its state and the seed of Go's choices, so that it sends in one order wherever it is taken
//	invariants: I1 what the free relation leaves unordered is at least what another order of a step's sends changes
//	            I2 where a race cannot be told from the record (system messages, answers), an order that comes by the
//	               kept order alone counts
//	cost:       both relations of an execution
//	checked by: sends_test.go and internal/tests/agree/unordered_test.go, against all orders
type Sends struct {
	kept, free *Order
	known      [2]knowledge // Causal: kept, free
	counts     map[trace.ID]bool
}

// NewSends makes a Sends for executions under these conditions; nil if the model keeps no such order, or nobody can
// tell.
func NewSends(c explore.Conditions) explore.Orders {
	s := &Sends{counts: map[trace.ID]bool{}}
	switch {
	case c.HeedsEffects():
		return nil // reductions execute fewer classes
	case c.Model == trace.Mailbox:
		s.kept, s.free = New(c.Model, c.Timers), New(c.Model, c.Timers)
		s.free.free = true
	case c.Model != trace.Causal:
		return nil
	}
	return s
}

// Counts reports whether the order counted in which a step of the actor sent to different receivers.
func (s *Sends) Counts(actor trace.ID) bool { return s.counts[actor] }

// Add takes in an execution.
func (s *Sends) Add(tr *trace.Trace) {
	if !fansOut(tr) {
		return
	}
	if s.kept == nil {
		s.addKnowledge(tr)
		return
	}
	for _, o := range []*Order{s.kept, s.free} {
		o.Truncate(0)
		o.Extend(tr, len(tr.Events))
	}
	for e := range int32(s.free.Len()) {
		s.races(e)
		if m := s.free.Event(e).Released; m >= 0 && s.apart(m) {
			s.arrivals(e, m)
		}
	}
}

// fansOut reports whether some step has sent more than once.
func fansOut(tr *trace.Trace) bool {
	sent := 0
	for i := tr.Explored; i < len(tr.Events); i++ {
		e := &tr.Events[i]
		if !e.Step.Kind.Chooses() {
			sent = 0
		}
		if sent += len(e.Sent); sent > 1 {
			return true
		}
	}
	return false
}

// races looks for races of event e that the kept order alone rules out.
func (s *Sends) races(e int32) {
	o := s.free
	for k := o.events[e].accesses; k < o.accessEnd(e); k++ {
		o.eachColliding(k, e, func(i int32) {
			if !o.own(i, e) && o.immediate(i, e) && !s.kept.immediate(i, e) {
				s.count(i, e)
			}
		})
	}
}

// apart reports whether message m may be handled in another order than that of its mailbox.
func (s *Sends) apart(m int32) bool {
	msg := &s.free.tr.Messages[m]
	if msg.Kind != trace.User && msg.Kind != trace.Timeout || msg.EndsCall {
		return true
	}
	for _, system := range s.free.system {
		if s.free.tr.Messages[system].Receiver == msg.Receiver {
			return true
		}
	}
	return false
}

// arrivals looks for steps of the receiver of m that come before its arrival in event e by the kept order alone.
func (s *Sends) arrivals(e, m int32) {
	o := s.free
	for k := o.heads[o.of(o.tr.Messages[m].Receiver).chain]; k >= 0; k = o.accesses[k].before {
		if i := o.accesses[k].event; i < e && s.kept.Before(i, e) && !o.Before(i, e) {
			s.count(i, e)
		}
	}
}

// count notes the actors that have two releases of one step on causal chains from event i to event e. It may be the
// order of these two that makes i happen before e.
func (s *Sends) count(i, e int32) {
	met := map[int32]bool{} // steps
	for k := i; k <= e; k++ {
		if s.free.isFree(s.free.Event(k)) && (k == i || s.kept.Before(i, k)) && (k == e || s.kept.Before(k, e)) {
			s.meet(met, s.free.tr, s.free.Event(k).Released)
		}
	}
}

// meet notes the actor of the step that sends message m, if that step has sent another message that was met before.
func (s *Sends) meet(met map[int32]bool, tr *trace.Trace, m int32) {
	step := tr.StepOf(tr.Messages[m].SentBy)
	if met[step] {
		s.counts[tr.Actors[tr.Events[step].Step.Actor].ID] = true
	}
	met[step] = true
}
