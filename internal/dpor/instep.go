package dpor

import (
	"slices"

	"github.com/rehearse-go/rehearse/trace"
)

// This file: in-step choices, in the middle of a macro-step. They are nodes of their own on the path of a search, but
// no states in which another actor's step could be next. So no reversal begins there: values are tried one after the
// other where the step is. A step under one choice is in conflict with itself under another.
//
//	source:     ours; [AAJS14] has programs without such choices
//	invariants: a value is explored at most once at a node, and not where the step sleeps under it (source executes those
//	            too)
//	checked by: twin_test.go, on programs that choose

// nextValue gives the next value of the choice in the middle of a macro-step at node k, -1 if there is none. The first
// is the one that a wakeup tree prescribes, if it does. Then each value comes once, in the order of the values, unless
// the step sleeps under it.
func (s *depthFirst) nextValue(k int, n *node) int {
	m := s.macroStep(k)
	path := s.path(k)
	if d := len(path); d < len(m.chosen.path) && slices.Equal(path, m.chosen.path[:d]) && len(n.done) == 0 {
		return slices.IndexFunc(n.enabled, func(l label) bool { return l.id == m.chosen.path[d] })
	}
	path = append(path, trace.ID{})
	for i := range n.enabled {
		path[len(path)-1] = n.enabled[i].id
		if len(n.done) > 0 && m != &s.root && !s.tree.alternatives(m, n, &n.enabled[i]) {
			continue
		}
		if !slices.Contains(n.done, n.enabled[i].id) && !s.tree.skips(m, path) {
			return i
		}
	}
	return -1
}

// noteGaps notes which values of the choice at node k were not explored. The step is awake under them, so it does not
// sleep as a whole, unless they are known from above.
func (s *depthFirst) noteGaps(k int, n *node) {
	m, path := s.macroStep(k), s.path(k)
	for i := range n.enabled {
		id := n.enabled[i].id
		if slices.Contains(n.done, id) {
			continue
		}
		if gap := append(slices.Clone(path), id); !m.keepKnown(gap) {
			m.keep(leaf{path: gap, awake: true, fault: n.enabled[i].faulty() || s.faulty && len(path) > 0 && path[0] != nothing})
		}
	}
}

// path gives the choices between the beginning of the macro-step and node k, in its middle.
func (s *depthFirst) path(k int) []trace.ID {
	return s.pathOf(k, s.nodes[k].asks != beforeHandling)
}

// fullPath gives all choices of the macro-step whose last node is the one before k, and there is one.
func (s *depthFirst) fullPath(k int) []trace.ID {
	path := s.pathOf(k, true)
	if s.faulty && s.nodes[k-1].asks != afterStep {
		path = append(path, nothing)
	}
	return path
}

// pathOf gives the choices that the macro-step has made before node k. Where faults are possible and the handler has
// begun, that no fault came before it is one of them.
func (s *depthFirst) pathOf(k int, begun bool) []trace.ID {
	from := s.headOf(k-1) + 1
	var path []trace.ID
	if s.faulty && begun && (from == k || s.nodes[from].asks != beforeHandling) {
		path = append(path, nothing)
	}
	for i := from; i < k; i++ {
		path = append(path, s.nodes[i].chosen.id)
	}
	return path
}

// asks says which faults a step is asked for. It may be asked twice: before its handler and when it is over. In a path
// both questions have their place, whether they were asked or not. They are asked only while faults are left, and a
// step to which nothing happens has to have the same path with and without the questions.
type asks uint8

const (
	noFaults asks = iota
	beforeHandling
	afterStep
)

// nothing is in paths where no fault happens.
var nothing = trace.ID{}

// asksFor tells which faults the steps of a choice are.
func asksFor(enabled []trace.Step) asks {
	switch {
	case enabled[0].Kind != trace.Fault:
		return noFaults
	case slices.ContainsFunc(enabled, func(s trace.Step) bool { return s.Fault() == trace.CrashLosing }):
		return beforeHandling
	}
	return afterStep
}

// pathOfEvents gives the choices that the events of a macro-step made after its first. over says that they are all.
func pathOfEvents(events []trace.Event, faulty, over bool) []trace.ID {
	var path []trace.ID
	after := false
	for i := range events {
		s := &events[i].Step
		if faulty && i == 0 && s.Fault() != trace.CrashLosing {
			path = append(path, nothing)
		}
		path = append(path, s.ID)
		after = s.Kind == trace.Fault && s.Fault() != trace.CrashLosing
	}
	if faulty && over {
		if len(events) == 0 {
			path = append(path, nothing)
		}
		if !after {
			path = append(path, nothing)
		}
	}
	return path
}
