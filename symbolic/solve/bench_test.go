package solve_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/symbolic/solve"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// handlers makes the queries of exploring random handlers: a path condition grows by one branch after the other, and
// both sides of every branch are asked for. Branches are those that handlers have: bounds, sums, references, keys,
// lengths, few products and remainders.
func handlers(s *term.Store, seed uint64, n int) [][]*term.Term {
	r := rand.New(rand.NewPCG(seed, 9))
	var queries [][]*term.Term
	for len(queries) < n {
		var path []*term.Term
		for range 2 + r.IntN(6) {
			c := branch(s, r)
			queries = append(queries, append(path[:len(path):len(path)], c), append(path[:len(path):len(path)], s.Not(c)))
			if r.IntN(2) == 0 {
				c = s.Not(c)
			}
			path = append(path, c)
		}
	}
	return queries[:n]
}

func branch(s *term.Store, r *rand.Rand) *term.Term {
	field := func() *term.Term {
		return s.Var([]string{"msg.Amount", "s.balance", "s.limit", "msg.N", "s.count"}[r.IntN(5)], term.Word64)
	}
	text := func() *term.Term { return s.Var([]string{"msg.Key", "s.owner", "msg.Name"}[r.IntN(3)], term.String) }
	ref := func() *term.Term {
		return s.Var([]string{"msg.From!ref", "s.next!ref", "s.leader!ref"}[r.IntN(3)], term.Word16)
	}
	small := s.Int(term.Word64, int64(r.IntN(20)-3))
	switch n := r.IntN(100); {
	case n < 25:
		return s.SLess(field(), small)
	case n < 40:
		return s.SLess(s.Add(field(), field()), field())
	case n < 50:
		return s.Equal(s.Sub(field(), field()), small)
	case n < 65:
		return s.Equal(ref(), ref())
	case n < 70:
		return s.Equal(ref(), s.Int(term.Word16, 0))
	case n < 80:
		return s.Equal(text(), text())
	case n < 85:
		return s.Equal(text(), s.Text([]string{"", "x", "admin"}[r.IntN(3)]))
	case n < 90:
		return s.SLess(s.Len(text()), small)
	case n < 95:
		return s.Equal(s.Apply("hash", term.Word64, text()), field())
	case n < 98:
		return s.Equal(s.SRem(field(), s.Int(term.Word64, int64(2+r.IntN(9)))), small)
	}
	return s.SLess(s.Mul(field(), field()), s.Int(term.Word64, 100))
}

// Queries as they come from handlers: how many a second, and how long the slow ones take.
func BenchmarkHandlers(b *testing.B) {
	const n = 2000
	times := make([]time.Duration, n) // of each query the shortest, so that a busy machine does not count
	for i := range times {
		times[i] = time.Hour
	}
	answers := map[solve.Answer]int{}
	for b.Loop() {
		store := term.NewStore()
		s := newSolver(b, store, solve.Config{Engine: solve.Embedded})
		clear(answers)
		for i, q := range handlers(store, 1, n) {
			start := time.Now()
			answers[s.Check(context.Background(), q...).Answer]++
			times[i] = min(times[i], time.Since(start))
		}
	}
	slices.Sort(times)
	all := time.Duration(0)
	for _, d := range times {
		all += d
	}
	b.ReportMetric(n/all.Seconds(), "queries/s")
	b.ReportMetric(float64(times[n*9/10].Microseconds()), "90%-µs")
	b.ReportMetric(float64(times[n/2].Microseconds()), "median-µs")
	b.ReportMetric(float64(times[n*99/100].Microseconds()), "99%-µs")
	for a, k := range answers {
		b.ReportMetric(float64(k), fmt.Sprint(a))
	}
}

// What handlers ask is decided, all of it: the counts are goldens.
func TestHandlersAreDecided(t *testing.T) {
	store := term.NewStore()
	s := newSolver(t, store, solve.Config{Engine: solve.Embedded})
	for _, q := range handlers(store, 2, 600) {
		if r := s.Check(context.Background(), q...); r.Answer == solve.Unknown {
			t.Errorf("%v: %s", q, r.Why)
		}
	}
	if got := s.Stats(); got.Sat != 517 || got.Unsat != 83 {
		t.Errorf("%d sat, %d unsat: want 517 and 83", got.Sat, got.Unsat)
	}
}
