package exec

import (
	"fmt"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// value gives what an operand is.
func (r *run) value(f *frame, v ssa.Value) Value {
	switch v := v.(type) {
	case *ssa.Const:
		return r.constant(v)
	case *ssa.Function:
		return Func{Fn: v}
	case *ssa.Global:
		return Ptr{Obj: r.global(v)}
	}
	x, ok := f.env[v]
	if !ok {
		panic(fmt.Sprintf("exec: %s in %s has no value", v.Name(), f.fn))
	}
	return r.force(x)
}

// number gives an operand that is a term.
func (r *run) number(f *frame, v ssa.Value) *term.Term {
	if v == nil {
		return nil
	}
	return r.value(f, v).(*term.Term)
}

// index64 gives an operand that is an index: as 64 bits, read as the operand's type has it.
func (r *run) index64(f *frame, v ssa.Value) *term.Term {
	if v == nil {
		return nil
	}
	return r.wide(r.number(f, v), v.Type())
}

// wide gives an integer as 64 bits.
func (r *run) wide(t *term.Term, of types.Type) *term.Term {
	typ, _ := term.TypeOf(of)
	return r.store.Resize(term.Word64, t, typ.Unsigned)
}

// instruction executes one that does not end its block.
func (r *run) instruction(f *frame, in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.Phi, *ssa.DebugRef:
	case *ssa.Store:
		r.storeAt(r.deref(r.reached(r.value(f, in.Addr))), r.value(f, in.Val))
	case *ssa.MapUpdate:
		r.set(r.mustMap(r.value(f, in.Map)), r.value(f, in.Key), r.value(f, in.Value))
	case *ssa.Defer:
		to, args := r.resolveCall(f, in.Common())
		f.defers = append(f.defers, deferred{in, to, args})
	case *ssa.RunDefers:
		for len(f.defers) > 0 {
			r.runDefer(f)
		}
	case *ssa.Go:
		r.goes(f, in)
	case *ssa.Send:
		r.passes(f, in)
	case ssa.Value:
		f.env[in] = r.evaluate(f, in)
	default:
		panic(fmt.Sprintf("exec: instruction %T", in))
	}
}

// result executes an instruction that gives a value.
func (r *run) evaluate(f *frame, in ssa.Value) Value {
	switch in := in.(type) {
	case *ssa.Call:
		return r.calls(f, in)
	case *ssa.Alloc:
		t := pointerTo(in.Type())
		return Ptr{Obj: r.alloc(t, r.zero(t))}
	case *ssa.UnOp:
		return r.unary(f, in)
	case *ssa.BinOp:
		return r.binary(in.Op, in.X.Type(), in.Y.Type(), r.value(f, in.X), r.value(f, in.Y))
	case *ssa.FieldAddr:
		return r.address(f, in)
	case *ssa.Field:
		return r.force(r.value(f, in.X).(*Struct).Fields[in.Field])
	case *ssa.IndexAddr:
		return r.address(f, in)
	case *ssa.Index:
		return r.indexed(f, in.X, in.Index)
	case *ssa.Lookup:
		return r.looksUp(f, in)
	case *ssa.Extract:
		return r.force(r.value(f, in.Tuple).(Tuple)[in.Index])
	case *ssa.MakeClosure:
		free := make([]Value, len(in.Bindings))
		for i, b := range in.Bindings {
			free[i] = r.value(f, b)
		}
		return Func{Fn: in.Fn.(*ssa.Function), Free: free}
	case *ssa.MakeInterface:
		return r.box(in.X.Type(), r.value(f, in.X))
	case *ssa.MakeMap:
		return r.newMap(in.Type().Underlying().(*types.Map))
	case *ssa.MakeSlice:
		return r.makeSlice(in.Type(), r.index64(f, in.Len), r.index64(f, in.Cap))
	case *ssa.MakeChan:
		r.objects++
		return &Opaque{Type: in.Type(), Name: "channel", ref: r.store.Uint(sortReference, uint64(made+r.objects))}
	}
	return r.converted(f, in)
}

// converted executes an instruction that gives a value another type, or takes a part of it.
func (r *run) converted(f *frame, in ssa.Value) Value {
	switch in := in.(type) {
	case *ssa.Slice:
		return r.slices(f, in)
	case *ssa.ChangeType:
		return retyped(r.value(f, in.X), in.Type())
	case *ssa.ChangeInterface:
		return r.value(f, in.X)
	case *ssa.Convert:
		return r.convert(r.value(f, in.X), in.X.Type(), in.Type())
	case *ssa.MultiConvert:
		return r.convert(r.value(f, in.X), in.X.Type(), in.Type())
	case *ssa.SliceToArrayPointer:
		return r.arrayPointer(f, in)
	case *ssa.TypeAssert:
		return r.asserted(f, in)
	case *ssa.Range:
		return r.ranges(f, in)
	case *ssa.Next:
		return r.next(f, in)
	case *ssa.Select:
		r.selects(in)
	}
	panic(fmt.Sprintf("exec: instruction %T", in))
}

// box makes an interface.
func (r *run) box(t types.Type, v Value) Value {
	if types.IsInterface(t) {
		return v
	}
	return Face{t, v}
}

// retyped gives a struct the type that it is converted to.
func retyped(v Value, t types.Type) Value {
	if s, ok := v.(*Struct); ok {
		return &Struct{Type: t, Fields: s.Fields}
	}
	return v
}

// indexed is an element of an array or a string.
func (r *run) indexed(f *frame, x, i ssa.Value) Value {
	at := r.index64(f, i)
	switch v := r.value(f, x).(type) {
	case *Array:
		return r.force(v.Elems[r.index(at, len(v.Elems))])
	case *term.Term:
		if !r.truth(r.store.ULess(at, r.store.Len(v))) {
			r.throw(indexOutOfRange)
		}
		return r.byteAt(v, at)
	default:
		panic(fmt.Sprintf("exec: index of a %T", v))
	}
}

// byteAt is a byte of a string, at an index that is in range.
func (r *run) byteAt(s, i *term.Term) *term.Term {
	if s.Const() && i.Const() {
		return r.store.Uint(term.Word8, uint64(s.Value().Text[i.Val]))
	}
	return r.store.Apply(indexFunction, term.Word8, s, i)
}

// Functions of strings of which the solver knows nothing.
const (
	indexFunction = "string.index"
	sliceFunction = "string.slice"
	runeFunction  = "string.rune"  // string(x) of a number
	bytesFunction = "string.bytes" // string(x) of bytes
	runesFunction = "string.runes" // and of runes
)

func (r *run) looksUp(f *frame, in *ssa.Lookup) Value {
	if _, ok := in.X.Type().Underlying().(*types.Map); !ok {
		return r.indexed(f, in.X, in.Index)
	}
	m := in.X.Type().Underlying().(*types.Map)
	v, has := r.lookup(r.mustMap(r.value(f, in.X)), m.Elem(), r.value(f, in.Index))
	if in.CommaOk {
		return Tuple{v, r.store.Bool(has)}
	}
	return v
}

// selects executes a select statement, unless the driver knows that its cases never come.
func (r *run) selects(in *ssa.Select) {
	if r.machine != nil && in.Blocking {
		if d, ok := r.machine.driver.(Waiter); ok {
			d.Waits(r.machine)
		}
	}
	r.mark(Havoc, "a select")
	r.cut("a select statement")
}

// unary executes a load, a negation, a complement, or a receive.
func (r *run) unary(f *frame, in *ssa.UnOp) Value {
	x := r.value(f, in.X)
	switch in.Op {
	case token.MUL:
		return r.load(r.deref(x))
	case token.ARROW:
		r.mark(Havoc, "a channel")
		return r.havoc("received", in.Type())
	}
	t, ok := x.(*term.Term)
	if !ok {
		r.mark(Havoc, "arithmetic of %s", in.Type())
		return r.havoc("number", in.Type())
	}
	typ, _ := term.TypeOf(in.X.Type())
	y, ok := r.store.Unary(in.Op, typ, t)
	if !ok {
		r.mark(Havoc, "the operator %s of %s", in.Op, in.X.Type())
		return r.havoc("number", in.Type())
	}
	return y
}

// passes sends to a channel: who receives is no actor. That the channel is open and has room, or gets it, is not known;
// nil has none ever.
func (r *run) passes(f *frame, in *ssa.Send) {
	if r.truth(r.isZero(r.identity(r.value(f, in.Chan)))) {
		panic(&stop{exit: Refused, why: "a send to a nil channel waits for ever", pos: r.pos()})
	}
	r.mark(Env, "whether a channel has room")
	v := r.value(f, in.X)
	if !types.IsInterface(in.X.Type()) {
		v = Face{in.X.Type(), v}
	}
	r.outward("channel", v)
}

// havoc gives a value of which nothing is known.
func (r *run) havoc(what string, t types.Type) Value {
	if tuple, ok := t.(*types.Tuple); ok {
		switch tuple.Len() {
		case 0:
			return nil
		case 1:
			return r.havoc(what, tuple.At(0).Type())
		}
		all := make(Tuple, tuple.Len())
		for i := range all {
			all[i] = r.havoc(fmt.Sprintf("%s.%d", what, i), tuple.At(i).Type())
		}
		return all
	}
	return r.input(root(r.outside(what), t))
}
