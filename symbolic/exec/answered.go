package exec

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// This file calls methods of interfaces among the inputs for which the program has no type, and functions among the
// inputs of which it has none of their type. What they do is outside of the program: any answer may come.

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

// freeFunc decides that a function is none of the program's, or is nil.
func (r *run) freeFunc(f *InputFunc) bool {
	return !outermost(f.at).Outside && len(r.fitting(f.at)) == 0 && !r.truth(r.isZero(f.ref))
}

// FunctionCall is the name of the method that stands for a call of a function of the inputs.
const FunctionCall = "Call"

// callOf gives what stands for a call of a function.
func callOf(at *Place) *types.Func {
	return types.NewFunc(token.NoPos, nil, FunctionCall, at.Type.Underlying().(*types.Signature))
}

// answered calls a method of what is outside of the program. Its results are inputs.
func (r *run) answered(at *Place, method *types.Func, args []Value) Value {
	sig := method.Signature()
	what, name := fmt.Sprintf("%s.%s, which no type of the program has", at.Name, method.Name()), method.Name()
	if _, ok := at.Type.Underlying().(*types.Signature); ok {
		what, name = at.Name+", which is no function of the program", at.Name[strings.LastIndexByte(at.Name, '.')+1:]
	}
	r.touches(0, true)
	if slices.ContainsFunc(args, func(a Value) bool { return r.leads(a, 0) }) {
		r.mark(Havoc, "%s and which is given memory of the program", what)
	} else {
		r.mark(Env, "%s", what)
	}
	call := Call{At: at, Method: method, Args: args, Pos: r.pos()}
	called := r.outside(name)
	gives := results(sig, func(i int, t types.Type) Value {
		to := r.unknownRoot(resultName(called, sig, i), t)
		call.Results = append(call.Results, to)
		return r.input(to)
	})
	r.path.Calls = append(r.path.Calls, call)
	return gives
}

// resultName names a result of a call. It is the name of the call if the result is the only one. It ends with error if
// it is the last and an error. Else it ends as the function names it, or with its number.
func resultName(call string, sig *types.Signature, i int) string {
	v, n := sig.Results().At(i), sig.Results().Len()
	switch {
	case n == 1:
		return call
	case i == n-1 && types.Identical(v.Type(), errorType):
		return call + ".error"
	case v.Name() != "" && v.Name() != "_":
		return call + "." + v.Name()
	}
	return fmt.Sprintf("%s.r%d", call, i)
}

// IsOther reports whether a type stands for all that are none of the program's.
func (p *Program) IsOther(t types.Type) bool { return t == p.otherType }
