// Package smtlib speaks SMT-LIB 2.6 with external solvers: terms as text, and their values back.
//
//	write.go  a conjunction of terms as a script      read.go  what a solver prints: expressions, values
//	process.go  a solver as a child process: asked, watched, ended
//
//	source:     the SMT-LIB standard 2.6, the theories FixedSizeBitVectors, FloatingPoint, UnicodeStrings
//	differs:    a string of Go is bytes: one character for each, and no others
//	checked by: the twins of package solve; read_test.go
package smtlib

import (
	"fmt"
	"strings"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// Script asks whether the conditions can hold together. Condition i is named by Name(i), a term by Symbol.
func Script(conds []*term.Term) string {
	w := &writer{functions: map[string]string{}}
	w.line("(reset)")
	w.line("(set-option :produce-models true)")
	w.line("(set-option :produce-unsat-cores true)")
	w.line("(set-logic ALL)")
	term.Walk(w.define, conds...)
	for i, c := range conds {
		w.line("(assert (! %s :named %s))", Symbol(c), Name(i))
	}
	w.line("(check-sat)")
	return w.String()
}

// Name names the condition with that index.
func Name(i int) string { return fmt.Sprintf("c%d", i) }

// Symbol names a term.
func Symbol(t *term.Term) string { return fmt.Sprintf("t%d", t.ID) }

type writer struct {
	strings.Builder
	functions map[string]string // symbols by signature
}

func (w *writer) line(format string, args ...any) {
	fmt.Fprintf(w, format, args...)
	w.WriteByte('\n')
}

// define gives a term its name. Its arguments have theirs.
func (w *writer) define(t *term.Term) {
	switch t.Op {
	case term.OpVar:
		w.line("(declare-const %s %s)", Symbol(t), sort(t.Sort))
	case term.OpApply:
		w.line("(define-fun %s () %s %s)", Symbol(t), sort(t.Sort), list(w.function(t), t.Args))
	default:
		w.line("(define-fun %s () %s %s)", Symbol(t), sort(t.Sort), expression(t))
	}
	if t.Sort == term.String && (t.Op == term.OpVar || t.Op == term.OpApply) {
		w.line(`(assert (str.in_re %s (re.* (re.range "\u{0}" "\u{ff}"))))`, Symbol(t))
	}
}

// function declares the function of a call, once.
func (w *writer) function(t *term.Term) string {
	f, ok := w.functions[t.Signature()]
	if !ok {
		f = fmt.Sprintf("f%d", len(w.functions))
		w.functions[t.Signature()] = f
		sorts := make([]string, len(t.Args))
		for i, a := range t.Args {
			sorts[i] = sort(a.Sort)
		}
		w.line("(declare-fun %s (%s) %s)", f, strings.Join(sorts, " "), sort(t.Sort))
	}
	return f
}

func sort(s term.Sort) string {
	switch s.Kind {
	case term.BoolKind:
		return "Bool"
	case term.WordKind:
		return fmt.Sprintf("(_ BitVec %d)", s.Bits)
	case term.FloatKind:
		return "(_ FloatingPoint " + widths(s) + ")"
	}
	return "String"
}

// widths are those of exponent and significand.
func widths(s term.Sort) string {
	if s.Bits == 32 {
		return "8 24"
	}
	return "11 53"
}

// list applies an operation to terms; without terms it is the operation alone.
func list(op string, args []*term.Term) string {
	if len(args) == 0 {
		return op
	}
	var b strings.Builder
	b.WriteString("(" + op)
	for _, a := range args {
		b.WriteString(" " + Symbol(a))
	}
	b.WriteString(")")
	return b.String()
}

// operators are the operations that have an operator of the same arguments.
var operators = map[term.Op]string{
	term.OpNot: "not", term.OpAnd: "and", term.OpOr: "or", term.OpEq: "=", term.OpIf: "ite",
	term.OpSLess: "bvslt", term.OpULess: "bvult", term.OpMul: "bvmul", term.OpSDiv: "bvsdiv", term.OpUDiv: "bvudiv",
	term.OpSRem: "bvsrem",
	term.OpURem: "bvurem", term.OpBitAnd: "bvand", term.OpBitOr: "bvor", term.OpBitXor: "bvxor",
	term.OpFAdd: "fp.add RNE", term.OpFSub: "fp.sub RNE", term.OpFMul: "fp.mul RNE", term.OpFDiv: "fp.div RNE",
	term.OpFNeg:   "fp.neg",
	term.OpFEqual: "fp.eq", term.OpFLess: "fp.lt", term.OpFAtMost: "fp.leq",
	term.OpConcat: "str.++", term.OpTextLess: "str.<",
}

func expression(t *term.Term) string {
	if op := operators[t.Op]; op != "" {
		return list(op, t.Args)
	}
	switch t.Op {
	case term.OpConst:
		return constant(t.Value())
	case term.OpSum:
		return sum(t)
	case term.OpShl, term.OpSShr, term.OpUShr:
		return shift(t)
	case term.OpLen:
		return "((_ int2bv 64) (str.len " + Symbol(t.Args[0]) + "))"
	}
	a := t.Args[0]
	more := int(t.Sort.Bits) - int(a.Sort.Bits)
	op := ""
	switch t.Op {
	case term.OpSExtend:
		op = fmt.Sprintf("(_ sign_extend %d)", more)
	case term.OpZExtend:
		op = fmt.Sprintf("(_ zero_extend %d)", more)
	case term.OpTruncate:
		op = fmt.Sprintf("(_ extract %d 0)", t.Sort.Bits-1)
	case term.OpSToF, term.OpFToF:
		op = "(_ to_fp " + widths(t.Sort) + ") RNE"
	case term.OpUToF:
		op = "(_ to_fp_unsigned " + widths(t.Sort) + ") RNE"
	case term.OpFToS:
		op = fmt.Sprintf("(_ fp.to_sbv %d) RTZ", t.Sort.Bits)
	case term.OpFToU:
		op = fmt.Sprintf("(_ fp.to_ubv %d) RTZ", t.Sort.Bits)
	default:
		panic("smtlib: no expression for " + t.Op.String())
	}
	return list(op, t.Args)
}

func word(bits uint8, v uint64) string { return fmt.Sprintf("#x%0*x", bits/4, v) }

func constant(v term.Value) string {
	switch v.Sort.Kind {
	case term.BoolKind:
		return v.String()
	case term.WordKind:
		return word(v.Sort.Bits, v.Bits)
	case term.FloatKind:
		return "((_ to_fp " + widths(v.Sort) + ") " + word(v.Sort.Bits, v.Bits) + ")"
	}
	return text(v.Text)
}

// text writes a string, what is not plain as \u{...}.
func text(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			fmt.Fprintf(&b, `\u{%x}`, c)
		} else {
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func sum(t *term.Term) string {
	s := word(t.Sort.Bits, t.Val)
	for i, a := range t.Args {
		s = fmt.Sprintf("(bvadd %s (bvmul %s %s))", s, word(t.Sort.Bits, t.Coef[i]), Symbol(a))
	}
	return s
}

// shift brings word and count to one width, in which the count keeps its value.
func shift(t *term.Term) string {
	a, count := t.Args[0], t.Args[1]
	x, n := Symbol(a), Symbol(count)
	op := map[term.Op]string{term.OpShl: "bvshl", term.OpSShr: "bvashr", term.OpUShr: "bvlshr"}[t.Op]
	more := int(count.Sort.Bits) - int(a.Sort.Bits)
	switch {
	case more < 0:
		return fmt.Sprintf("(%s %s ((_ zero_extend %d) %s))", op, x, -more, n)
	case more == 0:
		return fmt.Sprintf("(%s %s %s)", op, x, n)
	}
	extend := "zero_extend"
	if t.Op == term.OpSShr {
		extend = "sign_extend"
	}
	return fmt.Sprintf("((_ extract %d 0) (%s ((_ %s %d) %s) %s))", a.Sort.Bits-1, op, extend, more, x, n)
}
