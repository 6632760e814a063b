package cover

import (
	"os"
	"strconv"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/causal"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// share is the share of the pairs that can be seen in both orders that were, in percent.
type share struct{ pr, pcr float64 }

// coverages sums up, over programs, the pairs that were seen in both orders after so many executions.
type coverages struct {
	after [2][criteria]int // budgets
	all   [criteria]int    // that can be
}

var budgets = [...]int{50, 200}

func (c *coverages) share(i int) share {
	part := func(by Criterion) float64 { return 100 * float64(c.after[i][by]) / float64(c.all[by]) }
	return share{part(PR), part(PCR)}
}

// observed explores as often as the largest budget and gives the pairs after each.
func observed(t *testing.T, p *toy.Program, s explore.Strategy) (after [len(budgets)][criteria]int) {
	t.Helper()
	o, done := NewAchieved(), 0
	_, err := explore.Run(toy.NewSystem(p), s, explore.Options{Conditions: explore.Conditions{Model: trace.FIFO},
		Budget: explore.Budget{Executions: budgets[len(budgets)-1]},
		After: func(_ *explore.Counters, tr *trace.Trace) {
			o.Observe(tr)
			done++
			for i, b := range budgets {
				for c := range Criterion(criteria) {
					if done <= b {
						after[i][c] = o.Covered(c)
					}
				}
			}
		}})
	if err != nil {
		t.Fatal(err)
	}
	return after
}

// feasible gives the pairs that can be seen in both orders: those of all executions. ok is false for programs that show
// little, and those with too many executions.
func feasible(t *testing.T, p *toy.Program, limit int) (all *Achieved, ok bool) {
	t.Helper()
	all = NewAchieved()
	out, err := explore.Run(toy.NewSystem(p), search.NewNaive(), explore.Options{Conditions: explore.Conditions{Model: trace.FIFO},
		Budget: explore.Budget{Executions: limit}, After: func(_ *explore.Counters, tr *trace.Trace) { all.Observe(tr) }})
	if err != nil {
		t.Fatal(err)
	}
	return all, out.Complete && all.Covered(PR) >= 15
}

// TestStarCoverage: after 50 and 200 executions at least 94% and 99% of the pairs were seen in both orders, 95% and 99%
// of the consecutive ones; and more than by partial-order sampling. On 10 programs; with REHEARSE_TOY=n on 40 times n,
// larger ones among them.
func TestStarCoverage(t *testing.T) {
	programs, limit := 10, 1000
	if n, err := strconv.Atoi(os.Getenv("REHEARSE_TOY")); err == nil {
		programs, limit = 40*n, 3000
	}
	var star, pos coverages
	for seed := uint64(0); programs > 0; seed++ {
		p := toy.Random(seed, pure)
		all, ok := feasible(t, p, limit)
		if !ok {
			continue
		}
		programs--
		sum := func(c *coverages, s explore.Strategy) {
			after := observed(t, p, s)
			for by := range Criterion(criteria) {
				c.all[by] += all.Covered(by)
				for i := range budgets {
					c.after[i][by] += after[i][by]
				}
			}
		}
		sum(&star, NewStar(seed, &sample.DefaultOrder{}, sample.NewPOS(seed, causal.Accesses{})))
		sum(&pos, sample.NewPOS(seed, causal.Accesses{}))
	}
	t.Logf("star %.1f, pos %.1f, of %d pairs", []share{star.share(0), star.share(1)}, []share{pos.share(0), pos.share(1)}, star.all[PR])
	for i, least := range []share{{94, 95}, {99, 99}} {
		if got := star.share(i); got.pr < least.pr || got.pcr < least.pcr {
			t.Errorf("after %d executions %.1f, want %.0f", budgets[i], got, least)
		}
		if s, p := star.share(i), pos.share(i); s.pr < p.pr || s.pcr < p.pcr {
			t.Errorf("after %d executions %.1f, partial-order sampling %.1f", budgets[i], s, p)
		}
	}
	if limit == 1000 {
		if got, want := star.after, [2][criteria]int{{231, 0, 164}, {234, 0, 167}}; got != want {
			t.Errorf("pairs %v, want %v: the strategy has changed", got, want)
		}
	}
}

// TestStarIsDeterministic: the same seed makes the same executions, whatever the model.
func TestStarIsDeterministic(t *testing.T) {
	for _, model := range toy.Models {
		var runs [2][]trace.ID
		for i := range runs {
			s := NewStar(7, &sample.DefaultOrder{}, sample.NewPOS(7, causal.Accesses{}))
			_, err := explore.Run(toy.NewSystem(toy.Random(13, toy.Full)), s, explore.Options{Conditions: explore.Conditions{Model: model},
				Budget: explore.Budget{Executions: 100}, After: func(_ *explore.Counters, tr *trace.Trace) {
					for e := range tr.Events {
						runs[i] = append(runs[i], tr.Events[e].Step.ID)
					}
				}})
			if err != nil {
				t.Fatal(err)
			}
		}
		if len(runs[0]) < 300 || len(runs[0]) != len(runs[1]) {
			t.Fatalf("%s: %d and %d steps", model, len(runs[0]), len(runs[1]))
		}
		for k := range runs[0] {
			if runs[0][k] != runs[1][k] {
				t.Fatalf("%s: step %d differs", model, k)
			}
		}
	}
}
