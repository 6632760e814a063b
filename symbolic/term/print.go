package term

import (
	"fmt"
	"strconv"
	"strings"
)

// Printer writes terms as Go source. Beside Go's own there are the functions ite(c, a, b), which is a or b, and same(x,
// y), which is equality of floats that takes NaN for NaN. What is printed is unique: different terms of one store print
// differently.
type Printer struct {
	// Unsigned says which variables of words are unsigned in the program; nil is none. Others are converted where they are
	// used as unsigned.
	Unsigned func(name string) bool

	// People, if it is set, has terms be written for people: shorter, and not to be parsed. It names the type of a number,
	// "" if there is none.
	People func(number uint64) string

	// Identity, if it is set, names what a reference leads to that is no input, by its number, "" if it has no name. It is
	// for people, too.
	Identity func(number uint64) string
}

// String writes the term as Go source, all variables signed.
func (t *Term) String() string { return Printer{}.Print(t) }

// Print writes the term as Go source.
func (p Printer) Print(t *Term) string { return p.argument(t, p.natural(t)) }

// Precedences of Go's operators.
const (
	precOr = iota + 1
	precAnd
	precCompare
	precAdd
	precMul
	precUnary
)

// natural reports whether a word is unsigned if nobody asks for a sign.
func (p Printer) natural(t *Term) bool {
	switch t.Op {
	case OpVar:
		return p.Unsigned != nil && p.Unsigned(t.Name)
	case OpUDiv, OpURem, OpUShr, OpFToU:
		return true
	case OpSum, OpMul, OpBitAnd, OpBitOr, OpBitXor, OpShl:
		return p.natural(t.Args[0])
	case OpIf:
		return p.natural(t.Args[1])
	}
	return false
}

// typeName is Go's name of a type.
func typeName(s Sort, unsigned bool) string {
	name := "float"
	switch {
	case s.Kind == StringKind || s.Kind == BoolKind:
		return s.String()
	case s.Kind == WordKind && unsigned:
		name = "uint"
	case s.Kind == WordKind:
		name = "int"
	}
	if s == Word64 {
		return name
	}
	return name + strconv.Itoa(int(s.Bits))
}

// wrap puts parentheses around an expression of lower precedence than is needed.
func wrap(s string, prec, need int) string {
	if prec < need {
		return "(" + s + ")"
	}
	return s
}

// expr writes a term that a word is read from as unsigned or not, in a place for operators of that precedence or
// higher.
func (p Printer) expr(t *Term, unsigned bool, need int) string {
	switch t.Sort.Kind {
	case BoolKind:
		return p.boolean(t, need)
	case WordKind:
		return p.word(t, unsigned, need)
	}
	switch t.Op {
	case OpConst:
		return p.constant(t, false)
	case OpVar:
		return p.name(t.Name)
	case OpApply, OpIf:
		return p.call(t, false)
	case OpConcat:
		return p.infix(" + ", precAdd, t.Args, false, need)
	case OpFAdd, OpFSub:
		return wrap(p.expr(t.Args[0], false, precAdd)+map[Op]string{OpFAdd: " + ", OpFSub: " - "}[t.Op]+p.expr(t.Args[1],
			false, precAdd+1), precAdd, need)
	case OpFMul, OpFDiv:
		return wrap(p.expr(t.Args[0], false, precMul)+map[Op]string{OpFMul: " * ", OpFDiv: " / "}[t.Op]+p.expr(t.Args[1],
			false, precMul+1), precMul, need)
	case OpFNeg:
		return wrap("-"+p.expr(t.Args[0], false, precUnary), precUnary, need)
	}
	return typeName(t.Sort, false) + "(" + p.argument(t.Args[0], t.Op == OpUToF) + ")" // conversions
}

// argument writes a term where no other operand tells the type of a constant.
func (p Printer) argument(t *Term, unsigned bool) string {
	s := p.expr(t, unsigned, 0)
	plain := t.Sort == Word64 && !unsigned || t.Sort == Float64 || t.Sort.Kind == StringKind || t.Sort.Kind == BoolKind
	if t.Const() && !plain && !strings.HasPrefix(s, typeName(t.Sort, unsigned)+"(") {
		return typeName(t.Sort, unsigned) + "(" + s + ")"
	}
	return s
}

func (p Printer) infix(op string, prec int, args []*Term, unsigned bool, need int) string {
	list := make([]string, len(args))
	for i, a := range args {
		list[i] = p.expr(a, unsigned, prec+1)
	}
	return wrap(strings.Join(list, op), prec, need)
}

// call writes functions and ite.
func (p Printer) call(t *Term, unsigned bool) string {
	name := "ite("
	if t.Op == OpApply && p.People != nil {
		return p.called(t)
	}
	if t.Op == OpApply {
		name = "call(" + strconv.Quote(t.Name)
		if isFunction(t.Name) {
			name = t.Name + "("
		} else if len(t.Args) > 0 {
			name += ", "
		}
	}
	list := make([]string, len(t.Args))
	for i, a := range t.Args {
		list[i] = p.argument(a, t.Op == OpIf && i > 0 && unsigned || t.Op == OpApply && a.Op != OpConst && p.natural(a))
	}
	return name + strings.Join(list, ", ") + ")"
}

func (p Printer) constant(t *Term, unsigned bool) string {
	switch {
	case t.Sort.Kind == WordKind && unsigned:
		return strconv.FormatUint(t.Val, 10)
	case t.Sort == Float32:
		if s := formatFloat(t.Value()); strings.HasPrefix(s, "math.") {
			return "float32(" + s + ")"
		}
	}
	return t.Value().String()
}

func (p Printer) boolean(t *Term, need int) string {
	switch t.Op {
	case OpConst:
		return t.Value().String()
	case OpVar:
		return p.name(t.Name)
	case OpApply, OpIf:
		return p.call(t, false)
	case OpAnd:
		return p.infix(" && ", precAnd, t.Args, false, need)
	case OpOr:
		return p.infix(" || ", precOr, t.Args, false, need)
	case OpNot:
		if s, ok := p.negated(t.Args[0], need); ok {
			return s
		}
		if op := opposite(t.Args[0]); op != "" {
			return p.comparison(t.Args[0], op, need)
		}
		return wrap("!"+p.expr(t.Args[0], false, precUnary), precUnary, need)
	case OpEq:
		if t.Args[0].Sort.Kind == FloatKind {
			return "same(" + p.argument(t.Args[0], false) + ", " + p.argument(t.Args[1], false) + ")"
		}
	}
	op := map[Op]string{OpEq: " == ", OpFEqual: " == ", OpFAtMost: " <= "}[t.Op]
	if op == "" {
		op = " < "
	}
	return p.comparison(t, op, need)
}

// opposite gives the operator of a comparison's negation, "" where there is none: of orders of floats, since one of
// them may be NaN, and of same.
func opposite(t *Term) string {
	switch t.Op {
	case OpSLess, OpULess, OpTextLess:
		return " >= "
	case OpEq:
		if t.Args[0].Sort.Kind == FloatKind {
			return ""
		}
		return " != "
	case OpFEqual:
		return " != "
	}
	return ""
}

// comparison writes x op y; a bound of 1 is that of 0 with the other operator, and a nil reference is said to be nil.
func (p Printer) comparison(t *Term, op string, need int) string {
	a, b := t.Args[0], t.Args[1]
	if p.People != nil && t.Op == OpEq && (isIdentity(a) || isIdentity(b)) {
		return p.identities(a, b, op, need)
	}
	if t.Op == OpEq && a.Op == OpVar && strings.HasSuffix(a.Name, "!ref") && b.is(0) && b.Sort.Kind == WordKind &&
		isPath(strings.TrimSuffix(a.Name, "!ref")) {
		return wrap(strings.TrimSuffix(a.Name, "!ref")+op+"nil", precCompare, need)
	}
	unsigned := t.Op == OpULess || t.Op == OpEq && p.natural(a)
	right := p.expr(b, unsigned, precCompare+1)
	if t.Op == OpSLess && b.Const() && b.is(1) {
		right, op = "0", map[string]string{" < ": " <= ", " >= ": " > "}[op]
	}
	return wrap(p.expr(a, unsigned, precCompare+1)+op+right, precCompare, need)
}

func (p Printer) word(t *Term, unsigned bool, need int) string {
	convert := func(s string, is bool) string {
		if is == unsigned {
			return s
		}
		return typeName(t.Sort, unsigned) + "(" + s + ")"
	}
	switch t.Op {
	case OpConst:
		return p.constant(t, unsigned)
	case OpVar:
		return convert(p.name(t.Name), p.natural(t))
	case OpLen:
		return convert("len("+p.expr(t.Args[0], false, 0)+")", false)
	case OpApply:
		return convert(p.call(t, false), false)
	case OpIf:
		return p.call(t, unsigned)
	case OpSum:
		return p.sum(t, unsigned, need)
	case OpBitAnd:
		return p.bitAnd(t, unsigned, need)
	case OpMul:
		return p.infix(" * ", precMul, t.Args, unsigned, need)
	case OpBitOr:
		return p.infix(" | ", precAdd, t.Args, unsigned, need)
	case OpBitXor:
		return p.infix(" ^ ", precAdd, t.Args, unsigned, need)
	case OpSExtend, OpZExtend:
		return typeName(t.Sort, unsigned) + "(" + p.argument(t.Args[0], t.Op == OpZExtend) + ")"
	case OpTruncate:
		return typeName(t.Sort, unsigned) + "(" + p.argument(t.Args[0], p.natural(t.Args[0])) + ")"
	case OpFToS, OpFToU:
		f := p.argument(t.Args[0], false)
		if t.Args[0].Const() { // out of range, or it would be a constant itself
			f = typeName(t.Args[0].Sort, false) + "(" + f + ")"
		}
		return convert(typeName(t.Sort, t.Op == OpFToU)+"("+f+")", t.Op == OpFToU)
	}
	return p.signedOperation(t, unsigned, need)
}

// signedOperation writes what depends on the sign: quotients and shifts.
func (p Printer) signedOperation(t *Term, unsigned bool, need int) string {
	is := unsigned
	op := ""
	switch t.Op {
	case OpSDiv, OpUDiv:
		op, is = " / ", t.Op == OpUDiv
	case OpSRem, OpURem:
		op, is = " % ", t.Op == OpURem
	case OpSShr, OpUShr:
		op, is = " >> ", t.Op == OpUShr
	case OpShl:
		op = " << "
	}
	left := p.expr(t.Args[0], is, precMul)
	if t.Args[0].Const() { // a count tells no type
		left = typeName(t.Sort, is) + "(" + left + ")"
	}
	right := p.expr(t.Args[1], is, precMul+1)
	if t.Args[1].is(0) { // no literal: that is an error in Go
		right = typeName(t.Sort, is) + "(0)"
	}
	if (t.Op == OpShl || t.Op == OpSShr || t.Op == OpUShr) && !t.Args[1].Const() {
		right = p.expr(t.Args[1], true, precMul+1)
	}
	if is != unsigned {
		return typeName(t.Sort, unsigned) + "(" + left + op + right + ")"
	}
	return wrap(left+op+right, precMul, need)
}

// bitAnd writes complements as &^.
func (p Printer) bitAnd(t *Term, unsigned bool, need int) string {
	var plain, without []string
	for _, a := range t.Args {
		if c, ok := complemented(a); ok {
			without = append(without, p.expr(c, unsigned, precMul+1))
		} else {
			plain = append(plain, p.expr(a, unsigned, precMul+1))
		}
	}
	if len(plain) == 0 || len(plain) == 1 && t.Args[len(t.Args)-1].Const() {
		// nothing to take away from, or no more than a constant
		return p.infix(" & ", precMul, t.Args, unsigned, need)
	}
	s := strings.Join(plain, " & ")
	for _, w := range without {
		s += " &^ " + w
	}
	return wrap(s, precMul, need)
}

// sum writes what is added before what is subtracted, and the constant last.
func (p Printer) sum(t *Term, unsigned bool, need int) string {
	if c, ok := complemented(t); ok {
		return wrap("^"+p.expr(c, unsigned, precUnary), precUnary, need)
	}
	var added, taken []string
	for i, a := range t.Args {
		c := t.Sort.signed(t.Coef[i])
		if c >= 0 || c == least(t.Sort) && !unsigned {
			added = append(added, p.scaled(a, c, unsigned))
		} else {
			taken = append(taken, p.scaled(a, -c, unsigned))
		}
	}
	switch v := t.Sort.signed(t.Val); {
	case v > 0 || v == least(t.Sort) && !unsigned:
		added = append(added, strconv.FormatInt(v, 10))
	case v < 0:
		taken = append(taken, strconv.FormatUint(-uint64(v)&t.Sort.Mask(), 10))
	}
	if len(added) == 0 {
		s := "-" + taken[0]
		if strings.Contains(taken[0], " ") {
			s = "-(" + taken[0] + ")"
		}
		if len(taken) == 1 {
			return wrap(s, precUnary, need)
		}
		return wrap(s+" - "+strings.Join(taken[1:], " - "), precAdd, need)
	}
	s := strings.Join(added, " + ")
	prec := precAdd
	for _, x := range taken {
		s += " - " + x
	}
	if len(added) == 1 && len(taken) == 0 {
		prec = precMul
	}
	return wrap(s, prec, need)
}

// scaled writes one term of a sum.
func (p Printer) scaled(a *Term, c int64, unsigned bool) string {
	if c == 1 {
		return p.expr(a, unsigned, precMul)
	}
	if c < 0 && unsigned {
		return fmt.Sprintf("%d * %s", uint64(c)&a.Sort.Mask(), p.expr(a, unsigned, precUnary))
	}
	return fmt.Sprintf("%d * %s", c, p.expr(a, unsigned, precUnary))
}
