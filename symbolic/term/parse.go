package term

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"math"
)

// Names tells the parser what names are.
type Names struct {
	// Var gives the type of a variable by its name: "Pay.Amount", "s.nodes!len" for len(s.nodes), "s.next!ref" for s.next
	// == nil.
	Var func(name string) (Type, bool)
	// Func gives the type of a function's result by its name; nil if there are no functions.
	Func func(name string) (Type, bool)
}

// maxText and maxDepth bound what is parsed: a condition that a person writes has neither.
const maxText, maxDepth = 1 << 16, 1000

// Parse reads a term from Go source: what Printer writes, and what people write in its place. Operators, conversions
// and untyped constants are Go's; so is what is an error: operands of two types, a constant that does not fit. Errors
// name the place.
func Parse(s *Store, text string, names Names) (*Term, Type, error) {
	if len(text) > maxText {
		return nil, Type{}, fmt.Errorf("an expression of %d bytes: want at most %d", len(text), maxText)
	}
	x, err := parser.ParseExpr(text)
	if err != nil {
		return nil, Type{}, err
	}
	r := &reader{store: s, names: names}
	o, err := r.read(x)
	if err == nil && o.term == nil {
		o, err = r.typed(x, o)
	}
	if err != nil {
		return nil, Type{}, err
	}
	return o.term, o.typ, nil
}

// ParseCondition reads a term that is a boolean.
func ParseCondition(s *Store, text string, names Names) (*Term, error) {
	t, typ, err := Parse(s, text, names)
	if err == nil && typ.Sort != Bool {
		return nil, fmt.Errorf("%s is of %v: want a condition", text, typ.Sort)
	}
	return t, err
}

// operand is a term with its type, or an untyped constant.
type operand struct {
	term     *Term
	typ      Type
	constant constant.Value
}

type reader struct {
	store *Store
	names Names
	depth int
}

// wrong makes an error at a place.
func wrong(at ast.Node, format string, args ...any) error {
	return fmt.Errorf("column %d: %s", at.Pos(), fmt.Sprintf(format, args...))
}

func (r *reader) read(x ast.Expr) (operand, error) {
	if r.depth++; r.depth > maxDepth {
		return operand{}, wrong(x, "more than %d levels", maxDepth)
	}
	defer func() { r.depth-- }()
	switch x := x.(type) {
	case *ast.ParenExpr:
		return r.read(x.X)
	case *ast.BasicLit:
		if v := constant.MakeFromLiteral(x.Value, x.Kind, 0); v.Kind() != constant.Unknown {
			return operand{constant: v}, nil
		}
		return operand{}, wrong(x, "%s is no constant of ours", x.Value)
	case *ast.UnaryExpr:
		return r.unary(x)
	case *ast.BinaryExpr:
		return r.binary(x)
	case *ast.CallExpr:
		return r.call(x)
	case *ast.Ident:
		if x.Name == "true" || x.Name == "false" {
			return operand{constant: constant.MakeBool(x.Name == "true")}, nil
		}
	}
	name, ok := pathOf(x)
	if !ok {
		return operand{}, wrong(x, "no expression of ours")
	}
	return r.variable(x, name)
}

func (r *reader) variable(at ast.Node, name string) (operand, error) {
	if r.names.Var != nil {
		if typ, ok := r.names.Var(name); ok {
			return operand{term: r.store.Var(name, typ.Sort), typ: typ}, nil
		}
	}
	return operand{}, wrong(at, "nothing is called %s", name)
}

// typed gives an untyped constant the type that it has by itself.
func (r *reader) typed(at ast.Node, o operand) (operand, error) {
	if o.term != nil {
		return o, nil
	}
	switch o.constant.Kind() {
	case constant.Bool:
		return r.as(at, o, Type{Sort: Bool})
	case constant.String:
		return r.as(at, o, Type{Sort: String})
	case constant.Int:
		return r.as(at, o, Type{Sort: Word64})
	}
	return r.as(at, o, Type{Sort: Float64})
}

// as gives an untyped constant a type.
func (r *reader) as(at ast.Node, o operand, typ Type) (operand, error) {
	if o.term != nil {
		if o.typ != typ {
			return o, wrong(at, "of type %s: want %s", typeName(o.typ.Sort, o.typ.Unsigned), typeName(typ.Sort, typ.Unsigned))
		}
		return o, nil
	}
	var t *Term
	v := o.constant
	switch {
	case typ.Kind == BoolKind && v.Kind() == constant.Bool:
		t = r.store.Bool(constant.BoolVal(v))
	case typ.Kind == StringKind && v.Kind() == constant.String:
		t = r.store.Text(constant.StringVal(v))
	case typ.Kind == WordKind:
		t = r.wordOf(v, typ)
	case typ.Kind == FloatKind:
		t = r.floatOf(v, typ.Sort)
	}
	if t == nil {
		return o, wrong(at, "%v does not fit %s", v, typeName(typ.Sort, typ.Unsigned))
	}
	return operand{term: t, typ: typ}, nil
}

// wordOf gives nil where the constant does not fit.
func (r *reader) wordOf(v constant.Value, typ Type) *Term {
	if v.Kind() != constant.Int && v.Kind() != constant.Float {
		return nil
	}
	i := constant.ToInt(v)
	if i.Kind() != constant.Int {
		return nil
	}
	if typ.Unsigned {
		u, exact := constant.Uint64Val(i)
		if !exact || constant.Sign(i) < 0 || u > typ.Mask() {
			return nil
		}
		return r.store.Uint(typ.Sort, u)
	}
	n, exact := constant.Int64Val(i)
	if !exact || n < least(typ.Sort) || n > greatest(typ.Sort) {
		return nil
	}
	return r.store.Int(typ.Sort, n)
}

func (r *reader) floatOf(v constant.Value, sort Sort) *Term {
	f := constant.ToFloat(v)
	if f.Kind() != constant.Float && f.Kind() != constant.Int {
		return nil
	}
	value, _ := constant.Float64Val(f)
	if sort.Bits == 32 {
		single, _ := constant.Float32Val(f)
		value = float64(single)
	}
	if math.IsInf(value, 0) {
		return nil
	}
	return r.store.Float(sort, value)
}

func (r *reader) unary(x *ast.UnaryExpr) (operand, error) {
	o, err := r.read(x.X)
	if err != nil {
		return o, err
	}
	if o.term == nil {
		kind := o.constant.Kind()
		number := kind == constant.Int || kind == constant.Float
		if x.Op == token.NOT && kind == constant.Bool || x.Op == token.XOR && kind == constant.Int ||
			(x.Op == token.SUB || x.Op == token.ADD) && number {
			return operand{constant: constant.UnaryOp(x.Op, o.constant, 0)}, nil
		}
		return o, wrong(x, "no operation %s%v", x.Op, o.constant)
	}
	t, ok := r.store.Unary(x.Op, o.typ, o.term)
	if !ok {
		return o, wrong(x, "no operation %s on %s", x.Op, typeName(o.typ.Sort, o.typ.Unsigned))
	}
	return operand{term: t, typ: o.typ}, nil
}

func (r *reader) binary(x *ast.BinaryExpr) (operand, error) {
	if o, ok, err := r.isNil(x); ok || err != nil {
		return o, err
	}
	a, err := r.read(x.X)
	if err != nil {
		return a, err
	}
	b, err := r.read(x.Y)
	if err != nil {
		return b, err
	}
	if x.Op == token.SHL || x.Op == token.SHR {
		return r.shift(x, a, b)
	}
	switch {
	case a.term == nil && b.term == nil:
		return r.constants(x, a, b)
	case a.term == nil:
		a, err = r.as(x.X, a, b.typ)
	default:
		if (x.Op == token.QUO || x.Op == token.REM) && a.typ.Kind == WordKind && b.term == nil &&
			constant.Sign(constant.ToInt(b.constant)) == 0 {
			return b, wrong(x, "division by zero")
		}
		b, err = r.as(x.Y, b, a.typ)
	}
	if err != nil {
		return a, err
	}
	return r.operation(x, a.typ, a.term, b.term)
}

// operation is one on terms.
func (r *reader) operation(x *ast.BinaryExpr, typ Type, a, b *Term) (operand, error) {
	t, ok := r.store.Binary(x.Op, typ, a, b)
	if !ok {
		return operand{}, wrong(x, "no operation %s on %s", x.Op, typeName(typ.Sort, typ.Unsigned))
	}
	if t.Sort == Bool {
		typ = Type{Sort: Bool}
	}
	return operand{term: t, typ: typ}, nil
}

// shift reads a count of any type, which is not negative.
func (r *reader) shift(x *ast.BinaryExpr, a, b operand) (operand, error) {
	if b.term == nil {
		n, ok := constant.Uint64Val(constant.ToInt(b.constant))
		if b.constant.Kind() != constant.Int && b.constant.Kind() != constant.Float || !ok {
			return b, wrong(x.Y, "no count of a shift")
		}
		if a.term == nil {
			i := constant.ToInt(a.constant)
			if i.Kind() != constant.Int || n > 512 {
				return a, wrong(x, "no shift of %v by %d", a.constant, n)
			}
			return operand{constant: constant.Shift(i, x.Op, uint(n))}, nil
		}
		b.term, b.typ = r.store.Uint(Word8, min(n, 255)), Type{Word8, true}
	}
	a, err := r.typed(x.X, a)
	if err != nil {
		return a, err
	}
	if b.typ.Kind != WordKind {
		return b, wrong(x.Y, "a count of %s", b.typ.Sort)
	}
	return r.operation(x, a.typ, a.term, b.term)
}

// constants folds an operation on untyped constants.
func (r *reader) constants(x *ast.BinaryExpr, a, b operand) (operand, error) {
	v, w := a.constant, b.constant
	number := func(v constant.Value) bool { return v.Kind() == constant.Int || v.Kind() == constant.Float }
	if v.Kind() != w.Kind() && !(number(v) && number(w)) {
		return a, wrong(x, "%v and %v are of different kinds", v, w)
	}
	op, integers := x.Op, v.Kind() == constant.Int && w.Kind() == constant.Int
	ok := false
	switch op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		if v.Kind() == constant.Bool && op != token.EQL && op != token.NEQ {
			break
		}
		return operand{constant: constant.MakeBool(constant.Compare(v, op, w))}, nil
	case token.LAND, token.LOR:
		ok = v.Kind() == constant.Bool
	case token.ADD:
		ok = number(v) || v.Kind() == constant.String
	case token.SUB, token.MUL:
		ok = number(v)
	case token.QUO:
		if ok = number(v); integers {
			op = token.QUO_ASSIGN // of integers, in package constant
		}
	case token.REM, token.AND, token.OR, token.XOR, token.AND_NOT:
		ok = integers
	}
	if !ok {
		return a, wrong(x, "no operation %s on %v", x.Op, v)
	}
	if (op == token.QUO || op == token.QUO_ASSIGN || op == token.REM) && constant.Sign(w) == 0 {
		return a, wrong(x, "division by zero")
	}
	return operand{constant: constant.BinaryOp(v, op, w)}, nil
}

// isNil reads s.next == nil: the reference is 0. It reports false if there is no nil.
func (r *reader) isNil(x *ast.BinaryExpr) (operand, bool, error) {
	path, other := x.X, x.Y
	if id, ok := path.(*ast.Ident); ok && id.Name == "nil" {
		path, other = other, path
	}
	if id, ok := other.(*ast.Ident); !ok || id.Name != "nil" {
		return operand{}, false, nil
	}
	name, ok := pathOf(path)
	if !ok || x.Op != token.EQL && x.Op != token.NEQ {
		return operand{}, false, wrong(x, "nil is for == and != with a path")
	}
	v, err := r.variable(path, name+"!ref")
	if err != nil {
		return operand{}, false, err
	}
	if v.typ.Kind != WordKind {
		return operand{}, false, wrong(path, "%s is no reference", name)
	}
	t := r.store.Equal(v.term, r.store.Uint(v.typ.Sort, 0))
	if x.Op == token.NEQ {
		t = r.store.Not(t)
	}
	return operand{term: t, typ: Type{Sort: Bool}}, true, nil
}
