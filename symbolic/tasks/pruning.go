package tasks

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/summary"
)

// This file finds the tasks that may be in the queue in the beginning, by the three prunings of [aPET13] section 2.1.3.
// A method of the paper is here the clause of a message in the handler. A clause that does nothing but call a method is
// that method.

// fields is a set of fields of an actor, by number.
type fields map[int]bool

func (f fields) meets(g fields) bool {
	for i := range f {
		if g[i] {
			return true
		}
	}
	return false
}

// body is the part of a function that handles a message.
type body struct {
	fn       *ssa.Function
	from, to token.Pos
}

func (b body) has(in ssa.Instruction) bool {
	return b.from <= in.Pos() && in.Pos() < b.to
}

// pool lists the handlers of the tested actor whose tasks are of interest.
func (p *Program) pool(tested summary.Handler, pruning int) (list []summary.Handler) {
	var wanted fields
	if pruning == 3 {
		wanted = crossing(bodyOf(tested))
	}
	for _, h := range p.handlers {
		if h.Actor != tested.Actor || h.Fn != tested.Fn || h.Message == nil || types.Identical(h.Message, tested.Message) ||
			arrivesOtherwise(h.Message) {
			continue
		}
		writes := fields{}
		written(bodyOf(h), pruning == 1, map[*ssa.Function]bool{}, writes)
		if len(writes) > 0 && (pruning != 3 || writes.meets(wanted)) {
			list = append(list, h)
		}
	}
	return list
}

// arrivesOtherwise reports whether a message is one of protoactor-go's own that is in no queue of users: starts and
// ends of actors.
func arrivesOtherwise(t types.Type) bool {
	p, ok := types.Unalias(t).(*types.Pointer)
	if !ok {
		return false
	}
	n, ok := types.Unalias(p.Elem()).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == model.ProtoactorPath && n.Obj().Name() != "ReceiveTimeout"
}

// bodyOf finds the part of a handler that is for its message: the clause of a type switch, else all of it.
func bodyOf(h summary.Handler) body {
	all := h.Fn.Syntax()
	b := body{h.Fn, all.Pos(), all.End()}
	ast.Inspect(all, func(n ast.Node) bool {
		clause, ok := n.(*ast.CaseClause)
		if !ok {
			return true
		}
		for _, e := range clause.List {
			if t := typeNamed(h, e); t != nil && types.Identical(t, h.Message) {
				b = only(body{h.Fn, clause.Colon, clause.End()}, clause.Body)
				return false
			}
		}
		return true
	})
	return b
}

// typeNamed gives the type that an expression names.
func typeNamed(h summary.Handler, e ast.Expr) types.Type {
	star, pointer := e.(*ast.StarExpr)
	if pointer {
		e = star.X
	}
	var found types.Object
	pkg := h.Fn.Pkg.Pkg
	switch e := e.(type) {
	case *ast.Ident:
		_, found = pkg.Scope().Innermost(e.Pos()).LookupParent(e.Name, e.Pos())
	case *ast.SelectorExpr:
		x, ok := e.X.(*ast.Ident)
		if !ok {
			return nil
		}
		_, name := pkg.Scope().Innermost(e.Pos()).LookupParent(x.Name, e.Pos())
		if imported, ok := name.(*types.PkgName); ok {
			found = imported.Imported().Scope().Lookup(e.Sel.Name)
		}
	}
	name, ok := found.(*types.TypeName)
	if !ok {
		return nil
	}
	if pointer {
		return types.NewPointer(name.Type())
	}
	return name.Type()
}

// only gives the method that a clause calls if it does nothing else.
func only(clause body, stmts []ast.Stmt) body {
	if len(stmts) != 1 {
		return clause
	}
	if e, ok := stmts[0].(*ast.ExprStmt); !ok {
		return clause
	} else if _, ok := e.X.(*ast.CallExpr); !ok {
		return clause
	}
	var callees []*ssa.Function
	each(clause, func(in ssa.Instruction) {
		if c, ok := in.(*ssa.Call); ok {
			callees = append(callees, c.Call.StaticCallee())
		}
	})
	if len(callees) != 1 || callees[0] == nil || len(callees[0].Blocks) == 0 ||
		!sameActor(callees[0], outermost(clause.fn)) {
		return clause
	}
	syntax := callees[0].Syntax()
	return body{callees[0], syntax.Pos(), syntax.End()}
}

// sameActor reports whether two methods have one type of receivers.
func sameActor(f, g *ssa.Function) bool {
	a, b := f.Signature.Recv(), g.Signature.Recv()
	return a != nil && b != nil && types.Identical(a.Type(), b.Type())
}

// each visits the instructions of a body.
func each(b body, visit func(ssa.Instruction)) {
	for _, block := range b.fn.Blocks {
		for _, in := range block.Instrs {
			if b.has(in) {
				visit(in)
			}
		}
	}
}

// written adds the fields that a body writes, with calls also those that methods of the actor write that it calls.
func written(b body, calls bool, seen map[*ssa.Function]bool, into fields) {
	each(b, func(in ssa.Instruction) {
		switch in := in.(type) {
		case *ssa.Store:
			if f, ok := field(in.Addr, b.fn); ok {
				into[f] = true
			}
		case *ssa.MapUpdate:
			if load, ok := in.Map.(*ssa.UnOp); ok {
				if f, ok := field(load.X, b.fn); ok {
					into[f] = true
				}
			}
		case *ssa.Call:
			if calls && len(in.Call.Args) > 0 && in.Call.StaticCallee() != nil {
				if f, ok := field(in.Call.Args[0], b.fn); ok && pointer(in.Call.Args[0]) {
					into[f] = true // such as a method of a part of the actor
				}
			}
			if fn := in.Call.StaticCallee(); calls && fn != nil && sameActor(fn, b.fn) && !seen[fn] && len(fn.Blocks) > 0 {
				seen[fn] = true
				written(body{fn, fn.Syntax().Pos(), fn.Syntax().End()}, true, seen, into)
			}
		}
	})
}

// pointer reports whether a value leads to memory.
func pointer(v ssa.Value) bool {
	_, ok := v.Type().Underlying().(*types.Pointer)
	return ok
}

// field gives the field of the actor into which an address leads.
func field(addr ssa.Value, fn *ssa.Function) (int, bool) {
	for {
		switch a := addr.(type) {
		case *ssa.FieldAddr:
			if isActor(a.X, fn) {
				return a.Field, true
			}
			addr = a.X
		case *ssa.IndexAddr:
			addr = a.X
		case *ssa.UnOp:
			addr = a.X
		default:
			return 0, false
		}
	}
}

// isActor reports whether a value is the actor that a function, or the one around it, is a method of.
func isActor(v ssa.Value, fn *ssa.Function) bool {
	recv := outermost(fn).Signature.Recv()
	if recv == nil {
		return false
	}
	return types.Identical(v.Type(), recv.Type())
}

// outermost gives the function that a literal stands in.
func outermost(fn *ssa.Function) *ssa.Function {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	return fn
}

// crossing lists the fields that a body uses before or at a wait, and reads after or at it.
func crossing(b body) fields {
	both := fields{}
	each(b, func(in ssa.Instruction) {
		c, ok := in.(*ssa.Call)
		if ok && operation(c) == model.Reenter {
			reentered(c, b, both)
		}
		if !ok || !waits(c) {
			return
		}
		before, after := fields{}, fields{}
		each(b, func(other ssa.Instruction) {
			f, read, ok := access(other, b.fn)
			if ok && precedes(other, in) {
				before[f] = true
			}
			if ok && read && precedes(in, other) {
				after[f] = true
			}
		})
		guarded(c, before)
		guarded(c, after)
		for f := range before {
			if after[f] {
				both[f] = true
			}
		}
	})
	return both
}

// waits reports whether a call gives the actor up.
func waits(c *ssa.Call) bool { return operation(c) == model.Await || operation(c) == model.AwaitCond }

// operation tells what a call has a framework do.
func operation(c *ssa.Call) model.Op {
	obj := c.Call.Method
	if fn := c.Call.StaticCallee(); fn != nil {
		obj, _ = fn.Object().(*types.Func)
	}
	if obj == nil {
		return model.Unknown
	}
	row, _ := model.Find(obj)
	return row.Op
}

// reentered adds the fields that a body uses and a continuation, which it hands over, reads. What the body does after
// that comes before the continuation, too.
func reentered(c *ssa.Call, b body, into fields) {
	made, ok := c.Call.Args[len(c.Call.Args)-1].(*ssa.MakeClosure)
	var lit *ast.FuncLit
	if ok {
		lit, _ = made.Fn.(*ssa.Function).Syntax().(*ast.FuncLit)
	}
	each(b, func(in ssa.Instruction) {
		f, _, used := access(in, b.fn)
		if !used {
			return
		}
		if lit == nil {
			into[f] = true // what it reads is not known
			return
		}
		fn := made.Fn.(*ssa.Function)
		each(only(body{fn, lit.Pos(), lit.End()}, lit.Body.List), func(later ssa.Instruction) {
			if g, read, ok := access(later, later.Parent()); ok && read && g == f {
				into[f] = true
			}
		})
	})
}

// access tells which field an instruction uses.
func access(in ssa.Instruction, fn *ssa.Function) (f int, read, ok bool) {
	switch in := in.(type) {
	case *ssa.Store:
		f, ok = field(in.Addr, fn)
	case *ssa.UnOp:
		if in.Op == token.MUL {
			f, ok = field(in.X, fn)
			read = true
		}
	}
	return f, read, ok
}

// guarded adds the fields that the guard of a wait reads.
func guarded(c *ssa.Call, into fields) {
	for _, arg := range c.Call.Args {
		made, ok := arg.(*ssa.MakeClosure)
		if !ok {
			continue
		}
		fn := made.Fn.(*ssa.Function)
		each(body{fn, fn.Syntax().Pos(), fn.Syntax().End()}, func(in ssa.Instruction) {
			if f, read, ok := access(in, fn); ok && read {
				into[f] = true
			}
		})
	}
}

// precedes reports whether one instruction may be executed before another.
func precedes(a, b ssa.Instruction) bool {
	if a.Block() == b.Block() {
		for _, in := range a.Block().Instrs {
			if in == a && a != b {
				return true
			}
			if in == b {
				break
			}
		}
	}
	seen := map[*ssa.BasicBlock]bool{}
	work := append([]*ssa.BasicBlock(nil), a.Block().Succs...)
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		if n == b.Block() {
			return true
		}
		if !seen[n] {
			seen[n] = true
			work = append(work, n.Succs...)
		}
	}
	return false
}
