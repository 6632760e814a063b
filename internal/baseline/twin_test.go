package baseline_test

import (
	"maps"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/order"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

var models = []trace.Model{trace.Bag, trace.FIFO, trace.Causal}

// TestCoversClasses: whatever the reduction and the order, an execution of every class is executed, with its final
// state and its violations, in random programs with calls, constraints, spawns, stops, timers and choices. Each order
// gets other programs.
func TestCoversClasses(t *testing.T) {
	total := map[string]toy.Comparison{}
	for i, name := range order.Names() {
		cases, _, err := toy.Cases(toy.CompareOptions{Models: models, Programs: 40, Limit: 600, Seed: uint64(i) * 10_000})
		if err != nil {
			t.Fatal(err)
		}
		for reduction, create := range reductions {
			c, err := toy.CompareOn(cases, func() explore.Strategy { return create(byName(t, name)) }, toy.Cover)
			if err != nil {
				t.Errorf("%s/%s: %v", reduction, name, err)
			}
			sum := total[reduction]
			sum.Programs += c.Programs
			sum.Branching += c.Branching
			sum.Known += c.Known
			sum.Total += c.Total
			sum.Executions += c.Executions
			sum.Blocked += c.Blocked
			sum.Deliveries += c.Deliveries
			total[reduction] = sum
		}
	}
	for reduction, c := range total {
		t.Logf("%s: %v", reduction, c)
		if c.Programs < 500 || c.Branching < c.Programs/2 {
			t.Errorf("%s: %v: the comparison says little", reduction, c)
		}
		if c.Executions >= c.Total*3/4 {
			t.Errorf("%s: %v: it reduces little", reduction, c)
		}
	}
}

// TestOncePerClass: in programs without choices of values no class is executed twice under sleep sets.
func TestOncePerClass(t *testing.T) {
	cases, _, err := toy.Cases(toy.CompareOptions{Models: models, Programs: 100, Limit: 600, Features: toy.All})
	if err != nil {
		t.Fatal(err)
	}
	c, err := toy.CompareOn(cases,
		func() explore.Strategy { return reductions["persistent+sleep"](byName(t, "FIFO")) }, toy.Cover)
	if err != nil || c.Executions != c.Known {
		t.Errorf("%v, %v", c, err)
	}
}

// TestViolationsOfCutExecutions: where executions end at their first violation, all that can be a first violation are
// found.
func TestViolationsOfCutExecutions(t *testing.T) {
	several := 0
	for seed := range uint64(400) {
		p := toy.Random(seed, toy.All)
		model := models[seed%3]
		if toy.NewCase("", p, explore.Conditions{Model: model}, 400).Want.Over {
			continue
		}
		want := violations(t, toy.NewSystem(p), search.NewNaive(), model)
		if len(want) > 1 {
			several++
		}
		for reduction, create := range reductions {
			if got := violations(t, toy.NewSystem(p), create(byName(t, "LCA")), model); !maps.Equal(got, want) {
				t.Errorf("seed %d, %s: %v, naive finds %v\n%s", seed, reduction, got, want, p)
			}
		}
	}
	if several < 20 {
		t.Errorf("only %d programs have more than one violation: the comparison says little", several)
	}
}

func violations(t *testing.T, sys explore.System, s explore.Strategy, model trace.Model) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	_, err := explore.Run(sys, s, explore.Options{Conditions: explore.Conditions{Model: model},
		Check: &check.Checker{Levels: check.Levels{trace.OrphanDead: check.Error}},
		Found: func(f explore.Found) bool { found[f.Violations[0].Key()] = true; return true }})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// byName makes an order.
func byName(t *testing.T, name string) order.Order {
	t.Helper()
	o, err := order.New(name)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

type msg string
