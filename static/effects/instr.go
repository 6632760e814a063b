package effects

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// This file says what each instruction does. What is not here is not understood.

func (f *frame) instr(instr ssa.Instruction) {
	switch x := instr.(type) {
	case *ssa.DebugRef, *ssa.If, *ssa.Jump, *ssa.RunDefers, *ssa.Panic:
	case *ssa.Return:
		f.returns(x)
	case *ssa.Store:
		in, of := container(x.Addr)
		f.h.store(x.Pos(), f.get(x.Addr), f.get(x.Val), in, of)
	case *ssa.MapUpdate:
		m := x.Map.Type().Underlying().(*types.Map)
		v := f.get(x.Value)
		v.add(f.get(x.Key).without())
		f.h.store(x.Pos(), f.get(x.Map).parts("[]"), v, x.Map.Type().Underlying(), m.Elem())
	case *ssa.Call:
		f.called(x, &x.Call, x)
	case *ssa.Defer:
		f.called(x, &x.Call, nil)
	case *ssa.Go:
		f.h.give(x.Pos(), "it starts a goroutine")
	case *ssa.Send:
		f.h.give(x.Pos(), "it sends on a channel")
	case *ssa.Select:
		f.h.give(x.Pos(), "it selects among channels")
	case ssa.Value:
		f.value(x)
	default:
		f.h.give(instr.Pos(), "an instruction of kind %T is not understood", instr)
	}
}

func (f *frame) returns(x *ssa.Return) {
	for i, r := range x.Results {
		v := f.get(r)
		old := f.ret[i]
		old.refs, old.dyn = append([]ref(nil), old.refs...), append([]types.Type(nil), old.dyn...)
		if old.add(v) {
			f.ret[i], f.h.changed = old, true
		}
	}
}

// value is for instructions that give a value and do nothing but read.
func (f *frame) value(instr ssa.Value) {
	switch x := instr.(type) {
	case *ssa.Alloc:
		f.set(x, only(ref{obj: f.h.object(x, fresh)}))
	case *ssa.MakeMap, *ssa.MakeSlice, *ssa.MakeChan:
		f.set(x, only(ref{obj: f.h.object(x, fresh)}))
	case *ssa.MakeClosure:
		f.closes(x)
	case *ssa.Phi:
		for i, e := range x.Edges {
			if f.edges[[2]*ssa.BasicBlock{x.Block().Preds[i], x.Block()}] {
				f.set(x, f.get(e))
			}
		}
	case *ssa.MakeInterface:
		f.boxes(x)
	case *ssa.ChangeInterface:
		f.set(x, f.get(x.X))
	case *ssa.ChangeType:
		f.set(x, f.get(x.X))
	case *ssa.SliceToArrayPointer:
		f.set(x, f.get(x.X))
	case *ssa.MultiConvert:
		f.set(x, f.get(x.X))
	case *ssa.Convert:
		f.converts(x)
	case *ssa.Slice:
		f.set(x, f.get(x.X))
	case *ssa.UnOp:
		f.unary(x)
	case *ssa.BinOp:
		f.set(x, val{set: true})
	case *ssa.TypeAssert:
		f.assert(x)
	case *ssa.Extract:
		if ts := f.tuples[x.Tuple]; x.Index < len(ts) {
			f.set(x, ts[x.Index])
		}
	default:
		f.access(instr)
	}
}

// access is for parts of structs, arrays, slices, maps and strings.
func (f *frame) access(instr ssa.Value) {
	switch x := instr.(type) {
	case *ssa.FieldAddr:
		f.set(x, f.get(x.X).parts(fieldOf(x.X.Type(), x.Field)))
	case *ssa.Field:
		f.set(x, f.get(x.X).pieces(fieldOf(x.X.Type(), x.Field), x.Type()))
	case *ssa.IndexAddr:
		f.set(x, f.get(x.X).parts("[]"))
	case *ssa.Index:
		f.set(x, f.get(x.X).pieces("[]", x.Type()))
	case *ssa.Lookup:
		v := f.h.element(x.Pos(), f.get(x.X), x.X.Type())
		if x.CommaOk {
			f.setTuple(x, []val{v, {set: true}})
		} else {
			f.set(x, v)
		}
	case *ssa.Range:
		f.set(x, f.get(x.X))
	case *ssa.Next:
		v := val{set: true}
		if !x.IsString {
			v = f.h.element(x.Pos(), f.get(x.Iter), nil)
		}
		f.setTuple(x, []val{{set: true}, v, v})
	default:
		f.h.give(instr.Pos(), "an instruction of kind %T is not understood", instr)
	}
}

// element reads something of a map.
func (h *handler) element(at token.Pos, m val, t types.Type) val {
	if t != nil {
		if _, ok := t.Underlying().(*types.Map); !ok {
			return val{set: true} // of a string
		}
	}
	if len(m.refs) == 0 { // a nil map
		return val{set: true, hidden: true}
	}
	return h.load(at, m.parts("[]"), anyType)
}

var anyType = types.Universe.Lookup("any").Type()

// unary is a read, a receive from a channel, or arithmetic.
func (f *frame) unary(x *ssa.UnOp) {
	switch x.Op {
	case token.MUL:
		if g, ok := x.X.(*ssa.Global); ok {
			f.get(g)
			v := val{set: true, hidden: true}
			if holdsReferences(x.Type()) {
				v.add(f.get(g))
			}
			f.set(x, v)
			return
		}
		f.set(x, f.h.load(x.Pos(), f.get(x.X), x.Type()))
	case token.ARROW:
		f.h.give(x.Pos(), "it receives from a channel")
	default:
		f.set(x, val{set: true})
	}
}

// boxes makes an interface.
func (f *frame) boxes(x *ssa.MakeInterface) {
	v := f.get(x.X)
	v.dyn, v.hidden, v.arrives = []types.Type{x.X.Type()}, false, false
	f.set(x, v)
}

func (f *frame) assert(x *ssa.TypeAssert) {
	f.compared(x)
	v := f.get(x.X)
	if holds, known := f.asserts(x); known && !holds {
		v = val{set: true}
	}
	if !types.IsInterface(x.AssertedType) {
		v = v.without()
	}
	if !holdsReferences(x.AssertedType) {
		v.refs = nil
	}
	if x.CommaOk {
		f.setTuple(x, []val{v, {set: true}})
	} else {
		f.set(x, v)
	}
}

func (f *frame) closes(x *ssa.MakeClosure) {
	o := f.h.object(x, closure)
	o.fn = x.Fn.(*ssa.Function)
	for len(o.capture) < len(x.Bindings) {
		o.capture = append(o.capture, val{})
	}
	for i, b := range x.Bindings {
		old := o.capture[i]
		old.refs, old.dyn = append([]ref(nil), old.refs...), append([]types.Type(nil), old.dyn...)
		if old.add(f.get(b)) {
			o.capture[i], f.h.changed = old, true
		}
	}
	f.set(x, only(ref{obj: o}))
}

// converts copies between strings and slices, or changes the type of a number or a reference.
func (f *frame) converts(x *ssa.Convert) {
	from, to := x.X.Type().Underlying(), x.Type().Underlying()
	for _, t := range []types.Type{from, to} {
		if b, ok := t.(*types.Basic); ok && b.Kind() == types.UnsafePointer {
			f.h.give(x.Pos(), "it uses package unsafe")
		}
	}
	_, fromSlice := from.(*types.Slice)
	_, toSlice := to.(*types.Slice)
	switch {
	case fromSlice && !toSlice:
		f.h.exposed(f.get(x.X))
		f.set(x, val{set: true})
	case toSlice && !fromSlice:
		f.set(x, only(ref{obj: f.h.object(x, fresh)}))
	default:
		f.set(x, f.get(x.X).without())
	}
}

// fieldOf names a field of a struct, or of one that a pointer leads to.
func fieldOf(t types.Type, i int) string { return structOf(t).Field(i).Name() }

func structOf(t types.Type) *types.Struct {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	return t.Underlying().(*types.Struct)
}

// container says what kind of memory an address is in, and of which type what it holds is.
func container(addr ssa.Value) (in, of types.Type) {
	of = addr.Type().Underlying().(*types.Pointer).Elem()
	switch a := addr.(type) {
	case *ssa.FieldAddr:
		return a.X.Type().Underlying().(*types.Pointer).Elem(), of
	case *ssa.IndexAddr:
		return of, of
	}
	return of, of
}
