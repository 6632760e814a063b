package exec

import (
	"go/types"
	"slices"
)

// This file calls methods of interfaces among the inputs for which the program has no type. What holds them is outside of the program: any answer may come.

// free decides that an interface holds a type that is none of the program's, or is nil.
func (r *run) free(f *InputFace) bool {
	if f.at.Type == nil || Value(f) == r.message || outermost(f.at).Outside {
		return false
	}
	if r.truth(r.isZero(f.tag)) {
		return false
	}
	r.assume(r.store.Equal(f.tag, r.tag(r.program.otherType)))
	return true
}

// answered calls a method of what is outside of the program. Its results are inputs.
func (r *run) answered(at *Place, method *types.Func, args []Value) Value {
	sig := method.Signature()
	r.writes++
	if slices.ContainsFunc(args, func(a Value) bool { return r.leads(a, 0) }) {
		r.mark(Havoc, "%s.%s, which no type of the program has and which is given memory of the program", at.Name, method.Name())
	} else {
		r.mark(Env, "%s.%s, which no type of the program has", at.Name, method.Name())
	}
	call := Call{At: at, Method: method, Args: args, Pos: r.pos()}
	gives := results(sig, func(_ int, t types.Type) Value {
		to := r.unknownRoot(r.outside(method.Name()), t)
		call.Results = append(call.Results, to)
		return r.input(to)
	})
	r.path.Calls = append(r.path.Calls, call)
	return gives
}

// IsOther reports whether a type stands for all that are none of the program's.
func (p *Program) IsOther(t types.Type) bool { return t == p.otherType }
