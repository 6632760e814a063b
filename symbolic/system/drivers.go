package system

import (
	"cmp"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
)

// This file finds the places where tests and mains make systems.

// Drivers lists the places of the packages that were asked for at which tests, or main, make systems of actors, sorted
// by package, file and place. A call of a helper that makes a system is a place of its own, however many places the
// helper has. Where none of that makes one, calls of function values that give a system are places.
func (p *Program) Drivers() (list []*Driver) {
	for _, pkg := range p.load.Packages {
		if !pkg.Root {
			continue
		}
		for _, m := range pkg.SSA.Members {
			if fn, ok := m.(*ssa.Function); ok && isEntry(fn) {
				list = append(list, p.DriversOf(fn)...)
			}
		}
	}
	p.sort(list)
	return list
}

func (p *Program) sort(list []*Driver) {
	slices.SortStableFunc(list, func(a, b *Driver) int {
		x, y := p.load.Fset.Position(a.Pos), p.load.Fset.Position(b.Pos)
		return cmp.Or(strings.Compare(x.Filename, y.Filename), cmp.Compare(x.Offset, y.Offset))
	})
}

// isEntry reports whether the go command, or Go, calls a function.
func isEntry(fn *ssa.Function) bool {
	if fn.Signature.Recv() != nil || len(fn.Blocks) == 0 || fn.Synthetic != "" {
		return false
	}
	if fn.Name() == "main" {
		return fn.Pkg.Pkg.Name() == "main"
	}
	params := fn.Signature.Params()
	return params.Len() == 1 && strings.HasPrefix(fn.Name(), "Test") && isTesting(params.At(0).Type(), "T")
}

func isTesting(t types.Type, name string) bool {
	ptr, ok := types.Unalias(t).(*types.Pointer)
	if !ok {
		return false
	}
	n, ok := types.Unalias(ptr.Elem()).(*types.Named)
	return ok && n.Obj().Name() == name && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "testing"
}

// DriversOf lists the places in a function at which it makes systems.
func (p *Program) DriversOf(fn *ssa.Function) (list []*Driver) {
	for _, f := range literals(fn) {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if c, ok := in.(ssa.CallInstruction); ok {
					if to := c.Common().StaticCallee(); to != nil && to.Parent() == nil && p.makes(to) {
						list = append(list, &Driver{Entry: fn, Pos: in.Pos(), Proto: !p.madeBy(to, model.NativePath),
							Hollywood: p.madeBy(to, model.HollywoodAdapterPath), GoAkt: p.madeBy(to, model.GoAktAdapterPath)})
					}
				}
			}
		}
	}
	if len(list) == 0 {
		list = p.dynamic(fn)
	}
	for _, d := range list {
		p.conditions(d)
	}
	if plain := p.plain(fn); plain != nil && len(list) == 0 {
		list = append(list, plain)
	}
	p.sort(list)
	return list
}

// Repeats reports whether an execution may come to the place of a driver more than once: it stands in a loop, or in a
// function literal.
func (p *Program) Repeats(d *Driver) bool {
	for _, f := range literals(d.Entry) {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if _, call := in.(ssa.CallInstruction); call && in.Pos() == d.Pos {
					return f != d.Entry || circles(b)
				}
			}
		}
	}
	return false
}

// circles reports whether a block may be executed again after itself.
func circles(b *ssa.BasicBlock) bool {
	seen, todo := map[*ssa.BasicBlock]bool{}, slices.Clone(b.Succs)
	for len(todo) > 0 {
		next := todo[len(todo)-1]
		if todo = todo[:len(todo)-1]; next == b {
			return true
		}
		if !seen[next] {
			seen[next] = true
			todo = append(todo, next.Succs...)
		}
	}
	return false
}

// dynamic gives the places in a function at which function values make systems, as those in the table of a test do.
func (p *Program) dynamic(fn *ssa.Function) (list []*Driver) {
	imports := func(path string) bool {
		return slices.ContainsFunc(fn.Pkg.Pkg.Imports(), func(q *types.Package) bool { return q.Path() == path })
	}
	for _, f := range literals(fn) {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if c, ok := in.(*ssa.Call); ok && !c.Call.IsInvoke() && c.Call.StaticCallee() == nil && isSystem(c.Type()) {
					list = append(list, &Driver{Entry: fn, Pos: in.Pos(), Proto: !imports(model.NativePath),
						Hollywood: imports(model.HollywoodAdapterPath), GoAkt: imports(model.GoAktAdapterPath)})
				}
			}
		}
	}
	return list
}

// isSystem reports whether a type is that of a system: by the name that Check has for it, or what a maker gives.
func isSystem(t types.Type) bool {
	name, ours := strings.CutPrefix(strings.TrimPrefix(types.TypeString(types.Unalias(t), nil), "*"), ourModule)
	return ours && slices.Contains([]string{"explore.System", "actor.System", "adapter.System"}, name)
}

// plain gives the driver that a function is by itself: it makes a system of protoactor-go, or has a function do that,
// without Rehearse.
func (p *Program) plain(fn *ssa.Function) *Driver {
	var found *Driver
	p.calls(fn, map[*ssa.Function]bool{}, func(to *ssa.Function, in ssa.CallInstruction, top ssa.Instruction) {
		if found == nil && strings.HasPrefix(to.Name(), "NewActorSystem") && to.Pkg != nil &&
			to.Pkg.Pkg.Path() == model.ProtoactorPath {
			found = &Driver{Entry: fn, Pos: top.Pos(), Proto: true, Plain: true}
		}
	})
	return found
}

// literals lists a function and those that stand in it.
func literals(fn *ssa.Function) []*ssa.Function {
	list := []*ssa.Function{fn}
	for _, f := range fn.AnonFuncs {
		list = append(list, literals(f)...)
	}
	return list
}

// calls visits the calls that a function may make, in what it calls, too, with the instruction of the function itself
// that leads there.
func (p *Program) calls(fn *ssa.Function, seen map[*ssa.Function]bool,
	visit func(to *ssa.Function, in ssa.CallInstruction, top ssa.Instruction)) {
	if seen[fn] {
		return
	}
	seen[fn] = true
	for _, f := range literals(fn) {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				c, ok := in.(ssa.CallInstruction)
				if !ok {
					continue
				}
				to := c.Common().StaticCallee()
				if to == nil {
					continue
				}
				visit(to, c, in)
				if to.Parent() == nil && len(to.Blocks) > 0 {
					p.calls(to, seen, func(deep *ssa.Function, c ssa.CallInstruction, _ ssa.Instruction) { visit(deep, c, in) })
				}
			}
		}
	}
}

// makes reports whether a call of a function makes a system for Rehearse.
func (p *Program) makes(fn *ssa.Function) bool {
	if isMaker(fn) {
		return true
	}
	if p.reaching == nil {
		p.reaching = map[*ssa.Function]bool{}
	}
	known, ok := p.reaching[fn]
	if !ok {
		p.reaching[fn] = false // while it is looked into
		p.calls(fn, map[*ssa.Function]bool{},
			func(to *ssa.Function, _ ssa.CallInstruction, _ ssa.Instruction) { known = known || isMaker(to) })
		p.reaching[fn] = known
	}
	return known
}

// isMaker reports whether a function is one to which a test gives a function that drives actors.
func isMaker(fn *ssa.Function) bool {
	obj, _ := fn.Object().(*types.Func)
	row, ok := model.Find(obj)
	return ok && row.Op == model.Driver
}

// madeBy reports whether the system that a function makes is one of a package: that of native actors, or an adapter.
func (p *Program) madeBy(fn *ssa.Function, path string) (made bool) {
	is := func(f *ssa.Function) bool { return isMaker(f) && f.Pkg.Pkg.Path() == path }
	p.calls(fn, map[*ssa.Function]bool{},
		func(to *ssa.Function, _ ssa.CallInstruction, _ ssa.Instruction) { made = made || is(to) })
	return made || is(fn)
}
