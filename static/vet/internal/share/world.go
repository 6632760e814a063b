// Package share finds who shares memory: which values reach which memory within a package, what functions change, send and store, and
// which actors come to have it.
//
// This package: an inclusion-based analysis of each function over access paths, with effects of callees translated to their callers, so
// that a helper is told apart by who calls it.
//
// Assumes: functions of other packages neither keep nor change what they get, but for a table of the standard library's; what they
// return is fresh. Order within a function is looked at only where a finding needs it.
// Invariants: effects only grow from round to round, paths are bounded, so the rounds end.
// Cost: rounds times the size of the package; nothing is done for packages that use no framework. Checked by: the corpus of package vet.
//
//	place.go   places and paths
//	body.go    what one function does; eval.go: what its values lead to; call.go: calls
//	local.go   fields of local variables, whose order of assignments counts
//	world.go   the functions of a package, until nothing changes
//	order.go   what comes after what in a function
//	actors.go  what the types of actors change, and what is shared
package share

import (
	"go/types"
	"reflect"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/vet/internal/frame"
)

// World is a package. Its Bodies are nil if it uses no framework.
type World struct {
	Code   *frame.Code
	Bodies map[*ssa.Function]*Body

	impls   []types.Type
	message map[*ssa.Function]*ssa.Parameter
	changed bool
}

// rounds bounds how deep effects climb through calls that call each other.
const rounds = 6

// Analyzer makes the World of a package.
var Analyzer = &analysis.Analyzer{
	Name:       "rehearseshare",
	Doc:        "memory that functions change, send and share",
	Requires:   []*analysis.Analyzer{frame.Analyzer},
	ResultType: reflect.TypeFor[*World](),
	Run: func(pass *analysis.Pass) (any, error) {
		code := pass.ResultOf[frame.Analyzer].(*frame.Code)
		w := &World{Code: code}
		if code != nil && usesFramework(pass.Pkg) {
			w.solve()
		}
		return w, nil
	},
}

func usesFramework(pkg *types.Package) bool {
	if frame.Silent(pkg) {
		return false // its sends are not those of actors
	}
	for _, p := range pkg.Imports() {
		if p.Path() == frame.Proto+"/actor" || p.Path() == frame.Native+"/actor" {
			return true
		}
	}
	return false
}

func (w *World) solve() {
	w.impls = frame.Converted(w.Code.Funcs)
	w.message = map[*ssa.Function]*ssa.Parameter{}
	w.Bodies = map[*ssa.Function]*Body{}
	for _, h := range w.Code.Handlers {
		if h.Message != nil {
			w.message[h.Fn] = h.Message
		}
	}
	for _, f := range w.Code.Funcs {
		w.Bodies[f] = &Body{Fn: f, w: w, memo: map[ssa.Value]set{}}
	}
	for range rounds {
		w.changed = false
		before := w.size()
		for _, f := range w.Code.Funcs {
			w.Bodies[f].analyze()
		}
		if !w.changed && w.size() == before {
			return
		}
	}
}

func (w *World) size() int {
	n := 0
	for _, f := range w.Code.Funcs {
		b := w.Bodies[f]
		n += len(b.Writes) + len(b.Edges) + len(b.Events) + len(b.Made)
		for _, r := range b.Results {
			n += len(r)
		}
	}
	return n
}
