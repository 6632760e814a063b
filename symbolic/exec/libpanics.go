package exec

import (
	"go/types"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file has the panics of library functions that are not executed from their source.

// panicsIf gives the condition on which a function panics, and the panic.
var panicsIf = map[string]func(r *run, args []Value) (*term.Term, string){
	"strings.Repeat":       negativeCount,
	"bytes.Repeat":         negativeCount,
	"time.NewTicker":       notPositive(0),
	"(*time.Ticker).Reset": notPositive(1),
}

func init() {
	for _, order := range []string{"littleEndian", "bigEndian"} {
		for bits, bytes := range map[string]int{"16": 2, "32": 4, "64": 8} {
			panicsIf["(encoding/binary."+order+").Uint"+bits] = tooShort(bytes)
			panicsIf["(encoding/binary."+order+").PutUint"+bits] = tooShort(bytes)
		}
	}
}

func negativeCount(r *run, args []Value) (*term.Term, string) {
	n, ok := args[1].(*term.Term)
	if !ok {
		return nil, ""
	}
	return r.store.SLess(n, r.int(0)), negativeRepeat
}

func notPositive(i int) func(*run, []Value) (*term.Term, string) {
	return func(r *run, args []Value) (*term.Term, string) {
		d, ok := args[i].(*term.Term)
		if !ok {
			return nil, ""
		}
		return r.store.SLess(d, r.int(1)), tickerInterval
	}
}

func tooShort(bytes int) func(*run, []Value) (*term.Term, string) {
	return func(r *run, args []Value) (*term.Term, string) {
		return r.store.SLess(r.length(args[1]).(*term.Term), r.int(bytes)), indexOutOfRange
	}
}

// ofAnyKind are the methods of reflect.Value and reflect.Type that panic for no kind of value. All others want one of
// some kinds.
var ofAnyKind = []string{"Kind", "IsValid", "CanAddr", "CanInterface", "CanSet", "CanInt", "CanUint", "CanFloat",
	"CanComplex", "String", "Name", "PkgPath", "Size", "Comparable"}

// byKind reports whether a function is a method of package reflect that panics for values of some kinds.
func byKind(fn *types.Func) bool {
	return fn.Pkg() != nil && fn.Pkg().Path() == "reflect" && fn.Signature().Recv() != nil &&
		!slices.Contains(ofAnyKind, fn.Name())
}

// libraryPanics decides whether a library function panics, or notes that it may. Functions whose names begin with Must
// panic on some texts.
func (r *run) libraryPanics(fn *types.Func, args []Value) {
	if cond := panicsIf[r.program.find(fn).name]; cond != nil {
		if c, why := cond(r, args); c != nil && r.truth(c) {
			r.throw(why)
		}
		return
	}
	if byKind(fn) {
		r.mark(Havoc, "%s, which may panic", fn.FullName())
	}
	if !strings.HasPrefix(fn.Name(), "Must") {
		return
	}
	for _, t := range r.terms(args) {
		if len(term.Vars(t)) > 0 {
			r.mark(Havoc, "%s, which may panic", fn.FullName())
			return
		}
	}
}
