package cover

import (
	"fmt"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/causal"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/internal/toy"
	"github.com/rehearse-go/rehearse/trace"
)

func TestStarCoverage(t *testing.T) {
	budgets := []int{5, 10, 20, 50, 200}
	feasible := [criteria]int{}
	type result [][criteria]int
	results := map[string]result{}
	programs := 0
	for seed := uint64(0); programs < 200; seed++ {
		p := toy.Random(seed, toy.Features{Spawn: true, Senders: true})
		cond := explore.Conditions{Model: trace.FIFO}
		all := NewAchieved()
		out, err := explore.Run(toy.NewSystem(p), search.NewNaive(), explore.Options{Conditions: cond, Budget: explore.Budget{Executions: 3000},
			After: func(_ *explore.Counters, tr *trace.Trace) { mark(tr); all.Observe(tr) }})
		if err != nil {
			t.Fatal(err)
		}
		if !out.Complete || all.Covered(PR) < 20 {
			continue
		}
		programs++
		for c := range Criterion(criteria) {
			feasible[c] += all.Covered(c)
		}
		run := func(name string, s explore.Strategy) {
			o := NewAchieved()
			if results[name] == nil {
				results[name] = make(result, len(budgets))
			}
			done := 0
			_, err := explore.Run(toy.NewSystem(p), s, explore.Options{Conditions: cond, Budget: explore.Budget{Executions: 200},
				After: func(n *explore.Counters, tr *trace.Trace) {
					mark(tr)
					o.Observe(tr)
					done++
					for i, b := range budgets {
						if b == done {
							for c := range Criterion(criteria) {
								results[name][i][c] += o.Covered(c)
							}
						}
					}
				}})
			if err != nil {
				t.Fatal(err)
			}
			for i, b := range budgets {
				if done < b {
					for c := range Criterion(criteria) {
						results[name][i][c] += o.Covered(c)
					}
				}
			}
		}
		pos := func() explore.Strategy { return sample.NewPOS(seed, causal.Accesses{}) }
		run("literal pr", NewLiteral(&sample.DefaultOrder{}, PR))
		run("literal", NewLiteral(&sample.DefaultOrder{}))
		run("star", NewStar(seed, &sample.DefaultOrder{}, pos()))
		run("pos", pos())
		run("random", sample.NewRandom(seed))
	}
	t.Log("feasible", feasible)
	for _, name := range []string{"literal pr", "literal", "star", "pos", "random"} {
		s := ""
		for i, b := range budgets {
			r := results[name][i]
			s += fmt.Sprintf(" %d: %.1f/%.1f", b, 100*float64(r[PR])/float64(feasible[PR]), 100*float64(r[PCR])/float64(feasible[PCR]))
		}
		t.Log(name, s)
	}
}
