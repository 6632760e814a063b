package effects

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
)

// This file follows what libraries call of the application without being told to: String of what they print,
// MarshalJSON of what they encode.
//
//	source:     ours
//	assumes:    such methods of libraries' own types only read
//	invariants: I1 a method of the application that does more than read is called here, or the handler is unknown
//	            I2 onlyReads holds for no function that writes memory which it has not allocated, or does anything else
//	               that can be noticed
//	cost:       each method of such a name is looked at once, with what it calls
//	checked by: effects_test.go

// asks calls the methods of the application by which a library may ask its arguments something.
func (f *frame) asks(instr ssa.Instruction, fn *types.Func, names []string, c *ssa.CallCommon, args []val) {
	for _, name := range names {
		for _, m := range f.h.active(name) {
			for i := range args {
				f.asked(instr, fn, m, f.handed(instr, c, i, args[i]), args)
			}
		}
	}
}

// handed is an argument of a call; of a list of variable arguments what is in it.
func (f *frame) handed(instr ssa.Instruction, c *ssa.CallCommon, i int, v val) val {
	arg := argument(c, i)
	if arg == nil {
		return v
	}
	if s, ok := arg.Type().Underlying().(*types.Slice); ok && types.IsInterface(s.Elem()) {
		out := val{set: true}
		for _, r := range v.refs {
			if r.obj.kind != fresh {
				out.add(f.h.load(instr.Pos(), only(r.part("[]")), s.Elem()))
			}
			for _, held := range r.obj.holds {
				out.add(held)
			}
		}
		return out
	}
	if !types.IsInterface(arg.Type()) {
		v.dyn, v.hidden = []types.Type{arg.Type()}, false
	}
	return v
}

// asked calls method m of a value that may have it, and gives up if the method is one of what the value leads to.
func (f *frame) asked(instr ssa.Instruction, by *types.Func, m *ssa.Function, v val, args []val) {
	recv := m.Signature.Recv().Type()
	may := v.hidden
	for _, t := range v.dyn {
		if f.h.method(t, m.Name()) == m {
			all := val{set: true, hidden: true}
			for _, a := range args {
				all.add(a.without())
			}
			in := repeated(all, len(m.Params))
			in[0] = v.without()
			f.h.call(m, in, nil, f.conditions(instr.Block()), instr.Pos())
			continue
		}
		r := f.h.reach(t)
		may = may || r.anything || has(r.parts, deref(recv)) || has(parts(t), deref(recv))
	}
	if may {
		f.h.give(instr.Pos(), "it calls %s, which may call %s", by.FullName(), fullName(m))
	}
}

// active lists the methods of a name in the application that do more than read.
func (a *analysis) active(name string) []*ssa.Function {
	list, known := a.actives[name]
	if !known {
		for _, fn := range a.functions {
			if fn.Name() == name && fn.Signature.Recv() != nil && fn.Synthetic == "" && !model.Generated(declaration(fn)) &&
				!a.onlyReads(fn) {
				list = append(list, fn)
			}
		}
		a.actives[name] = list
	}
	return list
}

// onlyReads reports whether a function does nothing but read, allocate and compute, as far as a quick look shows.
func (a *analysis) onlyReads(fn *ssa.Function) bool {
	if known, ok := a.readers[fn]; ok {
		return known
	}
	a.readers[fn] = true // while it is looked at: a recursive call adds nothing
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			if !a.onlyReadsIn(instr) {
				a.readers[fn] = false
				return false
			}
		}
	}
	return true
}

func (a *analysis) onlyReadsIn(instr ssa.Instruction) bool {
	for _, op := range instr.Operands(nil) {
		if g, ok := (*op).(*ssa.Global); ok && !a.unchanging(g) {
			return false
		}
	}
	switch x := instr.(type) {
	case *ssa.Store:
		return local(x.Addr, 0)
	case *ssa.MapUpdate:
		return local(x.Map, 0)
	case *ssa.UnOp:
		return x.Op != token.ARROW
	case *ssa.Send, *ssa.Go, *ssa.Select:
		return false
	case *ssa.Call:
		return a.onlyReadsCall(&x.Call)
	case *ssa.Defer:
		return a.onlyReadsCall(&x.Call)
	}
	return true
}

func (a *analysis) onlyReadsCall(c *ssa.CallCommon) bool {
	for _, arg := range c.Args {
		if fn, closed := arg.(*ssa.MakeClosure); closed && !a.onlyReads(fn.Fn.(*ssa.Function)) {
			return false
		}
		if fn, ok := arg.(*ssa.Function); ok && len(fn.Blocks) > 0 && !a.onlyReads(fn) {
			return false
		}
	}
	if b, ok := c.Value.(*ssa.Builtin); ok {
		switch b.Name() {
		case "append", "copy", "delete", "clear":
			return local(c.Args[0], 0)
		case "close":
			return false
		}
		return true
	}
	fn := callee(c)
	if fn != nil && fn.FullName() == "(error).Error" {
		return true
	}
	if to := c.StaticCallee(); to != nil && len(to.Blocks) > 0 && !model.Generated(fn) {
		return a.onlyReads(to)
	}
	does, known := model.Library(fn)
	if !known {
		return false
	}
	for i := range len(c.Args) + 1 {
		if v := argument(c, i); does.Writes.Has(i) && v != nil && !local(v, 0) {
			return false
		}
	}
	return true
}

// local reports whether a value leads to memory that its function has allocated, and to no other that a write by it
// would reach.
func local(v ssa.Value, steps int) bool {
	switch x := v.(type) {
	case *ssa.Alloc, *ssa.MakeMap, *ssa.MakeSlice:
		return true
	case *ssa.Const:
		return x.IsNil()
	case *ssa.FieldAddr:
		return local(x.X, steps)
	case *ssa.IndexAddr:
		return local(x.X, steps)
	case *ssa.Slice:
		return local(x.X, steps)
	case *ssa.Call:
		b, ok := x.Call.Value.(*ssa.Builtin)
		return ok && b.Name() == "append" && local(x.Call.Args[0], steps)
	case *ssa.Phi:
		for _, e := range x.Edges {
			if steps > 4 || !local(e, steps+1) {
				return false
			}
		}
		return true
	}
	return false
}
