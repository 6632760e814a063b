package frame

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Converted lists the types that the functions convert to an interface, each once, in order of appearance. Only these can be what is
// behind an interface that the package itself fills.
func Converted(funcs []*ssa.Function) []types.Type {
	var all []types.Type
	seen := map[types.Type]bool{}
	for _, f := range funcs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if m, ok := in.(*ssa.MakeInterface); ok && !seen[m.X.Type()] {
					seen[m.X.Type()] = true
					all = append(all, m.X.Type())
				}
			}
		}
	}
	return all
}

// Callees lists the functions with a body in this package that a call may run. Methods of interfaces are looked up among impls.
func Callees(c *ssa.CallCommon, impls []types.Type) []*ssa.Function {
	var all []*ssa.Function
	if !c.IsInvoke() {
		for _, f := range Funcs(c.Value) {
			all = appendBody(all, f)
		}
		return all
	}
	iface, _ := c.Value.Type().Underlying().(*types.Interface)
	// A context's methods are the framework's, and an error or a Stringer is anything.
	if iface == nil || c.Method.Pkg() == nil || Silent(c.Method.Pkg()) {
		return nil
	}
	prog := c.Value.Parent().Prog
	for _, t := range impls {
		if types.Implements(t, iface) {
			if sel := prog.MethodSets.MethodSet(t).Lookup(c.Method.Pkg(), c.Method.Name()); sel != nil {
				all = appendBody(all, unwrap(prog.MethodValue(sel)))
			}
		}
	}
	return all
}

func appendBody(fs []*ssa.Function, f *ssa.Function) []*ssa.Function {
	if f == nil {
		return fs
	}
	if f.Origin() != nil {
		f = f.Origin()
	}
	if f.Blocks == nil {
		return fs
	}
	return append(fs, f)
}
