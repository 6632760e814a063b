package causal

import (
	"math/bits"

	"github.com/rehearse-go/rehearse/trace"
)

// Key identifies the class of the events so far. Two executions of a program have equal keys iff they have the same
// events, and each event has the same past. By L1 such executions are one class. The key is the sum over the events of
// a hash of the event's identity and those of its past. So the order in which independent events were added does not
// show.
//
//	source:     ours; that a trace is its happens-before relation is [AAJS14] section 4
//	assumes:    a good hash: two of n classes collide with a probability of about n*n/2^129
//	cost:       the sum of the sizes of the pasts
//	checked by: class_test.go against toy.ClassKey
func (o *pasts) Key() trace.ID {
	var key trace.ID
	for e := range int32(len(o.events)) {
		key = Plus(key, o.KeyOf(e))
	}
	return key
}

// KeyOf is what event e adds to Key. Events that are added later leave it as it is, unless they belong to the same
// macro-step.
func (o *pasts) KeyOf(e int32) trace.ID {
	var past trace.ID
	o.Past(e).Each(0, func(p int32) bool {
		past = Plus(past, o.Step(p).ID.With(ofPast))
		return true
	})
	return o.Step(e).ID.WithID(past)
}

// ofPast sets the identity of an event in a past apart from that of the event itself.
const ofPast = 0x62656c6f77

// Plus adds keys.
func Plus(x, y trace.ID) trace.ID {
	lo, carry := bits.Add64(x.Lo, y.Lo, 0)
	hi, _ := bits.Add64(x.Hi, y.Hi, carry)
	return trace.ID{Hi: hi, Lo: lo}
}
