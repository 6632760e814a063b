package causal_test

import (
	_ "embed"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/tests/answers"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

//go:embed testdata/sums.txt
var sums string

// TestCounts: sums of all that orders of random executions answer, under each model. Whoever changes one says why. What
// is right the definitions know (order_test.go). An order that was cut and grew again answers the same.
func TestCounts(t *testing.T) {
	losses, err := trace.ParseFaults("all:2")
	if err != nil {
		t.Fatal(err)
	}
	dense, effects := toy.Full, toy.Full
	dense.Dense, effects.Effects = true, true
	features := []toy.Features{toy.Full, dense, toy.Answers, effects}
	var lines []string
	for _, model := range toy.Models {
		var s answers.Sums
		for seed := range uint64(96) {
			p := toy.Random(50_000+seed, features[seed%4])
			c := explore.Conditions{Model: model, Timers: toy.TimerModes[seed/4%2], Effects: p.Effects()}
			if seed%3 == 0 {
				c.Faults = losses
			}
			if err := s.Add(toy.NewSystem(p), c, seed, 2); err != nil {
				t.Fatal(err)
			}
		}
		lines = append(lines, s.Lines(model.String())...)
	}
	answers.Check(t, lines, sums)
}
