package explore

import (
	"cmp"

	"github.com/rehearse-go/rehearse/trace"
)

// This file compares the orders in which a step sends to different receivers, as a loop over a map decides them. Where
// the order counts, only one was explored.
//
//	assumes:    under one seed of Go's choices a step sends in one order wherever it is taken; another seed shows whether
//	            it has others
//	invariants: I1 an order that counts, or of which nobody can say that it does not, is told (Outcome.Uncontrolled)
//	            I2 it is not held against an exploration that is exhausted if Orders has seen each of its executions

// Orders tells of which actors the order counts in which a step of theirs sends to different receivers. internal/causal
// has the one that Rehearse uses.
type Orders interface {
	Add(tr *trace.Trace)        // takes in an execution
	Counts(actor trace.ID) bool // whether it counted in one of them
}

// sends is what is known of such orders.
type sends struct {
	begun, watched bool
	shuffled       []shuffled
}

// shuffled is an actor that sends to the same receivers in another order under another seed.
type shuffled struct {
	id   trace.ID
	name string
}

// ownOrder says that an actor chooses the order of its sends.
func ownOrder(name string) string {
	return name + " sends in an order of its own (a loop over a map, say)"
}

// learnSends takes in an execution. What has drawn nothing has one order: where the first execution has not, none is
// watched.
func (r *run) learnSends(tr *trace.Trace) {
	if tr.Shuffled != "" && !r.otherwise { // else compareOrders says what it means
		r.out.Uncontrolled = cmp.Or(r.out.Uncontrolled, ownOrder(tr.Shuffled))
	}
	if !r.counts || r.o.Orders == nil {
		return
	}
	if !r.sends.begun {
		d, ok := r.sys.(Drawer)
		r.sends.begun, r.sends.watched = true, ok && d.Unset() == "" && d.Draws()
	}
	if r.sends.watched {
		r.o.Orders.Add(tr)
	}
}

// compareOrders notes a step that has sent in another order than when it was executed first. Where the model keeps that
// order, others may follow.
func (r *run) compareOrders(first *trace.Trace) {
	tr := r.x.Trace()
	if r.left || r.out.Uncontrolled != "" || r.diverger.Divergence() != nil {
		return
	}
	for e := range min(len(first.Events), len(tr.Events)) {
		actor := tr.Events[e].Step.Actor
		switch trace.Reordered(first, tr, e, r.o.Conditions.Model) {
		case trace.Among:
			if r.otherwise {
				r.sends.note(tr, actor)
				continue
			}
			fallthrough
		case trace.Within:
			r.out.Uncontrolled = ownOrder(tr.ActorName(actor))
			return
		}
	}
}

func (s *sends) note(tr *trace.Trace, actor int32) {
	id := tr.Actors[actor].ID
	for _, known := range s.shuffled {
		if known.id == id {
			return
		}
	}
	s.shuffled = append(s.shuffled, shuffled{id, tr.ActorName(actor)})
}

// concludeSends says what orders mean that differed.
func (r *run) concludeSends(last *Report) {
	seen := r.sends.watched && (last.EveryOrder || last.OnePerClass) && r.out.Reason == "complete" && r.strategy.Complete()
	for _, s := range r.sends.shuffled {
		if !seen || r.o.Orders.Counts(s.id) {
			r.out.Uncontrolled = cmp.Or(r.out.Uncontrolled, ownOrder(s.name))
		}
	}
}
