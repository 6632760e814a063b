package target

import (
	"go/types"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// evaluation is what a node says of the values in it.
type evaluation struct {
	*values
	conds []*term.Term // without links they hold in all ways that the node stands for
	dead  bool         // one of them is false
}

// evaluate gives the conditions of a node, with all links open.
func (e *Engine) evaluate(n *node) *evaluation { return e.evaluateWith(n, false, nil) }

// tighten gives the conditions of a node that is a way as it is, but for some links that stay open.
func (e *Engine) tighten(n *node, opened map[variable]bool) *evaluation {
	return e.evaluateWith(n, true, opened)
}

func (e *Engine) evaluateWith(n *node, closed bool, opened map[variable]bool) *evaluation {
	x := &evaluation{values: e.values(n, closed, opened)}
	for k := range n.steps {
		r := n.steps[k].route
		tag := e.lib.tag(r.fn)
		x.require(e.store.Equal(x.before(k, behavior, tag), tag))
		for _, c := range r.path.PC {
			x.require(x.term(k, c.Term))
		}
		x.matched(k)
	}
	for _, d := range n.distinct {
		x.require(e.store.Not(x.meant(d.step, d.event, d.agent)))
	}
	x.demanded()
	x.domains()
	return x
}

func (x *evaluation) require(c *term.Term) {
	if c.False() {
		x.dead = true
	}
	if !c.True() {
		x.conds = append(x.conds, c)
	}
}

// matched asks for what the source of a step's message says.
func (x *evaluation) matched(k int) {
	if s := x.n.steps[k]; s.from.kind == sent {
		if x.n.answers(s.from.step, x.n.steps[s.from.step].route.path.Events[s.from.event].Op) {
			x.dead = true // the answer to a call is no message
		}
		x.require(x.meant(s.from.step, s.from.event, s.agent))
	}
}

// meant gives the condition that an event is for an agent.
func (x *evaluation) meant(k, event, a int) *term.Term {
	ev := &x.n.steps[k].route.path.Events[event]
	switch {
	case ev.To == nil && ev.By != nil: // a timer of a new actor
		return x.e.store.Equal(x.term(k, ev.By), x.ref(a))
	case ev.To == nil: // a timer of its own
		return x.e.store.Bool(x.n.steps[k].agent == a)
	}
	return x.e.store.Equal(x.term(k, ev.To), x.ref(a))
}

// demanded asks for what the target says of the state after its step.
func (x *evaluation) demanded() {
	t := x.e.target
	if len(t.After) == 0 {
		return
	}
	r := x.n.steps[0].route
	s := x.e.store.Subst(func(v *term.Term) *term.Term {
		at, ok := r.held(v.Name)
		if !ok {
			return x.variable(0, v)
		}
		if out := r.out[at]; out != nil {
			return x.term(0, out)
		}
		if r.changes(at) {
			return nil
		}
		return x.variable(0, v)
	})
	for _, c := range t.After {
		x.require(s.Apply(c))
	}
}

// domains asks for what messages from outside may have: what is assumed of them, references to nobody, to actors of the
// start, or to a driver that is one.
func (x *evaluation) domains() {
	seen := map[variable]bool{}
	for _, f := range x.free {
		if seen[f] {
			continue
		}
		seen[f] = true
		if strings.HasSuffix(f.name, "!ref") {
			x.references(f)
			continue
		}
		for _, c := range x.e.assumed(x.n.steps[f.step].route.msg) {
			if slices.ContainsFunc(term.Vars(c), func(v *term.Term) bool { return v.Name == f.name }) {
				x.require(x.term(f.step, c))
			}
		}
	}
}

// references restricts a reference in a message from outside.
func (x *evaluation) references(f variable) {
	t := typeAt(x.n.steps[f.step].route.msg, strings.TrimSuffix(strings.TrimPrefix(f.name, "msg"), "!ref"))
	if t == nil || !isReference(t) {
		return
	}
	s := x.e.store
	v := x.named(f.step, s.Var(f.name, referenceSort))
	one := []*term.Term{s.Equal(v, s.Uint(referenceSort, 0))}
	if !x.e.proto() {
		one = append(one, s.Equal(v, s.Uint(referenceSort, driverRef)))
	}
	for _, a := range x.e.start.Actors {
		one = append(one, s.Equal(v, a.Ref))
	}
	x.require(s.Or(one...))
}

func isReference(t types.Type) bool {
	if model.Reference(t) {
		return true
	}
	p, ok := types.Unalias(t).(*types.Pointer)
	if !ok {
		return false
	}
	n, ok := types.Unalias(p.Elem()).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == model.ProtoactorPath && n.Obj().Name() == "PID"
}

// typeAt gives the type of a field of fields, nil for any other part.
func typeAt(t types.Type, path string) types.Type {
	for path != "" {
		name, rest, ok := cutField(path)
		if !ok {
			return nil
		}
		s, ok := pointed(t).Underlying().(*types.Struct)
		if !ok {
			return nil
		}
		t = nil
		for f := range s.Fields() {
			if f.Name() == name {
				t = f.Type()
			}
		}
		if t == nil {
			return nil
		}
		path = rest
	}
	return t
}

// cutField splits ".name" off a path.
func cutField(path string) (name, rest string, ok bool) {
	if path[0] != '.' {
		return "", "", false
	}
	end := strings.IndexAny(path[1:], ".[!(")
	if end < 0 {
		return path[1:], "", true
	}
	return path[1 : end+1], path[end+1:], true
}
