package guide

import (
	"github.com/rehearse-go/rehearse/internal/causal"
	"github.com/rehearse-go/rehearse/trace"
)

// maxCauses is the most events of an execution whose happens-before is worked out: that takes the square of them.
const maxCauses = 2000

// beginning identifies the class of the events so far, event by event. Key of causal.Order does it at once.
type beginning struct {
	order *causal.Order
	sum   trace.ID // of the events of the macro-steps that are over
	over  int32
}

// key is that of the execution as far as it has come.
func (b *beginning) key(tr *trace.Trace) trace.ID {
	b.order.Extend(tr, len(tr.Events))
	last := int32(b.order.Len()) - 1
	if last < 0 {
		return trace.ID{}
	}
	head := b.order.Head(last)
	for ; b.over < head; b.over++ {
		b.sum = causal.Plus(b.sum, b.order.KeyOf(b.over))
	}
	key := b.sum
	for e := head; e <= last; e++ {
		key = causal.Plus(key, b.order.KeyOf(e))
	}
	return key
}

// isKnown reports whether an equivalent beginning was met before, from which everything is tried that can be tried from
// here. The numbers in actors' names count how they were created in this very execution, so what the names of the order
// mean belongs to a beginning. So does the question that is asked, since an answer that does nothing is no event.
func (g *Strategy) isKnown(tr *trace.Trace, enabled []trace.Step, options int) bool {
	if options < 2 || len(tr.Events) > maxCauses {
		return false
	}
	key := g.causes.key(tr).With(uint64(g.at))
	var asked trace.ID
	for i := range enabled {
		asked = causal.Plus(asked, enabled[i].ID)
	}
	key = key.WithID(asked)
	for _, n := range g.match.sorted {
		key = key.With(uint64(len(n.means())))
		for _, a := range n.means() {
			key = key.WithID(tr.Actors[a].ID)
		}
	}
	known := g.tree.met[key]
	g.tree.met[key] = true
	return known
}
