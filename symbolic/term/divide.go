package term

// SDiv is a / b of signed words, truncated. UDiv is that of unsigned ones. Where both are known not to be negative they
// are one term, SDiv, since that is how programs are mostly written.
func (s *Store) SDiv(a, b *Term) *Term { return s.divide(OpSDiv, a, b) }

// UDiv is a / b of unsigned words.
func (s *Store) UDiv(a, b *Term) *Term { return s.divide(OpUDiv, a, b) }

// SRem is a % b of signed words: it has the sign of a.
func (s *Store) SRem(a, b *Term) *Term { return s.divide(OpSRem, a, b) }

// URem is a % b of unsigned words.
func (s *Store) URem(a, b *Term) *Term { return s.divide(OpURem, a, b) }

func (s *Store) divide(op Op, a, b *Term) *Term {
	want(a.Sort == b.Sort && a.Sort.Kind == WordKind, "division of %v by %v", a.Sort, b.Sort)
	if s.plain {
		return s.make(op, a.Sort, a, b)
	}
	if a.Const() && b.Const() {
		return s.word(a.Sort, foldDivision(op, a.Sort, a.Val, b.Val))
	}
	if (op == OpUDiv || op == OpURem) && nonNegative(a) && nonNegative(b) {
		op -= OpUDiv - OpSDiv
	}
	if b.Const() {
		return s.divideBy(op, a, b)
	}
	return s.make(op, a.Sort, a, b)
}

// divideBy divides by a constant.
func (s *Store) divideBy(op Op, a, b *Term) *Term {
	d := a.Sort.signed(b.Val)
	lo, hi := signedRange(a, rangeDepth)
	switch {
	case b.Val == 0:
	case b.Val == 1 || d == -1 && (op == OpSDiv || op == OpSRem):
		switch {
		case op == OpSRem || op == OpURem:
			return s.word(a.Sort, 0)
		case b.Val == 1:
			return a
		}
		return s.Neg(a)
	case d < 0 && d != least(a.Sort) && op == OpSDiv: // the sign outside, so that x / -3 and -(x / 3) are one
		return s.Neg(s.SDiv(a, s.Int(a.Sort, -d)))
	case d < 0 && d != least(a.Sort) && op == OpSRem: // the sign of a divisor does not count
		return s.SRem(a, s.Int(a.Sort, -d))
	case d > 0 && (op == OpSDiv || op == OpSRem) && -d < lo && hi < d:
		if op == OpSDiv {
			return s.word(a.Sort, 0)
		}
		return a
	}
	return s.make(op, a.Sort, a, b)
}

// foldDivision divides constants; what it gives for a divisor of 0 is in the comment of the package.
func foldDivision(op Op, sort Sort, a, b uint64) uint64 {
	sa, sb := sort.signed(a), sort.signed(b)
	rem := op == OpSRem || op == OpURem
	switch {
	case b == 0 && rem:
		return a
	case b == 0 && op == OpSDiv && sa < 0:
		return 1
	case b == 0:
		return ^uint64(0)
	case op == OpUDiv:
		return a / b
	case op == OpURem:
		return a % b
	case rem:
		return uint64(sa % sb)
	}
	return uint64(sa / sb)
}
