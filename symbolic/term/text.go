package term

import "strings"

// Concat joins strings.
func (s *Store) Concat(parts ...*Term) *Term {
	for _, p := range parts {
		want(p.Sort == String, "concatenation with %v", p.Sort)
	}
	if s.plain && len(parts) > 1 {
		return s.make(OpConcat, String, append([]*Term(nil), parts...)...)
	}
	var joined []*Term
	for _, p := range parts {
		pieces := []*Term{p}
		if p.Op == OpConcat {
			pieces = p.Args
		}
		for _, piece := range pieces {
			n := len(joined)
			switch {
			case piece.Const() && piece.Name == "":
			case piece.Const() && n > 0 && joined[n-1].Const():
				joined[n-1] = s.Text(joined[n-1].Name + piece.Name)
			default:
				joined = append(joined, piece)
			}
		}
	}
	switch len(joined) {
	case 0:
		return s.Text("")
	case 1:
		return joined[0]
	}
	return s.make(OpConcat, String, joined...)
}

// Len is the number of bytes of a string, a word of 64 bits.
func (s *Store) Len(a *Term) *Term {
	want(a.Sort == String, "length of %v", a.Sort)
	switch {
	case s.plain:
	case a.Const():
		return s.Int(Word64, int64(len(a.Name)))
	case a.Op == OpConcat:
		l := linear{sort: Word64}
		for _, p := range a.Args {
			l.add(s.Len(p), 1)
		}
		return l.term(s)
	case a.Op == OpIf:
		return s.If(a.Args[0], s.Len(a.Args[1]), s.Len(a.Args[2]))
	}
	return s.make(OpLen, Word64, a)
}

// TextLess is Go's a < b of strings.
func (s *Store) TextLess(a, b *Term) *Term {
	want(a.Sort == String && b.Sort == String, "order of strings with %v and %v", a.Sort, b.Sort)
	if s.plain {
		return s.make(OpTextLess, Bool, a, b)
	}
	if t := s.distribute(s.TextLess, a, b); t != nil {
		return t
	}
	switch {
	case a == b || b.Const() && b.Name == "":
		return s.falsity
	case a.Const() && b.Const():
		return s.Bool(a.Name < b.Name)
	case a.Const() && a.Name == "":
		return s.Not(s.Equal(b, a))
	}
	return s.make(OpTextLess, Bool, a, b)
}

// equalTexts drops what both begin or end with. What is left differs at once, or is told as lengths where one is empty.
func (s *Store) equalTexts(a, b *Term) *Term {
	if a.Op != OpConcat && b.Op != OpConcat {
		return s.equation(a, b)
	}
	x, y, ok := s.stripFront(parts(a), parts(b))
	if ok {
		x, y, ok = s.stripBack(x, y)
	}
	if !ok {
		return s.falsity
	}
	if len(x) == 0 || len(y) == 0 {
		return s.allEmpty(append(x, y...))
	}
	l, r := s.Concat(x...), s.Concat(y...)
	if !s.lengthsFit(l, r) {
		return s.falsity
	}
	if l != a && l != b {
		return s.Equal(l, r)
	}
	return s.equation(l, r)
}

func parts(t *Term) []*Term {
	switch {
	case t.Op == OpConcat:
		return t.Args
	case t.Const() && t.Name == "":
		return nil
	}
	return []*Term{t}
}

// stripFront drops equal beginnings; it reports false if they differ.
func (s *Store) stripFront(x, y []*Term) ([]*Term, []*Term, bool) {
	for len(x) > 0 && len(y) > 0 {
		switch a, b := x[0], y[0]; {
		case a == b:
			x, y = x[1:], y[1:]
		case a.Const() && b.Const():
			n := min(len(a.Name), len(b.Name))
			if a.Name[:n] != b.Name[:n] {
				return nil, nil, false
			}
			x, y = s.rest(x, a.Name[n:], true), s.rest(y, b.Name[n:], true)
		default:
			return x, y, true
		}
	}
	return x, y, true
}

// stripBack drops equal ends; it reports false if they differ.
func (s *Store) stripBack(x, y []*Term) ([]*Term, []*Term, bool) {
	for len(x) > 0 && len(y) > 0 {
		switch a, b := x[len(x)-1], y[len(y)-1]; {
		case a == b:
			x, y = x[:len(x)-1], y[:len(y)-1]
		case a.Const() && b.Const():
			n := min(len(a.Name), len(b.Name))
			if !strings.HasSuffix(a.Name, b.Name[len(b.Name)-n:]) {
				return nil, nil, false
			}
			x, y = s.rest(x, a.Name[:len(a.Name)-n], false), s.rest(y, b.Name[:len(b.Name)-n], false)
		default:
			return x, y, true
		}
	}
	return x, y, true
}

// rest replaces the first or last part, a constant, by what is left of it.
func (s *Store) rest(list []*Term, left string, front bool) []*Term {
	var rest []*Term
	if front {
		if left != "" {
			rest = append(rest, s.Text(left))
		}
		return append(rest, list[1:]...)
	}
	rest = append(rest, list[:len(list)-1]...)
	if left != "" {
		rest = append(rest, s.Text(left))
	}
	return rest
}

// allEmpty says that strings are empty.
func (s *Store) allEmpty(list []*Term) *Term {
	conds := make([]*Term, len(list))
	for i, t := range list {
		conds[i] = s.Equal(t, s.Text(""))
	}
	return s.And(conds...)
}

// lengthsFit reports whether strings may have the same length.
func (s *Store) lengthsFit(a, b *Term) bool {
	alo, ahi := textRange(a)
	blo, bhi := textRange(b)
	return ahi >= blo && bhi >= alo
}

// textRange gives the least and the greatest length that a string may have.
func textRange(t *Term) (lo, hi int64) {
	switch t.Op {
	case OpConst:
		return int64(len(t.Name)), int64(len(t.Name))
	case OpConcat:
		for _, p := range t.Args {
			plo, phi := textRange(p)
			lo, hi = lo+plo, hi+phi
		}
		return lo, hi
	}
	return 0, maxLen
}
