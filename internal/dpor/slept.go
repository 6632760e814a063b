package dpor

import (
	"sort"

	"github.com/rehearse-go/rehearse/trace"
)

// This file remembers which old events source has to look at again. Their races were looked for when they were new. If
// the step slept, whether one of them needs a branch depends on what follows, which is new now.
//
//	lemma:      whether event e slept at a node before it is the same in all executions that begin with the same
//	            events up to e. Only the node whose step is changed gets more sleepers, and it is not before an event
//	            that stays
//	invariants: I1 list holds the events in [0, upto) that slept, or that cancelled a timer, in ascending order
//	            I2 ids holds each step that slept at a node before event upto once, with the first such node's event;
//	            known holds the same
//	cost:       what is new of the path, with the sleep sets of its nodes
//	checked by: length_test.go, which counts; twin_test.go, which compares
type oldEvents struct {
	list  []oldEvent
	ids   []sleptID
	known map[trace.ID]bool
	upto  int32
}

type oldEvent struct {
	event int32
	slept bool
}

type sleptID struct {
	id   trace.ID
	node int32 // its event
}

// truncate forgets what was found of the events from n on, and of the nodes there.
func (o *oldEvents) truncate(n int32) {
	o.upto = min(o.upto, n)
	for len(o.list) > 0 && o.list[len(o.list)-1].event >= o.upto {
		o.list = o.list[:len(o.list)-1]
	}
	for len(o.ids) > 0 && o.ids[len(o.ids)-1].node >= o.upto {
		delete(o.known, o.ids[len(o.ids)-1].id)
		o.ids = o.ids[:len(o.ids)-1]
	}
}

// extend takes in the events up to end.
func (o *oldEvents) extend(s *depthFirst, end int32) {
	if o.known == nil {
		o.known = map[trace.ID]bool{}
	}
	k := sort.Search(len(s.nodes), func(k int) bool { return s.nodes[k].event >= o.upto-1 })
	for e := o.upto; e < end; e++ {
		for ; k < len(s.nodes) && s.nodes[k].event < e; k++ {
			s.looked += 1 + len(s.nodes[k].sleep)
			o.meet(&s.nodes[k])
		}
		slept, cancels := o.known[s.order.Step(e).ID], false
		s.order.CancelledFirings(e, func(int32) { cancels = true })
		if slept || cancels {
			o.list = append(o.list, oldEvent{e, slept})
		}
	}
	o.upto = max(o.upto, end)
}

// meet takes in what sleeps at a node.
func (o *oldEvents) meet(n *node) {
	if n.inStep {
		return
	}
	for i := range n.sleep {
		if id := n.sleep[i].id; !o.known[id] {
			o.known[id] = true
			o.ids = append(o.ids, sleptID{id, n.event})
		}
	}
}
