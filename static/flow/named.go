package flow

import (
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/static/points"
)

// named lists the types of messages that an actor's code asks for, also where no message has reached it yet. It follows
// the message from where it is handed over or taken from the context, through calls that are known by name. By name of
// the type.
func (b *builder) named(c *class) []branch {
	n := &asking{b: b, found: map[string]branch{}, seen: map[ssa.Value]bool{}, entered: map[*ssa.Function]bool{}}
	for _, behavior := range c.behaviors {
		n.behavior(behavior)
	}
	for _, found := range b.branches(c) {
		n.found[found.name] = found
	}
	var out []branch
	for _, name := range slices.Sorted(maps.Keys(n.found)) {
		out = append(out, n.found[name])
	}
	return out
}

// unnamed is the handler of a message that no branch names by its own type. A branch may name an interface that it has.
func (b *builder) unnamed(c *class, e *edge, fallback string) *Handler {
	for _, f := range b.running(c) {
		if b.machines[f.In].start {
			continue
		}
		mail := b.solver.Read(nil, b.machines[f.In].mailbox)
		for _, block := range f.Fn.Blocks {
			for _, in := range block.Instrs {
				a, ok := in.(*ssa.TypeAssert)
				if !ok || !types.IsInterface(a.AssertedType) || isAny(a.AssertedType) || !meets(b.solver.Value(f, a.X), mail) {
					continue
				}
				i := a.AssertedType.Underlying().(*types.Interface)
				if slices.ContainsFunc(e.boxes, func(box points.Loc) bool {
					t := b.solver.Object(box).Type
					return t != nil && types.Implements(t, i)
				}) {
					return &Handler{Message: b.shown(e.message), Pos: b.program.Position(a.Pos()), Known: true}
				}
			}
		}
	}
	return &Handler{Message: b.shown(e.message), Pos: fallback}
}

// asking is one run of named.
type asking struct {
	b       *builder
	found   map[string]branch
	seen    map[ssa.Value]bool // messages
	entered map[*ssa.Function]bool
}

func (n *asking) behavior(l points.Loc) {
	s := n.b.solver
	o := s.Object(l)
	if o.Kind == points.Func {
		n.entry(o.Fn)
		return
	}
	if sel := n.b.program.SSA.MethodSets.MethodSet(o.Type).Lookup(nil, "Receive"); sel != nil {
		n.entry(n.b.program.SSA.MethodValue(sel))
		return
	}
	for _, held := range s.Unboxed(nil, l) {
		if f := s.Object(held); f.Kind == points.Func {
			n.entry(f.Fn)
		}
	}
}

// entry is a function that handles messages: those of native actors have the message as their last parameter.
func (n *asking) entry(fn *ssa.Function) {
	if fn == nil {
		return
	}
	if last := len(fn.Params) - 1; last >= 0 && isAny(fn.Params[last].Type()) {
		n.message(fn.Params[last])
	}
	n.function(fn)
}

func isAny(t types.Type) bool {
	i, ok := t.Underlying().(*types.Interface)
	return ok && i.Empty()
}

// function looks for places that take the message from the context, in a function and in what it calls.
func (n *asking) function(fn *ssa.Function) {
	if n.entered[fn] {
		return
	}
	n.entered[fn] = true
	for _, block := range fn.Blocks {
		for _, in := range block.Instrs {
			call, ok := in.(*ssa.Call)
			if !ok {
				continue
			}
			if m := callee(call); m != nil {
				if row, ok := model.Find(m); ok && row.Op == model.Message {
					n.message(call)
				}
			}
			if to := call.Call.StaticCallee(); to != nil {
				n.function(to)
			}
		}
	}
}

// callee is the method or function that a call names.
func callee(call *ssa.Call) *types.Func {
	if call.Call.IsInvoke() {
		return call.Call.Method
	}
	if to := call.Call.StaticCallee(); to != nil {
		f, _ := to.Object().(*types.Func)
		return f
	}
	return nil
}

// message looks at what is done with a message: asked for its type, or handed on.
func (n *asking) message(v ssa.Value) {
	if n.seen[v] || v.Referrers() == nil {
		return
	}
	n.seen[v] = true
	for _, in := range *v.Referrers() {
		switch in := in.(type) {
		case *ssa.TypeAssert:
			if name := n.b.spelled(in.AssertedType).name; !types.IsInterface(in.AssertedType) {
				if _, ok := n.found[name]; !ok {
					n.found[name] = branch{name: name, typ: in.AssertedType, pos: n.b.program.Position(in.Pos())}
				}
			}
		case *ssa.Phi:
			n.message(in)
		case *ssa.ChangeInterface:
			n.message(in)
		case *ssa.Call:
			to := in.Call.StaticCallee()
			if to == nil {
				continue
			}
			for i, arg := range in.Call.Args {
				if arg == v && i < len(to.Params) {
					n.message(to.Params[i])
				}
			}
		}
	}
}
