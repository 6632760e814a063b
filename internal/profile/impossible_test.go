package profile

import (
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// standings gives what executions of a strategy say of each pair, and whether these were all.
func standings(t *testing.T, seed uint64, s explore.Strategy, budget int) (map[unordered]Standing, bool) {
	t.Helper()
	model := models[seed%5]
	c := NewCollector(model)
	o := explore.Options{Conditions: explore.Conditions{Model: model}, Budget: explore.Budget{Executions: budget}}
	o.After = func(_ *explore.Counters, tr *trace.Trace) { c.Observe(tr) }
	out, err := explore.Run(toy.NewSystem(toy.Random(seed, toy.All)), s, o)
	if err != nil {
		t.Fatal(err)
	}
	p := New()
	c.AddTo(p, Test{})
	all := map[unordered]Standing{}
	for _, a := range p.Classify() {
		for _, q := range a.Pairs {
			all[unordered{a.Type, min(q.First, q.Second), max(q.First, q.Second)}] = q.Standing
		}
	}
	return all, out.Complete
}

type unordered struct{ actor, a, b string }

// What few executions say of a pair, against all executions. Both is a fact. Impossible is what the executions that
// were looked at tell: another one may bring the messages about in another way. One way stays so for ever where a
// constraint, say, forbids the other one. The numbers are goldens; docs/coverage.md quotes them.
func TestStandingsOfFewExecutions(t *testing.T) {
	const absent = Impossible + 1
	var of [Impossible + 1][absent + 1]int // few, all
	for seed := range uint64(3000) {
		all, complete := standings(t, seed, search.NewNaive(), 3000)
		if !complete {
			continue
		}
		few, _ := standings(t, seed, sample.NewRandom(seed), 5)
		for k, s := range few {
			truth, ok := all[k]
			if !ok {
				truth = absent
			}
			of[s][truth]++
		}
	}
	if of[Both][Both] != sum(of[Both][:]) || of[Never][absent]+of[OneWay][absent]+of[Impossible][absent] > 0 {
		t.Errorf("few executions show what all do not: %v", of)
	}
	if of[Impossible][Impossible] != 2508 || sum(of[Impossible][:]) != 2563 {
		t.Errorf("impossible: %v", of[Impossible])
	}
	if of[OneWay][Both] != 152 || sum(of[OneWay][:]) != 281 {
		t.Errorf("one way: %v", of[OneWay])
	}
}

func sum(list []int) (n int) {
	for _, x := range list {
		n += x
	}
	return n
}
