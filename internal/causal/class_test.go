package causal

import (
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// Over all executions of random programs, two have equal keys iff they are of one class by its definition.
func TestKey(t *testing.T) {
	for _, cond := range conditions() {
		executions, classes := 0, 0
		for seed := range uint64(60) {
			p := toy.Random(seed, toy.Full)
			keys, back := map[string]trace.ID{}, map[trace.ID]string{}
			explored(t, p, search.NewNaive(), cond, 150, func(tr *trace.Trace) {
				o := New(cond.Model, cond.Timers)
				o.Extend(tr, len(tr.Events))
				key, class := o.Key(), toy.ClassKey(cond.Model, tr)
				if old, ok := keys[class]; ok && old != key {
					t.Fatalf("%s %s seed %d: two keys of one class", cond.Model, cond.Timers, seed)
				}
				if old, ok := back[key]; ok && old != class {
					t.Fatalf("%s %s seed %d: one key of two classes", cond.Model, cond.Timers, seed)
				}
				keys[class], back[key] = key, class
				executions++
			})
			classes += len(keys)
		}
		if classes < 100 || executions < 2*classes {
			t.Errorf("%s %s: %d executions of %d classes say little", cond.Model, cond.Timers, executions, classes)
		}
	}
}

// conditions are the five models in both timer modes.
func conditions() []explore.Conditions {
	var all []explore.Conditions
	for _, model := range toy.Models {
		for _, timers := range toy.TimerModes {
			all = append(all, explore.Conditions{Model: model, Timers: timers})
		}
	}
	return all
}

// explored calls f for the executions of a program.
func explored(t *testing.T, p *toy.Program, s explore.Strategy, cond explore.Conditions, limit int, f func(tr *trace.Trace)) {
	t.Helper()
	_, err := explore.Run(toy.NewSystem(p), s, explore.Options{Conditions: cond, Budget: explore.Budget{Executions: limit},
		After: func(_ *explore.Counters, tr *trace.Trace) { f(tr) }})
	if err != nil {
		t.Fatal(err)
	}
}
