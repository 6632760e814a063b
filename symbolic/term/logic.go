package term

import "slices"

// Negation stands at what is neither true nor false by itself: comparisons, variables, functions. Not of a conjunction
// is a disjunction of negations. So a conjunct and its negation are found by one look.

// Not is !a.
func (s *Store) Not(a *Term) *Term {
	want(a.Sort == Bool, "not of %v", a.Sort)
	if s.plain {
		return s.make(OpNot, Bool, a)
	}
	if known := s.negations[a]; known != nil {
		return known
	}
	n := s.negate(a)
	s.negations[a], s.negations[n] = n, a
	return n
}

func (s *Store) negate(a *Term) *Term {
	switch a.Op {
	case OpConst:
		return s.Bool(a.Val == 0)
	case OpNot:
		return a.Args[0]
	case OpAnd:
		return s.Or(s.nots(a.Args)...)
	case OpOr:
		return s.And(s.nots(a.Args)...)
	case OpIf:
		return s.If(a.Args[0], s.Not(a.Args[1]), s.Not(a.Args[2]))
	}
	return s.make(OpNot, Bool, a)
}

func (s *Store) nots(args []*Term) []*Term {
	n := make([]*Term, len(args))
	for i, a := range args {
		n[i] = s.Not(a)
	}
	return n
}

// And is the conjunction; true if there are no arguments.
func (s *Store) And(args ...*Term) *Term {
	if s.plain && len(args) > 1 {
		return s.make(OpAnd, Bool, slices.Clone(args)...)
	}
	members, ok := s.conjunction(args)
	if !ok {
		return s.falsity
	}
	return s.junction(OpAnd, s.truth, members)
}

// Or is the disjunction; false if there are no arguments. It is found as a conjunction of what does not hold.
func (s *Store) Or(args ...*Term) *Term {
	if s.plain && len(args) > 1 {
		return s.make(OpOr, Bool, slices.Clone(args)...)
	}
	members, ok := s.conjunction(s.nots(args))
	if !ok {
		return s.truth
	}
	return s.junction(OpOr, s.falsity, s.nots(members))
}

func (s *Store) junction(op Op, none *Term, members []*Term) *Term {
	switch len(members) {
	case 0:
		return none
	case 1:
		return members[0]
	}
	slices.SortFunc(members, Compare)
	return s.make(op, Bool, members...)
}

// Implies is !a || b.
func (s *Store) Implies(a, b *Term) *Term { return s.Or(s.Not(a), b) }

// maxRounds bounds how often the members of a conjunction are compared with each other.
const maxRounds = 20

// conjunction gives the members of a conjunction, in no order: none twice, none an And, none true by the others. It
// reports false if they contradict each other.
func (s *Store) conjunction(args []*Term) ([]*Term, bool) {
	var members []*Term
	has := map[*Term]bool{}
	if !s.gather(args, &members, has) {
		return nil, false
	}
	for range maxRounds { // two or three are enough; a bound means that no conjunction hangs
		if len(members) < 2 {
			break
		}
		next, changed, ok := s.reduceOrs(members, has)
		if ok && !changed {
			next, changed, ok = s.narrow(members)
		}
		if !ok {
			return nil, false
		}
		if !changed {
			break
		}
		members = nil
		clear(has)
		if !s.gather(next, &members, has) {
			return nil, false
		}
	}
	return members, true
}

// gather adds the members of conjunctions to those that are known. It reports false at a contradiction.
func (s *Store) gather(args []*Term, members *[]*Term, has map[*Term]bool) bool {
	for _, a := range args {
		want(a.Sort == Bool, "conjunction with %v", a.Sort)
		switch {
		case a.False() || has[s.Not(a)]:
			return false
		case a.True() || has[a]:
		case a.Op == OpAnd:
			if !s.gather(a.Args, members, has) {
				return false
			}
		default:
			has[a] = true
			*members = append(*members, a)
		}
	}
	return true
}

// reduceOrs drops disjunctions of which another member is a part, and takes what another member excludes out of them.
func (s *Store) reduceOrs(members []*Term, has map[*Term]bool) (next []*Term, changed, ok bool) {
	for _, m := range members {
		if m.Op != OpOr {
			next = append(next, m)
			continue
		}
		if slices.ContainsFunc(m.Args, func(a *Term) bool { return has[a] }) {
			changed = true
			continue
		}
		left := slices.DeleteFunc(slices.Clone(m.Args), func(a *Term) bool { return has[s.Not(a)] })
		if len(left) == len(m.Args) {
			next = append(next, m)
			continue
		}
		changed = true
		if r := s.Or(left...); r.False() {
			return nil, true, false
		} else {
			next = append(next, r)
		}
	}
	return next, changed, true
}

// If is a where c holds and b elsewhere, of any sort.
func (s *Store) If(c, a, b *Term) *Term {
	want(c.Sort == Bool && a.Sort == b.Sort, "if %v then %v else %v", c.Sort, a.Sort, b.Sort)
	if s.plain {
		return s.make(OpIf, a.Sort, c, a, b)
	}
	switch {
	case c.True() || a == b:
		return a
	case c.False():
		return b
	case c.Op == OpNot || c.Op == OpOr: // conditions are told without negation where that can be
		return s.If(s.Not(c), b, a)
	}
	if a.Op == OpIf && a.Args[0] == c {
		return s.If(c, a.Args[1], b)
	}
	if b.Op == OpIf && b.Args[0] == c {
		return s.If(c, a, b.Args[2])
	}
	if a.Sort == Bool {
		return s.ifBool(c, a, b)
	}
	return s.make(OpIf, a.Sort, c, a, b)
}

// ifBool is If of booleans: with a constant in it is a conjunction or disjunction.
func (s *Store) ifBool(c, a, b *Term) *Term {
	switch {
	case a.True() || a == c:
		return s.Or(c, b)
	case a.False() || a == s.Not(c):
		return s.And(s.Not(c), b)
	case b.False() || b == c:
		return s.And(c, a)
	case b.True() || b == s.Not(c):
		return s.Or(s.Not(c), a)
	case a == s.Not(b):
		return s.Equal(c, a)
	}
	return s.make(OpIf, Bool, c, a, b)
}
