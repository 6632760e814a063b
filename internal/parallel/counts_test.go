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
	}{{"full", 30, toy.Full, "off"}, {"dense", 20, dense, "off"}, {"effects", 15, effects, "off"}, {"senders", 20, senders, "off"},
		{"drop", 10, toy.Features{Senders: true}, "drop"}, {"crash", 10, toy.Features{Senders: true}, "crash,restart:2"},
		{"all", 10, senders, "all"}}
	var got strings.Builder
	for _, s := range searches {
		for _, g := range groups {
			sum := [6]int{}
			for seed := range g.programs {
				p := toy.Random(30_000+seed, g.features)
				c := explore.Conditions{Model: toy.Models[seed%5], Timers: trace.TimerMode(seed / 5 % 2), Faults: faults(t, g.faults),
					Effects: p.Effects()}
				fails := func(err error) { t.Fatalf("%s, %s, seed %d: %v", s.name, g.name, seed, err) }
				d := newDivided(s.make, seed, 1+2*int(seed%2), 40+30*int(seed%3), fails)
				out, err := explore.Run(toy.NewSystem(p), d,
					explore.Options{Conditions: c, Budget: explore.Budget{Executions: 30}})
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
source full: 263 1 257 242 45 0
source dense: 179 2 177 136 14 0
source effects: 126 0 126 117 8 0
source senders: 237 2 236 190 25 0
source drop: 75 0 75 56 3 0
source crash: 162 0 156 111 2 0
source all: 251 4 238 176 7 0
optimal full: 257 0 257 245 108 399
optimal dense: 178 0 178 141 25 196
optimal effects: 126 0 126 116 40 399
optimal senders: 237 0 236 194 60 271
optimal drop: 75 0 75 58 11 53
optimal crash: 162 0 160 125 25 867
optimal all: 251 0 242 179 36 780
`
