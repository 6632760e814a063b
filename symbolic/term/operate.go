package term

import "go/token"

// Binary is Go's x op y. The type is that of x; y has the same one, but for shifts, whose count has a width of its own.
// Comparisons give a boolean. It reports false where Go has no such operation on that type.
func (s *Store) Binary(op token.Token, typ Type, x, y *Term) (*Term, bool) {
	switch op {
	case token.NEQ:
		t, ok := s.Binary(token.EQL, typ, x, y)
		if !ok {
			return nil, false
		}
		return s.Not(t), true
	case token.GTR:
		return s.Binary(token.LSS, typ, y, x)
	case token.GEQ:
		return s.Binary(token.LEQ, typ, y, x)
	}
	var f func(x, y *Term) *Term
	switch typ.Kind {
	case BoolKind:
		f = map[token.Token]func(x, y *Term) *Term{token.EQL: s.Equal,
			token.LAND: func(x, y *Term) *Term { return s.And(x, y) },
			token.LOR:  func(x, y *Term) *Term { return s.Or(x, y) }}[op]
	case WordKind:
		f = s.wordOperator(op, typ.Unsigned)
	case FloatKind:
		f = s.floatOperator(op)
	case StringKind:
		f = s.textOperator(op)
	}
	if f == nil {
		return nil, false
	}
	return f(x, y), true
}

func (s *Store) wordOperator(op token.Token, unsigned bool) func(x, y *Term) *Term {
	pick := func(ifSigned, ifUnsigned func(x, y *Term) *Term) func(x, y *Term) *Term {
		if unsigned {
			return ifUnsigned
		}
		return ifSigned
	}
	switch op {
	case token.ADD:
		return s.Add
	case token.SUB:
		return s.Sub
	case token.MUL:
		return s.Mul
	case token.QUO:
		return pick(s.SDiv, s.UDiv)
	case token.REM:
		return pick(s.SRem, s.URem)
	case token.AND:
		return s.BitAnd
	case token.OR:
		return s.BitOr
	case token.XOR:
		return s.BitXor
	case token.AND_NOT:
		return s.AndNot
	case token.SHL:
		return s.Shl
	case token.SHR:
		return pick(s.SShr, s.UShr)
	case token.EQL:
		return s.Equal
	case token.LSS:
		return pick(s.SLess, s.ULess)
	case token.LEQ:
		return pick(s.SAtMost, s.UAtMost)
	}
	return nil
}

func (s *Store) floatOperator(op token.Token) func(x, y *Term) *Term {
	switch op {
	case token.ADD:
		return s.FAdd
	case token.SUB:
		return s.FSub
	case token.MUL:
		return s.FMul
	case token.QUO:
		return s.FDiv
	case token.EQL:
		return s.FEqual
	case token.LSS:
		return s.FLess
	case token.LEQ:
		return s.FAtMost
	}
	return nil
}

func (s *Store) textOperator(op token.Token) func(x, y *Term) *Term {
	switch op {
	case token.ADD:
		return func(x, y *Term) *Term { return s.Concat(x, y) }
	case token.EQL:
		return s.Equal
	case token.LSS:
		return s.TextLess
	case token.LEQ:
		return func(x, y *Term) *Term { return s.Not(s.TextLess(y, x)) }
	}
	return nil
}

// Unary is Go's op x. It reports false where Go has no such operation on that type.
func (s *Store) Unary(op token.Token, typ Type, x *Term) (*Term, bool) {
	switch {
	case op == token.ADD && (typ.Kind == WordKind || typ.Kind == FloatKind):
		return x, true
	case op == token.NOT && typ.Kind == BoolKind:
		return s.Not(x), true
	case op == token.SUB && typ.Kind == WordKind:
		return s.Neg(x), true
	case op == token.SUB && typ.Kind == FloatKind:
		return s.FNeg(x), true
	case op == token.XOR && typ.Kind == WordKind:
		return s.Complement(x), true
	}
	return nil, false
}

// Convert is Go's conversion of x from one type to another. It reports false where the result is none of a term's:
// string(i), or no conversion of Go at all.
func (s *Store) Convert(x *Term, from, to Type) (*Term, bool) {
	switch {
	case from.Sort == to.Sort:
		return x, true
	case from.Kind == WordKind && to.Kind == WordKind:
		return s.Resize(to.Sort, x, from.Unsigned), true
	case from.Kind == WordKind && to.Kind == FloatKind && from.Unsigned:
		return s.UToF(to.Sort, x), true
	case from.Kind == WordKind && to.Kind == FloatKind:
		return s.SToF(to.Sort, x), true
	case from.Kind == FloatKind && to.Kind == WordKind && to.Unsigned:
		return s.FToU(to.Sort, x), true
	case from.Kind == FloatKind && to.Kind == WordKind:
		return s.FToS(to.Sort, x), true
	case from.Kind == FloatKind && to.Kind == FloatKind:
		return s.FToF(to.Sort, x), true
	}
	return nil, false
}
