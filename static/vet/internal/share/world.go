// Package share finds who shares memory: which values reach which memory, what functions change, read, send and store,
// and which actors come to have it.
//
// This package: an inclusion-based analysis of each function over access paths, with effects of callees translated to
// their callers, so that a helper is told apart by who calls it.
//
//	assumes:    functions of the standard library neither keep nor change what they get, but for a table; what they
//	            return is fresh. Order within a function is looked at only where a finding needs it
//	invariants: I1 effects only grow from round to round and paths are bounded, so the rounds end
//	            I2 what a fact says means the same in the package that reads it: no position, value or type of the
//	               writer's program is in it
//	cost:       rounds times the size of the package, each with a bound
//	checked by: the corpora of package vet, within a package and across
//
//	place.go    places and paths
//	effects.go  what a function does, and what it makes
//	body.go     finding that out; eval.go: what its values lead to; call.go: calls; callee.go: whom they run; library.go:
//	            the standard library
//	local.go    fields of local variables, whose order of assignments counts
//	world.go    the functions of a package, until nothing changes
//	fact.go     what other packages get to know
//	order.go    what comes after what in a function
//	spawn.go    what spawned actors do, and what two of them share; own.go: elements that only one of them has
//	actors.go   what the types of actors change
package share

import (
	"fmt"
	"go/token"
	"go/types"
	"path/filepath"
	"reflect"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/vet/internal/frame"
)

// World is a package. It has no bodies if nothing is known of it: it is the standard library's or a framework's.
type World struct {
	Code   *frame.Code
	Bodies map[*ssa.Function]*Body
	All    []*Body // in source order

	pkg     *types.Package
	fset    *token.FileSet
	fact    func(types.Object, analysis.Fact) bool
	facts   map[*types.Func]*Effects // read so far
	impls   []types.Type
	behind  map[*ssa.CallCommon][]frame.Method // what calls through interfaces may run
	message map[*ssa.Function]*ssa.Parameter
	actors  map[*types.Named]*Actor
	settled bool // the effects will not change any more
	most    int  // effects that are kept of a function

	isHandler map[*ssa.Function]bool
	spawners  map[*ssa.Function]bool // functions with events that spawn
}

// rounds bounds how deep effects climb through calls that call each other.
const rounds = 6

// mostBlocks is how large a function of generated code may be, in packages without actors. Getters of messages are of
// interest, encoders are not, and most of the time would go into those.
const mostBlocks = 4

// Analyzer makes the World of a package.
var Analyzer = &analysis.Analyzer{
	Name:       "rehearseshare",
	Doc:        "memory that functions change, send and share",
	Requires:   []*analysis.Analyzer{frame.Analyzer},
	FactTypes:  []analysis.Fact{(*Effects)(nil), (*Actor)(nil)},
	ResultType: reflect.TypeFor[*World](),
	Run: func(pass *analysis.Pass) (any, error) {
		code := pass.ResultOf[frame.Analyzer].(*frame.Code)
		w := &World{Code: code, pkg: pass.Pkg, fset: pass.Fset, fact: pass.ImportObjectFact}
		if code != nil && !frame.Silent(pass.Pkg) {
			w.solve()
			w.export(pass)
		}
		return w, nil
	},
}

// Handlers lists the handlers with a body.
func (w *World) Handlers() []frame.Handler {
	if w.Bodies == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(w.Code.Handlers), func(h frame.Handler) bool { return w.Bodies[h.Fn] == nil })
}

func (w *World) solve() {
	w.impls, w.behind = frame.Converted(w.Code.Funcs), map[*ssa.CallCommon][]frame.Method{}
	w.message = map[*ssa.Function]*ssa.Parameter{}
	w.Bodies = map[*ssa.Function]*Body{}
	w.facts = map[*types.Func]*Effects{}
	w.actors = map[*types.Named]*Actor{}
	w.isHandler, w.spawners = map[*ssa.Function]bool{}, map[*ssa.Function]bool{}
	for _, h := range w.Code.Handlers {
		w.isHandler[h.Fn] = true
		if h.Message != nil {
			w.message[h.Fn] = h.Message
		}
	}
	w.most = mostElse
	if usesFramework(w.pkg) {
		w.most = most
	}
	for _, f := range w.Code.Funcs {
		if w.most == mostElse && len(f.Blocks) > mostBlocks && w.Code.Generated(f) {
			continue
		}
		b := &Body{Fn: f, w: w, memo: map[ssa.Value]set{}, index: map[madeKey]int{}, at: map[Root][]Edge{},
			stored: map[Place]set{}, users: map[*ssa.Function]bool{}, walked: map[way]walked{}}
		w.Bodies[f], w.All = b, append(w.All, b)
	}
	order := calleesFirst(w.Code.Funcs)
	due := map[*ssa.Function]bool{}
	for _, f := range order {
		due[f] = true
	}
	for range rounds {
		if len(due) == 0 {
			break
		}
		w.round(order, due)
	}
	clear(w.actors)
	w.settled = true
}

// round analyzes the functions that are due. Who depends on one that changed is due after it: in this round, if it
// comes later.
func (w *World) round(order []*ssa.Function, due map[*ssa.Function]bool) {
	for _, f := range order {
		if !due[f] {
			continue
		}
		delete(due, f)
		b := w.Bodies[f]
		if b == nil {
			continue
		}
		before := b.size()
		b.analyze()
		if b.size() == before {
			continue
		}
		for user := range b.users {
			due[user] = true
		}
		if w.isHandler[f] {
			for spawner := range w.spawners {
				due[spawner] = true // what its actors do has changed
			}
		}
	}
}

// size tells whether effects have grown: they never shrink, but for those of calls that turn out to have effects.
func (b *Body) size() int {
	n := len(b.Writes) + len(b.Reads) + len(b.Edges) + len(b.Events) + len(b.Made)
	for _, m := range b.Made {
		if m.escapes {
			n++
		}
	}
	for _, r := range b.Results {
		n += len(r)
	}
	for _, e := range b.Events {
		n += len(e.Vals) + len(e.Actor.Writes) + len(e.Actor.Reads)
	}
	return n
}

// calleesFirst orders functions so that most come after those that they call.
func calleesFirst(funcs []*ssa.Function) []*ssa.Function {
	var order []*ssa.Function
	seen := map[*ssa.Function]bool{}
	ours := map[*ssa.Function]bool{}
	for _, f := range funcs {
		ours[f] = true
	}
	var visit func(f *ssa.Function)
	visit = func(f *ssa.Function) {
		if !ours[f] || seen[f] {
			return
		}
		seen[f] = true
		for _, blk := range f.Blocks {
			for _, in := range blk.Instrs {
				if call, ok := in.(ssa.CallInstruction); ok {
					for _, g := range frame.Callees(call.Common(), nil) {
						visit(g)
					}
				}
			}
		}
		for _, g := range f.AnonFuncs {
			visit(g)
		}
		order = append(order, f)
	}
	for _, f := range funcs {
		visit(f)
	}
	return order
}

func usesFramework(pkg *types.Package) bool {
	for _, p := range pkg.Imports() {
		if p.Path() == frame.Proto+"/actor" || p.Path() == frame.Native+"/actor" ||
			p.Path() == frame.Hollywood+"/actor" || p.Path() == frame.GoAkt+"/actor" {
			return true
		}
	}
	return false
}

// where names a place for people, and for facts: by the file's name, as packages are built in different folders.
func (w *World) where(pos token.Pos) string {
	if !pos.IsValid() {
		return ""
	}
	p := w.fset.Position(pos)
	return fmt.Sprintf("%s:%d", filepath.Base(p.Filename), p.Line)
}
