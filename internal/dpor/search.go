package dpor

import (
	"fmt"
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/causal"
	"github.com/rehearse-go/rehearse/internal/estimate"
	"github.com/rehearse-go/rehearse/trace"
)

// search is what source and optimal DPOR share: the depth-first walk over choices, with sleep sets and happens-before.
//
//	source:     [AAJS14], what algorithms 1 and 2 have in common
//	differs:    it executes anew instead of going back, so races are looked for when an execution is over
//	invariants: I1 nodes[k] is the state before choice k of the current execution; the first Kept() choices are those of the last one
//	            I2 order holds the events of the current execution up to the last choice
//	            I3 a step that sleeps at a node was explored from it or from a node above, and nothing since depends on it
//	checked by: twin_test.go against brute force, for both
type search struct {
	model   trace.Model
	order   *causal.Order
	x       explore.Execution
	accepts causal.Acceptance

	nodes   []node
	root    node  // of the step before the first choice
	depth   int   // choices of the current execution
	fresh   int   // events below this one were analysed in an earlier execution
	stable  int32 // events below this one, and the nodes before them, are as they were when races were looked for last
	started bool
	done    bool
	blocked bool // the current execution was ended by us,
	torn    bool // at a choice in the middle of a step
	classes int
	faulty  bool // faults may be injected,
	most    int  // and so many in one execution
	diverge *trace.Incident
	strayed bool // an execution diverged: nobody knows what all executions are

	reach  reach  // of the execution that is over
	parts  []part // memory of sequences
	looked int    // events and nodes that were looked at for races, for tests

	share share

	env   explore.Env
	whole bool // a step sleeps under all choices in its middle or under none: under those that could sleep it is executed in vain
	tree  brancher
	walk  estimate.Walk
}

// brancher is what tells the strategies apart.
type brancher interface {
	// first picks a step at a new node, -1 if there is none that is worth it.
	first(n *node, tr *trace.Trace, enabled []trace.Step) int
	// alternatives reports whether this value is to be explored, besides another, of the choice at node n in the middle of
	// the macro-step of m, where none is prescribed.
	alternatives(m, n *node, value *label) bool
	// next picks the next step of a node whose chosen step is done; false: none is left.
	next(n *node) (label, bool)
	// waits reports whether a step must not be begun before what others execute is over; of a node in the middle of a
	// macro-step, a value.
	waits(n *node, l *label) bool
	// races looks for what to explore besides the execution that is over; its events are [0, end).
	races(end int32)
}

// label is a macro-step as it is known beyond one execution: a step and the choices in its middle.
type label struct {
	id     trace.ID
	kind   trace.Kind
	actor  trace.ID
	first  trace.ID         // of a release: the message
	path   []trace.ID       // the choices in its middle, as far as they are prescribed;
	fault  bool             // with one that is a fault
	foot   causal.Footprint // what it accessed, as far as that is known
	open   bool             // of a wakeup tree: it may access more,
	guess  bool             // and nobody knows what;
	varies bool             // and other things, if it chooses otherwise
}

// node is a state on the current path.
type node struct {
	event   int32 // what the chosen step makes
	left    int   // faults that may still be injected
	asks    asks  // glued: for which faults
	glued   bool  // a choice in the middle of a macro-step: not a state in which anybody else could be next
	enabled []label
	chosen  label
	leaves  []leaf     // what the chosen step did under the choices in its middle that were explored
	sleep   []sleeper  // explored from here or from above, and independent of what came since
	done    []trace.ID // glued: values explored
	todo    []label    // source: backtrack set, without what was explored
	wakeup  []*branch  // optimal: the wakeup tree; its first branch is being explored
	advance trace.ID   // the clock's advance where it is a choice, zero if it is none

	lent    bool // it belongs to another item
	shared  bool // there are items below it
	unseen  bool // of an item: not met yet in this search
	retired bool // of an item: the chosen step was explored
	slept   bool // sleep holds more than what is inherited

	barred     []trace.ID // glued, unseen: values that are no alternatives
	unfinished bool       // something below the chosen step was put back
	told       []telling  // lent: what was found for it in this search
}

func (s *search) Start() bool {
	s.depth, s.diverge, s.blocked, s.torn = 0, nil, false, false
	if !s.started {
		s.started = true
		if len(s.nodes) == 0 {
			return true
		}
	}
	for len(s.nodes) > 0 {
		n := &s.nodes[len(s.nodes)-1]
		if n.lent {
			s.nodes = s.nodes[:len(s.nodes)-1]
			continue
		}
		if !n.retired {
			n.retire()
		}
		n.retired = false
		l, ok := s.nextOf(n)
		if ok && s.tree.waits(n, &l) {
			s.putBack()
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
		if n.glued {
			s.noteGaps(len(s.nodes)-1, n)
		}
		s.keep(len(s.nodes) - 1)
		s.nodes = s.nodes[:len(s.nodes)-1]
	}
	s.done = true
	s.walk.Turn(0, 0)
	return false
}

// nextOf gives the next step of a node.
func (s *search) nextOf(n *node) (label, bool) {
	if !n.glued {
		return s.tree.next(n)
	}
	if i := s.nextValue(len(s.nodes)-1, n); i >= 0 {
		return n.enabled[i], true
	}
	return label{}, false
}

// SharedPrefix is explore.PrefixReuser: all choices but the last are repeated.
func (s *search) SharedPrefix() int { return max(0, len(s.nodes)-1) }

// Resume is explore.PrefixReuser.
func (s *search) Resume(n int) { s.depth = n }

// Open is explore.ExecutionObserver.
func (s *search) Open(x explore.Execution) {
	s.x, s.accepts = x, causal.AcceptanceOf(x)
}

// Close is explore.ExecutionObserver.
func (*search) Close() {}

// Choose repeats the path to the node that is explored, takes its new step, and goes on with new nodes from there.
func (s *search) Choose(tr *trace.Trace, enabled []trace.Step) explore.Choice {
	k := s.depth
	s.depth++
	if k < len(s.nodes) {
		n := &s.nodes[k]
		if n.unseen {
			s.see(k, tr, enabled)
		}
		i := n.chosen.find(tr, enabled)
		if i < 0 || len(enabled) != len(n.enabled) {
			s.diverge = strayed(tr, k, n, enabled)
			return explore.Choice{Index: -1}
		}
		return explore.Choice{Index: i, Replayed: k < len(s.nodes)-1, First: n.chosen.first}
	}
	n := s.push(tr, enabled)
	i := -1
	if n.glued {
		i = s.nextValue(k, n)
	} else {
		i = s.tree.first(n, tr, enabled)
	}
	if i < 0 {
		if s.torn = n.glued; s.torn {
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
func (s *search) push(tr *trace.Trace, enabled []trace.Step) *node {
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

// fill notes what is known of node k when it is met.
func (s *search) fill(k int, n *node, tr *trace.Trace, enabled []trace.Step) {
	end := len(tr.Events)
	if enabled[0].Kind == trace.Fault {
		end-- // the step that it belongs to is not over
	}
	s.order.Extend(tr, end)
	n.event, n.glued, n.asks = int32(len(tr.Events)-tr.Explored), enabled[0].Kind.Chooses(), asksFor(enabled)
	for i := range enabled {
		n.enabled = append(n.enabled, labelOf(tr, &enabled[i]))
		if enabled[i].Kind == trace.Advance {
			n.advance = enabled[i].ID
		}
	}
	if n.left = s.most; k > 0 {
		above := &s.nodes[k-1]
		if n.left = above.left; above.glued && above.chosen.faulty() {
			n.left--
		}
	}
	if k > 0 && !n.glued && !n.slept {
		if above := s.macroStep(k - 1); above != &s.root {
			n.sleep = inherit(s.order, above, n.event, s.faulty && n.left == 0)
		}
	}
}

// macroStep gives the node at which the macro-step began whose last node is k. That of the test function's own step, in
// which there may be choices too, is root: it never was a choice.
func (s *search) macroStep(k int) *node {
	for k >= 0 && s.nodes[k].glued {
		k--
	}
	if k < 0 {
		return &s.root
	}
	return &s.nodes[k]
}

// Learn analyses the races of the execution that is over.
func (s *search) Learn(tr *trace.Trace, cut bool) {
	if s.diverge == nil && s.depth < len(s.nodes) {
		s.diverge = &trace.Incident{Kind: trace.Divergence, Actor: -1, Message: -1, Text: fmt.Sprintf(
			"the same schedule led to %d possible steps at step %d before, and now the execution ends after step %d",
			len(s.nodes[s.depth].enabled), s.depth+1, s.depth)}
	}
	if s.diverge != nil {
		s.strayed = true
		s.nodes = s.nodes[:min(s.depth, len(s.nodes))]
		return
	}
	if !s.blocked && !s.known() {
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

// keepFootprints notes what the chosen steps accessed.
func (s *search) keepFootprints(tr *trace.Trace) {
	end := int32(s.order.Len())
	last := len(s.nodes)
	for k := len(s.nodes) - 1; k >= 0 && int(end) > s.fresh; k-- {
		n := &s.nodes[k]
		if ev := &tr.Events[min(s.order.First()+int(n.event), len(tr.Events)-1)]; ev.Released >= 0 && n.event < end {
			n.chosen.first = tr.Messages[ev.Released].ID
		}
		if n.glued {
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
			n.settle(&l)
		}
		end, last = n.event, k
	}
}

// nodeOf finds the node at which event i was chosen, nil if it never was a choice.
func (s *search) nodeOf(i int32) *node {
	// SUBTLE: the last one with this event; those before it chose to inject no fault, which is no event.
	k, _ := slices.BinarySearchFunc(s.nodes, i+1, func(n node, i int32) int { return int(n.event - i) })
	if k--; k < 0 || s.nodes[k].event != i {
		return nil
	}
	if n := s.macroStep(k); n != &s.root {
		return n
	}
	return nil
}

// Divergence describes a choice that was not ours.
func (s *search) Divergence() *trace.Incident { return s.diverge }

// Complete reports whether an execution of every class was executed.
func (s *search) Complete() bool { return s.done && !s.strayed }

// Report is explore.Reporter: no class is executed to its end twice. What is still to be found besides the branches
// that are known is not in the estimate but where finished nodes of as many branches tell of it.
func (s *search) Report() explore.Report {
	return explore.Report{OnePerClass: true, Classes: s.classes, Estimate: s.walk.Total(s.open)}
}

// Bind is explore.Binder: every delivery model will do.
func (s *search) Bind(e explore.Env) error {
	c := e.Conditions
	s.env = e
	s.faulty, s.most = c.Faults.On(), c.Faults.Max
	s.model = c.Model
	s.order = causal.For(c)
	return nil
}

func labelOf(tr *trace.Trace, s *trace.Step) label {
	l := label{id: s.ID, kind: s.Kind, actor: tr.Actors[s.Actor].ID}
	if s.Nothing() {
		l.id = nothing
	}
	return l
}

// faulty reports whether the choice injects a fault.
func (l *label) faulty() bool { return l.kind == trace.Fault && l.id != nothing }

// find gives the index of the step among those enabled, -1 if it is not enabled. What an actor offers to send next is
// the program's order; that it has something to send is what identifies the step.
func (l *label) find(tr *trace.Trace, enabled []trace.Step) int {
	if l.kind == trace.Fault && l.id == nothing {
		return slices.IndexFunc(enabled, func(e trace.Step) bool { return e.Nothing() })
	}
	if i := trace.Find(enabled, l.id); i >= 0 || l.kind != trace.Send {
		return i
	}
	return slices.IndexFunc(enabled, func(e trace.Step) bool { return e.Kind == trace.Send && tr.Actors[e.Actor].ID == l.actor })
}

func strayed(tr *trace.Trace, k int, n *node, enabled []trace.Step) *trace.Incident {
	strange := "none that is new"
	for i := range enabled {
		if !slices.ContainsFunc(n.enabled, func(l label) bool { return l.id == labelOf(tr, &enabled[i]).id }) {
			strange = tr.StepName(enabled[i])
			break
		}
	}
	return &trace.Incident{Kind: trace.Divergence, Actor: -1, Message: -1, Text: fmt.Sprintf(
		"at step %d the same schedule led to other possible steps: %d before, %d now, among them %s", k+1, len(n.enabled), len(enabled), strange)}
}

// open gives the number of branches of node k that are known and were not begun.
func (s *search) open(k int) int {
	n := &s.nodes[k]
	if n.glued {
		return max(0, len(n.enabled)-len(n.done)-1)
	}
	return len(n.todo) + max(0, len(n.wakeup)-1)
}

// HappensBefore is explore.ClassRepresentative.
func (s *search) HappensBefore(i, j int32) bool {
	first := int32(s.order.First())
	if i < first || j < first { // of set-up
		return i < j
	}
	return int(j-first) < s.order.Len() && s.order.Before(i-first, j-first)
}
