package frame

import (
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// Converted lists the types that the functions convert to an interface, each once, in order of appearance. Only these
// can be what is behind an interface that the package itself fills.
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

// Method is what a call of an interface's method may run.
type Method struct {
	Fn     *ssa.Function // in this package; nil if it is in another one
	Func   *types.Func
	Path   string // from the value behind the interface to the receiver, if that is an embedded field: "*.Base"
	Values bool   // the field has the receiver itself, else what it points to
}

// Callees lists the functions with a body in this package that a call may run. Methods of interfaces are looked up
// among impls.
func Callees(c *ssa.CallCommon, impls []types.Type) []*ssa.Function {
	var all []*ssa.Function
	if !c.IsInvoke() {
		for _, f := range Funcs(c.Value) {
			all = appendBody(all, f)
		}
		return all
	}
	for _, m := range Methods(c, impls) {
		all = appendBody(all, m.Fn)
	}
	return all
}

// Methods lists what a call through an interface may run, among the types of impls. A context's methods are the
// framework's, and an error or a Stringer is anything: these give none.
func Methods(c *ssa.CallCommon, impls []types.Type) []Method {
	iface, _ := c.Value.Type().Underlying().(*types.Interface)
	if iface == nil || c.Method.Pkg() == nil || Silent(c.Method.Pkg()) {
		return nil
	}
	return Implementations(c.Value.Parent().Prog, iface, c.Method, impls)
}

// Implementations lists the methods of the types of impls that are behind an interface's method.
func Implementations(prog *ssa.Program, iface *types.Interface, method *types.Func, impls []types.Type) []Method {
	var all []Method
	for _, t := range impls {
		if !types.Implements(t, iface) {
			continue
		}
		sel := prog.MethodSets.MethodSet(t).Lookup(method.Pkg(), method.Name())
		if sel == nil {
			continue
		}
		m := Method{Func: sel.Obj().(*types.Func)}
		m.Path, m.Values = embedding(t, sel.Index())
		if fs := appendBody(nil, Unwrap(prog.MethodValue(sel))); len(fs) == 1 {
			m.Fn = fs[0]
		}
		all = append(all, m)
	}
	return all
}

// embedding gives the way from a type to a field whose method it has by embedding.
func embedding(t types.Type, index []int) (path string, values bool) {
	for _, i := range index[:len(index)-1] {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			path, t = path+"*", p.Elem()
		}
		st, ok := t.Underlying().(*types.Struct)
		if !ok {
			return path, false
		}
		t = st.Field(i).Type()
		path += "." + st.Field(i).Name()
	}
	_, pointer := t.Underlying().(*types.Pointer)
	return path, path != "" && !pointer
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
