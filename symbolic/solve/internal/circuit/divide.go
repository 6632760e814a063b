package circuit

import (
	"math/bits"

	"github.com/go-air/gini/z"
)

// UDivide gives quotient and remainder of unsigned words. Divided by 0 the quotient is all ones and the remainder a.
//
// Division as taught at school: the remainder takes in a's bits from the highest on, and the divisor is taken out where
// it fits. After i bits the remainder has i bits only, so a divisor with a bit above those does not fit, and the rest
// of it need not be subtracted.
func (c *Circuit) UDivide(a, b Word) (quotient, remainder Word) {
	width := len(a)
	quotient = make(Word, width)
	above := make([]z.Lit, width+1) // above[i]: b has a bit at i or higher
	above[width] = c.True.Not()
	for i := width - 1; i >= 0; i-- {
		above[i] = c.Or(above[i+1], b[i])
	}
	rem := Word{}
	for i := width - 1; i >= 0; i-- {
		rem = append(Word{a[i]}, rem...)
		n := min(len(rem), width)
		divisor := c.Extend(b[:n], len(rem), c.True.Not())
		difference, fits := c.add(rem, c.Complement(divisor), c.True)
		fits = c.And(fits, above[n].Not())
		quotient[i] = fits
		rem = c.Choose(fits, difference, rem)[:n]
	}
	return quotient, rem
}

// UDivideBy gives quotient and remainder by a constant that is not 0: those q and r with a == q*d + r, r < d, and no
// overflow. There is exactly one such pair for every a, so that demanding it restricts nothing.
func (c *Circuit) UDivideBy(a Word, d uint64) (quotient, remainder Word) {
	width := len(a)
	if d&(d-1) == 0 {
		n := bits.TrailingZeros64(d)
		low := c.Word(width, 0)
		copy(low, a[:n])
		return c.shiftBy(a, n, false, c.True.Not()), low
	}
	most := ^uint64(0) >> (64 - width) / d
	quotient = c.Extend(c.Input(bits.Len64(most)), width, c.True.Not())
	remainder = c.Extend(c.Input(bits.Len64(d-1)), width, c.True.Not())
	product := c.AddScaled(c.Word(width, 0), quotient, d)
	sum, carry := c.add(product, remainder, c.True.Not())
	c.Clause(c.ULess(c.Word(width, most), quotient).Not())
	c.Clause(c.ULess(remainder, c.Word(width, d)))
	c.Clause(carry.Not())
	c.Clause(c.Equal(sum, a))
	return quotient, remainder
}

// Abs gives the absolute value of a signed word, as unsigned.
func (c *Circuit) Abs(a Word) Word { return c.NegateIf(a[len(a)-1], a) }

// NegateIf is -a where s holds and a elsewhere.
func (c *Circuit) NegateIf(s z.Lit, a Word) Word {
	flipped := make(Word, len(a))
	for i := range a {
		flipped[i] = c.Xor(a[i], s)
	}
	return c.Add(flipped, c.Word(len(a), 0), s)
}
