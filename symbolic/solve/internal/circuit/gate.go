// Package circuit builds the arithmetic of words out of gates, as clauses of a SAT solver.
//
//	gate.go    And, Xor, If, majority: hash-consed, constants folded, the clauses of each at once
//	word.go    sums, products, shifts, comparisons          divide.go  division
//
// A word is its bits, the lowest first. All circuits are total and permanent: every assignment of inputs has exactly
// one of the outputs, so clauses never restrict what a caller has not assumed.
//
//	source:     Tseitin's translation; adders and multipliers as in every text book
//	cost:       clauses: And 3, Xor 4, If 4 to 6, majority 6; gates of a word of w bits: sum 3w, comparison w, product
//	            3w²/2, quotient 5w²/2
//	checked by: circuit_test.go, all operations on all words of 3 bits; the twins of package solve
package circuit

import (
	"github.com/go-air/gini"
	"github.com/go-air/gini/z"
)

// Circuit is a SAT solver with gates. Adding to it invalidates the solver's last model.
type Circuit struct {
	SAT   *gini.Gini
	True  z.Lit
	gates map[gate]z.Lit
}

type kind uint8

const (
	and kind = iota
	xor
	choice
	majority
)

// gate is a gate by its inputs, in the order that stands for all equivalent ones.
type gate struct {
	kind    kind
	a, b, c z.Lit
}

// New gives a circuit without inputs.
func New() *Circuit {
	c := &Circuit{SAT: gini.NewVc(1024, 4096), gates: map[gate]z.Lit{}}
	c.True = c.SAT.Lit()
	c.Clause(c.True)
	return c
}

// Gates counts the gates made.
func (c *Circuit) Gates() int { return len(c.gates) }

// Clause demands that one of the literals holds.
func (c *Circuit) Clause(lits ...z.Lit) {
	for _, l := range lits {
		c.SAT.Add(l)
	}
	c.SAT.Add(z.LitNull)
}

// Const gives the literal of a truth value.
func (c *Circuit) Const(b bool) z.Lit {
	if b {
		return c.True
	}
	return c.True.Not()
}

func (c *Circuit) constant(l z.Lit) (value, ok bool) { return l == c.True, l.Var() == c.True.Var() }

// make gives the output of a gate; new ones get their clauses.
func (c *Circuit) make(g gate, clauses func(out z.Lit)) z.Lit {
	if out, ok := c.gates[g]; ok {
		return out
	}
	out := c.SAT.Lit()
	c.gates[g] = out
	clauses(out)
	return out
}

// And is a && b.
func (c *Circuit) And(a, b z.Lit) z.Lit {
	if a > b {
		a, b = b, a
	}
	no := c.True.Not()
	switch {
	case a == no || b == no || a == b.Not():
		return no
	case a == c.True || a == b:
		return b
	case b == c.True:
		return a
	}
	return c.make(gate{kind: and, a: a, b: b}, func(out z.Lit) {
		c.Clause(out.Not(), a)
		c.Clause(out.Not(), b)
		c.Clause(out, a.Not(), b.Not())
	})
}

// Or is a || b.
func (c *Circuit) Or(a, b z.Lit) z.Lit { return c.And(a.Not(), b.Not()).Not() }

// All is the conjunction.
func (c *Circuit) All(lits []z.Lit) z.Lit {
	out := c.True
	for _, l := range lits {
		out = c.And(out, l)
	}
	return out
}

// Xor is a != b. Negations are taken outside.
func (c *Circuit) Xor(a, b z.Lit) z.Lit {
	negated := a.IsPos() != b.IsPos()
	a, b = a.Var().Pos(), b.Var().Pos()
	if a > b {
		a, b = b, a
	}
	var out z.Lit
	switch truth := c.True.Var().Pos(); {
	case a == b:
		out = c.True.Not()
	case a == truth: // the constant true is the positive literal of its variable
		out = b.Not()
	case b == truth:
		out = a.Not()
	default:
		out = c.make(gate{kind: xor, a: a, b: b}, func(out z.Lit) {
			c.Clause(out.Not(), a, b)
			c.Clause(out.Not(), a.Not(), b.Not())
			c.Clause(out, a.Not(), b)
			c.Clause(out, a, b.Not())
		})
	}
	if negated {
		return out.Not()
	}
	return out
}

// If is a where s holds and b elsewhere.
func (c *Circuit) If(s, a, b z.Lit) z.Lit {
	if !s.IsPos() {
		s, a, b = s.Not(), b, a
	}
	if yes, ok := c.constant(s); ok {
		if yes {
			return a
		}
		return b
	}
	no := c.True.Not()
	switch {
	case a == b:
		return a
	case a == b.Not():
		return c.Xor(s, b)
	case a == c.True || a == s:
		return c.Or(s, b)
	case a == no || a == s.Not():
		return c.And(s.Not(), b)
	case b == no || b == s:
		return c.And(s, a)
	case b == c.True || b == s.Not():
		return c.Or(s.Not(), a)
	}
	return c.make(gate{kind: choice, a: s, b: a, c: b}, func(out z.Lit) {
		c.Clause(s.Not(), a.Not(), out)
		c.Clause(s.Not(), a, out.Not())
		c.Clause(s, b.Not(), out)
		c.Clause(s, b, out.Not())
		c.Clause(a.Not(), b.Not(), out) // these two follow; they propagate earlier
		c.Clause(a, b, out.Not())
	})
}

// Majority holds where two of the three do: the carry of an adder.
func (c *Circuit) Majority(x, y, w z.Lit) z.Lit {
	if x > y {
		x, y = y, x
	}
	if y > w {
		y, w = w, y
	}
	if x > y {
		x, y = y, x
	}
	for _, o := range [3][3]z.Lit{{x, y, w}, {y, x, w}, {w, x, y}} {
		if yes, ok := c.constant(o[0]); ok {
			if yes {
				return c.Or(o[1], o[2])
			}
			return c.And(o[1], o[2])
		}
	}
	switch {
	case x == y || x == w:
		return x
	case y == w:
		return y
	case x == y.Not():
		return w
	case x == w.Not():
		return y
	case y == w.Not():
		return x
	}
	return c.make(gate{kind: majority, a: x, b: y, c: w}, func(out z.Lit) {
		for _, p := range [3][2]z.Lit{{x, y}, {x, w}, {y, w}} {
			c.Clause(p[0].Not(), p[1].Not(), out)
			c.Clause(p[0], p[1], out.Not())
		}
	})
}
