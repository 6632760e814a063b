package term

import "slices"

// span is what the members of a conjunction say about one word by comparing it with constants.
type span struct {
	x        *Term
	literals []*Term
	slo, shi int64  // as signed
	ulo, uhi uint64 // as unsigned
	not      []uint64
}

// narrow joins the members that compare one word with constants: 0 < x && x < 10 && x != 9 && x != 20 is 0 < x && x <
// 9. It reports false for ok where no value is left.
func (s *Store) narrow(members []*Term) (next []*Term, changed, ok bool) {
	var spans []*span
	of := map[*Term]*span{}
	for _, m := range members {
		x, c, op, positive := literal(m)
		if x == nil {
			next = append(next, m)
			continue
		}
		sp := of[x]
		if sp == nil {
			sp = newSpan(x)
			of[x] = sp
			spans = append(spans, sp)
		}
		sp.literals = append(sp.literals, m)
		sp.add(op, c, positive)
	}
	if len(next)+len(spans) == len(members) {
		return members, false, true
	}
	for _, sp := range spans {
		if !sp.tighten() {
			return nil, true, false
		}
		if len(sp.literals) == 1 {
			next = append(next, sp.literals[0])
			continue
		}
		for _, c := range sp.conditions(s) { // one may say what another says: where signed and unsigned orders meet
			if !slices.Contains(next, c) {
				next = append(next, c)
			}
		}
	}
	return next, !sameMembers(next, members), true
}

func sameMembers(a, b []*Term) bool {
	if len(a) != len(b) {
		return false
	}
	for _, x := range a {
		if !slices.Contains(b, x) {
			return false
		}
	}
	return true
}

// literal takes a comparison of a word with a constant apart.
func literal(m *Term) (x *Term, c uint64, op Op, positive bool) {
	positive = m.Op != OpNot
	if !positive {
		m = m.Args[0]
	}
	if m.Op != OpEq && m.Op != OpSLess && m.Op != OpULess || m.Args[0].Sort.Kind != WordKind || !m.Args[1].Const() {
		return nil, 0, 0, false
	}
	return m.Args[0], m.Args[1].Val, m.Op, positive
}

func newSpan(x *Term) *span {
	sp := &span{x: x, uhi: x.Sort.Mask()}
	sp.slo, sp.shi = signedRange(x, rangeDepth)
	return sp
}

// add narrows the span by one literal.
func (sp *span) add(op Op, c uint64, positive bool) {
	signed := sp.x.Sort.signed(c)
	switch {
	case op == OpEq && positive:
		sp.slo, sp.shi = max(sp.slo, signed), min(sp.shi, signed)
		sp.ulo, sp.uhi = max(sp.ulo, c), min(sp.uhi, c)
	case op == OpEq:
		sp.not = append(sp.not, c)
	case op == OpSLess && positive: // signed is not the least one, or the literal would be false
		sp.shi = min(sp.shi, signed-1)
	case op == OpSLess:
		sp.slo = max(sp.slo, signed)
	case positive:
		sp.uhi = min(sp.uhi, c-1)
	default:
		sp.ulo = max(sp.ulo, c)
	}
}

// tighten moves the ends over values that are excluded. It reports false if no value is left.
func (sp *span) tighten() bool {
	sort := sp.x.Sort
	for again := true; again; {
		if sp.slo > sp.shi || sp.ulo > sp.uhi {
			return false
		}
		again = false
		for _, v := range sp.not {
			switch signed := sort.signed(v); {
			case signed == sp.slo && signed == sp.shi || v == sp.ulo && v == sp.uhi:
				return false
			case signed == sp.slo:
				sp.slo++
				again = true
			case signed == sp.shi:
				sp.shi--
				again = true
			case v == sp.ulo:
				sp.ulo++
				again = true
			case v == sp.uhi:
				sp.uhi--
				again = true
			}
		}
	}
	sp.not = slices.DeleteFunc(sp.not, func(v uint64) bool { return !sp.has(v) })
	slices.Sort(sp.not)
	sp.not = slices.Compact(sp.not)
	switch {
	case sp.slo == sp.shi:
		return sp.has(uint64(sp.slo) & sort.Mask())
	case sp.ulo == sp.uhi:
		return sp.has(sp.ulo)
	}
	return true
}

// has reports whether a value is between the ends.
func (sp *span) has(v uint64) bool {
	signed := sp.x.Sort.signed(v)
	return sp.slo <= signed && signed <= sp.shi && sp.ulo <= v && v <= sp.uhi
}

// conditions tells the span as comparisons again.
func (sp *span) conditions(s *Store) []*Term {
	sort := sp.x.Sort
	switch {
	case sp.slo == sp.shi:
		return []*Term{s.Equal(sp.x, s.Int(sort, sp.slo))}
	case sp.ulo == sp.uhi:
		return []*Term{s.Equal(sp.x, s.Uint(sort, sp.ulo))}
	}
	lo, hi := signedRange(sp.x, rangeDepth)
	var conds []*Term
	if sp.slo > lo {
		conds = append(conds, s.Not(s.SLess(sp.x, s.Int(sort, sp.slo))))
	}
	if sp.shi < hi {
		conds = append(conds, s.SLess(sp.x, s.Int(sort, sp.shi+1)))
	}
	if sp.ulo > 0 {
		conds = append(conds, s.Not(s.ULess(sp.x, s.Uint(sort, sp.ulo))))
	}
	if sp.uhi < sort.Mask() {
		conds = append(conds, s.ULess(sp.x, s.Uint(sort, sp.uhi+1)))
	}
	for _, v := range sp.not {
		conds = append(conds, s.Not(s.Equal(sp.x, s.Uint(sort, v))))
	}
	return conds
}
