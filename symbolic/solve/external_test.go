package solve_test

import (
	"context"
	"os/exec"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/symbolic/internal/random"
	"github.com/rehearse-go/rehearse/symbolic/solve"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// judge decides conditions independently: an external solver, or models tried at random, which know Sat alone.
type judge func(store *term.Store, g *random.Generator, conds []*term.Term) solve.Answer

// newJudge gives z3 or cvc5 if one is on the PATH, and says who judges.
func newJudge(t *testing.T) judge {
	for _, engine := range []solve.Engine{solve.Z3, solve.CVC5} {
		if _, err := exec.LookPath(string(engine)); err != nil {
			continue
		}
		t.Logf("compared with %s", engine)
		// hard ones are as good as none here
		s := newSolver(t, nil, solve.Config{Engine: engine, Limit: 100 * time.Millisecond})
		return func(_ *term.Store, _ *random.Generator, conds []*term.Term) solve.Answer {
			return s.Check(context.Background(), conds...).Answer
		}
	}
	t.Log("neither z3 nor cvc5 is on the PATH: compared with models tried at random, which do not know what is unsat")
	return func(store *term.Store, g *random.Generator, conds []*term.Term) solve.Answer {
		whole := store.And(conds...)
		for range 30 {
			if m, _ := g.Models(whole, store); m.Eval(whole).Bool() {
				return solve.Sat
			}
		}
		return solve.Unknown
	}
}

// compareWith checks conjunctions with the embedded solver and a judge.
func compareWith(t *testing.T, n int, prepare func(seed int, g *random.Generator)) {
	judge := newJudge(t)
	count := map[[2]solve.Answer]int{}
	for seed := first(t); seed < first(t)+n; seed++ {
		store := term.NewStore()
		g := random.New(uint64(seed), 5, store)
		prepare(seed, g)
		s := newShort(t, store, solve.Config{Engine: solve.Embedded, Steps: 50})
		for range 3 {
			conds := conditions(g, 1+g.IntN(4))
			r, want := s.Check(context.Background(), conds...), judge(store, g, conds)
			count[[2]solve.Answer{r.Answer, want}]++
			if r.Answer != want && r.Answer != solve.Unknown && want != solve.Unknown {
				t.Fatalf("seed %d: %v\nis %v, by the judge %v", seed, conds, r.Answer, want)
			}
			if r.Answer == solve.Unsat && judge(store, g, r.Core) == solve.Sat {
				t.Fatalf("seed %d: %v\nhas the core %v, which is none", seed, conds, r.Core)
			}
		}
		s.Close()
	}
	for _, embedded := range []solve.Answer{solve.Sat, solve.Unsat, solve.Unknown} {
		for _, by := range []solve.Answer{solve.Sat, solve.Unsat, solve.Unknown} {
			t.Logf("%6d: embedded %v, judge %v", count[[2]solve.Answer{embedded, by}], embedded, by)
		}
	}
}

// Words of all widths, functions: both know everything.
func TestEmbeddedAgainstJudge(t *testing.T) {
	compareWith(t, rounds(t, 100), func(_ int, g *random.Generator) {
		g.Texts = false
		g.Funcs = []term.Sort{term.Bool, term.Word8, term.Word64}
	})
}

// Strings: the embedded solver does not decide all.
func TestEmbeddedStringsAgainstJudge(t *testing.T) {
	compareWith(t, rounds(t, 60), func(_ int, g *random.Generator) {
		g.Words = []term.Sort{term.Word8, term.Word64}
		g.Funcs = []term.Sort{term.Bool, term.String}
	})
}

// Floats: the embedded solver finds values, and contradictions without arithmetic.
func TestEmbeddedFloatsAgainstJudge(t *testing.T) {
	compareWith(t, rounds(t, 40), func(_ int, g *random.Generator) {
		g.Words, g.Texts, g.Floats = []term.Sort{term.Word16, term.Word64}, false, true
		g.Funcs = []term.Sort{term.Bool}
	})
}
