package solve_test

import (
	"context"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/rehearse-go/rehearse/symbolic/internal/random"
	"github.com/rehearse-go/rehearse/symbolic/solve"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// rounds is how often a twin compares three conjunctions: a third of the sample, with REHEARSE_TOY all of it, or as
// many as REHEARSE_SOLVE_TWINS says.
func rounds(t *testing.T, sample int) int {
	n, err := strconv.Atoi(os.Getenv("REHEARSE_SOLVE_TWINS"))
	if err != nil || n < sample {
		if os.Getenv("REHEARSE_TOY") == "" {
			return (sample + 2) / 3
		}
		return sample
	}
	t.Logf("%d rounds from seed %d, of three conjunctions each", n, first(t))
	return n
}

func newSolver(t testing.TB, store *term.Store, config solve.Config) solve.Solver {
	t.Helper()
	s := newShort(t, store, config)
	t.Cleanup(func() { s.Close() })
	return s
}

// newShort makes a solver that the caller closes: a long twin makes too many of them to keep.
func newShort(t testing.TB, store *term.Store, config solve.Config) solve.Solver {
	t.Helper()
	s, err := solve.New(store, config)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// first is the seed of a twin's first round: REHEARSE_SOLVE_SEED, so that a long run can be made in pieces.
func first(t *testing.T) int {
	t.Helper()
	text := os.Getenv("REHEARSE_SOLVE_SEED")
	if text == "" {
		return 0
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("REHEARSE_SOLVE_SEED: %v", err)
	}
	return n
}

// conditions makes a conjunction of one to four conditions.
func conditions(g *random.Generator, depth int) []*term.Term {
	conds := make([]*term.Term, 1+g.IntN(4))
	for i := range conds {
		conds[i] = g.Term(term.Bool, depth)
	}
	return conds
}

// satisfiable decides by trying all values of variables, of 8 bits at most, and all results of functions, which are
// booleans.
func satisfiable(conds []*term.Term) bool {
	m := &term.Model{Vars: map[*term.Term]term.Value{}, Funcs: map[string][]term.Entry{}}
	var calls []*term.Term
	term.Walk(func(t *term.Term) {
		if t.Op == term.OpApply {
			calls = append(calls, t)
		}
	}, conds...)
	return tryVars(m, term.Vars(conds...), calls, conds)
}

func tryVars(m *term.Model, vars, calls, conds []*term.Term) bool {
	if len(vars) == 0 {
		return tryCalls(m, calls, conds)
	}
	v := vars[0]
	values := uint64(2)
	if v.Sort == term.Word8 {
		values = 256
	}
	for bits := range values {
		m.Vars[v] = term.Value{Sort: v.Sort, Bits: bits}
		if tryVars(m, vars[1:], calls, conds) {
			return true
		}
	}
	return false
}

func tryCalls(m *term.Model, calls, conds []*term.Term) bool {
	if len(calls) == 0 {
		return m.Evaluator().Holds(conds...)
	}
	c := calls[0]
	args := make([]term.Value, len(c.Args))
	for i, a := range c.Args {
		args[i] = m.Eval(a)
	}
	table := m.Funcs[c.Signature()]
	if slices.ContainsFunc(table, func(e term.Entry) bool { return slices.Equal(e.Args, args) }) {
		return tryCalls(m, calls[1:], conds)
	}
	defer func() { m.Funcs[c.Signature()] = table }()
	for bits := range uint64(2) {
		m.Funcs[c.Signature()] = append(table[:len(table):len(table)], term.Entry{Args: args, Result: term.Value{Sort: c.Sort, Bits: bits}})
		if tryCalls(m, calls[1:], conds) {
			return true
		}
	}
	return false
}

// The embedded solver decides what enumeration decides: words of 8 bits, booleans, functions. Terms are simplified or
// not; one solver answers many.
func TestEmbeddedAgainstEnumeration(t *testing.T) {
	var count [2]int // Unsat, Sat
	n := rounds(t, 600)
	for seed := first(t); seed < first(t)+n; seed++ {
		store := term.NewStore()
		if seed%4 == 0 {
			store = term.NewPlain()
		}
		g := random.New(uint64(seed), 3, store)
		g.Words, g.Texts, g.Vars = []term.Sort{term.Word8}, false, 1
		g.Funcs = []term.Sort{term.Bool}
		s := newShort(t, store, solve.Config{Engine: solve.Embedded, Gates: 200})
		for range 3 {
			if enumerated(t, seed, s, conditions(g, 1+g.IntN(4))) == solve.Sat {
				count[1]++
			} else {
				count[0]++
			}
		}
		s.Close()
	}
	t.Logf("%d sat, %d unsat", count[1], count[0])
}

// enumerated holds an answer and its core to enumeration.
func enumerated(t *testing.T, seed int, s solve.Solver, conds []*term.Term) solve.Answer {
	t.Helper()
	r := s.Check(context.Background(), conds...)
	want := solve.Unsat
	if satisfiable(conds) {
		want = solve.Sat
	}
	if r.Answer != want {
		t.Fatalf("seed %d: %v is %v (%s), by enumeration %v", seed, conds, r.Answer, r.Why, want)
	}
	if want == solve.Unsat && (satisfiable(r.Core) || !within(r.Core, conds)) {
		t.Fatalf("seed %d: %v has the core %v, which is none", seed, conds, r.Core)
	}
	return want
}

func within(core, conds []*term.Term) bool {
	for _, c := range core {
		if !slices.Contains(conds, c) {
			return false
		}
	}
	return true
}
