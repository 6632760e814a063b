package toy

import (
	"fmt"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// This file: what strategies count on small programs, as goldens. They cost little, since no twin enumerates anything,
// and nearly each change of what is explored changes one of them. What is right the twin knows, not they.

// counted is a group of random programs.
type counted struct {
	name     string
	programs int
	features Features
	faults   string
	timers   trace.TimerMode
	seed     uint64 // of the first program
}

// groups have everything that a program may have.
func groups() []counted {
	dense, effects, waits := Full, Full, Answers
	dense.Dense, effects.Effects, waits.Dense = true, true, true
	return []counted{
		{"quiescent", 40, Full, "off", trace.Quiescent, 20_000},
		{"async", 30, Full, "off", trace.Async, 21_000},
		{"dense", 16, dense, "off", trace.Async, 22_000},
		{"answers", 25, waits, "off", trace.Quiescent, 23_000},
		{"effects", 40, effects, "off", trace.Quiescent, 24_000},
		{"crash-losing", 12, Full, "crash-losing", trace.Quiescent, 25_000},
		{"crash", 12, Full, "crash", trace.Quiescent, 25_100},
		{"restart", 10, dense, "restart", trace.Quiescent, 25_200},
		{"drop", 12, effects, "drop", trace.Async, 25_300},
		{"all", 5, Features{Senders: true, Stop: true}, "all:2", trace.Quiescent, 25_400},
	}
}

// countedExecutions of a program at most.
const countedExecutions = 60

// Counts explores the programs of each group under each delivery model. It gives a line for each group. That has under
// each model the executions, those that were blocked, the classes that the strategy counted, the deliveries, and how
// many programs were explored completely.
func Counts(newStrategy func() explore.Strategy) (string, error) {
	var text strings.Builder
	for _, g := range groups() {
		faults, err := trace.ParseFaults(g.faults)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&text, "%s:", g.name)
		for _, model := range Models {
			var sum explore.Counters
			complete := 0
			for seed := range uint64(g.programs) {
				p := Random(g.seed+seed, g.features)
				c := explore.Conditions{Model: model, Timers: g.timers, Faults: faults, Effects: p.Effects()}
				o := explore.Options{Conditions: c, Budget: explore.Budget{Executions: countedExecutions}}
				out, err := explore.Run(NewSystem(p), newStrategy(), o)
				if err != nil {
					return "", fmt.Errorf("%s, seed %d, %s: %w", g.name, g.seed+seed, model, err)
				}
				sum.Executions += out.Executions
				sum.Blocked += out.Blocked
				sum.Classes += out.Classes
				sum.Deliveries += out.Deliveries
				if out.Complete {
					complete++
				}
			}
			fmt.Fprintf(&text, " %d %d %d %d %d,", sum.Executions, sum.Blocked, sum.Classes, sum.Deliveries, complete)
		}
		text.WriteString("\n")
	}
	return strings.ReplaceAll(text.String(), ",\n", "\n"), nil
}

// CheckCounts holds a strategy to the counts that it had.
func CheckCounts(t interface {
	Helper()
	Errorf(string, ...any)
}, newStrategy func() explore.Strategy, want string) {
	t.Helper()
	got, err := Counts(newStrategy)
	if err != nil || strings.TrimSpace(got) != strings.TrimSpace(want) {
		t.Errorf("%s counts otherwise, %v: under each model executions, blocked, classes, deliveries, complete programs\n"+
			"%swant\n%s", newStrategy().Name(), err, got, want)
	}
}

// CheckEstimates holds a strategy to the sum of what it estimated after each execution of small programs, and to how
// often it could tell nothing.
func CheckEstimates(t interface {
	Helper()
	Errorf(string, ...any)
}, newStrategy func() explore.Strategy, want string) {
	t.Helper()
	sum, none := 0.0, 0
	for seed := range uint64(12) {
		s := newStrategy()
		o := explore.Options{Conditions: explore.Conditions{Model: trace.Bag},
			Budget: explore.Budget{Executions: 40}, After: func(*explore.Counters, *trace.Trace) {
				if e := explore.ReportOf(s).Estimate; e.Known() {
					sum += e.Total
				} else {
					none++
				}
			}}
		if _, err := explore.Run(NewSystem(Random(20_000+seed, Full)), s, o); err != nil {
			t.Errorf("%s: %v", s.Name(), err)
		}
	}
	if got := fmt.Sprintf("%.0f, none %d times", sum, none); got != want {
		t.Errorf("%s: %s, want %s", newStrategy().Name(), got, want)
	}
}
