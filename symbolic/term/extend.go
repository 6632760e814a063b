package term

// SExtend gives a word with more bits and the same value, read as signed.
func (s *Store) SExtend(sort Sort, a *Term) *Term { return s.extend(OpSExtend, sort, a) }

// ZExtend gives a word with more bits and the same value, read as unsigned.
func (s *Store) ZExtend(sort Sort, a *Term) *Term { return s.extend(OpZExtend, sort, a) }

func (s *Store) extend(op Op, sort Sort, a *Term) *Term {
	want(sort.valid() && sort.Kind == WordKind && a.Sort.Kind == WordKind && sort.Bits >= a.Sort.Bits,
		"extension of %v to %v", a.Sort, sort)
	if sort == a.Sort {
		return a
	}
	if s.plain {
		return s.make(op, sort, a)
	}
	switch {
	case a.Const() && op == OpSExtend:
		return s.Int(sort, a.Sort.signed(a.Val))
	case a.Const():
		return s.word(sort, a.Val)
	case a.Op == OpZExtend: // not negative, if it is wider at all
		return s.make(OpZExtend, sort, a.Args[0])
	case a.Op == OpSExtend && op == OpSExtend:
		return s.make(OpSExtend, sort, a.Args[0])
	case a.Op == OpIf && a.Args[1].Const() && a.Args[2].Const():
		return s.If(a.Args[0], s.extend(op, sort, a.Args[1]), s.extend(op, sort, a.Args[2]))
	case op == OpZExtend && nonNegative(a):
		return s.extend(OpSExtend, sort, a) // the two agree, and this one is printed shorter
	}
	return s.make(op, sort, a)
}

// Truncate gives the low bits of a word.
func (s *Store) Truncate(sort Sort, a *Term) *Term {
	want(sort.valid() && sort.Kind == WordKind && a.Sort.Kind == WordKind && sort.Bits <= a.Sort.Bits,
		"truncation of %v to %v", a.Sort, sort)
	if sort == a.Sort {
		return a
	}
	if s.plain {
		return s.make(OpTruncate, sort, a)
	}
	switch a.Op {
	case OpConst:
		return s.word(sort, a.Val)
	case OpTruncate:
		return s.Truncate(sort, a.Args[0])
	case OpSExtend, OpZExtend:
		inner := a.Args[0]
		if sort.Bits <= inner.Sort.Bits {
			return s.Truncate(sort, inner)
		}
		return s.extend(a.Op, sort, inner)
	case OpIf:
		if a.Args[1].Const() && a.Args[2].Const() {
			return s.If(a.Args[0], s.Truncate(sort, a.Args[1]), s.Truncate(sort, a.Args[2]))
		}
	}
	return s.truncateParts(sort, a)
}

// truncateParts truncates the parts instead, where low bits depend on low bits alone: circuits get smaller, and sums
// meet sums.
func (s *Store) truncateParts(sort Sort, a *Term) *Term {
	switch a.Op {
	case OpSum:
		terms := make([]*Term, len(a.Args))
		for i, x := range a.Args {
			terms[i] = s.Truncate(sort, x)
		}
		return s.Sum(sort, a.Val, terms, a.Coef)
	case OpMul, OpBitAnd, OpBitOr, OpBitXor:
		t := s.Truncate(sort, a.Args[0])
		for _, x := range a.Args[1:] {
			x = s.Truncate(sort, x)
			switch a.Op {
			case OpMul:
				t = s.Mul(t, x)
			default:
				t = s.bitwise(a.Op, t, x)
			}
		}
		return t
	}
	return s.make(OpTruncate, sort, a)
}

// Resize gives a word another width: cut, or extended as a signed or an unsigned one.
func (s *Store) Resize(sort Sort, a *Term, unsigned bool) *Term {
	switch {
	case sort.Bits < a.Sort.Bits:
		return s.Truncate(sort, a)
	case unsigned:
		return s.ZExtend(sort, a)
	}
	return s.SExtend(sort, a)
}
