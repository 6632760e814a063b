package term

import (
	"cmp"
	"slices"
	"strings"
)

// Subst replaces variables by name, in as many terms as it is given: what it has seen it remembers.
type Subst struct {
	store *Store
	by    func(v *Term) *Term
	done  map[*Term]*Term
}

// Subst gives the substitution of variables by terms of s. For a variable that stays, by gives nil. It also moves terms
// of another store to s.
func (s *Store) Subst(by func(v *Term) *Term) *Subst {
	return &Subst{s, by, map[*Term]*Term{}}
}

// SubstNames gives the substitution by a table from names to terms. A variable has the sort of the term that replaces
// it.
func (s *Store) SubstNames(by map[string]*Term) *Subst {
	return s.Subst(func(v *Term) *Term {
		t := by[v.Name]
		want(t == nil || t.Sort == v.Sort, "%s of %v replaced by a term of %v", v.Name, v.Sort, sortOf(t))
		return t
	})
}

func sortOf(t *Term) Sort {
	if t == nil {
		return Sort{}
	}
	return t.Sort
}

// Apply gives the term with its variables replaced, all at once.
func (u *Subst) Apply(t *Term) *Term {
	if known := u.done[t]; known != nil {
		return known
	}
	r := u.replace(t)
	u.done[t] = r
	return r
}

// All gives the terms with their variables replaced.
func (u *Subst) All(list []*Term) []*Term {
	r := make([]*Term, len(list))
	for i, t := range list {
		r[i] = u.Apply(t)
	}
	return r
}

func (u *Subst) replace(t *Term) *Term {
	switch t.Op {
	case OpVar:
		if r := u.by(t); r != nil {
			return r
		}
		return u.store.Var(t.Name, t.Sort)
	case OpConst:
		return u.store.Const(t.Value())
	}
	return u.store.Build(t, u.All(t.Args))
}

// Build makes the operation of t on other arguments.
func (s *Store) Build(t *Term, a []*Term) *Term {
	switch t.Op {
	case OpApply:
		return s.Apply(t.Name, t.Sort, a...)
	case OpNot:
		return s.Not(a[0])
	case OpAnd:
		return s.And(a...)
	case OpOr:
		return s.Or(a...)
	case OpEq:
		return s.Equal(a[0], a[1])
	case OpIf:
		return s.If(a[0], a[1], a[2])
	case OpSum:
		return s.Sum(t.Sort, t.Val, a, t.Coef)
	case OpMul, OpBitAnd, OpBitOr, OpBitXor:
		r := a[0]
		for _, x := range a[1:] {
			r = s.fold(t.Op, r, x)
		}
		return r
	case OpConcat:
		return s.Concat(a...)
	case OpLen:
		return s.Len(a[0])
	case OpFNeg:
		return s.FNeg(a[0])
	case OpSExtend, OpZExtend:
		return s.extend(t.Op, t.Sort, a[0])
	case OpTruncate:
		return s.Truncate(t.Sort, a[0])
	case OpSToF, OpUToF:
		return s.toFloat(t.Op, t.Sort, a[0])
	case OpFToS, OpFToU:
		return s.fromFloat(t.Op, t.Sort, a[0])
	case OpFToF:
		return s.FToF(t.Sort, a[0])
	}
	return s.buildTwo(t.Op, a[0], a[1])
}

func (s *Store) fold(op Op, a, b *Term) *Term {
	if op == OpMul {
		return s.Mul(a, b)
	}
	return s.bitwise(op, a, b)
}

func (s *Store) buildTwo(op Op, a, b *Term) *Term {
	switch op {
	case OpSLess:
		return s.SLess(a, b)
	case OpULess:
		return s.ULess(a, b)
	case OpSDiv, OpUDiv, OpSRem, OpURem:
		return s.divide(op, a, b)
	case OpShl, OpSShr, OpUShr:
		return s.shift(op, a, b)
	case OpFAdd, OpFSub, OpFMul, OpFDiv:
		return s.floating(op, a, b)
	case OpFEqual, OpFLess, OpFAtMost:
		return s.compareFloats(op, a, b)
	case OpTextLess:
		return s.TextLess(a, b)
	}
	panic("term: no operation " + op.String())
}

// Vars lists the variables of terms, each once, by name and sort.
func Vars(list ...*Term) []*Term {
	var vars []*Term
	Walk(func(t *Term) {
		if t.Op == OpVar {
			vars = append(vars, t)
		}
	}, list...)
	slices.SortFunc(vars, func(a, b *Term) int { return cmp.Or(strings.Compare(a.Name, b.Name), Compare(a, b)) })
	return vars
}

// Size counts the different terms that terms are made of, themselves included.
func Size(list ...*Term) int {
	n := 0
	Walk(func(*Term) { n++ }, list...)
	return n
}

// Walk calls visit for every term that terms are made of, once each, arguments before what is made of them.
func Walk(visit func(*Term), list ...*Term) {
	seen := map[*Term]bool{}
	var walk func(t *Term)
	walk = func(t *Term) {
		if seen[t] {
			return
		}
		seen[t] = true
		for _, a := range t.Args {
			walk(a)
		}
		visit(t)
	}
	for _, t := range list {
		walk(t)
	}
}
