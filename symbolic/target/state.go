package target

import (
	"fmt"
	"strings"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file says what actors hold. That a step finds what the step before has left, or what the actor held in the
// beginning, is a link. Links are closed to ask whether a node is a way as it is, and open as long as steps may be put
// in between.

// before gives a part of what the actor of a step holds before it: a variable, if the link is open.
func (v *values) before(k int, name string, t *term.Term) *term.Term {
	if !v.e.config.Without.Constants {
		if r := v.e.flow.fixed(v.n.agents[v.n.steps[k].agent], name); r != nil && r.Sort == t.Sort {
			return r
		}
	}
	at := variable{k, name}
	if v.closed && !v.opened[at] && stable(name) {
		if r := v.after(v.n.steps[k].agent, v.n.position(k), name, t); r != nil && r.Sort == t.Sort {
			v.used = append(v.used, at)
			return r
		}
	}
	return v.e.store.Var(fmt.Sprintf("#%d.%s", k, name), t.Sort)
}

// initial gives a part of what an agent holds in the beginning, nil if it is not known.
func (v *values) initial(a int, name string, t *term.Term) *term.Term {
	if !stable(name) {
		return nil
	}
	switch g := v.n.agents[a]; {
	case name == behavior:
		return v.e.lib.tag(g.fn)
	case g.start >= 0:
		if r := v.e.states[g.start][name]; r != nil && r.Sort == t.Sort {
			return r
		}
	case g.by.kind == sent:
		s := v.n.steps[g.by.step]
		if s.route.path.Events[g.by.event].Type == nil { // made by a producer
			return nil
		}
		name = "msg" + strings.Replace(name[len(state):], "^", ".", 1)
		return v.part(g.by.step, s.route.flats[g.by.event], v.e.store.Var(name, t.Sort))
	}
	return nil
}

// after gives a part of what an agent holds after so many steps, nil if it is not known.
func (v *values) after(a, count int, name string, t *term.Term) *term.Term {
	history := v.n.history[a]
	for i := count - 1; i >= 0; i-- {
		j := history[i]
		r := v.n.steps[j].route
		if r.stack == pops {
			return v.popped(a, i, name, t)
		}
		if out := r.out[name]; out != nil {
			return v.term(j, out)
		}
		if r.changes(name) {
			return v.part(j, r.out, v.e.store.Var(name, t.Sort))
		}
	}
	return v.initial(a, name, t)
}

// popped gives a part of what an agent holds after the i-th step of its history has taken a behaviour off the stack.
// The part is that of the state with which the step began that had put the behaviour there.
func (v *values) popped(a, i int, name string, t *term.Term) *term.Term {
	at := v.pushed(a, i)
	if at == unknownPush {
		return nil
	}
	own := at < 0 // nothing was on the stack: it stays
	if at >= 0 && v.n.steps[v.n.history[a][at]].route.same {
		if name == behavior {
			return v.after(a, at, name, t)
		}
		own = true
	}
	if own {
		at = i
	} else if name == behavior {
		return v.after(a, at, name, t)
	}
	j := v.n.history[a][at]
	r := v.n.steps[j].route
	if out := r.kept[name]; out != nil {
		return v.term(j, out)
	}
	if among(r.own, name) {
		return v.part(j, r.kept, v.e.store.Var(name, t.Sort))
	}
	return v.after(a, at, name, t)
}

// unknownPush says that nothing is known of a stack.
const unknownPush = -2

// pushed gives the place in a history of the step that has put the behaviour there which the i-th step takes off, -1 if
// there is none.
func (v *values) pushed(a, i int) int {
	depth := 1
	for i--; i >= 0; i-- {
		switch v.n.steps[v.n.history[a][i]].route.stack {
		case unclear:
			return unknownPush
		case pops:
			depth++
		case pushes:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	if start := v.n.agents[a].start; start >= 0 && v.e.start.Actors[start].Under > 0 {
		return unknownPush // what set-up has put there
	}
	return -1
}
