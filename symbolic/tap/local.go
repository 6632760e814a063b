package tap

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file: the rules of [TAP18] Figure 14, for computations inside of a function, one type a rule.
//
// Differs: the language of the figures has objects and binary expressions. The capacity of a slice is its length, since
// append copies (allocate.go). Go's maps and slices are read and updated as fields are, with their keys and indices; a
// value of several parts is a variable for each of them. An instruction that may panic adds the condition that it does
// not.

// VariableReference is v = v': phi[v'/v].
type VariableReference struct{}

func (VariableReference) Name() string { return "Variable Reference" }

func (r VariableReference) transitions(e *Engine, c *configuration, i int) []transition {
	a := c.actors[i]
	in := a.previous()
	var from value
	switch v := in.(type) {
	case *ssa.ChangeType:
		from = e.operand(a.at.frame, v.X)
	case *ssa.ChangeInterface:
		from = e.operand(a.at.frame, v.X)
	case *ssa.MakeInterface:
		from = e.boxed(v.X.Type(), e.operand(a.at.frame, v.X))
	case *ssa.Extract:
		from = partOf(e.operand(a.at.frame, v.Tuple), "#"+itoa(v.Index))
	case *ssa.Phi: // at the beginning of its block
		return statement(r, c, i, func(*configuration, *actor) {})
	case *ssa.DebugRef:
		return statement(r, c, i, func(*configuration, *actor) {})
	case *ssa.Call:
		row, _, ok := operation(in)
		switch {
		case isBuiltin(in, "recover"): // nothing panics
			from = e.zero
		case ok && row.Op == model.Message:
			from = e.variable(a.msg)
		default:
			return nil
		}
	default:
		return nil
	}
	return e.assignment(r, c, i, in.(ssa.Value), func(*configuration, *actor) value { return from })
}

// BinaryExpression is v = v' op v”: phi[v' op v”/v]; so are unary operators, conversions of numbers and what the
// builtin functions compute.
type BinaryExpression struct{}

func (BinaryExpression) Name() string { return "Binary Expression" }

func (r BinaryExpression) transitions(e *Engine, c *configuration, i int) []transition {
	a := c.actors[i]
	var result value
	var conds []*term.Term
	in := a.previous()
	switch v := in.(type) {
	case *ssa.BinOp:
		result, conds = e.binary(a.at.frame, v)
	case *ssa.UnOp:
		if v.Op == token.MUL {
			return nil
		}
		result = e.unary(a.at.frame, v)
	case *ssa.Convert:
		result = e.convert(a.at.frame, v)
	case *ssa.Call:
		b, ok := v.Call.Value.(*ssa.Builtin)
		if !ok || b.Name() != "len" && b.Name() != "cap" {
			return nil
		}
		if result = single(e.lengthOf(a.at.frame, v.Call.Args[0])); isMap(v.Call.Args[0]) {
			result = single(e.count(a, a.at.frame, v.Call.Args[0]))
		}
	default:
		return nil
	}
	return statement(r, c, i, func(d *configuration, a *actor) {
		e.change(d, e.reason(in), assign(a.at.frame.register(in.(ssa.Value)), result))
		for _, k := range conds {
			e.unless(d, in, k)
		}
	})
}

// unless adds the condition that an instruction does not panic. Where that is not modelled it is taken to be so.
func (e *Engine) unless(d *configuration, in ssa.Instruction, cond *term.Term) {
	if cond == nil {
		d.assumed = append(d.assumed[:len(d.assumed):len(d.assumed)], "no panic of "+in.String()+e.where(in))
		return
	}
	d.require("", cond)
}

func (e *Engine) binary(f *frame, v *ssa.BinOp) (value, []*term.Term) {
	x, y := e.operand(f, v.X), e.operand(f, v.Y)
	t, ok := term.TypeOf(v.X.Type())
	if !ok {
		return e.compared(v, x, y), nil
	}
	u, ok := term.TypeOf(v.Y.Type())
	a, b := x("", t.Sort), y("", u.Sort)
	if !ok || a == nil || b == nil {
		return unmodelled, nil
	}
	result, ok := e.store.Binary(v.Op, t, a, b)
	if !ok {
		return unmodelled, nil
	}
	var conds []*term.Term
	if t.Kind == term.WordKind && (v.Op == token.QUO || v.Op == token.REM) {
		conds = append(conds, e.notNil(b))
	}
	return single(result), conds
}

// compared is == or != of values that are no numbers, truth values or strings.
func (e *Engine) compared(v *ssa.BinOp, x, y value) value {
	var t *term.Term
	switch {
	case types.IsInterface(v.X.Type()) && types.IsInterface(v.Y.Type()) && (isNil(v.X) || isNil(v.Y)):
		t = e.equal(x(partType, wordSort), y(partType, wordSort))
	case types.IsInterface(v.X.Type()) && types.IsInterface(v.Y.Type()):
		t = e.sameHeld(e.constantly(v.X, x), e.constantly(v.Y, y))
	case isNil(v.X) || isNil(v.Y):
		part := ""
		if _, ok := v.X.Type().Underlying().(*types.Slice); ok {
			part = partAddr
		}
		t = e.equal(x(part, wordSort), y(part, wordSort))
	case types.Identical(v.X.Type(), v.Y.Type()):
		t = e.same(v.X.Type(), x, y)
	}
	if t != nil && v.Op == token.NEQ {
		t = e.store.Not(t)
	}
	if t == nil {
		return unmodelled
	}
	return single(t)
}

func isNil(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value == nil
}

func (e *Engine) unary(f *frame, v *ssa.UnOp) value {
	t, ok := term.TypeOf(v.X.Type())
	if !ok || v.Op == token.ARROW {
		return unmodelled
	}
	x := e.operand(f, v.X)("", t.Sort)
	if x == nil {
		return unmodelled
	}
	result, ok := e.store.Unary(v.Op, t, x)
	if !ok {
		return unmodelled
	}
	return single(result)
}

func (e *Engine) convert(f *frame, v *ssa.Convert) value {
	from, ok := term.TypeOf(v.X.Type())
	to, okay := term.TypeOf(v.Type())
	if !ok || !okay {
		return unmodelled
	}
	x := e.operand(f, v.X)("", from.Sort)
	if x == nil {
		return unmodelled
	}
	if result, ok := e.store.Convert(x, from, to); ok {
		return single(result)
	}
	return unmodelled
}

// FieldReference is v = v'.f: phi[read(v', f)/v].
type FieldReference struct{}

func (FieldReference) Name() string { return "Field Reference" }

func (r FieldReference) transitions(e *Engine, c *configuration, i int) []transition {
	a := c.actors[i]
	in := a.previous()
	if a.at == nil {
		return nil
	}
	f := a.at.frame
	var result value
	var conds []*term.Term
	switch v := in.(type) {
	case *ssa.UnOp:
		if v.Op != token.MUL {
			return nil
		}
		result, conds = e.loaded(a, f, v.X), e.there(f, v.X)
	case *ssa.Field:
		s := v.X.Type().Underlying().(*types.Struct)
		result = partOf(e.operand(f, v.X), "."+s.Field(v.Field).Name())
	case *ssa.FieldAddr:
		result, conds = e.address(a, f, v), e.there(f, v.X)
	case *ssa.IndexAddr:
		result, conds = e.address(a, f, v), e.there(f, v)
	case *ssa.Lookup:
		result = e.lookup(a, f, v)
	case *ssa.Slice:
		result = e.slice(a, f, v)
	default:
		return nil
	}
	return statement(r, c, i, func(d *configuration, a *actor) {
		e.change(d, e.reason(in), assign(f.register(in.(ssa.Value)), result))
		for _, k := range conds {
			e.unless(d, in, k)
		}
	})
}

// loaded is what a pointer leads to.
func (e *Engine) loaded(a *actor, f *frame, v ssa.Value) value {
	if g, ok := v.(*ssa.Global); ok {
		return e.program.global(e, g)
	}
	return e.read(e.target(a, f, v))
}

// address is the address of an object in a struct. Other fields and elements have none by themselves.
func (e *Engine) address(a *actor, f *frame, v ssa.Value) value {
	if p := e.target(a, f, v); p.kind == kindField && p.valid() && inner(p.t) {
		return single(p.args[0])
	}
	return unmodelled
}

func (e *Engine) lookup(a *actor, f *frame, v *ssa.Lookup) value {
	if _, ok := v.X.Type().Underlying().(*types.Map); !ok {
		return unmodelled
	}
	p, has := e.entry(a, f, v.X, v.Index)
	held := e.choice(has, e.read(p), e.zero)
	if !v.CommaOk {
		return held
	}
	return e.pair(held, single(has))
}

// pair is a tuple of two values.
func (e *Engine) pair(x, y value) value {
	return func(part string, sort term.Sort) *term.Term {
		if len(part) > 1 && part[1] == '1' {
			return y(part[2:], sort)
		}
		return x(part[2:], sort)
	}
}

// slice is v[low:high].
func (e *Engine) slice(a *actor, f *frame, v *ssa.Slice) value {
	low, n := e.store.Int(indexSort, 0), e.lengthOf(f, v.X)
	if v.Low != nil {
		low = e.index(f, v.Low)
	}
	if v.High != nil {
		n = e.index(f, v.High)
	}
	var addr, off *term.Term
	switch v.X.Type().Underlying().(type) {
	case *types.Slice:
		x := e.operand(f, v.X)
		addr, off = x(partAddr, wordSort), x(partOff, indexSort)
	case *types.Pointer:
		if p := e.target(a, f, v.X); p.valid() && p.kind == kindField {
			addr, off = p.args[0], e.store.Int(indexSort, 0)
		}
	}
	if low == nil || n == nil || addr == nil || off == nil {
		return unmodelled
	}
	return sliceValue(addr, e.store.Add(off, low), e.store.Sub(n, low))
}

func sliceValue(addr, off, n *term.Term) value {
	return func(part string, _ term.Sort) *term.Term {
		switch part {
		case partAddr:
			return addr
		case partOff:
			return off
		case partLen:
			return n
		}
		return nil
	}
}

// Casting is v = (C) v': phi[v'/v], and the type of v' is C, or the result says whether it is.
type Casting struct{}

func (Casting) Name() string { return "Casting" }

func (r Casting) transitions(e *Engine, c *configuration, i int) []transition {
	a := c.actors[i]
	v, ok := a.previous().(*ssa.TypeAssert)
	if !ok {
		return nil
	}
	x := e.operand(a.at.frame, v.X)
	is := e.holds(x(partType, wordSort), v.AssertedType)
	held := x
	if !types.IsInterface(v.AssertedType) {
		held = partOf(x, ".("+typeKey(v.AssertedType)+")")
	}
	return statement(r, c, i, func(d *configuration, a *actor) {
		result := held
		if v.CommaOk {
			result = e.pair(e.choice(is, held, e.zero), single(is))
		}
		e.change(d, e.reason(v), assign(a.at.frame.register(v), result))
		if !v.CommaOk {
			e.unless(d, v, is)
		}
	})
}

// holds is the condition that an interface holds a type, or one that implements another interface.
func (e *Engine) holds(tag *term.Term, t types.Type) *term.Term {
	if tag == nil {
		return nil
	}
	if !types.IsInterface(t) {
		return e.store.Equal(tag, e.typeTerm(t))
	}
	var any []*term.Term
	for _, boxed := range e.program.boxed {
		if types.Implements(boxed, t.Underlying().(*types.Interface)) {
			any = append(any, e.store.Equal(tag, e.typeTerm(boxed)))
		}
	}
	return e.store.Or(any...)
}
