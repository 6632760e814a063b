package exec

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// This file is about functions of C. What cgo makes to call them is Go, and hands their arguments to machine code by
// package variables: nothing of this is executed, and no such variable is an input.

// functionOfC gives the name of the C function that a Go function calls which cgo has made, "" for any other function.
func functionOfC(fn *ssa.Function) string {
	for _, prefix := range []string{"_Cfunc_", "_C2func_"} { // the second gives errno, too
		if name, ok := strings.CutPrefix(fn.Name(), prefix); ok {
			return "C." + name
		}
	}
	return ""
}

// callC calls a function of C, which may change what it is given, and give anything.
func (r *run) callC(name string, sig *types.Signature, args []Value) Value {
	r.touches(0, true)
	r.mark(Havoc, "%s, of which the source was not read", name)
	return r.pureNamed(name, sig, args)
}
