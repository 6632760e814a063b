package cover

import "github.com/rehearse-go/rehearse/trace"

// base is an execution made ready to be reordered: the places at which orders of receives are decided, and which of
// them must happen before which.
//
//	source:     [Bita13] definitions 5 to 7
//	differs:    some models decide the order of receives before the receives. Then places are there too (frame.go).
//	            What comes before a place is a vector of numbers, where the paper has a set. By rules 3 and 4 of
//	            definition 5 the causes of a receive are a prefix of each actor's receives, so the lengths suffice
//	assumes:    receives at different actors do not depend on each other but by messages
//	invariants: I1 places are in the order of the execution; must holds only from earlier ones to later ones
//	            I2 must is transitive
//	cost:       memory is the number of sending events times that of chains; beyond maxClock the rest of the execution is
//	            left out
//	checked by: plain_test.go against the closure of the definitions
type base struct {
	model    trace.Model
	places   []place
	chains   [][]int32 // places by chain, in order
	boxes    []boxOf   // the receivers
	receives []receive

	size      int     // of its memory, in numbers
	receiveOf []int32 // by message: its receive, -1 if it has none
}

// place is where the order of one or more receives is decided: a step of the execution.
type place struct {
	step  trace.ID
	chain int32 // its receiver's, or under mailbox-serial that of the actor that runs
	at    int32 // how many places of the chain come before
	// the chain of those whose order the model keeps, -1 if none: fifo, of the pair; mailbox, of the sender
	kept     int32
	nth      int32   // how many of that chain come before
	ordered  bool    // causal keeps it in order
	event    int32   // that sent the message
	origin   int32   // the place of the handler that did, -1 if none did
	before   clock   // what must happen before, besides what the model keeps
	receives []int32 // whose order it decides
}

// receive is an asynchronous receive of the base.
type receive struct {
	place   int32 // that decides its order, -1: the beginning, before all others
	box     int32 // index into base.boxes
	nth     int32 // place among the receives of the box
	at      int32 // its number in the Achieved box
	changes bool  // it changed the handlers of its receiver
}

// boxOf is a receiver of the base.
type boxOf struct {
	box      *box    // of Achieved
	receives []int32 // in the order in which the base has them
}

// must reports whether place x, the earlier one, must happen before place y. -1 stands for the beginning.
func (b *base) must(x, y int32) bool {
	if x < 0 || x == y {
		return true
	}
	if y < 0 {
		return false
	}
	p, q := &b.places[x], &b.places[y]
	return q.before.has(p.chain, p.at) || p.kept >= 0 && q.before.has(p.kept, p.nth) || b.keeps(p, q)
}

// keeps reports whether the model keeps the order of two places, the first of which is the earlier one.
//
// Differs: under causal the rule of package delivery (R8) is about sends, and leaves more pairs open than this one,
// which is about the handlers that send. With it there would be other schedules (docs/decisions/0029).
func (b *base) keeps(p, q *place) bool {
	switch b.model {
	case trace.FIFO, trace.Mailbox:
		return p.kept >= 0 && p.kept == q.kept
	case trace.Causal:
		return p.chain == q.chain && p.ordered && q.ordered && b.sentBefore(p, q)
	case trace.MailboxSerial:
		return p.chain == q.chain
	}
	return false
}

// sentBefore reports whether the send of p comes before that of q.
func (b *base) sentBefore(p, q *place) bool {
	if p.event == q.event || p.origin < 0 {
		return true
	}
	o := &b.places[p.origin]
	return q.before.has(o.chain, o.at)
}

// stepsOf appends the steps of places.
func (b *base) stepsOf(out []int32, steps []trace.ID) []trace.ID {
	for _, p := range out {
		steps = append(steps, b.places[p].step)
	}
	return steps
}

// Order tells which receives of an execution must happen before which ([Bita13] definition 7).
type Order struct{ base *base }

// NewOrder looks at an execution under a delivery model.
func NewOrder(tr *trace.Trace, model trace.Model) Order {
	return Order{newBase(tr, model, NewAchieved())}
}

// Must reports whether one actor receives two messages, both asynchronously, in this order in every execution, as far
// as this execution tells. known is false for messages that are not received asynchronously, or too late in a very long
// execution.
func (o Order) Must(first, second int32) (must, known bool) {
	x, y := o.base.receiveOf[first], o.base.receiveOf[second]
	if x < 0 || y < 0 {
		return false, false
	}
	return o.base.must(o.base.receives[x].place, o.base.receives[y].place), true
}
