package target

import (
	"fmt"
	"strings"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file says what actors hold. That a step finds what the step before has left, or what the actor held in the beginning, is a link. Links are closed to ask
// whether a node is a way as it is, and open as long as steps may be put in between.

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
		if out := r.out[name]; out != nil {
			return v.term(j, out)
		}
		if r.changes(name) {
			return v.part(j, r.out, v.e.store.Var(name, t.Sort))
		}
	}
	return v.initial(a, name, t)
}
