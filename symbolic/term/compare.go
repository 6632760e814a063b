package term

import "slices"

// Orders have one form each: <, with a constant always on the right. x <= y is !(y < x), 3 < x is !(x < 4). Equality of
// words is that of their difference with 0, taken apart again so that no coefficient is negative: x - y == 2 and y + 2
// == x are one term.

// Equal holds where a and b are the same value. Floats: NaN is the same as NaN, 0 is not -0; FEqual is Go's ==.
func (s *Store) Equal(a, b *Term) *Term {
	want(a.Sort == b.Sort, "equality of %v and %v", a.Sort, b.Sort)
	if s.plain {
		return s.make(OpEq, Bool, a, b)
	}
	if a == b {
		return s.truth
	}
	if a.Const() && b.Const() {
		return s.falsity
	}
	if t := s.distribute(s.Equal, a, b); t != nil {
		return t
	}
	switch a.Sort.Kind {
	case BoolKind:
		return s.equalBools(a, b)
	case WordKind:
		return s.equalWords(a, b)
	case StringKind:
		return s.equalTexts(a, b)
	}
	return s.equation(a, b)
}

// equation interns an equality with its sides in order.
func (s *Store) equation(a, b *Term) *Term {
	if Compare(a, b) > 0 {
		a, b = b, a
	}
	return s.make(OpEq, Bool, a, b)
}

// distribute compares the branches of an If with a constant, where at least one branch is a constant itself. It gives
// nil otherwise.
func (s *Store) distribute(compare func(a, b *Term) *Term, a, b *Term) *Term {
	both := func(t *Term) bool { return t.Op == OpIf && (t.Args[1].Const() || t.Args[2].Const()) }
	switch {
	case both(a) && b.Const():
		return s.If(a.Args[0], compare(a.Args[1], b), compare(a.Args[2], b))
	case both(b) && a.Const():
		return s.If(b.Args[0], compare(a, b.Args[1]), compare(a, b.Args[2]))
	}
	return nil
}

func (s *Store) equalBools(a, b *Term) *Term {
	if a.Const() {
		a, b = b, a
	}
	switch {
	case b.True():
		return a
	case b.False():
		return s.Not(a)
	case a.Op == OpNot:
		return s.Not(s.Equal(a.Args[0], b))
	case b.Op == OpNot:
		return s.Not(s.Equal(a, b.Args[0]))
	case a == s.Not(b):
		return s.falsity
	}
	return s.equation(a, b)
}

func (s *Store) equalWords(a, b *Term) *Term {
	alo, ahi := signedRange(a, rangeDepth)
	blo, bhi := signedRange(b, rangeDepth)
	if ahi < blo || bhi < alo {
		return s.falsity
	}
	if t := s.equalExtended(a, b); t != nil {
		return t
	}
	d := linear{sort: a.Sort}
	d.add(a, 1)
	d.add(b, ^uint64(0))
	d.val &= d.sort.Mask()
	if len(d.terms) == 0 {
		return s.Bool(d.val == 0)
	}
	if twos := d.twos(); d.val&(twos-1) != 0 {
		return s.falsity // both sides differ in a low bit
	}
	if len(d.terms) == 1 && d.coefs[0]&1 == 1 {
		return s.solved(d.terms[0], s.word(d.sort, -d.val*inverse(d.coefs[0])))
	}
	l, r := d.sides(s)
	if l == a && r == b || l == b && r == a {
		return s.make(OpEq, Bool, l, r)
	}
	return s.equalSides(l, r)
}

// equalSides makes an equation of sides that are in their form, whose order is not that of other arguments. Structure
// that shows only now is used.
func (s *Store) equalSides(l, r *Term) *Term {
	if t := s.equalExtended(l, r); t != nil {
		return t
	}
	if t := s.distribute(s.Equal, l, r); t != nil {
		return t
	}
	return s.make(OpEq, Bool, l, r)
}

// solved is x == c for a term that is no sum.
func (s *Store) solved(x, c *Term) *Term {
	if lo, hi := signedRange(x, rangeDepth); x.Sort.signed(c.Val) < lo || x.Sort.signed(c.Val) > hi {
		return s.falsity
	}
	if x.Op == OpLen && c.is(0) {
		return s.Equal(x.Args[0], s.Text(""))
	}
	return s.equalSides(x, c)
}

// equalExtended drops extensions from both sides; nil if it cannot.
func (s *Store) equalExtended(a, b *Term) *Term {
	if a.Const() {
		a, b = b, a
	}
	if a.Op != OpSExtend && a.Op != OpZExtend {
		return nil
	}
	inner := a.Args[0]
	switch {
	case b.Op == a.Op && b.Args[0].Sort == inner.Sort:
		return s.Equal(inner, b.Args[0])
	case b.Const():
		c := s.Truncate(inner.Sort, b)
		if s.extend(a.Op, a.Sort, c) != b {
			return s.falsity
		}
		return s.Equal(inner, c)
	}
	return nil
}

// twos is the greatest power of two that divides all coefficients.
func (l *linear) twos() uint64 {
	all := uint64(0)
	for _, c := range l.coefs {
		all |= c
	}
	return all & -all
}

// inverse of an odd number modulo 2^64: each round doubles the number of right bits.
func inverse(k uint64) uint64 {
	x := k
	for range 6 {
		x *= 2 - k*x
	}
	return x
}

// sides writes l == 0 as an equation without negative coefficients, the constant on the right.
func (l *linear) sides(s *Store) (left, right *Term) {
	if l.leadsNegative() {
		l.val = -l.val
		for i := range l.coefs {
			l.coefs[i] = -l.coefs[i] & l.sort.Mask()
		}
	}
	pos, neg := linear{sort: l.sort}, linear{sort: l.sort, val: -l.val}
	for i, t := range l.terms {
		if c := l.coefs[i]; c > l.sort.signBit() {
			neg.addOne(t, -c)
		} else {
			pos.addOne(t, c)
		}
	}
	return pos.term(s), neg.term(s)
}

// leadsNegative reports whether the first coefficient is negative, but for the one that is its own negation.
func (l *linear) leadsNegative() bool {
	i := slices.IndexFunc(l.coefs, func(c uint64) bool { return c != l.sort.signBit() })
	return i >= 0 && l.coefs[i] > l.sort.signBit()
}

// SLess is a < b of signed words.
func (s *Store) SLess(a, b *Term) *Term {
	want(a.Sort == b.Sort && a.Sort.Kind == WordKind, "order of %v and %v", a.Sort, b.Sort)
	if s.plain {
		return s.make(OpSLess, Bool, a, b)
	}
	alo, ahi := signedRange(a, rangeDepth)
	blo, bhi := signedRange(b, rangeDepth)
	switch {
	case a == b || alo >= bhi:
		return s.falsity
	case ahi < blo:
		return s.truth
	}
	if t := s.distribute(s.SLess, a, b); t != nil {
		return t
	}
	if t := s.lessExtended(OpSExtend, s.SLess, a, b); t != nil {
		return t
	}
	if t := s.lessExtended(OpZExtend, s.ULess, a, b); t != nil {
		return t
	}
	if t := s.byDifference(a, b, alo, ahi, blo, bhi); t != nil {
		return t
	}
	switch {
	case a.Const(): // not the greatest one, or ranges had decided
		return s.Not(s.SLess(b, s.word(a.Sort, a.Val+1)))
	case b.Const() && alo == blo-1:
		return s.Equal(a, s.Int(a.Sort, alo))
	case b.Const() && ahi == blo:
		return s.Not(s.Equal(a, b))
	}
	return s.make(OpSLess, Bool, a, b)
}

// byDifference compares sums that cannot wrap around: what is on both sides goes, and constants move to the right.
func (s *Store) byDifference(a, b *Term, alo, ahi, blo, bhi int64) *Term {
	lo, ok1 := sum(alo, -bhi)
	hi, ok2 := sum(ahi, -blo)
	if !ok1 || !ok2 || bhi == least(Word64) || blo == least(Word64) || lo < least(a.Sort) || hi > greatest(a.Sort) {
		return nil
	}
	d := s.Sub(a, b)
	if d.Const() {
		return s.Bool(a.Sort.signed(d.Val) < 0)
	}
	if b.Const() && a.Op == OpSum && a.Val != 0 {
		rest := s.Sub(a, s.word(a.Sort, a.Val))
		rlo, rhi := signedRange(rest, rangeDepth)
		c, fits := sum(a.Sort.signed(b.Val), -a.Sort.signed(a.Val))
		_, ok3 := sum(rlo, a.Sort.signed(a.Val))
		_, ok4 := sum(rhi, a.Sort.signed(a.Val))
		if fits && ok3 && ok4 && rlo+a.Sort.signed(a.Val) == alo && rhi+a.Sort.signed(a.Val) == ahi && c >= least(a.Sort) &&
			c <= greatest(a.Sort) {
			return s.SLess(rest, s.Int(a.Sort, c))
		}
	}
	return nil
}

// lessExtended drops extensions of one kind from both sides; nil if it cannot. Constants out of the narrow range were
// decided by ranges.
func (s *Store) lessExtended(op Op, less func(a, b *Term) *Term, a, b *Term) *Term {
	switch {
	case a.Op == op && b.Op == op && a.Args[0].Sort == b.Args[0].Sort:
		return less(a.Args[0], b.Args[0])
	case a.Op == op && b.Const():
		if c := s.Truncate(a.Args[0].Sort, b); s.extend(op, a.Sort, c) == b {
			return less(a.Args[0], c)
		}
	case b.Op == op && a.Const():
		if c := s.Truncate(b.Args[0].Sort, a); s.extend(op, a.Sort, c) == a {
			return less(c, b.Args[0])
		}
	}
	return nil
}

// SAtMost is a <= b of signed words.
func (s *Store) SAtMost(a, b *Term) *Term { return s.Not(s.SLess(b, a)) }

// UAtMost is a <= b of unsigned words.
func (s *Store) UAtMost(a, b *Term) *Term { return s.Not(s.ULess(b, a)) }

// ULess is a < b of unsigned words.
func (s *Store) ULess(a, b *Term) *Term {
	want(a.Sort == b.Sort && a.Sort.Kind == WordKind, "order of %v and %v", a.Sort, b.Sort)
	if s.plain {
		return s.make(OpULess, Bool, a, b)
	}
	mask := a.Sort.Mask()
	switch {
	case a == b || b.is(0) || a.is(mask):
		return s.falsity
	case a.Const() && b.Const():
		return s.Bool(a.Val < b.Val)
	case nonNegative(a) && nonNegative(b):
		return s.SLess(a, b)
	case b.is(1):
		return s.Equal(a, s.word(a.Sort, 0))
	case b.is(mask):
		return s.Not(s.Equal(a, b))
	case b.Const() && a.Op == OpZExtend && b.Val > a.Args[0].Sort.Mask():
		return s.truth
	}
	if t := s.distribute(s.ULess, a, b); t != nil {
		return t
	}
	if t := s.lessExtended(OpZExtend, s.ULess, a, b); t != nil {
		return t
	}
	if a.Const() {
		return s.Not(s.ULess(b, s.word(a.Sort, a.Val+1)))
	}
	return s.make(OpULess, Bool, a, b)
}
