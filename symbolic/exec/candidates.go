package exec

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/callgraph/cha"
	"golang.org/x/tools/go/callgraph/vta"
	"golang.org/x/tools/go/ssa"
)

// This file narrows down which functions a call may reach whose function value, or whose receiver, is among the inputs.
//
//	source:  variable type analysis as in package vta of x/tools, which follows types and functions through variables,
//	         fields of structs by their types, and elements of containers by theirs, all over the program
//	assumes: what the program puts into a container of a library whose source was not read does not come out as something
//	         else. Where nothing that the program makes reaches a call, every function or type that fits is a candidate,
//	         as without this analysis
//	cost:    near-linear in the program; once, when the first such call is met
//
// SUBTLE: constructors that the packages read do not call give nothing: then parameters are reached by nothing, and all
// that fits is taken.

// reaching gives the functions that a call may reach, as far as the program says; none if it does not.
func (p *Program) reaching(in ssa.Instruction) map[*ssa.Function]bool {
	site, ok := in.(ssa.CallInstruction)
	if !ok || site.Common().StaticCallee() != nil {
		return nil
	}
	if p.callees == nil {
		p.callees = map[ssa.CallInstruction]map[*ssa.Function]bool{}
		all := map[*ssa.Function]bool{}
		for _, fn := range p.load.Functions() {
			all[fn] = true
		}
		for _, node := range vta.CallGraph(all, cha.CallGraph(p.ssa)).Nodes {
			for _, edge := range node.Out {
				if edge.Site == nil {
					continue
				}
				if p.callees[edge.Site] == nil {
					p.callees[edge.Site] = map[*ssa.Function]bool{}
				}
				p.callees[edge.Site][edge.Callee.Func] = true
			}
		}
	}
	return p.callees[site]
}

// reachingFuncs keeps of the functions that fit those that reach the call that is made, if any does.
func (r *run) reachingFuncs(fit []*ssa.Function) []*ssa.Function {
	if len(fit) < 2 || r.frame == nil {
		return fit
	}
	reaching := map[*ssa.Function]bool{}
	for fn := range r.program.reaching(r.frame.instr) {
		reaching[r.program.one(fn)] = true
	}
	return those(fit, func(fn *ssa.Function) bool { return reaching[fn] })
}

// reachingTypes keeps of the types that fit those whose methods the call that is made may reach, if any does.
func (r *run) reachingTypes(fit []types.Type) []types.Type {
	if len(fit) < 2 || r.frame == nil {
		return fit
	}
	var reaching []types.Type
	for fn := range r.program.reaching(r.frame.instr) {
		if recv := fn.Signature.Recv(); recv != nil {
			reaching = append(reaching, recv.Type())
		}
	}
	return those(fit, func(t types.Type) bool {
		return slices.ContainsFunc(reaching, func(u types.Type) bool { return types.Identical(t, u) })
	})
}

// those keeps what a function accepts, or everything if that is nothing.
func those[T any](list []T, accepted func(T) bool) []T {
	kept := slices.DeleteFunc(slices.Clone(list), func(x T) bool { return !accepted(x) })
	if len(kept) == 0 {
		return list
	}
	return kept
}
