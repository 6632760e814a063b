package prove

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
)

// same reports whether two values, both known at one place, are the same there: computed alike, or loaded from one
// address that nothing writes between.
func (p *prover) same(a, b ssa.Value, deep int) bool {
	if a == b {
		return true
	}
	if deep == 0 {
		return false
	}
	switch x := a.(type) {
	case *ssa.Const:
		y, ok := b.(*ssa.Const)
		return ok && x.Value != nil && y.Value != nil && x.Value.ExactString() == y.Value.ExactString() &&
			types.Identical(x.Type(), y.Type())
	case *ssa.FieldAddr:
		y, ok := b.(*ssa.FieldAddr)
		return ok && x.Field == y.Field && p.same(x.X, y.X, deep-1)
	case *ssa.Field:
		y, ok := b.(*ssa.Field)
		return ok && x.Field == y.Field && p.same(x.X, y.X, deep-1)
	case *ssa.IndexAddr:
		y, ok := b.(*ssa.IndexAddr)
		return ok && p.same(x.X, y.X, deep-1) && p.same(x.Index, y.Index, deep-1)
	case *ssa.BinOp:
		y, ok := b.(*ssa.BinOp)
		return ok && x.Op == y.Op && p.same(x.X, y.X, deep-1) && p.same(x.Y, y.Y, deep-1)
	case *ssa.UnOp:
		y, ok := b.(*ssa.UnOp)
		if !ok || x.Op != y.Op || x.CommaOk || y.CommaOk || x.Op == token.ARROW || !p.same(x.X, y.X, deep-1) {
			return false
		}
		return x.Op != token.MUL || !p.mixed && (unwritten(x, y) || unwritten(y, x))
	}
	return false
}

// unwritten reports whether one load comes before another on every way there, and nothing between them may write what
// they load.
func unwritten(first, then *ssa.UnOp) bool {
	if !before(first, then) {
		return false
	}
	start, end := first.Block(), then.Block()
	if start == end && place(first) < place(then) {
		return !writes(start.Instrs[place(first)+1:place(then)], first)
	}
	if writes(start.Instrs[place(first)+1:], first) || writes(end.Instrs[:place(then)], first) {
		return false
	}
	seen := map[*ssa.BasicBlock]bool{start: true}
	for work := slices.Clone(end.Preds); len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] {
			continue
		}
		seen[b] = true
		if writes(b.Instrs, first) {
			return false
		}
		work = append(work, b.Preds...)
	}
	return true
}

// before reports whether an instruction comes before another one on every way to that.
func before(a, b ssa.Instruction) bool {
	if a.Block() == b.Block() {
		return place(a) < place(b)
	}
	return a.Block().Dominates(b.Block())
}

func place(in ssa.Instruction) int { return slices.Index(in.Block().Instrs, in) }

// writes reports whether one of some instructions may write what is loaded.
func writes(list []ssa.Instruction, load *ssa.UnOp) bool {
	return slices.ContainsFunc(list, func(in ssa.Instruction) bool { return mayWrite(in, load) })
}

func mayWrite(in ssa.Instruction, load *ssa.UnOp) bool {
	switch in := in.(type) {
	case *ssa.Store:
		return !apart(in.Addr, load.X) && overlaps(in.Val.Type(), load.Type())
	case *ssa.Call:
		return callWrites(in, load)
	case *ssa.RunDefers, *ssa.Send, *ssa.Select, *ssa.Next:
		_, next := in.(*ssa.Next)
		return !next // an iteration over a map or a string
	case *ssa.UnOp:
		return in.Op == token.ARROW // whoever has sent may have written before
	}
	return false
}

// apart reports whether two addresses are of different memory: other fields of a type, or a variable that nobody else
// knows.
func apart(a, b ssa.Value) bool {
	x, ok := a.(*ssa.FieldAddr)
	y, ok2 := b.(*ssa.FieldAddr)
	return ok && ok2 && x.Field != y.Field && types.Identical(x.X.Type().Underlying(), y.X.Type().Underlying())
}

// overlaps reports whether memory of one type may be part of memory of another one.
func overlaps(a, b types.Type) bool { return holds(a, b) || holds(b, a) }

// holds reports whether values of a type are made of values of another one, or are such.
func holds(t, part types.Type) bool {
	if _, param := part.(*types.TypeParam); param {
		return true
	}
	if types.Identical(t, part) || types.Identical(t.Underlying(), part.Underlying()) {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			if holds(f.Type(), part) {
				return true
			}
		}
	case *types.Array:
		return holds(u.Elem(), part)
	case *types.Interface:
		_, param := t.(*types.TypeParam)
		return param
	}
	return false
}

// quiet are the operations during which frameworks write no memory of the program, and call none of its functions.
var quiet = []model.Op{model.Send, model.Request, model.RequestFrom, model.Respond, model.Forward, model.Stop,
	model.Watch, model.Unwatch, model.Self, model.Sender, model.Message, model.Parent, model.Children}

// callWrites reports whether a call may write what is loaded; with nil, whether a function may write anything.
func callWrites(in *ssa.Call, load *ssa.UnOp) bool {
	if b, ok := in.Call.Value.(*ssa.Builtin); ok {
		switch b.Name() {
		case "append", "copy", "clear": // elements
			s, ok := in.Call.Args[0].Type().Underlying().(*types.Slice)
			return load != nil && ok && overlaps(s.Elem(), load.Type())
		}
		return b.Name() == "recover" // of a panic that came after anything
	}
	fn := in.Call.Method
	if callee := in.Call.StaticCallee(); callee != nil {
		fn, _ = callee.Object().(*types.Func)
	}
	row, ok := model.Find(fn)
	if ok && slices.Contains(quiet, row.Op) && row.Framework != "" {
		return false
	}
	return true
}
