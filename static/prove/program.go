package prove

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Program knows which fields and parameters are never nil in a program that was read as a whole.
//
// A field of a struct is never nil on two conditions. Nothing that is ever written to it is nil. And every such struct
// has it written before anybody else can see the struct. A parameter of a function is never nil if no argument of a
// call is, and nothing but these calls calls it. Which these are is the greatest fixed point: everything is assumed to
// be so, and what is found not to be is taken back until nothing changes. That is sound by induction over the steps of
// an execution, since each write is justified by what was written before.
//
//	assumes: no code but the functions that are given makes values of the program's types. Messages that come from
//	         elsewhere are such values, and so their types, those of all type assertions and what is put into an empty
//	         interface have no such fields, nor has what they lead to. If that is an interface, it leads to all types
//	         that have its methods
type Program struct {
	own    func(*types.Package) bool
	fields map[field]bool // those with a nil that have none
	stores map[field][]*ssa.Store
	allocs []*ssa.Alloc
	calls  map[*ssa.Function][]ssa.CallInstruction
	open   map[*ssa.Function]bool // called from elsewhere, too
	bad    map[*ssa.Parameter]bool
	spoilt map[string]bool // types of which anybody may make values
	lost   *Lost
}

// field is one of a type with a name. Variants of a package have the same.
type field struct {
	of    string
	index int
}

// NewProgram finds the facts of functions that are all there are. own: whether a package is one of the program's; types
// of others have no facts.
func NewProgram(functions []*ssa.Function, own func(*types.Package) bool) *Program {
	p := &Program{own: own, fields: map[field]bool{}, stores: map[field][]*ssa.Store{},
		calls: map[*ssa.Function][]ssa.CallInstruction{},
		open:  map[*ssa.Function]bool{}, bad: map[*ssa.Parameter]bool{}, spoilt: map[string]bool{}}
	s := &scan{Program: p, packages: map[*ssa.Package]bool{}, invoked: map[string]bool{}, escapes: map[field]bool{},
		types: map[string]*types.Named{}, seen: map[string]bool{}, opened: map[*types.TypeParam]bool{}}
	for _, fn := range functions {
		s.function(fn)
	}
	functions = append(slices.Clip(functions), s.methods(functions)...)
	s.implemented()
	for _, fn := range functions {
		p.open[fn] = p.open[fn] || s.reachedElsewhere(fn)
	}
	if p.lost != nil { // no facts
		for _, fn := range functions {
			p.open[fn] = true
		}
		return p
	}
	for name, t := range s.types {
		st, ok := t.Underlying().(*types.Struct)
		if !ok || p.spoilt[name] {
			continue
		}
		for i := range st.NumFields() {
			if f := (field{name, i}); mayBeNil(st.Field(i).Type()) && !s.escapes[f] {
				p.fields[f] = true
			}
		}
	}
	for _, a := range p.allocs {
		p.initialised(a)
	}
	p.solve(functions)
	return p
}

// solve takes back what does not hold until nothing changes.
func (p *Program) solve(functions []*ssa.Function) {
	for changed := true; changed; {
		changed = false
		for f := range p.fields {
			if slices.ContainsFunc(p.stores[f], func(s *ssa.Store) bool { return !p.notNil(s.Val, s) }) {
				delete(p.fields, f)
				changed = true
			}
		}
		for _, fn := range functions {
			for i, param := range fn.Params {
				if !p.bad[param] && mayBeNil(param.Type()) && !p.argued(fn, i) {
					p.bad[param], changed = true, true
				}
			}
		}
	}
}

// argued reports whether no call of a function has nil for a parameter. A function that nothing calls is not executed.
func (p *Program) argued(fn *ssa.Function, i int) bool {
	return !p.open[fn] && !slices.ContainsFunc(p.calls[fn],
		func(c ssa.CallInstruction) bool { return !p.notNil(c.Common().Args[i], c) })
}

func (p *Program) notNil(v ssa.Value, at ssa.Instruction) bool {
	return (&prover{program: p, mixed: mixed(at)}).notNil(v, at, depth)
}

// Never is like the function of that name, with the facts of the program.
func (p *Program) Never(in ssa.Instruction) string {
	return (&prover{program: p, mixed: mixed(in)}).never(in)
}

// NotNil is like the function of that name, with the facts of the program.
func (p *Program) NotNil(v ssa.Value, at ssa.Instruction) bool { return p.notNil(v, at) }

// loaded reports whether what is loaded from an address is never nil, since nothing else is ever there.
func (p *prover) loaded(load *ssa.UnOp, deep int) bool {
	if p.program == nil || load.Op != token.MUL {
		return false
	}
	switch a := load.X.(type) {
	case *ssa.FieldAddr:
		f, ok := fieldOf(a)
		return ok && p.program.fields[f]
	case *ssa.Alloc:
		return p.cell(a, deep)
	case *ssa.FreeVar:
		alloc, ok := captured(a).(*ssa.Alloc)
		return ok && p.cell(alloc, deep)
	}
	return false
}

// cell reports whether nothing that is written to a variable is nil, and something is before anybody looks at it.
func (p *prover) cell(a *ssa.Alloc, deep int) bool {
	if slices.Contains(p.cells, a) {
		return true // what was read from it before
	}
	p.cells = append(p.cells, a)
	defer func() { p.cells = p.cells[:len(p.cells)-1] }()
	first := slices.IndexFunc(a.Block().Instrs[place(a)+1:], func(in ssa.Instruction) bool { return uses(in, a) })
	if first < 0 {
		return false
	}
	s, ok := a.Block().Instrs[place(a)+1+first].(*ssa.Store)
	return ok && s.Addr == a && s.Val != a && (p.written(a, deep) || p.once(a, s, deep))
}

// once reports whether a variable has only the value that it is given first, and that is not nil where anybody looks at
// it. Such is x of x, err := f(); if err != nil { return }.
func (p *prover) once(a *ssa.Alloc, first *ssa.Store, deep int) bool {
	for _, user := range *a.Referrers() {
		switch user := user.(type) {
		case *ssa.Store:
			if user != first {
				return false
			}
			continue
		case *ssa.MakeClosure:
			if !readOnly(user, a) {
				return false
			}
		case *ssa.UnOp, *ssa.DebugRef:
		default:
			return false
		}
		at := &prover{program: p.program, mixed: mixed(user), cells: p.cells}
		if !at.notNil(first.Val, user, deep-1) {
			return false
		}
	}
	return true
}

// readOnly reports whether a closure only looks at a variable that it captures.
func readOnly(c *ssa.MakeClosure, address ssa.Value) bool {
	for i, b := range c.Bindings {
		if b != address {
			continue
		}
		for _, user := range *c.Fn.(*ssa.Function).FreeVars[i].Referrers() {
			switch user := user.(type) {
			case *ssa.MakeClosure:
				if !readOnly(user, c.Fn.(*ssa.Function).FreeVars[i]) {
					return false
				}
			case *ssa.UnOp, *ssa.DebugRef:
			default:
				return false
			}
		}
	}
	return true
}

// written reports whether all uses of the address of a variable read it, or write what is not nil.
func (p *prover) written(address ssa.Value, deep int) bool {
	for _, user := range *address.Referrers() {
		switch user := user.(type) {
		case *ssa.Store:
			at := &prover{program: p.program, mixed: mixed(user), cells: p.cells}
			if user.Val == address || !at.notNil(user.Val, user, deep-1) {
				return false
			}
		case *ssa.MakeClosure:
			for i, b := range user.Bindings {
				if b == address && !p.written(user.Fn.(*ssa.Function).FreeVars[i], deep) {
					return false
				}
			}
		case *ssa.UnOp, *ssa.DebugRef:
		default:
			return false
		}
	}
	return true
}

// captured gives the variable that a closure captures, nil if that is not known.
func captured(free *ssa.FreeVar) ssa.Value {
	fn := free.Parent()
	if fn.Parent() == nil {
		return nil
	}
	i := slices.Index(fn.FreeVars, free)
	for _, b := range fn.Parent().Blocks {
		for _, in := range b.Instrs {
			if c, ok := in.(*ssa.MakeClosure); ok && c.Fn == fn {
				if outer, ok := c.Bindings[i].(*ssa.FreeVar); ok {
					return captured(outer)
				}
				return c.Bindings[i]
			}
		}
	}
	return nil
}

func uses(in ssa.Instruction, v ssa.Value) bool {
	return slices.ContainsFunc(in.Operands(nil), func(o *ssa.Value) bool { return *o == v })
}

// part reports whether a field of a struct that is a value is never nil.
func (p *Program) part(v *ssa.Field) bool {
	n, ok := types.Unalias(v.X.Type()).(*types.Named)
	return ok && p.fields[field{nameOf(n), v.Field}]
}

// fieldOf names the field whose address is taken.
func fieldOf(a *ssa.FieldAddr) (field, bool) {
	p, ok := a.X.Type().Underlying().(*types.Pointer)
	if !ok {
		return field{}, false
	}
	n, ok := types.Unalias(p.Elem()).(*types.Named)
	if !ok {
		return field{}, false
	}
	return field{nameOf(n), a.Field}, true
}

func nameOf(n *types.Named) string { return types.TypeString(n, nil) }

// mayBeNil reports whether a type has nil, and Go checks for it where such values are used.
func mayBeNil(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Map, *types.Interface, *types.Signature:
		return true
	}
	return false
}

// begins reports whether a function is one that the go command calls.
func begins(fn *ssa.Function) bool {
	name := fn.Name()
	return name == "main" || name == "init" ||
		slices.ContainsFunc([]string{"Test", "Benchmark", "Fuzz", "Example"},
			func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}
