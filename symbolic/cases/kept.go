package cases

import (
	"context"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file finds fields that nobody writes after the actor was made: they keep the value that all constructors give
// them. Nothing is kept unless every place of the program that makes such an actor is one of which the state was found.

// keeps lists what is kept of the state of a handler's actor, as conditions on its inputs by their names.
func (p *Program) keeps(ctx context.Context, t *Target) map[string]func(v *term.Term) *term.Term {
	if t.Kind == Function || t.Fn.Signature.Recv() == nil {
		return nil
	}
	recv := t.Fn.Params[0]
	if known, ok := p.kept[t.Fn]; ok {
		return known
	}
	p.kept[t.Fn] = nil
	named, ok := types.Unalias(pointed(recv.Type())).(*types.Named)
	if !ok {
		return nil
	}
	s, ok := named.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	name := exec.ParameterName(0, recv)
	states, ok := p.allStates(ctx, recv.Type(), named, name)
	if !ok {
		return nil
	}
	written := p.writtenFields(named)
	found := map[string]func(v *term.Term) *term.Term{}
	for i := range s.NumFields() {
		if !written[i] {
			p.keepsField(found, states, name+"."+s.Field(i).Name(), s.Field(i).Type())
		}
	}
	p.kept[t.Fn] = found
	return found
}

// allStates lists the states in which an actor is made. It reports false if there may be others.
func (p *Program) allStates(ctx context.Context, recv types.Type, named *types.Named,
	name string) (states [][]exec.Named, ok bool) {
	starts := p.starts(recv)
	for _, fn := range p.load.Functions() {
		if makes(fn, named) && !slices.ContainsFunc(starts, func(s *Start) bool { return s.Fn == fn }) {
			return nil, false
		}
	}
	for _, s := range starts {
		list, all := p.probed(ctx, s, name)
		if !all || len(list) == 0 {
			return nil, false
		}
		states = append(states, list...)
	}
	return states, len(states) > 0
}

// makes reports whether a function makes a value of a type.
func makes(fn *ssa.Function, named *types.Named) bool {
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			if a, ok := in.(*ssa.Alloc); ok && types.Identical(pointed(a.Type()), named) && !isParameter(a) {
				return true
			}
		}
	}
	return false
}

// isParameter reports whether a variable is a copy of a parameter.
func isParameter(a *ssa.Alloc) bool {
	return slices.ContainsFunc(a.Parent().Params, func(p *ssa.Parameter) bool { return p.Name() == a.Comment })
}

// writtenFields finds the fields of a type that are written other than where it is made, or that something leads to.
func (p *Program) writtenFields(named *types.Named) map[int]bool {
	written := map[int]bool{}
	for _, fn := range p.load.Functions() {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				if at, ok := in.(*ssa.FieldAddr); ok && types.Identical(pointed(at.X.Type()), named) && !onlyRead(at) {
					written[at.Field] = true
				}
				if st, ok := in.(*ssa.Store); ok && types.Identical(st.Val.Type(), named) && !fresh(st.Addr) {
					for i := range named.Underlying().(*types.Struct).NumFields() { // all at once
						written[i] = true
					}
				}
			}
		}
	}
	return written
}

// fresh reports whether an address is that of a variable of the function itself.
func fresh(v ssa.Value) bool {
	_, ok := v.(*ssa.Alloc)
	return ok
}

// onlyRead reports whether the address of a field is used for reading alone, or for the first write of a value that was
// just made. That write is in the block that makes the value.
func onlyRead(at *ssa.FieldAddr) bool {
	for _, use := range *at.Referrers() {
		switch use := use.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
		case *ssa.Store:
			made, ok := at.X.(*ssa.Alloc)
			if !ok || use.Addr != ssa.Value(at) || made.Block() != use.Block() || handedBefore(made, use) {
				return false
			}
		case *ssa.FieldAddr:
			if !onlyRead(use) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// handedBefore reports whether a value that was made is used for more than its fields before an instruction of the same
// block.
func handedBefore(made *ssa.Alloc, store ssa.Instruction) bool {
	for _, in := range made.Block().Instrs {
		if in == store {
			return false
		}
		if _, field := in.(*ssa.FieldAddr); !field &&
			slices.ContainsFunc(in.Operands(nil), func(v *ssa.Value) bool { return *v == ssa.Value(made) }) {
			return true
		}
	}
	return true
}

// keepsField notes what all states have in common of a field.
func (p *Program) keepsField(found map[string]func(*term.Term) *term.Term, states [][]exec.Named, name string,
	t types.Type) {
	equal := func(at string) {
		if v := common(states, at); v != nil && v.Const() {
			found[at] = func(x *term.Term) *term.Term { return p.store.Equal(x, v) }
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		if in, _, err := aspectOf(&exec.Place{Name: name, Type: t}, ""); err == nil && in.Aspect == "!ref" {
			p.keepsReference(found, states, name+"!ref")
			return
		}
		for f := range u.Fields() {
			p.keepsField(found, states, name+"."+f.Name(), f.Type())
		}
	case *types.Basic:
		equal(name)
	case *types.Slice:
		equal(name + "!len")
	case *types.Interface:
		equal(name + "!type")
	case *types.Pointer, *types.Signature:
		p.keepsReference(found, states, name+"!ref")
	case *types.Map:
		null := func(s []exec.Named) bool { return valueOf(s, name+"!isNil") != nil }
		if !slices.ContainsFunc(states, null) {
			found[name+"!isNil"] = p.store.Not
		}
	}
}

// keepsReference notes that a reference is nil in all states, or in none. Which one it is, is another one for each
// actor.
func (p *Program) keepsReference(found map[string]func(*term.Term) *term.Term, states [][]exec.Named, name string) {
	var nils, others int
	for _, s := range states {
		switch v := valueOf(s, name); {
		case v == nil:
			return
		case v.Const() && v.Val == 0:
			nils++
		case v.Const() || v.Op == term.OpVar && strings.HasPrefix(v.Name, "spawn"):
			others++
		default:
			return
		}
	}
	zero := func(x *term.Term) *term.Term { return p.store.Equal(x, p.store.Uint(x.Sort, 0)) }
	switch {
	case others == 0:
		found[name] = zero
	case nils == 0:
		found[name] = func(x *term.Term) *term.Term { return p.store.Not(zero(x)) }
	}
}

// common gives the term that a name has in all states, nil if they differ.
func common(states [][]exec.Named, name string) (v *term.Term) {
	for i, s := range states {
		w := valueOf(s, name)
		if w == nil || i > 0 && w != v {
			return nil
		}
		v = w
	}
	return v
}

func valueOf(state []exec.Named, name string) *term.Term {
	for _, n := range state {
		if n.Name == name {
			return n.Term
		}
	}
	return nil
}

// keep adds to a case the conditions of what is kept, as far as its inputs are about that.
func (p *Program) keep(ctx context.Context, c *Case) {
	kept := p.keeps(ctx, c.Target)
	for _, in := range c.Inputs {
		if cond := kept[in.Var.Name]; cond != nil {
			c.Kept = append(c.Kept, cond(in.Var))
		}
	}
}
