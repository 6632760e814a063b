package dpor

import (
	"slices"

	"github.com/rehearse-go/rehearse/trace"
)

// This file: the choices in the middle of a macro-step, which are nodes of their own on the path of a search but no states in which
// anybody else could be next. A step under one choice is in conflict with itself under another.
//
//	source:     ours; the alternatives are explored where the step is, in the order of the values
//	invariants: a value is explored at most once at a node, and not where the step sleeps under it (source executes those too)
//	checked by: twin_test.go, on programs that choose

// nextValue gives the next value of the choice in the middle of a macro-step at node k, -1 if there is none: the one that is
// prescribed, or else, one after the other, those that do not sleep.
func (s *search) nextValue(k int, n *node) int {
	m := s.macroStep(k)
	path := s.path(k)
	if d := len(path); d < len(m.chosen.path) && slices.Equal(path, m.chosen.path[:d]) && len(n.done) == 0 {
		return slices.IndexFunc(n.enabled, func(l label) bool { return l.id == m.chosen.path[d] })
	}
	if len(n.done) > 0 && m != &s.root && !s.tree.alternatives(m, n.event) {
		return -1
	}
	path = append(path, trace.ID{})
	for i := range n.enabled {
		path[len(path)-1] = n.enabled[i].id
		if !slices.Contains(n.done, n.enabled[i].id) && (s.whole || !asleep(m.sleep, m.chosen.id, path)) && !m.awaits(path) {
			return i
		}
	}
	return -1
}

// awaits reports whether the wakeup tree has another branch for the chosen step with these choices.
func (n *node) awaits(path []trace.ID) bool {
	for _, b := range n.wakeup {
		if b != n.wakeup[0] && b.step.id == n.chosen.id && len(b.step.path) >= len(path) && slices.Equal(b.step.path[:len(path)], path) {
			return true
		}
	}
	return false
}

// noteGaps notes which values of the choice at node k were not explored.
func (s *search) noteGaps(k int, n *node) {
	m, path := s.macroStep(k), s.path(k)
	for i := range n.enabled {
		id := n.enabled[i].id
		if gap := append(slices.Clone(path), id); !slices.Contains(n.done, id) && !asleep(m.sleep, m.chosen.id, gap) {
			m.keep(leaf{path: gap, awake: true})
		}
	}
}

// path gives the choices between the beginning of the macro-step and node k.
func (s *search) path(k int) []trace.ID {
	var path []trace.ID
	for i := k - 1; i >= 0 && s.nodes[i].glued; i-- {
		path = append(path, s.nodes[i].chosen.id)
	}
	slices.Reverse(path)
	return path
}

// known reports whether an execution of the class of the present one came before: if a step on its path slept under its choices.
func (s *search) known() bool {
	for k := len(s.nodes) - 1; k >= 0 && s.whole; k-- {
		if s.nodes[k].glued {
			path := s.path(k + 1)
			for k >= 0 && s.nodes[k].glued {
				k--
			}
			if k >= 0 && asleep(s.nodes[k].sleep, s.nodes[k].chosen.id, path) {
				return true
			}
		}
	}
	return false
}
