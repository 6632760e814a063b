// Package piprecision computes digits of pi. A master asks workers for terms of a series, until one is too small to
// matter. It is program 22 of Savina [IS14]. It has no hazard: how many terms are asked for depends on the order, the
// digits do not.
package piprecision

import (
	"fmt"
	"math/big"
	"slices"
)

// Config sets the number of workers, and of digits behind the point.
type Config struct {
	Workers int // at least 1
	Scale   int // at least 1
}

// Small is a size to explore, Published that of the suite.
var (
	Small     = Config{Workers: 2, Scale: 3}
	Published = Config{Workers: 20, Scale: 5_000}
)

// Validate says what makes no sense.
func (c Config) Validate() error {
	if c.Workers < 1 || c.Scale < 1 {
		return fmt.Errorf("piprecision: %d workers, scale %d: want at least 1 of each", c.Workers, c.Scale)
	}
	return nil
}

// Start has the master ask.
type Start struct{}

// Work asks for a term.
type Work struct{ Scale, Term int }

// Result is a term, in units of the last digit.
type Result struct {
	Term *big.Int
	ID   int // of the worker
}

// Stop ends a worker. A worker says the same to the master.
type Stop struct{}

// guard is the number of digits more than are asked for, against rounding.
const guard = 10

// unit is how many units of the last digit are 1.
func unit(scale int) *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale+guard)), nil)
}

// Value is the term, number k in the series of Bailey, Borwein and Plouffe.
func (w Work) Value() *big.Int {
	k, sum := int64(w.Term), new(big.Int)
	for _, part := range [4][2]int64{{4, 8*k + 1}, {-2, 8*k + 4}, {-1, 8*k + 5}, {-1, 8*k + 6}} {
		p := new(big.Int).Mul(unit(w.Scale), big.NewInt(part[0]))
		sum.Add(sum, p.Quo(p, big.NewInt(part[1])))
	}
	return sum.Rsh(sum, uint(4*k))
}

// small says whether a term, and so all behind it, is at most one digit of those asked for.
func (c Config) small(term *big.Int) bool {
	return term.Cmp(new(big.Int).Exp(big.NewInt(10), big.NewInt(guard), nil)) <= 0
}

// tally is what the master counts.
type tally struct {
	config     Config
	asked, got int // terms
	sum        big.Int
	enough     bool
	stopped    int // workers
}

// first is how many terms are asked for at once.
func (t *tally) first() int { return min(t.config.Scale, 10*t.config.Workers) }

func (t *tally) ask() Work {
	t.asked++
	return Work{t.config.Scale, t.asked - 1}
}

func (t *tally) add(r Result) {
	t.got++
	t.sum.Add(&t.sum, r.Term)
	t.enough = t.enough || t.config.small(r.Term)
}

// Check says what is wrong with the end, nil if nothing is. The sum is pi and that of the terms asked for. Each was
// computed once, and all workers have ended.
func (c Config) Check(sum *big.Int, asked int, terms [][]int, stopped int) error {
	if off := new(big.Int).Sub(sum, pi(c.Scale)); !c.small(off.Abs(off)) {
		return fmt.Errorf("the sum is %v, off by %v of %v", sum, off, unit(c.Scale))
	}
	exact := new(big.Int)
	for k := range asked {
		exact.Add(exact, Work{c.Scale, k}.Value())
	}
	if exact.Cmp(sum) != 0 {
		return fmt.Errorf("the sum is %v, that of %d terms is %v", sum, asked, exact)
	}
	all := slices.Sorted(slices.Values(slices.Concat(terms...)))
	for i, k := range all {
		if i != k {
			return fmt.Errorf("term %d was computed in the place of %d", k, i)
		}
	}
	if len(all) != asked || stopped != c.Workers {
		return fmt.Errorf("%d terms of %d, and %d workers have stopped, want %d", len(all), asked, stopped, c.Workers)
	}
	return nil
}

// pi is 16 arctan 1/5 - 4 arctan 1/239, by another series than that of the workers.
func pi(scale int) *big.Int {
	a, b := arctan(scale, 5), arctan(scale, 239)
	return a.Sub(a.Mul(a, big.NewInt(16)), b.Mul(b, big.NewInt(4)))
}

// arctan is that of 1/x.
func arctan(scale int, x int64) *big.Int {
	power, sum := new(big.Int).Quo(unit(scale), big.NewInt(x)), new(big.Int)
	for k := int64(0); power.Sign() != 0; k++ {
		term := new(big.Int).Quo(power, big.NewInt(2*k+1))
		if k%2 == 1 {
			term.Neg(term)
		}
		sum.Add(sum, term)
		power.Quo(power, big.NewInt(x*x))
	}
	return sum
}
