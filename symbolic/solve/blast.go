package solve

import (
	"math"

	"github.com/go-air/gini/z"

	"github.com/rehearse-go/rehearse/symbolic/solve/internal/circuit"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// textBits is the width of a string's identity: more strings than it tells apart are in no query.
const textBits = 16

// blaster turns terms into circuits. Words are exact. The rest is looser than the truth, never tighter, so that Unsat
// is always right:
//
//   - functions and strings are inputs; what is known of them is added where a model breaks it (functions.go, texts.go)
//   - arithmetic of floats is inputs; comparisons of floats are exact (floats.go)
type blaster struct {
	*circuit.Circuit
	words map[*term.Term]circuit.Word // a boolean is a word of one bit, a string its identity
	texts map[string]uint64           // identities of constants
	size  map[*term.Term]circuit.Word // lengths of strings, 47 bits
	names []string                    // constants by identity
	done  map[string]bool             // lemmas
	split map[division][2]circuit.Word
}

// division is a pair of operands: quotient and remainder are made together.
type division struct {
	x, y   *term.Term
	signed bool
}

func newBlaster() *blaster {
	b := &blaster{Circuit: circuit.New(), words: map[*term.Term]circuit.Word{}, texts: map[string]uint64{},
		size: map[*term.Term]circuit.Word{}, done: map[string]bool{},
		split: map[division][2]circuit.Word{}}
	b.text("")
	return b
}

// text gives the identity of a constant string, "" always 0.
func (b *blaster) text(s string) uint64 {
	id, ok := b.texts[s]
	if !ok {
		id = uint64(len(b.texts))
		b.texts[s] = id
		b.names = append(b.names, s)
	}
	return id
}

// lit gives the literal of a boolean.
func (b *blaster) lit(t *term.Term) z.Lit { return b.word(t)[0] }

// word gives the bits of a term.
func (b *blaster) word(t *term.Term) circuit.Word {
	if w, ok := b.words[t]; ok {
		return w
	}
	w := b.blast(t)
	b.words[t] = w
	return w
}

// width is the number of bits that stand for a value of that sort.
func width(s term.Sort) int {
	switch s.Kind {
	case term.BoolKind:
		return 1
	case term.StringKind:
		return textBits
	}
	return int(s.Bits)
}

func (b *blaster) blast(t *term.Term) circuit.Word {
	switch t.Op {
	case term.OpConst:
		if t.Sort == term.String {
			return b.Word(textBits, b.text(t.Name))
		}
		return b.Word(width(t.Sort), t.Val)
	case term.OpLen:
		return b.Extend(b.length(t.Args[0]), 64, b.True.Not())
	case term.OpIf:
		return b.Choose(b.lit(t.Args[0]), b.word(t.Args[1]), b.word(t.Args[2]))
	case term.OpVar:
		return b.input(t.Sort)
	case term.OpApply, term.OpConcat, term.OpTextLess, term.OpFAdd, term.OpFSub, term.OpFMul, term.OpFDiv, term.OpSToF, term.OpUToF,
		term.OpFToS, term.OpFToU, term.OpFToF:
		for _, a := range t.Args {
			b.word(a)
		}
		return b.input(t.Sort)
	}
	if t.Sort == term.Bool {
		return circuit.Word{b.boolean(t)}
	}
	return b.arithmetic(t)
}

// input gives bits of which nothing is known, but that there is one NaN.
func (b *blaster) input(s term.Sort) circuit.Word {
	w := b.Input(width(s))
	if s.Kind == term.FloatKind {
		nan := b.Word(len(w), term.FloatValue(s, math.NaN()).Bits)
		b.Clause(b.nan(w).Not(), b.Equal(w, nan))
	}
	return w
}

func (b *blaster) boolean(t *term.Term) z.Lit {
	arg := func(i int) circuit.Word { return b.word(t.Args[i]) }
	switch t.Op {
	case term.OpNot:
		return arg(0)[0].Not()
	case term.OpAnd, term.OpOr:
		lits := make([]z.Lit, len(t.Args))
		for i, a := range t.Args {
			if lits[i] = b.lit(a); t.Op == term.OpOr {
				lits[i] = lits[i].Not()
			}
		}
		if t.Op == term.OpOr {
			return b.All(lits).Not()
		}
		return b.All(lits)
	case term.OpEq:
		return b.Equal(arg(0), arg(1))
	case term.OpSLess:
		return b.SLess(arg(0), arg(1))
	case term.OpULess:
		return b.ULess(arg(0), arg(1))
	case term.OpFEqual, term.OpFLess, term.OpFAtMost:
		return b.compareFloats(t.Op, arg(0), arg(1))
	}
	panic("solve: no circuit for " + t.Op.String())
}

func (b *blaster) arithmetic(t *term.Term) circuit.Word {
	arg := func(i int) circuit.Word { return b.word(t.Args[i]) }
	no := b.True.Not()
	bits := int(t.Sort.Bits)
	switch t.Op {
	case term.OpSum:
		return b.sum(t)
	case term.OpMul:
		return b.fold(b.Mul, t)
	case term.OpBitAnd:
		return b.fold(func(x, y circuit.Word) circuit.Word { return b.Bitwise(b.And, x, y) }, t)
	case term.OpBitOr:
		return b.fold(func(x, y circuit.Word) circuit.Word { return b.Bitwise(b.Or, x, y) }, t)
	case term.OpBitXor:
		return b.fold(func(x, y circuit.Word) circuit.Word { return b.Bitwise(b.Xor, x, y) }, t)
	case term.OpShl:
		return b.Shift(arg(0), arg(1), true, no)
	case term.OpUShr:
		return b.Shift(arg(0), arg(1), false, no)
	case term.OpSShr:
		return b.Shift(arg(0), arg(1), false, arg(0)[bits-1])
	case term.OpSExtend:
		return b.Extend(arg(0), bits, arg(0)[len(arg(0))-1])
	case term.OpZExtend:
		return b.Extend(arg(0), bits, no)
	case term.OpTruncate:
		return arg(0)[:bits]
	case term.OpUDiv, term.OpURem, term.OpSDiv, term.OpSRem:
		return b.divide(t)
	case term.OpFNeg:
		return b.negateFloat(arg(0))
	}
	panic("solve: no circuit for " + t.Op.String())
}

func (b *blaster) fold(f func(x, y circuit.Word) circuit.Word, t *term.Term) circuit.Word {
	w := b.word(t.Args[0])
	for _, a := range t.Args[1:] {
		w = f(w, b.word(a))
	}
	return w
}

// sum adds up, from the term that needs no addition on. Of several terms the constant comes last. Sums that differ in
// nothing else share the gates of the others, and without that a solver has to prove a + (b + 10) = (a + b) + 10 bit by
// bit.
func (b *blaster) sum(t *term.Term) circuit.Word {
	bits := int(t.Sort.Bits)
	if t.Val == t.Sort.Mask() && len(t.Args) == 1 && t.Coef[0] == t.Sort.Mask() {
		return b.Complement(b.word(t.Args[0]))
	}
	constant := b.Word(bits, t.Val)
	if len(t.Args) == 1 {
		return b.AddScaled(constant, b.word(t.Args[0]), t.Coef[0])
	}
	less := func(k uint64) bool { return k>>(bits-1)&1 != 0 }
	w := b.Word(bits, 0)
	for _, negative := range []bool{false, true} { // a subtraction with nothing before it is a negation more
		for i, a := range t.Args {
			if less(t.Coef[i]) == negative {
				w = b.AddScaled(w, b.word(a), t.Coef[i])
			}
		}
	}
	return b.Add(w, constant, b.True.Not())
}

// divide does signed division by that of absolute values. By 0 it gives, without a case of its own, what package term
// says.
func (b *blaster) divide(t *term.Term) circuit.Word {
	x, y := b.word(t.Args[0]), b.word(t.Args[1])
	signed := t.Op == term.OpSDiv || t.Op == term.OpSRem
	key := division{t.Args[0], t.Args[1], signed}
	parts, ok := b.split[key]
	if !ok {
		parts = b.divideWords(t.Args[1], signed, x, y)
		b.split[key] = parts
	}
	switch t.Op {
	case term.OpSDiv:
		return b.NegateIf(b.Xor(x[len(x)-1], y[len(y)-1]), parts[0])
	case term.OpSRem:
		return b.NegateIf(x[len(x)-1], parts[1])
	case term.OpUDiv:
		return parts[0]
	}
	return parts[1]
}

// divideWords gives quotient and remainder of absolute values.
func (b *blaster) divideWords(divisor *term.Term, signed bool, x, y circuit.Word) [2]circuit.Word {
	v := divisor.Val
	if signed {
		x, y = b.Abs(x), b.Abs(y)
		if v > divisor.Sort.Mask()/2 {
			v = -v & divisor.Sort.Mask()
		}
	}
	if divisor.Const() && v != 0 {
		q, r := b.UDivideBy(x, v)
		return [2]circuit.Word{q, r}
	}
	q, r := b.UDivide(x, y)
	return [2]circuit.Word{q, r}
}
