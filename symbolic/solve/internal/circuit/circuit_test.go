package circuit

import (
	"testing"

	"github.com/go-air/gini/z"
)

const width = 3

// operations are those of small words, with what they are on numbers.
var operations = []struct {
	name string
	make func(c *Circuit, a, b Word) Word
	want func(a, b uint64) uint64
}{
	{"add", func(c *Circuit, a, b Word) Word { return c.Add(a, b, c.True.Not()) }, func(a, b uint64) uint64 { return a + b }},
	{"sub", (*Circuit).Sub, func(a, b uint64) uint64 { return a - b }},
	{"neg", func(c *Circuit, a, _ Word) Word { return c.Neg(a) }, func(a, _ uint64) uint64 { return -a }},
	{"mul", (*Circuit).Mul, func(a, b uint64) uint64 { return a * b }},
	{"abs", func(c *Circuit, a, _ Word) Word { return c.Abs(a) }, func(a, _ uint64) uint64 {
		if a >= 1<<(width-1) {
			return -a
		}
		return a
	}},
	{"quotient", func(c *Circuit, a, b Word) Word { q, _ := c.UDivide(a, b); return q }, func(a, b uint64) uint64 {
		if b == 0 {
			return 1<<width - 1
		}
		return a / b
	}},
	{"remainder", func(c *Circuit, a, b Word) Word { _, r := c.UDivide(a, b); return r }, func(a, b uint64) uint64 {
		if b == 0 {
			return a
		}
		return a % b
	}},
	{"left", func(c *Circuit, a, b Word) Word { return c.Shift(a, b, true, c.True.Not()) }, func(a, b uint64) uint64 { return a << b }},
	{"right", func(c *Circuit, a, b Word) Word { return c.Shift(a, b, false, c.True.Not()) }, func(a, b uint64) uint64 { return a >> b }},
	{"right, signed", func(c *Circuit, a, b Word) Word { return c.Shift(a, b, false, a[width-1]) }, func(a, b uint64) uint64 {
		return uint64(int64(a<<(64-width)) >> (64 - width) >> b)
	}},
	{"and", func(c *Circuit, a, b Word) Word { return c.Bitwise(c.And, a, b) }, func(a, b uint64) uint64 { return a & b }},
	{"xor", func(c *Circuit, a, b Word) Word { return c.Bitwise(c.Xor, a, b) }, func(a, b uint64) uint64 { return a ^ b }},
	{"equal", func(c *Circuit, a, b Word) Word { return Word{c.Equal(a, b)} }, func(a, b uint64) uint64 { return bit(a == b) }},
	{"less", func(c *Circuit, a, b Word) Word { return Word{c.ULess(a, b)} }, func(a, b uint64) uint64 { return bit(a < b) }},
	{"less, signed", func(c *Circuit, a, b Word) Word { return Word{c.SLess(a, b)} }, func(a, b uint64) uint64 { return bit(int64(a<<(64-width)) < int64(b<<(64-width))) }},
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// Every operation gives, for all pairs of inputs, constant or not, the one right output.
func TestOperations(t *testing.T) {
	for _, o := range operations {
		for _, constants := range []int{0, 1, 2, 3} {
			for pair := range uint64(1 << (2 * width)) {
				a, b := pair&(1<<width-1), pair>>width
				c := New()
				wa, wb := operand(c, constants&1 == 1, a), operand(c, constants&2 == 2, b)
				checkOutput(t, c, o.name, o.make(c, wa, wb), o.want(a, b), a, b)
				if t.Failed() {
					return
				}
			}
		}
	}
}

// operand gives a constant, or inputs that are demanded to have that value.
func operand(c *Circuit, constant bool, v uint64) Word {
	if constant {
		return c.Word(width, v)
	}
	w := c.Input(width)
	for i, l := range w {
		c.Clause(z.Lit(l) ^ z.Lit(1-v>>i&1))
	}
	return w
}

func checkOutput(t *testing.T, c *Circuit, name string, out Word, want, a, b uint64) {
	t.Helper()
	want &= 1<<len(out) - 1
	if c.SAT.Solve() != 1 {
		t.Errorf("%s of %d and %d has no value", name, a, b)
		return
	}
	if got := c.Read(out); got != want {
		t.Errorf("%s of %d and %d is %d, want %d", name, a, b, got, want)
	}
	c.SAT.Assume(c.Equal(out, c.Word(len(out), want)).Not())
	if c.SAT.Solve() != -1 {
		t.Errorf("%s of %d and %d may also be %d", name, a, b, c.Read(out))
	}
}

// Constants as factors and divisors have circuits of their own.
func TestConstantFactors(t *testing.T) {
	for k := range uint64(1 << width) {
		for a := range uint64(1 << width) {
			c := New()
			in := operand(c, false, a)
			checkOutput(t, c, "3 + k*a", c.AddScaled(c.Word(width, 3), in, k), 3+k*a, a, k)
			if k > 0 {
				q, r := c.UDivideBy(in, k)
				checkOutput(t, c, "a / k", q, a/k, a, k)
				checkOutput(t, c, "a % k", r, a%k, a, k)
			}
		}
	}
}
