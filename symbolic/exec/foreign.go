package exec

import (
	"go/types"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file is about what libraries whose source was not read may do to the memory of the program: nothing, if they are
// given none of it. A library's own types are its own memory.
//
// assumes. A library does not keep memory or functions that the program gave it in an earlier call, to change or call
// them in a later one that is given nothing.

// givesAway reports whether a call gives a library memory of the program, or a function to call.
func (r *run) givesAway(fn *types.Func, args []Value) bool {
	sig := fn.Signature()
	if sig.Recv() != nil {
		if len(args) == 0 || !r.foreign(sig.Recv().Type()) && r.leads(args[0], 0) {
			return true
		}
		args = args[1:]
	}
	for i, a := range args {
		if i < sig.Params().Len() && r.foreign(sig.Params().At(i).Type()) {
			continue
		}
		if r.leads(a, 0) {
			return true
		}
	}
	return false
}

// foreign reports whether values of a type are of a library. Then the type, or what pointers of it lead to, is declared
// in a package that was not read. It is no interface or function, which may be anybody's.
func (r *run) foreign(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return false
	}
	switch n.Underlying().(type) {
	case *types.Interface, *types.Signature:
		return false
	}
	pkg := r.program.ssa.Package(n.Obj().Pkg())
	return pkg == nil || len(pkg.Func("init").Blocks) == 0
}

// leads reports whether a value leads to memory of the program or to a function of it, as far as is known without
// deciding anything.
func (r *run) leads(v Value, depth int) bool {
	if depth > 4 {
		return true
	}
	all := func(vs []Value) bool {
		for _, x := range vs {
			if r.leads(x, depth+1) {
				return true
			}
		}
		return false
	}
	switch v := settled(v).(type) {
	case *term.Term, *Opaque, nil:
		return false
	case *Lazy:
		_, number := scalar(v.at.Type)
		return !number && !r.foreign(v.at.Type)
	case Ptr:
		return v.Obj != nil && !(len(v.Path) == 0 && r.foreign(v.Obj.typ))
	case *InputPtr:
		return !r.foreign(v.at.Type)
	case Face:
		return v.Type != nil && !r.foreign(v.Type) && r.leads(v.Val, depth+1)
	case *InputFace:
		return !outermost(v.at).Outside && !isNamed(v.at.Type, "context", "Context")
	case Func:
		return !v.null() && v.Kind == ""
	case *Struct:
		return !r.foreign(v.Type) && all(v.Fields)
	case *Array:
		return all(v.Elems)
	case Slice: // of arguments: it was made for the call
		if v.mem.Obj == nil {
			return false
		}
		a, ok := v.mem.Obj.val.(*Array)
		return v.mem.Obj.at != nil || !ok || v.len < 0 || all(a.Elems)
	}
	return true
}

// outermost gives the root of a place.
func outermost(at *Place) *Place {
	for at.Up != nil {
		at = at.Up
	}
	return at
}
