package prove

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// This file finds what makes and writes values of the program's types.

// scan goes through the functions of a program once.
type scan struct {
	*Program
	program  *ssa.Program
	packages map[*ssa.Package]bool // that were looked at
	invoked  map[string]bool       // methods that are called of interfaces
	escapes  map[field]bool        // whose address is kept, or handed on
	types    map[string]*types.Named
	declared []*types.Named            // the same, of all variants, and generic ones
	faces    []face                    // that others may put values into
	seen     map[string]bool           // types that were messages, by name and place
	opened   map[*types.TypeParam]bool // parameters of types that were messages
}

func (s *scan) function(fn *ssa.Function) {
	s.program = fn.Prog
	if fn.Pkg != nil && !s.packages[fn.Pkg] {
		s.packages[fn.Pkg] = true
		s.members(fn.Pkg)
	}
	for _, b := range fn.Blocks {
		for _, in := range b.Instrs {
			s.instruction(in)
		}
	}
}

// members notes the types and variables of a package.
func (s *scan) members(pkg *ssa.Package) {
	if !s.own(pkg.Pkg) {
		return
	}
	for _, m := range pkg.Members {
		switch m := m.(type) {
		case *ssa.Type:
			n, ok := types.Unalias(m.Type()).(*types.Named)
			if ok {
				s.declared = append(s.declared, n)
			}
			if ok && n.TypeParams().Len() == 0 {
				s.types[nameOf(n)] = n
			}
		case *ssa.Global: // zero in the beginning
			s.spoil(m.Type().(*types.Pointer).Elem())
		}
	}
}

// methods gives the methods of the program's types that are not among some functions, with their closures, and goes
// through them. The functions that a program needs by itself have none of a type that it puts into no interface. But a
// message of that type may be in one.
func (s *scan) methods(functions []*ssa.Function) (more []*ssa.Function) {
	known := map[*ssa.Function]bool{}
	for _, fn := range functions {
		known[fn] = true
	}
	var add func(fn *ssa.Function)
	add = func(fn *ssa.Function) {
		if fn == nil || known[fn] || len(fn.Blocks) == 0 {
			return
		}
		known[fn], more = true, append(more, fn)
		s.function(fn)
		for _, closure := range fn.AnonFuncs {
			add(closure)
		}
	}
	for _, n := range s.declared {
		for m := range n.Methods() {
			add(s.program.FuncValue(m))
		}
	}
	return more
}

func (s *scan) instruction(in ssa.Instruction) {
	var called ssa.Value
	if c, ok := in.(ssa.CallInstruction); ok {
		called = s.call(c)
	}
	for _, o := range in.Operands(nil) {
		switch v := (*o).(type) {
		case *ssa.Function:
			s.open[v] = s.open[v] || v != called
			s.reflects(in, v)
		case *ssa.Const:
			if v.Value == nil {
				s.spoil(v.Type()) // the zero value of a struct
			}
		}
	}
	switch in := in.(type) {
	case *ssa.Alloc:
		s.allocs = append(s.allocs, in)
	case *ssa.FieldAddr:
		s.address(in)
	case *ssa.Lookup, *ssa.Select, *ssa.Next:
		s.spoil(in.(ssa.Value).Type()) // zero if there is nothing
	case *ssa.UnOp:
		if in.Op == token.ARROW {
			s.spoil(in.Type())
		}
	case *ssa.TypeAssert:
		s.spoil(in.Type())
		s.message(in.AssertedType)
	case *ssa.MakeInterface:
		if in.Type().Underlying().(*types.Interface).NumMethods() == 0 {
			s.message(in.X.Type())
		}
	case *ssa.MakeSlice:
		if slice, ok := in.Type().Underlying().(*types.Slice); ok {
			s.spoil(slice.Elem())
		}
	case *ssa.Slice: // may show zero elements behind the end
		if slice, ok := in.X.Type().Underlying().(*types.Slice); ok && in.High != nil {
			s.spoil(slice.Elem())
		}
	case *ssa.ChangeType:
		s.changed(in.X.Type(), in.Type())
	case *ssa.Convert:
		s.changed(in.X.Type(), in.Type())
		s.unsafely(in, in.X.Type())
	case *ssa.MultiConvert:
		s.changed(in.X.Type(), in.Type())
		s.unsafely(in, in.X.Type())
	}
}

// call notes who calls whom, and gives the function that is called.
func (s *scan) call(c ssa.CallInstruction) ssa.Value {
	common := c.Common()
	if common.IsInvoke() {
		s.invoked[common.Method.Name()] = true
		s.spoil(common.Signature().Results())
		return nil
	}
	if fn := common.StaticCallee(); fn != nil {
		s.calls[fn] = append(s.calls[fn], c)
		if len(fn.Blocks) == 0 {
			s.unread(c, fn)
		}
	} else if _, builtin := common.Value.(*ssa.Builtin); !builtin {
		s.spoil(common.Signature().Results())
	}
	if b, ok := common.Value.(*ssa.Builtin); ok && b.Name() == "clear" {
		if slice, ok := common.Args[0].Type().Underlying().(*types.Slice); ok {
			s.spoil(slice.Elem())
		}
	}
	return common.Value
}

// unread notes what a function may do that was not read: it gives, and writes to what it is given, any values.
func (s *scan) unread(call ssa.CallInstruction, fn *ssa.Function) {
	if obj, ok := fn.Object().(*types.Func); ok && obj.Pkg() != nil && s.own(obj.Pkg()) {
		s.hides(call, "calls a function that has no body in Go")
	}
	s.spoil(fn.Signature.Results())
	for v := range fn.Signature.Params().Variables() {
		switch u := v.Type().Underlying().(type) {
		case *types.Pointer:
			s.spoil(u.Elem())
		case *types.Slice:
			s.spoil(u.Elem())
		case *types.Map:
			s.spoil(u.Elem())
		}
	}
}

// address notes what is done with the address of a field.
func (s *scan) address(a *ssa.FieldAddr) {
	f, ok := fieldOf(a)
	if !ok {
		return
	}
	for _, user := range *a.Referrers() {
		switch user := user.(type) {
		case *ssa.Store:
			if user.Val == a {
				s.escapes[f] = true
			} else {
				s.stores[f] = append(s.stores[f], user)
			}
		case *ssa.UnOp, *ssa.DebugRef, *ssa.FieldAddr:
		default:
			s.escapes[f] = true
		}
	}
}

// changed notes that a value becomes one of another type. What was known of its fields may not hold of that one's.
func (s *scan) changed(from, to types.Type) {
	if types.Identical(from, to) {
		return
	}
	s.spoil(to)
	for _, t := range []types.Type{from, to} {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			s.spoil(p.Elem())
		}
	}
}

// spoil notes that there may be zero values of a type.
func (s *scan) spoil(t types.Type) {
	eachPart(t, func(n *types.Named) { s.spoilt[nameOf(n)] = true })
}

// eachPart calls a function for the named structs that values of a type have in themselves.
func eachPart(t types.Type, do func(*types.Named)) {
	if n, ok := types.Unalias(t).(*types.Named); ok {
		do(n)
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			eachPart(f.Type(), do)
		}
	case *types.Array:
		eachPart(u.Elem(), do)
	case *types.Tuple:
		for v := range u.Variables() {
			eachPart(v.Type(), do)
		}
	}
}

// reachedElsewhere reports whether a function may be called other than by the calls that are seen.
func (s *scan) reachedElsewhere(fn *ssa.Function) bool {
	recv := fn.Signature.Recv()
	return fn.Parent() != nil || begins(fn) || fn.Origin() != nil || fn.TypeParams().Len() > 0 || fn.Synthetic != "" ||
		recv != nil && (token.IsExported(fn.Name()) || s.invoked[fn.Name()])
}

// initialised takes back the fields of a new value that others may see before they are written.
func (p *Program) initialised(a *ssa.Alloc) {
	set := written(a)
	p.unset(a.Type().(*types.Pointer).Elem(), nil, set)
}

// unset takes back the fields of the structs in a type that are not set. path: where in the value it is.
func (p *Program) unset(t types.Type, path []int, set [][]int) {
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		if a, ok := t.Underlying().(*types.Array); ok && a.Len() > 0 {
			eachPart(a.Elem(), func(n *types.Named) { p.forget(nameOf(n)) })
		}
		return
	}
	name := ""
	if n, ok := types.Unalias(t).(*types.Named); ok {
		name = nameOf(n)
	}
	for i := range st.NumFields() {
		at := append(slices.Clone(path), i)
		if slices.ContainsFunc(set, func(done []int) bool {
			return len(done) <= len(at) &&
				slices.Equal(done, at[:len(done)])
		}) {
			continue
		}
		delete(p.fields, field{name, i})
		p.unset(st.Field(i).Type(), at, set)
	}
}

func (p *Program) forget(name string) {
	for f := range p.fields {
		if f.of == name {
			delete(p.fields, f)
		}
	}
}

// written lists the parts of a new value, as paths of fields, that are written before anything else can see it: in its
// own block, as composite literals do.
func written(a *ssa.Alloc) (set [][]int) {
	paths := map[ssa.Value][]int{a: {}}
	for _, in := range a.Block().Instrs[place(a)+1:] {
		if at, ok := in.(*ssa.FieldAddr); ok {
			if path, ok := paths[at.X]; ok {
				paths[at] = append(slices.Clone(path), at.Field)
				continue
			}
		}
		if s, ok := in.(*ssa.Store); ok {
			_, kept := paths[s.Val]
			if path, ok := paths[s.Addr]; ok && !kept {
				set = append(set, path)
				continue
			}
		}
		if _, debug := in.(*ssa.DebugRef); debug {
			continue
		}
		if slices.ContainsFunc(in.Operands(nil), func(o *ssa.Value) bool { _, ok := paths[*o]; return ok }) {
			break
		}
	}
	return set
}
