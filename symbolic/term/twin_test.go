package term_test

import (
	"os"
	"strconv"
	"testing"

	"github.com/rehearse-go/rehearse/symbolic/internal/random"
	. "github.com/rehearse-go/rehearse/symbolic/term"
)

// rounds is how many terms a twin compares: a sample of a second, or as many as REHEARSE_TERM_TWINS says.
func rounds(t *testing.T, sample int) int {
	n, err := strconv.Atoi(os.Getenv("REHEARSE_TERM_TWINS"))
	if err != nil || n < sample {
		return sample
	}
	t.Logf("%d terms", n)
	return n
}

// A term and its simplified form have the same value under every model.
func TestSimplifierAgainstEvaluator(t *testing.T) {
	smaller, same := 0, 0
	n := rounds(t, 30000)
	for seed := range n {
		g := random.New(uint64(seed), 1, NewPlain())
		g.Floats = seed%3 == 0
		plain := g.Term(g.Sort(), 2+seed%4)
		s := NewStore()
		simple := s.Subst(func(*Term) *Term { return nil }).Apply(plain)
		if simple.Sort != plain.Sort {
			t.Fatalf("seed %d: %v is of %v, simplified %v of %v", seed, plain, plain.Sort, simple, simple.Sort)
		}
		if Size(simple) < Size(plain) {
			smaller++
		}
		for range 4 {
			m, twin := g.Models(plain, s)
			want, got := m.Eval(plain), twin.Eval(simple)
			if got != want {
				t.Fatalf("seed %d: %v is %v\nsimplified: %v is %v\nunder %v", seed, plain, want, simple, got, m.Vars)
			}
			same++
		}
	}
	t.Logf("%d values of %d terms are the same; %d terms became smaller", same, n, smaller)
}

// I2: building a simplified term again, in the same store and in another one, gives that term.
func TestSimplifiedStays(t *testing.T) {
	for seed := range rounds(t, 20000) {
		g := random.New(uint64(seed), 2, NewStore())
		g.Floats = seed%3 == 0
		simple := g.Term(g.Sort(), 2+seed%4)
		if again := g.Store.Subst(func(*Term) *Term { return nil }).Apply(simple); again != simple {
			t.Fatalf("seed %d: %v\nbuilt again is %v", seed, simple, again)
		}
		if elsewhere := NewStore().Subst(func(*Term) *Term { return nil }).Apply(simple); Compare(simple, elsewhere) != 0 {
			t.Fatalf("seed %d: %v\nelsewhere is %v", seed, simple, elsewhere)
		}
	}
}

// Random values hardly ever make both sides of an equation equal. So here the right side is what the left one is: all
// that compares the two for being equal, or less, is decided, and simplified it still is.
func TestPlantedEqualities(t *testing.T) {
	for seed := range rounds(t, 10000) {
		g := random.New(uint64(seed), 4, NewPlain())
		plain := g.Term(g.Words[seed%4], 1+seed%4)
		if seed%5 == 0 { // a linear one, which is solved
			plain = g.Store.Add(g.Store.Scale(g.Uint64(), g.Store.Var("a", plain.Sort)), g.Store.Const(g.Value(plain.Sort)))
		}
		s := NewStore()
		m, twin := g.Models(plain, s)
		v := m.Eval(plain)
		left := s.Subst(func(*Term) *Term { return nil }).Apply(plain)
		for i, cond := range []*Term{s.Equal(left, s.Const(v)), s.SAtMost(left, s.Const(v)), s.UAtMost(left, s.Const(v)), s.SAtMost(s.Const(v), left), s.UAtMost(s.Const(v), left),
			s.Not(s.SLess(left, s.Const(v))), s.Not(s.ULess(s.Const(v), left)), s.Equal(s.Add(left, s.Const(v)), s.Scale(2, s.Const(v)))} {
			if !twin.Eval(cond).Bool() {
				t.Fatalf("seed %d: %v is %v under %v, but condition %d, %v, is false", seed, plain, v, m.Vars, i, cond)
			}
		}
	}
}
