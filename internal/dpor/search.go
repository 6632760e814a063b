package dpor

import (
	"fmt"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/causal"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/trace"
)

// depthFirst is what source and optimal DPOR share: the depth-first walk over choices, with sleep sets and
// happens-before.
//
//	source:     [AAJS14], what algorithms 1 and 2 have in common
//	differs:    there is no recursion: an execution that is over is looked through for races, and the next one repeats
//	            its beginning
//	invariants: I1 nodes[k] is the state before choice k of the current execution; the first SharedPrefix() choices are
//	               those of the last one
//	            I2 order holds the events of the current execution up to the last choice
//	            I3 a step that sleeps at a node was explored from it or from a node above, and nothing since depends on
//	               it
//	checked by: twin_test.go against brute force, for both
type depthFirst struct {
	order   *causal.Order
	x       explore.Execution
	accepts causal.Acceptance

	nodes    []node
	root     node  // of the step before the first choice
	depth    int   // choices of the current execution
	fresh    int   // events below this one were analysed in an earlier execution
	stable   int32 // events below this one, and the nodes before them, are as they were when races were looked for last
	started  bool
	done     bool
	blocked  bool // the current execution was ended by us,
	torn     bool // at a choice in the middle of a step
	classes  int
	faulty   bool // faults may be injected,
	most     int  // and so many in one execution
	diverge  *trace.Incident
	diverged bool // an execution diverged: nobody knows what all executions are

	reach  reach    // of the execution that is over
	parts  []part   // memory of sequences
	labels []*label // by event: of macro-steps that are parts of sequences; see sequence.shared
	looked int      // events and nodes that were looked at for races, for tests

	share share

	env  explore.Env
	tree brancher
	walk search.Walk
}

// Start is the loop of S4 and O11, for the whole path at once. The pseudocode explores by recursion; here an execution
// is over before the next step of any node is chosen. The step of the deepest node sleeps from then on (S12, O16), and
// the node goes on with its next one. A node that has none is done and is dropped.
//
// No node is dropped too early. Races are looked for in Learn, before the next Start, and all of them add to nodes of
// the path. So a node without a next step gets none later: what could add to it lay below it and is done.
func (s *depthFirst) Start() bool {
	s.depth, s.diverge, s.blocked, s.torn = 0, nil, false, false
	if !s.started {
		s.started = true
		if len(s.nodes) == 0 {
			return true
		}
	}
	for len(s.nodes) > 0 {
		n := &s.nodes[len(s.nodes)-1]
		if n.handedOut {
			s.nodes = s.nodes[:len(s.nodes)-1]
			continue
		}
		if !n.retired {
			n.retire()
		}
		n.retired = false
		l, ok := s.nextOf(n)
		if ok && s.tree.postpones(n, &l) {
			continue
		}
		if ok {
			n.chosen = l
			s.fresh = int(n.event)
			if l.kind == trace.Fault && !n.unseen {
				// SUBTLE: whether the handler runs shows in the event before, which is that of the delivery.
				s.fresh--
			}
			s.stable = min(s.stable, int32(s.fresh))
			s.order.Truncate(s.fresh)
			s.walk.Turn(len(s.nodes), s.open(len(s.nodes)-1))
			return true
		}
		if n.inStep {
			s.noteGaps(len(s.nodes)-1, n)
		}
		s.keep(len(s.nodes) - 1)
		s.nodes = s.nodes[:len(s.nodes)-1]
	}
	s.done = true
	s.walk.Turn(0, 0)
	return false
}

// nextOf gives the next step of a node (S4, O12), or the next value of a choice in the middle of a step.
func (s *depthFirst) nextOf(n *node) (label, bool) {
	if !n.inStep {
		return s.tree.next(n)
	}
	if i := s.nextValue(len(s.nodes)-1, n); i >= 0 {
		return n.enabled[i], true
	}
	return label{}, false
}

// SharedPrefix is explore.PrefixReuser: all choices but the last are repeated.
func (s *depthFirst) SharedPrefix() int { return max(0, len(s.nodes)-1) }

// Resume is explore.PrefixReuser.
func (s *depthFirst) Resume(n int) { s.depth = n }

// Open is explore.ExecutionObserver.
func (s *depthFirst) Open(x explore.Execution) {
	s.x, s.accepts = x, causal.AcceptanceOf(x)
}

// Close is explore.ExecutionObserver.
func (*depthFirst) Close() {}

// Choose repeats the path to the node that is explored, takes its new step, and goes on with new nodes from there.
func (s *depthFirst) Choose(tr *trace.Trace, enabled []trace.Step) explore.Choice {
	k := s.depth
	s.depth++
	if k < len(s.nodes) {
		n := &s.nodes[k]
		if n.unseen {
			s.see(k, tr, enabled)
		}
		i := n.chosen.find(tr, enabled)
		if i < 0 || len(enabled) != len(n.enabled) {
			s.diverge = divergence(tr, k, n, enabled)
			return explore.Choice{Index: -1}
		}
		return explore.Choice{Index: i, Replayed: k < len(s.nodes)-1, First: n.chosen.first}
	}
	n := s.push(tr, enabled)
	i := -1
	if n.inStep {
		i = s.nextValue(k, n)
	} else {
		i = s.tree.first(n, tr, enabled)
	}
	if i < 0 {
		if s.torn = n.inStep; s.torn {
			s.noteGaps(k, n)
		}
		s.nodes = s.nodes[:k]
		s.depth--
		s.blocked = true
		return explore.Choice{Index: -1}
	}
	l := n.enabled[i]
	l.first, l.path = n.chosen.first, n.chosen.path
	n.chosen = l
	return explore.Choice{Index: i, First: l.first}
}

// push makes the node for the present state.
func (s *depthFirst) push(tr *trace.Trace, enabled []trace.Step) *node {
	k := len(s.nodes)
	if k < cap(s.nodes) {
		s.nodes = s.nodes[:k+1]
	} else {
		s.nodes = append(s.nodes, node{})
	}
	n := &s.nodes[k]
	*n = node{enabled: n.enabled[:0], done: n.done[:0]}
	s.fill(k, n, tr, enabled)
	return n
}

// fill notes what is known of node k when it is met: what is enabled, how many faults are left, and what sleeps (S10,
// O13).
func (s *depthFirst) fill(k int, n *node, tr *trace.Trace, enabled []trace.Step) {
	end := len(tr.Events)
	if enabled[0].Kind == trace.Fault {
		end-- // the step that it belongs to is not over
	}
	s.order.Extend(tr, end)
	n.event, n.inStep, n.asks = int32(len(tr.Events)-tr.Explored), enabled[0].Kind.Chooses(), asksFor(enabled)
	for i := range enabled {
		n.enabled = append(n.enabled, labelOf(tr, &enabled[i]))
		if enabled[i].Kind == trace.Advance {
			n.advance = enabled[i].ID
		}
	}
	if n.left = s.most; k > 0 {
		above := &s.nodes[k-1]
		if n.left = above.left; above.chosen.faulty() {
			n.left--
		}
	}
	if !n.inStep && !n.slept {
		if above := s.macroStep(k - 1); above != &s.root {
			n.sleep = inherit(s.order, above, n.event, s.faulty && n.left == 0)
		}
	}
}

// Learn looks for races in the execution that is over (S5 to S9, O3 to O7).
func (s *depthFirst) Learn(tr *trace.Trace, cut bool) {
	if s.diverge == nil && s.depth < len(s.nodes) {
		s.diverge = &trace.Incident{Kind: trace.Divergence, Actor: -1, Message: -1, Text: fmt.Sprintf(
			"the same schedule led to %d possible steps at step %d before, and now the execution ends after step %d",
			len(s.nodes[s.depth].enabled), s.depth+1, s.depth)}
	}
	if s.diverge != nil {
		s.diverged = true
		s.nodes = s.nodes[:min(s.depth, len(s.nodes))]
		return
	}
	if !s.blocked && !s.tree.repeats() {
		s.classes++
	}
	end := int32(0)
	if k := len(s.nodes); k > 0 {
		end = s.nodes[k-1].event + 1
	}
	s.order.Extend(tr, min(len(tr.Events), tr.Explored+int(end)))
	end = int32(s.order.Len())
	s.keepFootprints(tr)
	s.tree.races(end)
	s.walk.Grow(len(s.nodes))
}

// keepFootprints notes what the chosen steps accessed: while they sleep, dependence is asked of that (L4).
func (s *depthFirst) keepFootprints(tr *trace.Trace) {
	end := int32(s.order.Len())
	last := len(s.nodes)
	for k := len(s.nodes) - 1; k >= 0 && int(end) > s.fresh; k-- {
		n := &s.nodes[k]
		if ev := &tr.Events[min(s.order.First()+int(n.event), len(tr.Events)-1)]; ev.Released >= 0 && n.event < end {
			n.chosen.first = tr.Messages[ev.Released].ID
		}
		if n.inStep {
			continue
		}
		l := leaf{}
		l.path = s.fullPath(last)
		for i := k + 1; i < last; i++ {
			l.fault = l.fault || s.nodes[i].chosen.faulty()
		}
		for e := n.event; e < end; e++ {
			l.foot = s.order.Footprint(l.foot, e)
		}
		if !s.torn || last < len(s.nodes) { // SUBTLE: a step that was cut at a choice has not ended in any way
			n.keep(l)
			s.tree.executed(n, &l)
		}
		end, last = n.event, k
	}
}

// Divergence describes a choice that was not ours.
func (s *depthFirst) Divergence() *trace.Incident { return s.diverge }

// Complete reports whether an execution of every class was executed.
func (s *depthFirst) Complete() bool { return s.done && !s.diverged }

// Report is explore.Reporter: no class is executed to its end twice. The estimate counts branches that are known. It
// counts those that are still to be found only as far as finished nodes with as many branches had such.
func (s *depthFirst) Report() explore.Report {
	return explore.Report{OnePerClass: true, Classes: s.classes, Estimate: s.walk.Total(s.open)}
}

// Bind is explore.Binder: every delivery model will do.
func (s *depthFirst) Bind(e explore.Env) error {
	c := e.Conditions
	s.env = e
	s.faulty, s.most = c.Faults.On(), c.Faults.Max
	s.order = causal.For(c)
	return nil
}

// open gives the number of branches of node k that are known and were not begun.
func (s *depthFirst) open(k int) int {
	n := &s.nodes[k]
	if n.inStep {
		return max(0, len(n.enabled)-len(n.done)-1)
	}
	return s.tree.remaining(n)
}

// HappensBefore is explore.ClassRepresentative.
func (s *depthFirst) HappensBefore(i, j int32) bool { return s.order.InOrder(i, j) }
