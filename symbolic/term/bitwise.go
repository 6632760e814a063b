package term

import (
	"math/bits"
	"slices"
)

// BitAnd is a & b.
func (s *Store) BitAnd(a, b *Term) *Term { return s.bitwise(OpBitAnd, a, b) }

// BitOr is a | b.
func (s *Store) BitOr(a, b *Term) *Term { return s.bitwise(OpBitOr, a, b) }

// BitXor is a ^ b.
func (s *Store) BitXor(a, b *Term) *Term { return s.bitwise(OpBitXor, a, b) }

// AndNot is a &^ b.
func (s *Store) AndNot(a, b *Term) *Term { return s.BitAnd(a, s.Complement(b)) }

func (s *Store) bitwise(op Op, a, b *Term) *Term {
	want(a.Sort == b.Sort && a.Sort.Kind == WordKind, "bits of %v and %v", a.Sort, b.Sort)
	if s.plain {
		return s.make(op, a.Sort, a, b)
	}
	mask := a.Sort.Mask()
	k := uint64(0) // the constant among the arguments
	if op == OpBitAnd {
		k = mask
	}
	var args []*Term
	for todo := []*Term{a, b}; len(todo) > 0; {
		x := todo[0]
		todo = todo[1:]
		c, complement := complemented(x)
		switch {
		case x.Const():
			k = foldBits(op, k, x.Val)
		case x.Op == op:
			todo = append(todo, x.Args...)
		case complement && op == OpBitXor: // complements outside, so that pairs are found
			k ^= mask
			todo = append(todo, c)
		default:
			args = append(args, x)
		}
	}
	args, k, done := s.pairs(op, args, k, mask)
	if done {
		return s.word(a.Sort, k)
	}
	return s.joinBits(op, a.Sort, args, k)
}

// complemented gives x for ^x.
func complemented(t *Term) (*Term, bool) {
	if t.Op == OpSum && len(t.Args) == 1 && t.Val == t.Sort.Mask() && t.Coef[0] == t.Sort.Mask() {
		return t.Args[0], true
	}
	return nil, false
}

func foldBits(op Op, a, b uint64) uint64 {
	switch op {
	case OpBitAnd:
		return a & b
	case OpBitOr:
		return a | b
	}
	return a ^ b
}

// pairs drops what is there twice, and looks for a term and its complement. It reports done where only the constant k
// is left.
func (s *Store) pairs(op Op, args []*Term, k, mask uint64) (left []*Term, constant uint64, done bool) {
	slices.SortFunc(args, Compare)
	for _, x := range args {
		n := len(left)
		switch {
		case n == 0 || left[n-1] != x:
			left = append(left, x)
		case op == OpBitXor:
			left = left[:n-1]
		}
	}
	if op != OpBitXor {
		for _, x := range left {
			if c, ok := complemented(x); ok && slices.Contains(left, c) {
				if op == OpBitAnd {
					mask = 0
				}
				return nil, mask, true
			}
		}
	}
	absorbing := op == OpBitAnd && k == 0 || op == OpBitOr && k == mask
	return left, k, absorbing || len(left) == 0
}

// joinBits puts arguments and their constant together.
func (s *Store) joinBits(op Op, sort Sort, args []*Term, k uint64) *Term {
	mask := sort.Mask()
	if op == OpBitAnd && len(args) == 1 && k&(k+1) == 0 && k != 0 { // low bits: nothing happens to what has no others
		if lo, hi := signedRange(args[0], rangeDepth); lo >= 0 && uint64(hi) <= k {
			return args[0]
		}
	}
	complement := op == OpBitXor && k == mask
	neutral := complement || op == OpBitAnd && k == mask || op != OpBitAnd && k == 0
	if !neutral {
		args = append(args, s.word(sort, k))
	}
	t := args[0]
	if len(args) > 1 {
		t = s.make(op, sort, args...)
	}
	if complement {
		return s.Complement(t)
	}
	return t
}

// Shl is a << count. The count is read as unsigned, and may have another width.
func (s *Store) Shl(a, count *Term) *Term { return s.shift(OpShl, a, count) }

// SShr is a >> count of a signed word.
func (s *Store) SShr(a, count *Term) *Term { return s.shift(OpSShr, a, count) }

// UShr is a >> count of an unsigned word.
func (s *Store) UShr(a, count *Term) *Term { return s.shift(OpUShr, a, count) }

func (s *Store) shift(op Op, a, count *Term) *Term {
	want(a.Sort.Kind == WordKind && count.Sort.Kind == WordKind, "shift of %v by %v", a.Sort, count.Sort)
	if s.plain {
		return s.make(op, a.Sort, a, count)
	}
	if op == OpUShr && nonNegative(a) {
		op = OpSShr
	}
	for count.Op == OpZExtend {
		count = count.Args[0]
	}
	switch {
	case a.is(0):
		return a
	case count.Const():
		return s.shiftBy(op, a, min(count.Val, uint64(a.Sort.Bits)))
	}
	return s.make(op, a.Sort, a, count)
}

// shiftBy shifts by a constant from 0 to the width: to the left that is a factor; shifts to the right add up.
func (s *Store) shiftBy(op Op, a *Term, n uint64) *Term {
	width := uint64(a.Sort.Bits)
	switch {
	case n == 0:
		return a
	case op == OpShl && n == width:
		return s.word(a.Sort, 0)
	case op == OpShl:
		return s.Scale(1<<n, a)
	case op == OpUShr && n == width:
		return s.word(a.Sort, 0)
	case op == OpSShr && n == width:
		return s.shiftBy(op, a, width-1)
	case a.Const() && op == OpUShr:
		return s.word(a.Sort, a.Val>>n)
	case a.Const():
		return s.Int(a.Sort, a.Sort.signed(a.Val)>>n)
	case a.Op == op && a.Args[1].Const():
		return s.shiftBy(op, a.Args[0], min(n+a.Args[1].Val, width))
	}
	if _, hi := signedRange(a, rangeDepth); nonNegative(a) && bits.Len64(uint64(hi)) <= int(n) {
		return s.word(a.Sort, 0)
	}
	return s.make(op, a.Sort, a, s.word(Word8, n))
}
