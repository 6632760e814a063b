package exec

import (
	"go/types"
	"strings"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file models what package sync and its atomic cells hold. A handler is one step, so they are plain memory.

// cells are the functions on cells that hold something else than numbers; those of numbers are in libatomic.go.
var cells = map[string]library{
	"(*sync/atomic.Bool).Load": onTruth(func(r *run, is *term.Term, _ []Value) (Value, *term.Term) { return is, nil }),
	"(*sync/atomic.Bool).Store": onTruth(func(r *run, is *term.Term, args []Value) (Value, *term.Term) {
		return nil, args[0].(*term.Term)
	}),
	"(*sync/atomic.Bool).Swap": onTruth(func(r *run, is *term.Term, args []Value) (Value, *term.Term) {
		return is, args[0].(*term.Term)
	}),
	"(*sync/atomic.Bool).CompareAndSwap": onTruth(func(r *run, is *term.Term, args []Value) (Value, *term.Term) {
		same := r.truth(r.store.Equal(is, args[0].(*term.Term)))
		if !same {
			return r.store.Bool(false), nil
		}
		return r.store.Bool(true), args[1].(*term.Term)
	}),

	"(*sync/atomic.Pointer[T]).Load":           onPointer("Load"),
	"(*sync/atomic.Pointer[T]).Store":          onPointer("Store"),
	"(*sync/atomic.Pointer[T]).Swap":           onPointer("Swap"),
	"(*sync/atomic.Pointer[T]).CompareAndSwap": onPointer("CompareAndSwap"),

	"(*sync/atomic.Value).Load":  onHeld("Load"),
	"(*sync/atomic.Value).Store": onHeld("Store"),
	"(*sync/atomic.Value).Swap":  onHeld("Swap"),

	"(*sync.Once).Do": once,
}

// truthCell gives the cell of an atomic.Bool, and whether it is set: 1 is, 0 is not.
func (r *run) truthCell(p Ptr) (Ptr, *term.Term) {
	cell := p.at(fieldIndex(structOf(r.load(p).(*Struct).Type), "v"))
	v := r.load(cell).(*term.Term)
	if !v.Const() {
		r.assume(r.store.ULess(v, r.store.Uint(v.Sort, 2)))
	}
	return cell, r.store.Not(r.isZero(v))
}

func (r *run) setTruth(cell Ptr, v *term.Term) {
	r.storeAt(cell, r.store.If(v, r.store.Uint(term.Word32, 1), r.store.Uint(term.Word32, 0)))
}

// onTruth does something with an atomic.Bool. It gives a result, and what to set the cell to, nil to leave it.
func onTruth(do func(r *run, is *term.Term, args []Value) (Value, *term.Term)) library {
	return func(r *run, _ *types.Func, _ *types.Signature, args []Value) (Value, bool) {
		cell, is := r.truthCell(r.deref(args[0]))
		v, to := do(r, is, args[1:])
		if to != nil {
			r.setTruth(cell, to)
		}
		return v, true
	}
}

// onPointer does something with an atomic.Pointer, whose cell holds a pointer of the type that the method takes or
// gives.
func onPointer(name string) library {
	return func(r *run, _ *types.Func, sig *types.Signature, args []Value) (Value, bool) {
		t := types.Type(nil)
		if name == "Load" {
			t = sig.Results().At(0).Type()
		} else {
			t = sig.Params().At(sig.Params().Len() - 1).Type()
		}
		p := r.deref(args[0])
		s := r.load(p).(*Struct)
		i := fieldIndex(structOf(s.Type), "v")
		old := r.inside(s.Fields[i], t)
		if _, unset := old.(*Opaque); unset {
			old = Ptr{}
		}
		return r.exchange(name, p.at(i), old, args[1:], r.samePointer), true
	}
}

// onHeld does something with an atomic.Value, which panics if it is given nil, or another type than it holds.
func onHeld(name string) library {
	return func(r *run, _ *types.Func, _ *types.Signature, args []Value) (Value, bool) {
		p := r.deref(args[0])
		cell := p.at(fieldIndex(structOf(r.load(p).(*Struct).Type), "v"))
		old := r.load(cell)
		if len(args) > 1 {
			what := "sync/atomic: " + strings.ToLower(name) + " of "
			if r.truth(r.faceNil(args[1])) {
				r.throwText(what + "nil value into Value")
			}
			if !r.truth(r.faceNil(old)) && !r.truth(r.store.Equal(r.typeOf(old), r.typeOf(args[1]))) {
				r.throwText(what + "inconsistently typed value into Value")
			}
		}
		return r.exchange(name, cell, old, args[1:], nil), true
	}
}

// exchange loads, stores or swaps what a cell holds.
func (r *run) exchange(name string, cell Ptr, old Value, args []Value, same func(x, y Value) *term.Term) Value {
	switch name {
	case "Load":
		return old
	case "CompareAndSwap":
		if !r.truth(same(old, args[0])) {
			return r.store.Bool(false)
		}
		r.storeAt(cell, args[1])
		return r.store.Bool(true)
	}
	r.storeAt(cell, args[0])
	if name == "Store" {
		return nil
	}
	return old
}

// once is the method Do of sync.Once. A function that calls it again for the same waits for ever, which cuts the path.
func once(r *run, _ *types.Func, _ *types.Signature, args []Value) (Value, bool) {
	p := r.deref(args[0])
	done := p.at(fieldIndex(structOf(r.load(p).(*Struct).Type), "done"))
	cell, is := r.truthCell(done)
	if r.doing[cell.key()] {
		r.cut("a sync.Once whose function calls it again")
	}
	if r.truth(is) {
		return nil, true
	}
	r.doing[cell.key()] = true
	defer delete(r.doing, cell.key())
	r.setTruth(cell, r.store.Bool(true))
	r.callValue(args[1])
	return nil, true
}
