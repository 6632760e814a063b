package reverse

import (
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

func newSearch() explore.Strategy { return New() }

// Reverse search executes every class exactly once and begins nothing in vain, or it says that it does not answer for
// the program. The latter must stay rare, and never happens where no actor stops another one and nothing is chosen.
func TestReverseIsExactOrSaysWhy(t *testing.T) {
	plain := toy.Full
	plain.Stop, plain.Choices = false, false
	for _, tt := range []struct {
		name     string
		features toy.Features
		programs int
		doubts   float64 // at most this part
	}{
		{"no stops, no choices", plain, 100, 0},
		{"everything", toy.Full, 120, 0.25},
		{"answers before sends", toy.Answers, 60, 0.25},
	} {
		for _, model := range toy.Models {
			for _, timers := range toy.TimerModes {
				t.Run(tt.name+" "+model.String()+" "+timers.String(), func(t *testing.T) {
					cases, _, err := toy.Cases(toy.CompareOptions{Models: []trace.Model{model}, Timers: []trace.TimerMode{timers},
						Features: tt.features, Programs: tt.programs, Limit: 500})
					if err != nil {
						t.Fatal(err)
					}
					sure := toy.AnsweredFor(t, cases, New)
					if doubted := len(cases) - len(sure); float64(doubted) > tt.doubts*float64(len(cases)) {
						t.Errorf("%d of %d programs are not answered for", doubted, len(cases))
					}
					if _, err := toy.CompareOn(sure, newSearch, toy.Exact); err != nil {
						t.Error(err)
					}
				})
			}
		}
	}
}

// Reverse search executes each class exactly once, or says that it does not answer for the program: never under bag
// where no actor crashes or stops another one, nor with restarts alone under fifo and causal.
func TestReverseWithFaults(t *testing.T) {
	plain := toy.Full
	plain.Stop, plain.Choices = false, false
	bag, three := []trace.Model{trace.Bag}, []trace.Model{trace.Bag, trace.FIFO, trace.Causal}
	for _, tt := range []struct {
		kinds string
		sure  []trace.Model // where it answers for every program
	}{
		{"drop", bag}, {"drop:2", bag}, {"duplicate", bag}, {"restart", three}, {"restart:2", three}, {"drop,duplicate,restart:2", bag},
		{"crash", nil}, {"crash-losing", nil}, {"all", nil},
	} {
		t.Run(tt.kinds, func(t *testing.T) {
			faults, err := trace.ParseFaults(tt.kinds)
			if err != nil {
				t.Fatal(err)
			}
			cases, _, err := toy.Cases(toy.CompareOptions{Faults: faults, Features: plain, Programs: 12, Limit: 300})
			if err != nil {
				t.Fatal(err)
			}
			sure := toy.AnsweredFor(t, cases, New)
			for _, model := range tt.sure {
				if all, here := under(cases, model), under(sure, model); here < all {
					t.Errorf("under %s %d of %d programs are not answered for", model, all-here, all)
				}
			}
			if _, err := toy.CompareOn(sure, newSearch, toy.Exact); err != nil {
				t.Error(err)
			}
			t.Logf("%d of %d programs are answered for", len(sure), len(cases))
		})
	}
}

func under(cases []toy.Case, model trace.Model) int {
	n := 0
	for i := range cases {
		if cases[i].Conditions.Model == model {
			n++
		}
	}
	return n
}
