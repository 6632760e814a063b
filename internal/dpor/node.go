package dpor

import (
	"fmt"
	"slices"

	"github.com/rehearse-go/rehearse/internal/causal"
	"github.com/rehearse-go/rehearse/trace"
)

// This file: the nodes on the path of a search, and macro-steps as they are known beyond one execution. The nodes of a
// macro-step are the state in which it was chosen and, behind it, the choices in its middle (instep.go).
//
//	source:     [AAJS14], the prefix E of its algorithms; a node is what they keep for each prefix of E
//	invariants: I1 nodes are in the order of their events; of one event the last node is the one that made it
//	            I2 a label is the same step in all executions that begin with the same choices
//	checked by: twin_test.go against brute force

// node is a state on the current path.
type node struct {
	event   int32 // what the chosen step makes
	left    int   // faults that may still be injected
	asks    asks  // in a step: for which faults
	inStep  bool  // a choice in the middle of a macro-step: not a state in which anybody else could be next
	enabled []label
	chosen  label
	leaves  []leaf     // what the chosen step did under the choices in its middle that were explored
	sleep   []sleeper  // explored from here or from above, and independent of what came since
	done    []trace.ID // in a step: values explored
	branches
	advance trace.ID // the clock's advance where it is a choice, zero if it is none

	handedOut bool // it belongs to another item
	shared    bool // there are items below it
	unseen    bool // of an item: not met yet in this search
	retired   bool // of an item: the chosen step was explored
	slept     bool // sleep holds more than what is inherited

	barred     []trace.ID   // in a step, unseen: values that are no alternatives
	unfinished bool         // something below the chosen step was put back
	forwarded  []forwarding // handed out: what was found for it in this search
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

// labelOf makes the label of an enabled step. What it accesses is not known before it was executed.
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
	if l.id == nothing {
		return slices.IndexFunc(enabled, func(e trace.Step) bool { return e.Nothing() })
	}
	if i := trace.Find(enabled, l.id); i >= 0 || l.kind != trace.Send {
		return i
	}
	return slices.IndexFunc(enabled, func(e trace.Step) bool {
		return e.Kind == trace.Send && tr.Actors[e.Actor].ID == l.actor
	})
}

// macroStep gives the node at which the macro-step began whose last node is k. The test function's own step was never a
// choice, but there may be choices in it: its node is root.
func (s *depthFirst) macroStep(k int) *node {
	if k = s.headOf(k); k < 0 {
		return &s.root
	}
	return &s.nodes[k]
}

// headOf gives the node at which the macro-step began whose last node is k; -1 for the test function's own step.
func (s *depthFirst) headOf(k int) int {
	for k >= 0 && s.nodes[k].inStep {
		k--
	}
	return k
}

// nodeOf finds the node at which event i was chosen, nil if it never was a choice.
func (s *depthFirst) nodeOf(i int32) *node {
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

// divergence says how the steps at node k differ from those that were possible there before.
func divergence(tr *trace.Trace, k int, n *node, enabled []trace.Step) *trace.Incident {
	strange := "none that is new"
	for i := range enabled {
		if !slices.ContainsFunc(n.enabled, func(l label) bool { return l.id == labelOf(tr, &enabled[i]).id }) {
			strange = tr.StepName(enabled[i])
			break
		}
	}
	return &trace.Incident{Kind: trace.Divergence, Actor: -1, Message: -1, Text: fmt.Sprintf(
		"at step %d the same schedule led to other possible steps: %d before, %d now, among them %s",
		k+1, len(n.enabled), len(enabled), strange)}
}
