package term

import "slices"

// All that is linear is one sum: a constant and terms with coefficients, modulo 2^width. So x + y - x is y, and
// whatever adds up to the same is the same.

// linear is a sum in the making.
type linear struct {
	sort  Sort
	val   uint64
	terms []*Term
	coefs []uint64
}

// add adds k times t.
func (l *linear) add(t *Term, k uint64) {
	want(t.Sort == l.sort, "sum of %v and %v", l.sort, t.Sort)
	switch t.Op {
	case OpConst:
		l.val += k * t.Val
	case OpSum:
		l.val += k * t.Val
		for i, a := range t.Args {
			l.addOne(a, k*t.Coef[i])
		}
	default:
		l.addOne(t, k)
	}
}

// addOne adds k times a term that is no sum, in the order of terms.
func (l *linear) addOne(t *Term, k uint64) {
	k &= l.sort.Mask()
	if k == 0 {
		return
	}
	i, found := slices.BinarySearchFunc(l.terms, t, Compare)
	if !found {
		l.terms = slices.Insert(l.terms, i, t)
		l.coefs = slices.Insert(l.coefs, i, k)
		return
	}
	if l.coefs[i] = (l.coefs[i] + k) & l.sort.Mask(); l.coefs[i] == 0 {
		l.terms = slices.Delete(l.terms, i, i+1)
		l.coefs = slices.Delete(l.coefs, i, i+1)
	}
}

// term gives the sum.
func (l *linear) term(s *Store) *Term {
	l.val &= l.sort.Mask()
	switch {
	case len(l.terms) == 0:
		return s.word(l.sort, l.val)
	case len(l.terms) == 1 && l.val == 0 && l.coefs[0] == 1:
		return l.terms[0]
	}
	return s.intern(Term{Op: OpSum, Sort: l.sort, Args: l.terms, Coef: l.coefs, Val: l.val})
}

// Sum is val + coefs[0]*terms[0] + ... in words of that sort.
func (s *Store) Sum(sort Sort, val uint64, terms []*Term, coefs []uint64) *Term {
	want(sort.Kind == WordKind && len(terms) == len(coefs), "sum of %v with %d terms and %d coefficients", sort,
		len(terms), len(coefs))
	if s.plain {
		return s.intern(Term{Op: OpSum, Sort: sort, Val: val & sort.Mask(), Args: slices.Clone(terms),
			Coef: masked(coefs, sort)})
	}
	l := linear{sort: sort, val: val}
	for i, t := range terms {
		l.add(t, coefs[i])
	}
	return l.term(s)
}

func masked(coefs []uint64, sort Sort) []uint64 {
	m := slices.Clone(coefs)
	for i := range m {
		m[i] &= sort.Mask()
	}
	return m
}

// Add is a + b.
func (s *Store) Add(a, b *Term) *Term { return s.Sum(a.Sort, 0, []*Term{a, b}, []uint64{1, 1}) }

// Sub is a - b.
func (s *Store) Sub(a, b *Term) *Term {
	return s.Sum(a.Sort, 0, []*Term{a, b}, []uint64{1, ^uint64(0)})
}

// Neg is -a.
func (s *Store) Neg(a *Term) *Term { return s.Scale(^uint64(0), a) }

// Complement is ^a, which is -a - 1.
func (s *Store) Complement(a *Term) *Term {
	return s.Sum(a.Sort, ^uint64(0), []*Term{a}, []uint64{^uint64(0)})
}

// Scale is k * a.
func (s *Store) Scale(k uint64, a *Term) *Term { return s.Sum(a.Sort, 0, []*Term{a}, []uint64{k}) }

// Mul is a * b. Constant factors are coefficients; the others are in order.
func (s *Store) Mul(a, b *Term) *Term {
	want(a.Sort == b.Sort && a.Sort.Kind == WordKind, "product of %v and %v", a.Sort, b.Sort)
	if s.plain {
		return s.make(OpMul, a.Sort, a, b)
	}
	k := uint64(1)
	var factors []*Term
	for _, f := range []*Term{a, b} {
		c, rest := s.content(f)
		k *= c
		switch {
		case rest == nil:
		case rest.Op == OpMul:
			factors = append(factors, rest.Args...)
		default:
			factors = append(factors, rest)
		}
	}
	k &= a.Sort.Mask()
	switch {
	case k == 0:
		return s.word(a.Sort, 0)
	case len(factors) == 0:
		return s.word(a.Sort, k)
	case len(factors) == 1:
		return s.Scale(k, factors[0])
	}
	slices.SortFunc(factors, Compare)
	return s.Scale(k, s.make(OpMul, a.Sort, factors...))
}

// content takes the constant factor from a term; rest is nil if there is nothing else.
func (s *Store) content(t *Term) (k uint64, rest *Term) {
	switch {
	case t.Const():
		return t.Val, nil
	case t.Op == OpSum && t.Val == 0 && len(t.Args) == 1:
		return t.Coef[0], t.Args[0]
	}
	return 1, t
}
