package tap

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// FieldUpdate is v.f = v': phi[update(f, v, v')/f].
type FieldUpdate struct{}

func (FieldUpdate) Name() string { return "Field Update" }

func (r FieldUpdate) transitions(e *Engine, c *configuration, i int) []transition {
	a := c.actors[i]
	in := a.previous()
	if a.at == nil {
		return nil
	}
	f := a.at.frame
	switch v := in.(type) {
	case *ssa.Store:
		return statement(r, c, i, func(d *configuration, a *actor) {
			a.acts = a.acts || !local(v.Addr)
			e.change(d, e.reason(in), e.update(e.target(a, f, v.Addr), e.operand(f, v.Val)))
			for _, k := range e.there(f, v.Addr) {
				e.unless(d, in, k)
			}
		})
	case *ssa.MapUpdate:
		return statement(r, c, i, func(d *configuration, a *actor) {
			a.acts = true
			p, _ := e.entry(a, f, v.Map, v.Key)
			e.change(d, e.reason(in), e.enters(p, e.operand(f, v.Value)))
			e.unless(d, in, e.notNil(e.word(f, v.Map)))
		})
	case *ssa.Call:
		if b, ok := v.Call.Value.(*ssa.Builtin); ok && b.Name() == "delete" {
			return statement(r, c, i, func(d *configuration, a *actor) {
				a.acts = true
				p, _ := e.entry(a, f, v.Call.Args[0], v.Call.Args[1])
				e.change(d, e.reason(in), e.enters(p, nil))
			})
		}
		if isBuiltin(v, "clear") && isMap(v.Call.Args[0]) {
			return statement(r, c, i, func(d *configuration, a *actor) {
				a.acts = true
				e.change(d, e.reason(in), e.emptied(a, f, v.Call.Args[0]))
			})
		}
	}
	return nil
}

func isMap(v ssa.Value) bool {
	_, ok := v.Type().Underlying().(*types.Map)
	return ok
}

// local reports whether an address is in a variable of the function that writes there.
func local(addr ssa.Value) bool {
	switch v := addr.(type) {
	case *ssa.FieldAddr:
		return local(v.X)
	case *ssa.IndexAddr:
		return local(v.X)
	case *ssa.Alloc:
		return true
	}
	return false
}

// enters is what putting an element into a map means for what is read afterwards; with no value it is taken out.
func (e *Engine) enters(p place, v value) *change {
	if p.args == nil { // keys that are not modelled: nothing can be read
		return e.counts(nil, p, v != nil)
	}
	held := v
	if v == nil {
		held = unmodelled
	}
	return e.counts(e.update(p, func(part string, sort term.Sort) *term.Term {
		if part == partHas {
			return e.store.Bool(v != nil)
		}
		return held(part, sort)
	}), p, v != nil)
}
