package baseline_test

import (
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/baseline"
	"github.com/rehearse-go/rehearse/internal/order"
	"github.com/rehearse-go/rehearse/internal/toy"
)

func selectOf(t *testing.T, options string) func() explore.Strategy {
	t.Helper()
	o, err := baseline.ParseSelection(options)
	if err != nil {
		t.Fatal(err)
	}
	return func() explore.Strategy { return baseline.NewSelect(o) }
}

// TestSelectCoversClasses: with declared calls and effects, whatever the options that are called sound, an execution of every class is
// executed.
func TestSelectCoversClasses(t *testing.T) {
	features := toy.All
	features.Effects = true
	full := toy.Full
	full.Effects = true
	for _, f := range []toy.Features{features, full} {
		cases, _, err := toy.Cases(toy.CompareOptions{Models: models, Programs: 400, Limit: 600, Features: f})
		if err != nil {
			t.Fatal(err)
		}
		for i := range cases {
			cases[i].Conditions.Calls = cases[i].Program.Calls()
		}
		for _, options := range []string{"", "plain", "breaks", "lemma1", "theorem1", "figure6", "nomarks", "freeze"} {
			c, err := toy.CompareOn(cases, selectOf(t, options), toy.Cover)
			if err != nil {
				t.Errorf("select/%s: %v", options, err)
			}
			t.Logf("select/%s: %v", options, c)
		}
	}
}

func stableOrder() order.Order {
	o, err := order.New("STABLE")
	if err != nil {
		panic(err)
	}
	return o
}
