// Package outside finds what handlers do that reaches beyond their actor: goroutines, locks, the clock, random numbers,
// files and networks, channels.
//
// This file: what each function of a package does, itself or through what it calls, and what handlers reach. Functions
// of other packages are known by facts, those of libraries by package model.
//
//	assumes:    a function literal that is handed to a call is called by it, unless a framework runs it elsewhere or as
//	            another actor; a method of an interface may be that of any type of the package which is converted to an
//	            interface
//	not seen:   functions that are kept in variables or fields, and methods behind interfaces of other packages' types
//	cost:       linear in the code times the depth of its calls
//	checked by: the corpus of package vet
package outside

import (
	"fmt"
	"go/types"
	"reflect"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/static/vet/internal/frame"
)

// Reaches is the fact about a function that reaches outside: for each kind how, for people. The text of what is not
// reached is empty: an array, as the encoding of a map has no order, and a build cache compares facts.
type Reaches struct {
	How    [kinds]string
	Module string // that the function is of
}

// AFact marks a fact.
func (*Reaches) AFact() {}

func (r *Reaches) String() string { return fmt.Sprintf("reaches%v", r.How) }

// Found is what a handler reaches.
type Found struct {
	Op
	Handler frame.Handler
	Path    []*ssa.Function // from the handler to the function that does it
}

// Result is what Analyzer gives: nothing for a package that was not built.
type Result struct {
	Found []Found // in source order, each place once
	graph *graph
}

// Reach lists what runs when f does, nearest first, f included.
func (r *Result) Reach(f *ssa.Function) []*ssa.Function {
	if r.graph == nil {
		return nil
	}
	order, _ := r.graph.reach(f)
	return order
}

// Analyzer finds what the handlers of a package reach.
var Analyzer = &analysis.Analyzer{
	Name:       "rehearseoutside",
	Doc:        "what functions and handlers do that reaches beyond their actor",
	Requires:   []*analysis.Analyzer{frame.Analyzer},
	FactTypes:  []analysis.Fact{(*Reaches)(nil)},
	ResultType: reflect.TypeFor[*Result](),
	Run: func(pass *analysis.Pass) (any, error) {
		code := pass.ResultOf[frame.Analyzer].(*frame.Code)
		if code == nil {
			return &Result{}, nil
		}
		g := newGraph(pass, code)
		g.export()
		return &Result{g.handlers(code.Handlers), g}, nil
	},
}

// graph is who calls whom within a package, and what each function does by itself.
type graph struct {
	pass  *analysis.Pass
	funcs []*ssa.Function
	calls map[*ssa.Function][]*ssa.Function
	ops   map[*ssa.Function][]Op
	impls []types.Type // what is converted to an interface
}

func newGraph(pass *analysis.Pass, code *frame.Code) *graph {
	g := &graph{pass: pass, funcs: code.Funcs, calls: map[*ssa.Function][]*ssa.Function{}, ops: map[*ssa.Function][]Op{}}
	g.impls = frame.Converted(code.Funcs)
	for _, f := range code.Funcs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				g.ops[f] = append(g.ops[f], own(in)...)
				if call, ok := in.(ssa.CallInstruction); ok {
					g.call(f, call)
				}
			}
		}
	}
	return g
}

// call notes whom a call in f runs, now or when f returns.
func (g *graph) call(f *ssa.Function, in ssa.CallInstruction) {
	c := in.Common()
	row, framework := frame.Of(c)
	if fn := frame.Func(c); fn != nil {
		g.external(f, in, fn)
	}
	if _, elsewhere := in.(*ssa.Go); elsewhere {
		return
	}
	g.calls[f] = append(g.calls[f], frame.Callees(c, g.impls)...)
	if framework && row.Op != frame.Send && row.Op != frame.Request {
		return
	}
	for _, arg := range frame.Args(c) {
		g.calls[f] = append(g.calls[f], frame.Funcs(arg)...)
	}
}

// external notes what a function of another package does.
func (g *graph) external(f *ssa.Function, in ssa.CallInstruction, fn *types.Func) {
	if kind, ok := model.Reaches(fn); ok {
		if v, isValue := in.(ssa.Value); isValue && kind == model.Clock && onlyLogged(v) {
			return
		}
		g.ops[f] = append(g.ops[f], Op{kind, frame.Short(fn), in})
		return
	}
	if fn.Pkg() == g.pass.Pkg || frame.Silent(fn.Pkg()) {
		return
	}
	var fact Reaches
	if !g.pass.ImportObjectFact(fn.Origin(), &fact) {
		return
	}
	for k := range kinds {
		if fact.Module != module(g.pass) &&
			(k == model.Lock || k != model.IO && k != model.Waiting && fact.How[model.IO] != "") {
			// a library that guards its own memory, which no actor could have instead; or the means by which it reaches a
			// network
			continue
		}
		if how := fact.How[k]; how != "" {
			g.ops[f] = append(g.ops[f], Op{k, fmt.Sprintf("%s (by %s)", frame.Short(fn), how), in})
		}
	}
}

// module names the module of a package; "" if there is none.
func module(pass *analysis.Pass) string {
	if pass.Module == nil {
		return ""
	}
	return pass.Module.Path
}

// export makes what each function reaches a fact about it: the least fixpoint over the calls.
func (g *graph) export() {
	reach := map[*ssa.Function]*[kinds]string{}
	for _, f := range g.funcs {
		reach[f] = &[kinds]string{}
		for _, op := range g.ops[f] {
			if reach[f][op.Kind] == "" {
				reach[f][op.Kind] = op.What
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for _, f := range g.funcs {
			for _, callee := range g.calls[f] {
				if reach[callee] == nil {
					continue
				}
				for k, how := range reach[callee] {
					if how != "" && reach[f][k] == "" {
						reach[f][k] = how
						changed = true
					}
				}
			}
		}
	}
	for _, f := range g.funcs {
		if obj, ok := f.Object().(*types.Func); ok && *reach[f] != [kinds]string{} {
			g.pass.ExportObjectFact(obj, &Reaches{*reach[f], module(g.pass)})
		}
	}
}

// handlers walks from each handler through what it calls, nearest first.
func (g *graph) handlers(hs []frame.Handler) []Found {
	var found []Found
	seen := map[Op]bool{}
	for _, h := range hs {
		order, path := g.reach(h.Fn)
		for _, f := range order {
			for _, op := range g.ops[f] {
				if !seen[op] {
					seen[op] = true
					found = append(found, Found{op, h, path[f]})
				}
			}
		}
	}
	sortOps(found)
	return found
}

// reach gives what runs when f does, nearest first, and the shortest way to each.
func (g *graph) reach(f *ssa.Function) (order []*ssa.Function, path map[*ssa.Function][]*ssa.Function) {
	order, path = []*ssa.Function{f}, map[*ssa.Function][]*ssa.Function{f: {f}}
	for i := 0; i < len(order); i++ {
		way := path[order[i]]
		for _, callee := range g.calls[order[i]] {
			if path[callee] == nil {
				path[callee] = append(way[:len(way):len(way)], callee)
				order = append(order, callee)
			}
		}
	}
	return order, path
}
