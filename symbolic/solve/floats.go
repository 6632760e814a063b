package solve

import (
	"github.com/go-air/gini/z"

	"github.com/rehearse-go/rehearse/symbolic/solve/internal/circuit"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// Floats are their IEEE bits. Comparisons and signs need no more than that.

// mantissa is the number of bits below the exponent.
func mantissa(w circuit.Word) int {
	if len(w) == 32 {
		return 23
	}
	return 52
}

// nan says that the exponent is all ones and the mantissa is not 0.
func (b *blaster) nan(w circuit.Word) z.Lit {
	m := mantissa(w)
	return b.And(b.All(w[m:len(w)-1]), b.zero(w[:m]).Not())
}

// zero says that all bits are 0.
func (b *blaster) zero(w circuit.Word) z.Lit { return b.All(b.Complement(w)) }

func (b *blaster) negateFloat(w circuit.Word) circuit.Word {
	negated := append(circuit.Word(nil), w...)
	last := len(w) - 1
	negated[last] = b.Xor(w[last], b.nan(w).Not()) // of NaN there is one, with one sign
	return negated
}

// compareFloats compares bits: without the sign they are in the order of the values. NaN compares to nothing, and 0
// equals -0.
func (b *blaster) compareFloats(op term.Op, x, y circuit.Word) z.Lit {
	last := len(x) - 1
	ordered := b.Or(b.nan(x), b.nan(y)).Not()
	zeros := b.And(b.zero(x[:last]), b.zero(y[:last]))
	equal := b.Or(b.Equal(x, y), zeros)
	if op == term.OpFEqual {
		return b.And(ordered, equal)
	}
	magnitude := b.If(x[last], b.ULess(y[:last], x[:last]), b.ULess(x[:last], y[:last]))
	less := b.And(b.If(b.Xor(x[last], y[last]), x[last], magnitude), zeros.Not())
	if op == term.OpFAtMost {
		less = b.Or(less, equal)
	}
	return b.And(ordered, less)
}
