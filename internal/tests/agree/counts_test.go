package agree

import (
	_ "embed"
	"fmt"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/strategies"
	"github.com/rehearse-go/rehearse/internal/tests/answers"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
)

// TestCounts: what the reductions count on native programs that do what toys cannot: under each model executions, those
// that were blocked, and deliveries. Whoever changes a count says why; what is right the comparisons know.
func TestCounts(t *testing.T) {
	for _, tt := range []struct {
		species  species
		strategy string
		programs uint64
		want     string
	}{
		{tame, "source", 12, "137 0 350, 94 0 736, 94 0 736, 122 0 498, 100 0 736"},
		{tame, "optimal", 12, "137 0 378, 94 0 736, 94 0 736, 101 0 482, 94 0 734"},
		{tame, "reverse", 12, "137 0 429, 94 0 932, 94 0 932, 99 0 402, 94 0 647"},
		{feral, "source", 12, "142 0 459, 95 8 574, 95 8 574, 99 9 405, 94 8 552"},
		{feral, "optimal", 12, "142 0 471, 103 0 561, 103 0 561, 107 0 423, 94 0 559"},
		{feral, "reverse", 12, "140 0 529, 103 0 710, 103 0 712, 108 0 435, 94 0 446"},
		{hasty, "source", 10, "243 3 914, 112 0 398, 110 0 391, 130 1 519, 93 0 396"},
		{hasty, "optimal", 10, "243 0 868, 112 0 416, 110 0 409, 128 0 512, 93 0 398"},
		{hasty, "reverse", 10, "243 0 918, 112 0 404, 110 0 397, 127 0 553, 93 0 421"},
		{exotic, "source", 24, "207 7 572, 162 0 470, 152 6 481, 152 9 423, 110 5 395"},
		{exotic, "optimal", 24, "214 0 550, 162 0 443, 152 0 498, 161 0 400, 90 0 339"},
		{exotic, "reverse", 24, "214 0 720, 162 0 647, 137 0 508, 161 0 528, 88 0 364"},
	} {
		var got []string
		for _, model := range toy.Models {
			var sum explore.Counters
			for seed := range tt.programs {
				p, line := tt.species.program(40_000 + seed)
				p.Conditions.Model = model
				s, err := strategies.New(tt.strategy, 1, 0)
				if err != nil {
					t.Fatal(err)
				}
				if explore.BindTo(s, explore.Env{Conditions: p.Conditions}) != nil {
					continue // it refuses
				}
				o := explore.Options{Conditions: p.Conditions, Budget: explore.Budget{Executions: 40}}
				out, err := explore.Run(p.System, s, o)
				if err != nil && err != explore.ReportOf(s).Err {
					t.Fatalf("%s: %v", line, err)
				}
				sum.Executions += out.Executions
				sum.Blocked += out.Blocked
				sum.Deliveries += out.Deliveries
			}
			got = append(got, fmt.Sprint(sum.Executions, sum.Blocked, sum.Deliveries))
		}
		if line := strings.Join(got, ", "); line != tt.want {
			t.Errorf("%s: %s\nwant %s", tt.strategy, line, tt.want)
		}
	}
}

//go:embed testdata/sums.txt
var sums string

// TestOrders: sums of all that happens-before answers about executions of native programs, as internal/causal has them
// for toys.
func TestOrders(t *testing.T) {
	var lines []string
	for _, model := range toy.Models {
		var s answers.Sums
		for i, sp := range []species{tame, feral, hasty, exotic, exotic, exotic, exotic} {
			for seed := range uint64(15) {
				p, line := sp.program(60_000 + 100*uint64(i) + seed)
				p.Conditions.Model = model
				if err := s.Add(p.System, p.Conditions, seed, 2); err != nil {
					t.Fatalf("%s: %v", line, err)
				}
			}
		}
		lines = append(lines, s.Lines(model.String())...)
	}
	answers.Check(t, lines, sums)
}
