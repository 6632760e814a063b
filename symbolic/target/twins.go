package target

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file finds actors of a start that nothing tells apart. The same function handles their messages, they hold the
// same, the same may come to them from outside, and nobody has a reference to one of them. A node is one with those
// that come of it by exchanging such actors, so it is looked at once.
//
//	source:     none: symmetry as in model checking, for actors of a start that are compared by what they hold
//	assumes:    names of actors decide nothing
//	checked by: toys_test.go; proto_test.go: the clients of the overdraft

// twins gives for each actor of the start the first one that nothing tells it apart from.
func (e *Engine) twins() []int {
	named := map[*term.Term]bool{}
	refer := func(list map[string]*term.Term) {
		for name, t := range list {
			named[t] = named[t] || name != itself
		}
	}
	for i := range e.states {
		refer(e.states[i])
	}
	for i := range e.sentFlat {
		refer(e.sentFlat[i])
	}
	first := map[string]int{}
	list := make([]int, len(e.start.Actors))
	for i, a := range e.start.Actors {
		list[i] = i
		if e.config.Own || a.Fn == nil || named[a.Ref] || named[e.states[i][itself]] {
			continue
		}
		key := e.looks(i)
		if j, ok := first[key]; ok {
			list[i] = j
		} else {
			first[key] = i
		}
	}
	return list
}

// itself names the identity of what the actor is, as a part of its state.
const itself = state + "!ref"

// looks describes an actor of the start by what others may see of it.
func (e *Engine) looks(i int) string {
	a := e.start.Actors[i]
	parts := []string{fmt.Sprint(a.Fn, a.Fresh, a.Under)}
	for name, t := range e.states[i] {
		if name != itself {
			parts = append(parts, fmt.Sprint(name, "=", t.ID))
		}
	}
	for _, s := range e.start.Shapes {
		if s.To == i {
			parts = append(parts, fmt.Sprint(s.Type, s.Sent))
		}
	}
	for _, m := range e.start.Sent {
		if m.Always && (m.To == i || m.From == i) {
			parts = append(parts, fmt.Sprint("sent", i)) // what is on its way tells it apart
		}
	}
	slices.Sort(parts)
	return strings.Join(parts, "\n")
}

// rank names the agents that nothing tells apart, by what they do in the node. Among those that do the same any order
// will do.
func (n *node) rank(twins []int, labels []string) {
	type twin struct {
		agent, of int
		does      string
	}
	var list []twin
	for i, g := range n.agents {
		if g.start < 0 {
			continue
		}
		does := ""
		for _, k := range n.history[i] {
			does += fmt.Sprintf(" %d<%d", n.steps[k].route.id, n.steps[k].from.kind)
		}
		list = append(list, twin{i, twins[g.start], does})
	}
	slices.SortStableFunc(list, func(a, b twin) int {
		return cmp.Or(cmp.Compare(a.of, b.of),
			strings.Compare(a.does, b.does))
	})
	for i, t := range list {
		place := 0
		for place < i && list[i-place-1].of == t.of {
			place++
		}
		labels[t.agent] = fmt.Sprintf("a%d.%d", t.of, place)
	}
}
