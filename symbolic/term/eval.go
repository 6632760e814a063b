package term

import "strings"

// The evaluator is the twin of the simplifier, and judges what solvers find. So it shares no code with the
// constructors: it calculates with Go's own types, at their width.

// Eval gives the value of a term under the model.
func (m *Model) Eval(t *Term) Value { return m.Evaluator().Eval(t) }

// Evaluator evaluates terms under one model, every term once. The model must not change meanwhile.
type Evaluator struct {
	model *Model
	done  map[*Term]Value
}

// Evaluator gives an evaluator for many terms.
func (m *Model) Evaluator() *Evaluator { return &Evaluator{m, map[*Term]Value{}} }

// Eval gives the value of a term.
func (e *Evaluator) Eval(t *Term) Value {
	switch t.Op {
	case OpConst:
		return t.Value()
	case OpVar:
		if v, ok := e.model.Vars[t]; ok {
			return v
		}
		return Value{Sort: t.Sort}
	}
	if v, ok := e.done[t]; ok {
		return v
	}
	v := e.eval(t)
	e.done[t] = v
	return v
}

// Holds reports whether all conditions are true.
func (e *Evaluator) Holds(conds ...*Term) bool {
	for _, c := range conds {
		if !e.Eval(c).Bool() {
			return false
		}
	}
	return true
}

func (e *Evaluator) eval(t *Term) Value {
	if t.Op == OpIf { // the branch alone, as in a program
		if e.Eval(t.Args[0]).Bool() {
			return e.Eval(t.Args[1])
		}
		return e.Eval(t.Args[2])
	}
	args := make([]Value, len(t.Args))
	for i, a := range t.Args {
		args[i] = e.Eval(a)
	}
	switch t.Op {
	case OpApply:
		return e.model.call(t, args)
	case OpNot, OpAnd, OpOr, OpEq, OpSLess, OpULess, OpFEqual, OpFLess, OpFAtMost, OpTextLess:
		return BoolValue(evalBool(t.Op, args))
	case OpConcat:
		var b strings.Builder
		for _, a := range args {
			b.WriteString(a.Text)
		}
		return TextValue(b.String())
	case OpLen:
		return WordValue(Word64, uint64(len(args[0].Text)))
	case OpSum:
		return evalSum(t, args)
	}
	if t.Sort.Kind == FloatKind {
		return evalFloat(t, args)
	}
	return evalWord(t, args)
}

// call looks a function's result up.
func (m *Model) call(t *Term, args []Value) Value {
	for _, e := range m.Funcs[t.Signature()] {
		same := true
		for i := range args {
			same = same && e.Args[i] == args[i]
		}
		if same {
			return e.Result
		}
	}
	return Value{Sort: t.Sort}
}

func evalBool(op Op, a []Value) bool {
	switch op {
	case OpNot:
		return a[0].Bits == 0
	case OpAnd, OpOr:
		for _, x := range a {
			if (x.Bits == 1) == (op == OpOr) {
				return op == OpOr
			}
		}
		return op == OpAnd
	case OpEq:
		return a[0] == a[1]
	case OpSLess:
		return a[0].Int() < a[1].Int()
	case OpULess:
		return a[0].Bits < a[1].Bits
	case OpFEqual:
		return a[0].Float() == a[1].Float()
	case OpFLess:
		return a[0].Float() < a[1].Float()
	case OpFAtMost:
		return a[0].Float() <= a[1].Float()
	}
	return a[0].Text < a[1].Text
}

func evalSum(t *Term, args []Value) Value {
	v := t.Val
	for i, a := range args {
		v += a.Bits * t.Coef[i]
	}
	return WordValue(t.Sort, v)
}

func evalFloat(t *Term, a []Value) Value {
	if t.Sort.Bits == 32 {
		return FloatValue(t.Sort, float64(floatOp[float32](t.Op, a)))
	}
	return FloatValue(t.Sort, floatOp[float64](t.Op, a))
}

// floatOp calculates with floats of that width.
func floatOp[F float32 | float64](op Op, a []Value) F {
	x := func(i int) F { return F(a[i].Float()) }
	switch op {
	case OpFAdd:
		return x(0) + x(1)
	case OpFSub:
		return x(0) - x(1)
	case OpFMul:
		return x(0) * x(1)
	case OpFDiv:
		return x(0) / x(1)
	case OpFNeg:
		return -x(0)
	case OpSToF:
		return F(a[0].Int())
	case OpUToF:
		return F(a[0].Uint())
	case OpFToF:
		return x(0)
	}
	panic("term: no float operation " + op.String())
}

func evalWord(t *Term, a []Value) Value {
	switch t.Op {
	case OpShl, OpSShr, OpUShr:
		return evalShift(t, a)
	case OpSExtend:
		return WordValue(t.Sort, uint64(a[0].Int()))
	case OpZExtend, OpTruncate:
		return WordValue(t.Sort, a[0].Bits)
	}
	switch t.Sort.Bits {
	case 8:
		return WordValue(t.Sort, uint64(wordOp[int8, uint8](t.Op, a)))
	case 16:
		return WordValue(t.Sort, uint64(wordOp[int16, uint16](t.Op, a)))
	case 32:
		return WordValue(t.Sort, uint64(wordOp[int32, uint32](t.Op, a)))
	}
	return WordValue(t.Sort, wordOp[int64, uint64](t.Op, a))
}

func evalShift(t *Term, a []Value) Value {
	switch t.Sort.Bits {
	case 8:
		return WordValue(t.Sort, uint64(shiftOp[int8, uint8](t.Op, a)))
	case 16:
		return WordValue(t.Sort, uint64(shiftOp[int16, uint16](t.Op, a)))
	case 32:
		return WordValue(t.Sort, uint64(shiftOp[int32, uint32](t.Op, a)))
	}
	return WordValue(t.Sort, shiftOp[int64, uint64](t.Op, a))
}

type signedWord interface{ int8 | int16 | int32 | int64 }
type unsignedWord interface {
	uint8 | uint16 | uint32 | uint64
}

func shiftOp[S signedWord, U unsignedWord](op Op, a []Value) U {
	switch op {
	case OpShl:
		return U(a[0].Bits) << a[1].Bits
	case OpSShr:
		return U(S(a[0].Bits) >> a[1].Bits)
	}
	return U(a[0].Bits) >> a[1].Bits
}

// wordOp calculates with words of that width.
func wordOp[S signedWord, U unsignedWord](op Op, a []Value) U {
	switch op {
	case OpFToS:
		if a[0].Sort.Bits == 32 {
			return U(S(float32(a[0].Float())))
		}
		return U(S(a[0].Float()))
	case OpFToU:
		if a[0].Sort.Bits == 32 {
			return U(float32(a[0].Float()))
		}
		return U(a[0].Float())
	case OpSDiv, OpSRem, OpUDiv, OpURem:
		return divideOp[S](op, U(a[0].Bits), U(a[1].Bits))
	}
	v := U(a[0].Bits)
	for _, x := range a[1:] {
		switch op {
		case OpMul:
			v *= U(x.Bits)
		case OpBitAnd:
			v &= U(x.Bits)
		case OpBitOr:
			v |= U(x.Bits)
		case OpBitXor:
			v ^= U(x.Bits)
		default:
			panic("term: no operation of words " + op.String())
		}
	}
	return v
}

func divideOp[S signedWord, U unsignedWord](op Op, x, y U) U {
	switch {
	case y == 0 && (op == OpSRem || op == OpURem):
		return x
	case y == 0 && op == OpSDiv && S(x) < 0:
		return 1
	case y == 0:
		return ^U(0)
	case op == OpSDiv:
		return U(S(x) / S(y))
	case op == OpSRem:
		return U(S(x) % S(y))
	case op == OpUDiv:
		return x / y
	}
	return x % y
}
