package parallel

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// TestDividedCounts: what divided searches count on small programs under all models: the executions, those that were
// blocked, the classes, the items, the findings for nodes above, and how often an item waited. Whoever changes a count
// says why; what is right TestDivided knows.
func TestDividedCounts(t *testing.T) {
	dense, effects := toy.Full, toy.Full
	dense.Dense, effects.Effects = true, true
	senders := toy.Features{Senders: true, Stop: true, Choices: true, Dense: true}
	groups := []struct {
		name     string
		programs uint64
		features toy.Features
		faults   string
	}{{"full", 20, toy.Full, "off"}, {"dense", 15, dense, "off"}, {"effects", 15, effects, "off"},
		{"senders", 20, senders, "off"},
		{"drop", 10, toy.Features{Senders: true}, "drop"}, {"crash", 10, toy.Features{Senders: true}, "crash,restart:2"},
		{"all", 5, senders, "all"}}
	var got strings.Builder
	for _, s := range searches {
		for _, g := range groups {
			sum := [6]int{}
			for seed := range g.programs {
				p := toy.Random(120+seed, g.features)
				c := explore.Conditions{Model: toy.Models[seed%5], Timers: trace.TimerMode(seed / 5 % 2),
					Faults: faults(t, g.faults), Effects: p.Effects()}
				fails := func(err error) { t.Fatalf("%s, %s, seed %d: %v", s.name, g.name, seed, err) }
				d := newDivided(s.make, seed, 1+2*int(seed%2), 40+30*int(seed%3), fails)
				out, err := explore.Run(toy.NewSystem(p), d,
					explore.Options{Conditions: c, Budget: explore.Budget{Executions: 40}})
				if err != nil {
					fails(err)
				}
				for i, n := range []int{out.Executions, out.Blocked, d.tally.Sum.Classes, d.items, d.owed, d.waited} {
					sum[i] += n
				}
			}
			fmt.Fprintln(&got, s.name, g.name+":", strings.Trim(fmt.Sprint(sum), "[]"))
		}
	}
	if want := strings.TrimLeft(dividedCounts, "\n"); got.String() != want {
		t.Errorf("got\n%swant\n%s", got.String(), want)
	}
}

const dividedCounts = `
source full: 74 0 74 69 13 0
source dense: 285 1 258 225 46 0
source effects: 140 1 138 128 31 0
source senders: 354 1 345 326 61 0
source drop: 84 0 83 67 15 0
source crash: 244 2 228 170 22 0
source all: 189 0 184 147 5 0
optimal full: 74 0 74 69 21 33
optimal dense: 286 0 282 240 130 1540
optimal effects: 140 0 139 132 60 257
optimal senders: 355 0 355 325 215 2815
optimal drop: 84 0 79 62 27 158
optimal crash: 236 0 232 171 61 567
optimal all: 189 0 187 156 52 1007
`
