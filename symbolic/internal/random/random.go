// Package random makes random terms of all operations, and models that hit their edges: for the twins of simplifier and
// solvers.
package random

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// Generator makes terms in a store. The same seed gives the same terms.
type Generator struct {
	*rand.Rand
	Store  *term.Store
	Words  []term.Sort // of the words that there are
	Vars   int         // of every sort
	Floats bool
	Texts  bool
	Funcs  []term.Sort // results that functions may have; no functions if empty
}

// New gives a generator of all there is but floats.
func New(seed, stream uint64, store *term.Store) *Generator {
	words := []term.Sort{term.Word8, term.Word16, term.Word32, term.Word64}
	return &Generator{Rand: rand.New(rand.NewPCG(seed, stream)), Store: store, Words: words, Vars: 3, Texts: true,
		Funcs: append([]term.Sort{term.Bool, term.String}, words...)}
}

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// edge gives a word, mostly one near a power of two or near zero.
func (g *Generator) edge(sort term.Sort) uint64 {
	switch g.IntN(4) {
	case 0:
		return uint64(g.IntN(6)-3) & sort.Mask()
	case 1:
		return (uint64(1)<<g.IntN(int(sort.Bits)) + uint64(g.IntN(3)-1)) & sort.Mask()
	case 2:
		return -(uint64(1)<<g.IntN(int(sort.Bits)) + uint64(g.IntN(3)-1)) & sort.Mask()
	}
	return g.Uint64() & sort.Mask()
}

var someFloats = []float64{0, math.Copysign(0, -1), 1, -1, 0.5, 3, 1e10, -2.25, math.Inf(1), math.Inf(-1), math.NaN(),
	math.MaxFloat64, 5e-324, 16777217, 0.1, 1 << 62}
var someTexts = []string{"", "a", "b", "ab", "ba", "aab", "\x00", "ü"}

// Value picks a value of that sort.
func (g *Generator) Value(sort term.Sort) term.Value {
	switch sort.Kind {
	case term.BoolKind:
		return term.BoolValue(g.IntN(2) == 0)
	case term.WordKind:
		return term.WordValue(sort, g.edge(sort))
	case term.FloatKind:
		return term.FloatValue(sort, pick(g.Rand, someFloats))
	}
	return term.TextValue(pick(g.Rand, someTexts))
}

// Sort picks a sort.
func (g *Generator) Sort() term.Sort {
	switch n := g.IntN(9); {
	case n < 2:
		return term.Bool
	case n < 3 && g.Texts:
		return term.String
	case n < 4 && g.Floats:
		return pick(g.Rand, floatSorts)
	}
	return pick(g.Rand, g.Words)
}

var floatSorts = []term.Sort{term.Float32, term.Float64}

// Term makes a term of that sort, of that many levels at most.
func (g *Generator) Term(sort term.Sort, depth int) *term.Term {
	if depth == 0 || g.IntN(8) == 0 {
		if g.IntN(3) == 0 {
			return g.Store.Const(g.Value(sort))
		}
		return g.Store.Var(fmt.Sprintf("%c_%v", 'a'+g.IntN(g.Vars), sort), sort)
	}
	switch g.IntN(10) {
	case 0:
		return g.Store.If(g.Term(term.Bool, depth-1), g.Term(sort, depth-1), g.Term(sort, depth-1))
	case 1:
		if slices.Contains(g.Funcs, sort) {
			args := []*term.Term{g.Term(g.Sort(), depth-1)}
			if g.IntN(2) == 0 {
				args = append(args, g.Term(g.Sort(), depth-1))
			}
			return g.Store.Apply(fmt.Sprintf("%c_%v", 'f'+g.IntN(2), sort), sort, args...)
		}
	}
	switch sort.Kind {
	case term.BoolKind:
		return g.boolean(depth - 1)
	case term.WordKind:
		return g.word(sort, depth-1)
	case term.FloatKind:
		return g.float(sort, depth-1)
	}
	return g.Store.Concat(g.Term(term.String, depth-1), g.Term(term.String, depth-1))
}

func (g *Generator) boolean(d int) *term.Term {
	s := g.Store
	switch g.IntN(4) {
	case 0:
		return s.Not(g.Term(term.Bool, d))
	case 1:
		args := []*term.Term{g.Term(term.Bool, d), g.Term(term.Bool, d), g.Term(term.Bool, d)}[:2+g.IntN(2)]
		if g.IntN(2) == 0 {
			return s.And(args...)
		}
		return s.Or(args...)
	}
	if sort := pick(g.Rand, floatSorts); g.Floats && g.IntN(4) == 0 {
		compare := pick(g.Rand, []func(a, b *term.Term) *term.Term{s.Equal, s.FEqual, s.FLess, s.FAtMost})
		return compare(g.Term(sort, d), g.Term(sort, d))
	}
	switch n := g.IntN(8); {
	case n == 0:
		return s.Equal(g.Term(term.Bool, d), g.Term(term.Bool, d))
	case n == 1 && g.Texts:
		return s.Equal(g.Term(term.String, d), g.Term(term.String, d))
	case n == 2 && g.Texts:
		return s.TextLess(g.Term(term.String, d), g.Term(term.String, d))
	case n == 3:
		return g.bounds(d)
	}
	return g.comparison(pick(g.Rand, g.Words), d)
}

// bounds compares one word with several constants near each other.
func (g *Generator) bounds(d int) *term.Term {
	s := g.Store
	sort := pick(g.Rand, g.Words)
	x, near := g.Term(sort, min(d, 1)), g.edge(sort)
	var conds []*term.Term
	for range 2 + g.IntN(4) {
		c := s.Uint(sort, near+uint64(g.IntN(5)))
		f := pick(g.Rand, []func(a, b *term.Term) *term.Term{s.Equal, s.SLess, s.ULess, s.SAtMost, s.UAtMost})
		cond := f(x, c)
		if g.IntN(2) == 0 {
			cond = f(c, x)
		}
		if g.IntN(2) == 0 {
			cond = s.Not(cond)
		}
		conds = append(conds, cond)
	}
	if g.IntN(2) == 0 {
		return s.And(conds...)
	}
	return s.Or(conds...)
}

func (g *Generator) comparison(sort term.Sort, d int) *term.Term {
	s := g.Store
	f := pick(g.Rand, []func(a, b *term.Term) *term.Term{s.Equal, s.SLess, s.ULess, s.SAtMost, s.UAtMost})
	a, b := g.Term(sort, d), g.Term(sort, d)
	if g.IntN(3) == 0 {
		b = s.Const(g.Value(sort))
	}
	if g.IntN(2) == 0 {
		a, b = b, a
	}
	return f(a, b)
}

func (g *Generator) word(sort term.Sort, d int) *term.Term {
	s := g.Store
	two := func(f func(a, b *term.Term) *term.Term) *term.Term { return f(g.Term(sort, d), g.Term(sort, d)) }
	byConst := func(f func(a, b *term.Term) *term.Term) *term.Term { return f(g.Term(sort, d), s.Const(g.Value(sort))) }
	switch g.IntN(12) {
	case 0, 1, 2:
		return two(pick(g.Rand, []func(a, b *term.Term) *term.Term{s.Add, s.Sub, s.Add, s.Sub, s.Mul}))
	case 3:
		return two(pick(g.Rand, []func(a, b *term.Term) *term.Term{s.SDiv, s.UDiv, s.SRem, s.URem}))
	case 4:
		return byConst(pick(g.Rand, []func(a, b *term.Term) *term.Term{s.SDiv, s.UDiv, s.SRem, s.URem, s.Mul, s.BitAnd}))
	case 5:
		return two(pick(g.Rand, []func(a, b *term.Term) *term.Term{s.BitAnd, s.BitOr, s.BitXor, s.AndNot}))
	case 6:
		f := pick(g.Rand, []func(a, b *term.Term) *term.Term{s.Shl, s.SShr, s.UShr})
		return f(g.Term(sort, d), g.Term(pick(g.Rand, g.Words), d))
	case 7:
		f := pick(g.Rand, []func(a, b *term.Term) *term.Term{s.Shl, s.SShr, s.UShr})
		return f(g.Term(sort, d), s.Uint(term.Word8, uint64(g.IntN(70))))
	case 8:
		if sort == term.Word64 && g.Texts && g.IntN(2) == 0 {
			return s.Len(g.Term(term.String, d))
		}
		return pick(g.Rand, []func(a *term.Term) *term.Term{s.Neg, s.Complement})(g.Term(sort, d))
	case 9:
		if from := pick(g.Rand, floatSorts); g.Floats {
			return pick(g.Rand, []func(term.Sort, *term.Term) *term.Term{s.FToS, s.FToU})(sort, g.Term(from, d))
		}
	}
	from := pick(g.Rand, g.Words)
	return s.Resize(sort, g.Term(from, d), g.IntN(2) == 0)
}

func (g *Generator) float(sort term.Sort, d int) *term.Term {
	s := g.Store
	switch g.IntN(6) {
	case 0:
		return s.FNeg(g.Term(sort, d))
	case 1:
		f := pick(g.Rand, []func(term.Sort, *term.Term) *term.Term{s.SToF, s.UToF})
		return f(sort, g.Term(pick(g.Rand, g.Words), d))
	case 2:
		return s.FToF(sort, g.Term(pick(g.Rand, floatSorts), d))
	}
	return pick(g.Rand, []func(a, b *term.Term) *term.Term{s.FAdd, s.FSub, s.FMul, s.FDiv})(g.Term(sort, d), g.Term(sort,
		d))
}

// Models gives values to the variables and functions of t, and the same ones to those of its twin in another store.
func (g *Generator) Models(t *term.Term, other *term.Store) (m, twin *term.Model) {
	m = &term.Model{Vars: map[*term.Term]term.Value{}, Funcs: map[string][]term.Entry{}}
	twin = &term.Model{Vars: map[*term.Term]term.Value{}, Funcs: m.Funcs}
	for _, v := range term.Vars(t) {
		m.Vars[v] = g.Value(v.Sort)
		twin.Vars[other.Var(v.Name, v.Sort)] = m.Vars[v]
	}
	rows := map[string]bool{}
	term.Walk(func(a *term.Term) {
		if a.Op != term.OpApply {
			return
		}
		args := make([]term.Value, len(a.Args))
		for i, x := range a.Args {
			args[i] = m.Eval(x)
		}
		if row := fmt.Sprint(a.Signature(), args); !rows[row] {
			rows[row] = true
			m.Funcs[a.Signature()] = append(m.Funcs[a.Signature()], term.Entry{Args: args, Result: g.Value(a.Sort)})
		}
	}, t)
	return m, twin
}
