package dpor

import (
	"github.com/rehearse-go/rehearse/internal/causal"
	"github.com/rehearse-go/rehearse/trace"
)

// reach bounds the events that do not happen after a given one. So notdep(e, E) of [AAJS14] (S7, O5) is found without a
// look at all that comes later.
//
//	lemma:      if an event does not happen after event i, its cause does not either, since the cause happens before it.
//	            So of the later events at most these do not happen after i: those without a cause, those caused by events
//	            before i, and what these cause in turn
//	cost:       a number or two an event, once an execution
//	checked by: settled_test.go, against a look at all
type reach struct {
	caused []int32 // by event: the last one that it caused, -1 if none
	before []int32 // by event: the last one that those before it caused
}

// measure measures the events [0, end) of an execution.
func (c *reach) measure(o *causal.Order, end int32) {
	c.caused, c.before = c.caused[:0], c.before[:0]
	first := int32(-1) // the last event without a cause
	for k := range end {
		c.caused = append(c.caused, -1)
		switch p := o.Parent(k); {
		case p >= 0:
			c.caused[p] = k
		case o.Step(k).Kind != trace.Advance: // which happens after all
			first = k
		}
	}
	for _, k := range c.caused {
		c.before = append(c.before, first)
		first = max(first, k)
	}
}

// after gives the end of the events that may not happen after event i, as far as event i alone tells.
func (c *reach) after(i, end int32) int32 { return min(c.before[i]+1, end) }

// with moves this end for event k, which does not happen after i.
func (c *reach) with(until, k, end int32) int32 { return max(until, min(c.caused[k]+1, end)) }
