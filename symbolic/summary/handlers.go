package summary

import (
	"cmp"
	"context"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/exec"
)

// Handler is what one type of actor does with one type of message.
type Handler struct {
	Actor   string     // as traces name it
	Message types.Type // nil: any that has no case of its own
	Fn      *ssa.Function
	Pos     token.Pos
}

// Name names the message, as package model does.
func (h Handler) Name() string {
	if h.Message == nil {
		return "any other"
	}
	return model.MessageName(h.Message)
}

// actor is a function that handles the messages of a type of actors.
type actor struct {
	name string
	fn   *ssa.Function
}

// actors lists those of the packages that were asked for, by name.
func (p *Program) actors() []actor {
	var list []actor
	roots := map[*ssa.Package]bool{}
	for _, pkg := range p.load.Packages {
		if !pkg.Root {
			continue
		}
		roots[pkg.SSA] = true
		scope := pkg.Types.Scope()
		for _, name := range scope.Names() {
			if t, ok := scope.Lookup(name).(*types.TypeName); ok && !t.IsAlias() {
				list = p.ofType(list, t.Type())
			}
		}
	}
	for _, t := range p.instances(roots) {
		list = p.ofType(list, t)
	}
	list = p.functions(list, roots)
	slices.SortStableFunc(list, func(a, b actor) int {
		return cmp.Or(strings.Compare(a.name, b.name), cmp.Compare(a.fn.Pos(), b.fn.Pos()))
	})
	return list
}

// instances lists the types that the source makes of generic ones of the packages that were asked for.
func (p *Program) instances(roots map[*ssa.Package]bool) (list []types.Type) {
	seen := map[string]bool{}
	for _, pkg := range p.load.Packages {
		if pkg.TypesInfo == nil {
			continue
		}
		for _, in := range pkg.TypesInfo.Instances {
			n, ok := types.Unalias(in.Type).(*types.Named)
			if !ok || open(n) || !roots[p.load.SSA.Package(n.Obj().Pkg())] || seen[n.String()] {
				continue
			}
			seen[n.String()] = true
			list = append(list, n)
		}
	}
	slices.SortFunc(list, func(a, b types.Type) int { return strings.Compare(a.String(), b.String()) })
	return list
}

// Generic lists the actors of the packages that were asked for that are generic types of which nobody makes one: they
// have no handlers to execute.
func (p *Program) Generic() (names []string) {
	made := map[types.Object]bool{}
	for _, pkg := range p.load.Packages {
		if pkg.TypesInfo == nil {
			continue
		}
		for _, in := range pkg.TypesInfo.Instances {
			if n, ok := types.Unalias(in.Type).(*types.Named); ok && !open(n) {
				made[n.Obj()] = true
			}
		}
	}
	for _, pkg := range p.load.Packages {
		for _, name := range pkg.Types.Scope().Names() {
			n, ok := pkg.Types.Scope().Lookup(name).Type().(*types.Named)
			if !pkg.Root || !ok || n.TypeParams().Len() == 0 || made[n.Obj()] {
				continue
			}
			for m := range n.Methods() {
				if m.Name() == "Receive" && model.Handles(m.Signature()) != "" {
					names = append(names, n.Obj().Pkg().Name()+"."+n.Obj().Name())
				}
			}
		}
	}
	return names
}

// open reports whether a type is made of a type parameter, so that it is still generic.
func open(t types.Type) bool {
	switch u := types.Unalias(t).(type) {
	case *types.TypeParam:
		return true
	case *types.Named:
		for a := range u.TypeArgs().Types() {
			if open(a) {
				return true
			}
		}
	case *types.Map:
		return open(u.Key()) || open(u.Elem())
	case interface{ Elem() types.Type }:
		return open(u.Elem())
	}
	return false
}

// ofType adds a type whose method Receive, its own or that of a pointer to it, handles messages. Functions that are
// actors are found by themselves.
func (p *Program) ofType(list []actor, t types.Type) []actor {
	n, ok := t.(*types.Named)
	if !ok || types.IsInterface(t) || n.TypeParams().Len() > n.TypeArgs().Len() || model.ActorFunc(t) != "" {
		return list
	}
	for _, recv := range []types.Type{t, types.NewPointer(t)} {
		sel := p.load.SSA.MethodSets.MethodSet(recv).Lookup(n.Obj().Pkg(), "Receive")
		if sel == nil {
			continue
		}
		if fn := p.load.SSA.MethodValue(sel); fn != nil && len(fn.Blocks) > 0 && model.Handles(fn.Signature) != "" {
			return append(list, actor{model.TypeName(t), fn})
		}
	}
	return list
}

// functions adds those of the packages that handle messages by themselves. Methods are found by their types.
func (p *Program) functions(list []actor, roots map[*ssa.Package]bool) []actor {
	for _, fn := range p.load.Functions() {
		if method := p.exec.Bound(fn); method != nil && roots[method.Pkg] && len(method.Blocks) > 0 &&
			method.Name() != "Receive" && model.Handles(method.Signature) != "" {
			if !slices.ContainsFunc(list, func(a actor) bool { return a.fn == method }) {
				list = append(list, actor{nameOf(method), method})
			}
			continue
		}
		if !roots[fn.Pkg] || len(fn.Blocks) == 0 || fn.Signature.Recv() != nil || fn.Synthetic != "" ||
			model.Handles(fn.Signature) == "" || fn.Object() != nil && !p.taken(fn) {
			continue
		}
		list = append(list, actor{nameOf(fn), fn})
	}
	return list
}

// nameOf names a function without its package.
func nameOf(fn *ssa.Function) string {
	return strings.TrimPrefix(fn.RelString(nil), fn.Pkg.Pkg.Path()+".")
}

// taken reports whether a function is used as a value.
func (p *Program) taken(fn *ssa.Function) bool {
	if p.values == nil {
		p.values = map[*ssa.Function]bool{}
		for _, f := range p.load.Functions() {
			for _, b := range f.Blocks {
				for _, in := range b.Instrs {
					p.uses(in)
				}
			}
		}
	}
	return p.values[fn]
}

func (p *Program) uses(in ssa.Instruction) {
	var called ssa.Value
	if c, ok := in.(ssa.CallInstruction); ok {
		called = c.Common().Value
	}
	for _, op := range in.Operands(nil) {
		if fn, ok := (*op).(*ssa.Function); ok && ssa.Value(fn) != called {
			p.values[fn] = true
		}
	}
}

// Handlers lists the handlers of the packages that were asked for: of each actor one for each type of message that it
// asks for, and one for all others.
func (p *Program) Handlers(ctx context.Context) []Handler {
	var list []Handler
	for _, a := range p.actors() {
		for _, t := range append(p.asks(ctx, a), nil) {
			list = append(list, Handler{a.name, t, a.fn, a.fn.Pos()})
		}
	}
	return list
}

// asks lists the types of messages that an actor asks for, by name.
func (p *Program) asks(ctx context.Context, a actor) []types.Type {
	result := p.exec.Explore(ctx, p.store, p.solver.Scope(), exec.Entry{Fn: a.fn, Handler: true, Ask: true},
		exec.Config{Paths: 300})
	var found []types.Type
	for _, t := range result.Asked {
		if !slices.ContainsFunc(found, func(u types.Type) bool { return types.Identical(t, u) }) {
			found = append(found, t)
		}
	}
	slices.SortStableFunc(found, func(a, b types.Type) int {
		return strings.Compare(model.MessageName(a),
			model.MessageName(b))
	})
	return found
}
