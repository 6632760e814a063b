package term

import "math"

// Floats are simplified little: hardly any law of numbers holds for them. All NaNs are one value.

// FAdd is a + b.
func (s *Store) FAdd(a, b *Term) *Term { return s.floating(OpFAdd, a, b) }

// FSub is a - b.
func (s *Store) FSub(a, b *Term) *Term { return s.floating(OpFSub, a, b) }

// FMul is a * b.
func (s *Store) FMul(a, b *Term) *Term { return s.floating(OpFMul, a, b) }

// FDiv is a / b.
func (s *Store) FDiv(a, b *Term) *Term { return s.floating(OpFDiv, a, b) }

func (s *Store) floating(op Op, a, b *Term) *Term {
	want(a.Sort == b.Sort && a.Sort.Kind == FloatKind, "float operation on %v and %v", a.Sort, b.Sort)
	if s.plain {
		return s.make(op, a.Sort, a, b)
	}
	if a.Const() && b.Const() {
		return s.Float(a.Sort, foldFloats(op, floatOf(a.Sort, a.Val), floatOf(b.Sort, b.Val)))
	}
	one := floatBits(a.Sort, 1)
	switch {
	case (op == OpFMul || op == OpFDiv) && b.Const() && b.Val == one:
		return a
	case op == OpFMul && a.Const() && a.Val == one:
		return b
	case (op == OpFAdd || op == OpFMul) && Compare(a, b) > 0: // these two commute
		a, b = b, a
	}
	return s.make(op, a.Sort, a, b)
}

// foldFloats calculates with 64 bits also for floats of 32: rounding once more then gives the same, since 53 >= 2*24 +
// 2.
func foldFloats(op Op, a, b float64) float64 {
	switch op {
	case OpFAdd:
		return a + b
	case OpFSub:
		return a - b
	case OpFMul:
		return a * b
	}
	return a / b
}

// FNeg is -a.
func (s *Store) FNeg(a *Term) *Term {
	want(a.Sort.Kind == FloatKind, "float negation of %v", a.Sort)
	switch {
	case s.plain:
	case a.Const():
		return s.Float(a.Sort, -floatOf(a.Sort, a.Val))
	case a.Op == OpFNeg:
		return a.Args[0]
	}
	return s.make(OpFNeg, a.Sort, a)
}

// FEqual is Go's a == b.
func (s *Store) FEqual(a, b *Term) *Term { return s.compareFloats(OpFEqual, a, b) }

// FLess is Go's a < b.
func (s *Store) FLess(a, b *Term) *Term { return s.compareFloats(OpFLess, a, b) }

// FAtMost is Go's a <= b, which is not !(b < a): one of them may be NaN.
func (s *Store) FAtMost(a, b *Term) *Term { return s.compareFloats(OpFAtMost, a, b) }

func (s *Store) compareFloats(op Op, a, b *Term) *Term {
	want(a.Sort == b.Sort && a.Sort.Kind == FloatKind, "comparison of floats with %v and %v", a.Sort, b.Sort)
	if s.plain {
		return s.make(op, Bool, a, b)
	}
	if nan := floatBits(a.Sort, math.NaN()); a.Const() && a.Val == nan || b.Const() && b.Val == nan {
		return s.falsity
	}
	if a.Const() && b.Const() {
		x, y := floatOf(a.Sort, a.Val), floatOf(b.Sort, b.Val)
		return s.Bool(op == OpFEqual && x == y || op == OpFLess && x < y || op == OpFAtMost && x <= y)
	}
	compare := func(a, b *Term) *Term { return s.compareFloats(op, a, b) }
	if t := s.distribute(compare, a, b); t != nil {
		return t
	}
	switch {
	case op == OpFLess && a == b:
		return s.falsity
	case op == OpFAtMost && a == b:
		op = OpFEqual
	case op == OpFEqual && Compare(a, b) > 0:
		a, b = b, a
	}
	return s.make(op, Bool, a, b)
}

// SToF converts a signed word to a float.
func (s *Store) SToF(sort Sort, a *Term) *Term { return s.toFloat(OpSToF, sort, a) }

// UToF converts an unsigned word to a float.
func (s *Store) UToF(sort Sort, a *Term) *Term { return s.toFloat(OpUToF, sort, a) }

func (s *Store) toFloat(op Op, sort Sort, a *Term) *Term {
	want(sort.Kind == FloatKind && sort.valid() && a.Sort.Kind == WordKind, "conversion of %v to %v", a.Sort, sort)
	if s.plain {
		return s.make(op, sort, a)
	}
	if op == OpUToF && nonNegative(a) {
		op = OpSToF
	}
	switch {
	case a.Const() && sort.Bits == 64 && op == OpSToF:
		return s.Float(sort, float64(a.Sort.signed(a.Val)))
	case a.Const() && sort.Bits == 64:
		return s.Float(sort, float64(a.Val))
	case a.Const() && op == OpSToF: // at once: rounding to 64 bits first would round twice
		return s.Float(sort, float64(float32(a.Sort.signed(a.Val))))
	case a.Const():
		return s.Float(sort, float64(float32(a.Val)))
	case a.Op == OpSExtend && op == OpSToF:
		return s.toFloat(op, sort, a.Args[0])
	case a.Op == OpZExtend:
		return s.toFloat(OpUToF, sort, a.Args[0])
	}
	return s.make(op, sort, a)
}

// FToS converts a float to a signed word, truncating. Out of range the result is the machine's, as in Go.
func (s *Store) FToS(sort Sort, a *Term) *Term { return s.fromFloat(OpFToS, sort, a) }

// FToU converts a float to an unsigned word, truncating. Out of range the result is the machine's, as in Go.
func (s *Store) FToU(sort Sort, a *Term) *Term { return s.fromFloat(OpFToU, sort, a) }

func (s *Store) fromFloat(op Op, sort Sort, a *Term) *Term {
	want(sort.Kind == WordKind && sort.valid() && a.Sort.Kind == FloatKind, "conversion of %v to %v", a.Sort, sort)
	if s.plain || !a.Const() {
		return s.make(op, sort, a)
	}
	f := math.Trunc(floatOf(a.Sort, a.Val))
	low, high := float64(least(sort)), -float64(least(sort)) // high is out of range itself
	if op == OpFToU {
		low, high = 0, 2*high
	}
	switch {
	case !(low <= f && f < high): // what a machine gives is not for us to say
		return s.make(op, sort, a)
	case op == OpFToU:
		return s.word(sort, uint64(f))
	}
	return s.Int(sort, int64(f))
}

// FToF converts between the widths of floats.
func (s *Store) FToF(sort Sort, a *Term) *Term {
	want(sort.Kind == FloatKind && sort.valid() && a.Sort.Kind == FloatKind, "conversion of %v to %v", a.Sort, sort)
	switch {
	case sort == a.Sort:
		return a
	case s.plain:
	case a.Const():
		return s.Float(sort, floatOf(a.Sort, a.Val))
	case a.Op == OpFToF && sort.Bits == 32: // there and back
		return a.Args[0]
	}
	return s.make(OpFToF, sort, a)
}
