package circuit

import (
	"math/bits"

	"github.com/go-air/gini/z"
)

// Word is a word by its bits, the lowest first.
type Word []z.Lit

// Input gives a word of that many bits of which nothing is known.
func (c *Circuit) Input(width int) Word {
	w := make(Word, width)
	for i := range w {
		w[i] = c.SAT.Lit()
	}
	return w
}

// Word gives a constant.
func (c *Circuit) Word(width int, v uint64) Word {
	w := make(Word, width)
	for i := range w {
		w[i] = c.Const(v>>i&1 == 1)
	}
	return w
}

// Read gives the value of a word in the solver's last model.
func (c *Circuit) Read(w Word) uint64 {
	v := uint64(0)
	for i, l := range w {
		if c.SAT.Value(l) {
			v |= 1 << i
		}
	}
	return v
}

// Complement is ^a.
func (c *Circuit) Complement(a Word) Word {
	w := make(Word, len(a))
	for i := range a {
		w[i] = a[i].Not()
	}
	return w
}

// Extend gives a the bits up to width: copies of fill.
func (c *Circuit) Extend(a Word, width int, fill z.Lit) Word {
	w := append(make(Word, 0, width), a...)
	for len(w) < width {
		w = append(w, fill)
	}
	return w
}

// Add is a + b + carry.
func (c *Circuit) Add(a, b Word, carry z.Lit) Word {
	w, _ := c.add(a, b, carry)
	return w
}

func (c *Circuit) add(a, b Word, carry z.Lit) (Word, z.Lit) {
	w := make(Word, len(a))
	for i := range a {
		w[i] = c.Xor(c.Xor(a[i], b[i]), carry)
		carry = c.Majority(a[i], b[i], carry)
	}
	return w, carry
}

// Sub is a - b.
func (c *Circuit) Sub(a, b Word) Word { return c.Add(a, c.Complement(b), c.True) }

// Neg is -a.
func (c *Circuit) Neg(a Word) Word { return c.Sub(c.Word(len(a), 0), a) }

// AddScaled is sum + k*a: additions and subtractions of shifted words, as few as the signed digits of k that are not 0.
func (c *Circuit) AddScaled(sum, a Word, k uint64) Word {
	width := len(a)
	if width < 64 {
		k &= 1<<width - 1
	}
	for shift := 0; k != 0 && shift < width; {
		skip := bits.TrailingZeros64(k)
		k >>= skip
		if shift += skip; shift >= width {
			break
		}
		high := c.Word(width, 0)
		copy(high[shift:], a[:width-shift])
		if k&3 == 3 { // a run of ones is the next power less this one
			sum = c.Sub(sum, high)
			k++ // to 0 from ones up to the top: the next power is beyond it
		} else {
			sum = c.Add(sum, high, c.True.Not())
			k--
		}
	}
	return sum
}

// Mul is a * b.
func (c *Circuit) Mul(a, b Word) Word {
	if c.known(a) > c.known(b) { // constant bits save additions where they choose what is added
		a, b = b, a
	}
	width := len(a)
	product := c.Word(width, 0)
	for i, l := range b {
		row := make(Word, width-i)
		for j := range row {
			row[j] = c.And(a[j], l)
		}
		high := c.Add(product[i:], row, c.True.Not())
		copy(product[i:], high)
	}
	return product
}

// known counts constant bits.
func (c *Circuit) known(a Word) int {
	n := 0
	for _, l := range a {
		if _, ok := c.constant(l); ok {
			n++
		}
	}
	return n
}

// Equal is a == b.
func (c *Circuit) Equal(a, b Word) z.Lit {
	same := make([]z.Lit, len(a))
	for i := range a {
		same[i] = c.Xor(a[i], b[i]).Not()
	}
	return c.All(same)
}

// ULess is a < b of unsigned words: the highest bit that differs decides.
func (c *Circuit) ULess(a, b Word) z.Lit {
	less := c.True.Not()
	for i := range a {
		less = c.Majority(a[i].Not(), b[i], less)
	}
	return less
}

// SLess is a < b of signed words.
func (c *Circuit) SLess(a, b Word) z.Lit { return c.ULess(c.flipSign(a), c.flipSign(b)) }

func (c *Circuit) flipSign(a Word) Word {
	w := append(Word(nil), a...)
	w[len(w)-1] = w[len(w)-1].Not()
	return w
}

// Choose is a where s holds and b elsewhere.
func (c *Circuit) Choose(s z.Lit, a, b Word) Word {
	w := make(Word, len(a))
	for i := range a {
		w[i] = c.If(s, a[i], b[i])
	}
	return w
}

// Bitwise joins two words bit by bit.
func (c *Circuit) Bitwise(gate func(a, b z.Lit) z.Lit, a, b Word) Word {
	w := make(Word, len(a))
	for i := range a {
		w[i] = gate(a[i], b[i])
	}
	return w
}

// Shift moves the bits of a by count, read as unsigned: to the left, or to the right. What comes in is fill. The count
// may have another width.
func (c *Circuit) Shift(a, count Word, left bool, fill z.Lit) Word {
	width := len(a)
	w := a
	beyond := c.True.Not()
	for i, l := range count {
		if i >= 7 || 1<<i >= width {
			beyond = c.Or(beyond, l)
			continue
		}
		w = c.Choose(l, c.shiftBy(w, 1<<i, left, fill), w)
	}
	all := make(Word, width)
	for i := range all {
		all[i] = fill
	}
	return c.Choose(beyond, all, w)
}

func (c *Circuit) shiftBy(a Word, n int, left bool, fill z.Lit) Word {
	w := make(Word, len(a))
	for i := range w {
		from := i + n
		if left {
			from = i - n
		}
		w[i] = fill
		if from >= 0 && from < len(a) {
			w[i] = a[from]
		}
	}
	return w
}
