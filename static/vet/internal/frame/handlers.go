package frame

import (
	"cmp"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
)

// Handler is a function that runs when an actor handles a message.
type Handler struct {
	Fn    *ssa.Function
	State *types.Named // the actor's type; nil for an actor made from a function
	// Message is the parameter that is the message; nil where the context has it.
	Message *ssa.Parameter
	Owner   *types.Named // the actor's type, also for a continuation, which is a literal in a method
	Copied  bool         // the framework copied the message
}

// Name is the handler's name for people.
func (h Handler) Name() string { return Name(h.Fn) }

// Name is a function's name within its package, for people.
func Name(f *ssa.Function) string {
	if f.Parent() != nil {
		return "a function literal in " + Name(f.Parent())
	}
	if f.Pkg == nil {
		return f.Name()
	}
	return f.RelString(f.Pkg.Pkg)
}

// Handlers finds the handlers among the functions of a package, in source order. They are methods Receive (and a native
// actor's Start), functions that become an actor or a behaviour, and continuations that run as handlers.
func Handlers(funcs []*ssa.Function) []Handler {
	found := map[*ssa.Function]Handler{}
	for _, f := range funcs {
		if recv := f.Signature.Recv(); recv != nil && (f.Name() == "Receive" || f.Name() == "Start") && takesContext(f) {
			found[f] = handler(f)
		}
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				for _, g := range converted(in) {
					if g.Blocks != nil {
						h := handler(g)
						if call, ok := in.(ssa.CallInstruction); ok && h.Owner == nil && reenters(call) {
							h.Owner = handler(f).Owner
						}
						found[g] = h
					}
				}
			}
		}
	}
	hs := make([]Handler, 0, len(found))
	for _, h := range found {
		hs = append(hs, h)
	}
	slices.SortFunc(hs, func(a, b Handler) int { return cmp.Compare(a.Fn.Pos(), b.Fn.Pos()) })
	return hs
}

// takesContext reports whether the parameters are those of a handler, or of what a native actor does at its start.
func takesContext(f *ssa.Function) bool {
	ps := f.Signature.Params()
	return model.Handles(f.Signature) != "" ||
		f.Name() == "Start" && ps.Len() == 1 && Is(ps.At(0).Type(), Native+"/actor", "Context")
}

func handler(f *ssa.Function) Handler {
	h := Handler{Fn: f}
	if recv := f.Signature.Recv(); recv != nil {
		h.State = Named(recv.Type())
		h.Owner = h.State
	}
	if n := len(f.Params); n > 0 && n-len(f.FreeVars) >= 0 {
		for i, p := range f.Params {
			if Is(p.Type(), Native+"/actor", "Context") {
				h.Copied = true
				if i+1 < n {
					h.Message = f.Params[i+1]
				}
			}
		}
	}
	return h
}

// converted lists the functions that an instruction makes handlers.
func converted(in ssa.Instruction) []*ssa.Function {
	switch in := in.(type) {
	case *ssa.ChangeType:
		if model.ActorFunc(in.Type()) != "" {
			return Funcs(in.X)
		}
	case ssa.CallInstruction:
		row, ok := Of(in.Common())
		v := Arg(in.Common(), row.Payload)
		switch {
		case !ok || v == nil:
		case row.Op == Reenter || row.Op == Become, row.Op == Spawn && isHandler(v.Type()):
			return Funcs(v)
		}
	}
	return nil
}

// isHandler reports whether values of a type are functions that handle messages.
func isHandler(t types.Type) bool {
	sig, ok := t.Underlying().(*types.Signature)
	return ok && (model.Handles(sig) != "" || model.Receives(sig))
}

func reenters(call ssa.CallInstruction) bool {
	row, ok := Of(call.Common())
	return ok && row.Op == Reenter
}

// Funcs lists the functions that a value is seen to be: literals, functions, and method values, through conversions and
// choices.
func Funcs(v ssa.Value) []*ssa.Function { return funcs(v, map[ssa.Value]bool{}) }

func funcs(v ssa.Value, seen map[ssa.Value]bool) []*ssa.Function {
	if seen[v] {
		return nil
	}
	seen[v] = true
	switch v := v.(type) {
	case *ssa.Function:
		return []*ssa.Function{Unwrap(v)}
	case *ssa.MakeClosure:
		return []*ssa.Function{Unwrap(v.Fn.(*ssa.Function))}
	case *ssa.ChangeType:
		return funcs(v.X, seen)
	case *ssa.MakeInterface:
		if _, ok := v.X.Type().Underlying().(*types.Signature); ok {
			return funcs(v.X, seen)
		}
	case *ssa.Phi:
		var all []*ssa.Function
		for _, e := range v.Edges {
			all = append(all, funcs(e, seen)...)
		}
		return all
	}
	return nil
}

// Unwrap gives the method behind a method value, whose own function is a wrapper.
func Unwrap(f *ssa.Function) *ssa.Function {
	if f == nil || f.Synthetic == "" || f.Object() == nil {
		return f
	}
	if obj, ok := f.Object().(*types.Func); ok {
		if g := f.Prog.FuncValue(obj); g != nil {
			return g
		}
	}
	return f
}
