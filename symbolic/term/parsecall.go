package term

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
)

// conversions are the types by name.
var conversions = map[string]Type{
	"int8": {Word8, false}, "int16": {Word16, false}, "int32": {Word32, false}, "int64": {Word64, false}, "int": {Word64,
		false}, "rune": {Word32, false},
	"uint8": {Word8, true}, "uint16": {Word16, true}, "uint32": {Word32, true}, "uint64": {Word64, true},
	"uint": {Word64, true}, "byte": {Word8, true},
	"uintptr": {Word64, true}, "float32": {Float32, false}, "float64": {Float64, false}, "bool": {Bool, false},
	"string": {String, false},
}

// call reads conversions, len, ite, same, functions, and properties of paths.
func (r *reader) call(x *ast.CallExpr) (operand, error) {
	if x.Ellipsis.IsValid() {
		return operand{}, wrong(x, "no expression of ours")
	}
	name := types.ExprString(x.Fun)
	if typ, ok := conversions[name]; ok && len(x.Args) == 1 {
		return r.conversion(x, typ)
	}
	switch {
	case name == "ite" && len(x.Args) == 3:
		return r.ite(x)
	case name == "same" && len(x.Args) == 2:
		return r.same(x)
	case name == "sym" && len(x.Args) == 1:
		if text, ok := quoted(x.Args[0]); ok && text != "" {
			return r.variable(x, text)
		}
	case name == "call" && len(x.Args) > 0:
		if text, ok := quoted(x.Args[0]); ok && text != "" {
			return r.function(x, text, x.Args[1:])
		}
	case name == "math.NaN" || name == "math.Inf" || name == "math.Copysign":
		return r.special(x, name)
	}
	return r.other(x, name)
}

// other reads properties, len and functions.
func (r *reader) other(x *ast.CallExpr, name string) (operand, error) {
	if len(x.Args) == 1 {
		if path, ok := pathOf(ast.Unparen(x.Args[0])); ok && r.names.Var != nil {
			if _, ok := r.names.Var(path + "!" + name); ok {
				return r.variable(x, path+"!"+name)
			}
		}
		if name == "len" {
			return r.length(x)
		}
	}
	if !isFunction(name) {
		return operand{}, wrong(x, "no expression of ours")
	}
	return r.function(x, name, x.Args)
}

func (r *reader) length(x *ast.CallExpr) (operand, error) {
	o, err := r.read(x.Args[0])
	if err != nil {
		return o, err
	}
	if o, err = r.as(x.Args[0], o, Type{Sort: String}); err != nil {
		return o, err
	}
	return operand{term: r.store.Len(o.term), typ: Type{Sort: Word64}}, nil
}

// arguments reads arguments, constants with the types that they have by themselves.
func (r *reader) arguments(list []ast.Expr) ([]operand, error) {
	args := make([]operand, len(list))
	for i, x := range list {
		o, err := r.read(x)
		if err == nil {
			o, err = r.typed(x, o)
		}
		if err != nil {
			return nil, err
		}
		args[i] = o
	}
	return args, nil
}

func (r *reader) function(at ast.Node, name string, list []ast.Expr) (operand, error) {
	if r.names.Func == nil {
		return operand{}, wrong(at, "no function is called %s", name)
	}
	typ, ok := r.names.Func(name)
	if !ok {
		return operand{}, wrong(at, "no function is called %s", name)
	}
	args, err := r.arguments(list)
	if err != nil {
		return operand{}, err
	}
	terms := make([]*Term, len(args))
	for i, o := range args {
		terms[i] = o.term
	}
	return operand{term: r.store.Apply(name, typ.Sort, terms...), typ: typ}, nil
}

// ite reads a choice of two values of one type.
func (r *reader) ite(x *ast.CallExpr) (operand, error) {
	c, err := r.read(x.Args[0])
	if err != nil {
		return c, err
	}
	if c, err = r.as(x.Args[0], c, Type{Sort: Bool}); err != nil {
		return c, err
	}
	a, b, err := r.pair(x.Args[1], x.Args[2])
	if err != nil {
		return a, err
	}
	return operand{term: r.store.If(c.term, a.term, b.term), typ: a.typ}, nil
}

func (r *reader) same(x *ast.CallExpr) (operand, error) {
	a, b, err := r.pair(x.Args[0], x.Args[1])
	if err != nil {
		return a, err
	}
	return operand{term: r.store.Equal(a.term, b.term), typ: Type{Sort: Bool}}, nil
}

// pair reads two operands of one type.
func (r *reader) pair(x, y ast.Expr) (a, b operand, err error) {
	if a, err = r.read(x); err != nil {
		return a, b, err
	}
	if b, err = r.read(y); err != nil {
		return a, b, err
	}
	if a.term == nil && b.term != nil {
		a, err = r.as(x, a, b.typ)
		return a, b, err
	}
	if a, err = r.typed(x, a); err != nil {
		return a, b, err
	}
	b, err = r.as(y, b, a.typ)
	return a, b, err
}

func (r *reader) conversion(x *ast.CallExpr, to Type) (operand, error) {
	o, err := r.read(x.Args[0])
	if err != nil {
		return o, err
	}
	if o.term == nil {
		return r.as(x, o, to)
	}
	t, ok := r.store.Convert(o.term, o.typ, to)
	if !ok {
		return o, wrong(x, "no conversion of %s to %s", typeName(o.typ.Sort, o.typ.Unsigned), typeName(to.Sort, to.Unsigned))
	}
	return operand{term: t, typ: to}, nil
}

// special reads the floats that have no literal.
func (r *reader) special(x *ast.CallExpr, name string) (operand, error) {
	var args []float64
	for _, a := range x.Args {
		o, err := r.read(a)
		if err != nil {
			return o, err
		}
		if o.term != nil || o.constant.Kind() != constant.Int && o.constant.Kind() != constant.Float {
			return o, wrong(a, "want a constant")
		}
		f, _ := constant.Float64Val(constant.ToFloat(o.constant))
		args = append(args, f)
	}
	f := math.NaN()
	switch {
	case name == "math.NaN" && len(args) == 0:
	case name == "math.Inf" && len(args) == 1:
		f = math.Inf(int(math.Copysign(1, args[0])))
	case name == "math.Copysign" && len(args) == 2:
		f = math.Copysign(args[0], args[1])
	default:
		return operand{}, wrong(x, "%s with %d arguments", name, len(args))
	}
	return operand{term: r.store.Float(Float64, f), typ: Type{Sort: Float64}}, nil
}

// quoted gives the text of a string literal.
func quoted(x ast.Expr) (string, bool) {
	lit, ok := ast.Unparen(x).(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", false
	}
	v := constant.MakeFromLiteral(lit.Value, lit.Kind, 0)
	return constant.StringVal(v), v.Kind() == constant.String
}
