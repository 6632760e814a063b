package search_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/subjects"
	"github.com/rehearse-go/rehearse/trace"
)

// priced is Naive, which also says how many delays each schedule costs. It looks at every schedule as a whole, and
// knows no bound.
type priced struct {
	*search.Naive
	states [][]trace.Step
	chosen []trace.Step
}

func (p *priced) Choose(tr *trace.Trace, enabled []trace.Step) explore.Choice {
	c := p.Naive.Choose(tr, enabled)
	p.states = append(p.states, append([]trace.Step(nil), enabled...))
	p.chosen = append(p.chosen, enabled[c.Index])
	return c
}

// Kept hides that of Naive: every execution is seen from the start.
func (p *priced) SharedPrefix() int { return 0 }

// take gives the schedule of the last execution and what it costs.
func (p *priced) take() (schedule string, cost int) {
	late := map[trace.ID]int{}
	for i, state := range p.states {
		c := p.chosen[i]
		schedule += c.ID.String() + " "
		if c.Kind.Chooses() {
			continue
		}
		for _, s := range state {
			// Whatever the scheduler would take before c is put off once.
			if late[s.ID] < late[c.ID] || late[s.ID] == late[c.ID] && s.Before(&c) {
				late[s.ID]++
				cost++
			}
		}
	}
	p.states, p.chosen = nil, nil
	return schedule, cost
}

// recorded is a strategy whose schedules are written down.
type recorded struct {
	*search.Delay
	chosen []string
}

func (r *recorded) Choose(tr *trace.Trace, enabled []trace.Step) explore.Choice {
	c := r.Delay.Choose(tr, enabled)
	r.chosen = append(r.chosen, enabled[c.Index].ID.String())
	return c
}

func (r *recorded) Resume(n int) {
	r.Delay.Resume(n)
	r.chosen = r.chosen[:n]
}

func (r *recorded) Start() bool {
	r.chosen = nil
	return r.Delay.Start()
}

func (r *recorded) SharedPrefix() int { return 0 }

// TestDelay: the schedules within a bound are those that cost so much, each once; Complete and the words say what was
// left out.
func TestDelay(t *testing.T) {
	const limit = 1500
	features := toy.Features{Spawn: true, Constraints: true, Stop: true, Timers: true, Choices: true}
	programs, cuts := 0, 0
	for _, model := range toy.Models {
		for seed := uint64(0); seed < 40; seed++ {
			sys, cond := toy.NewSystem(toy.Random(seed, features)), explore.Conditions{Model: model, Timers: trace.Async}
			p, costs, dearest := &priced{Naive: search.NewNaive()}, map[string]int{}, 0
			out, err := explore.Run(sys, p, explore.Options{Conditions: cond, Rerun: true,
				Budget: explore.Budget{Executions: limit}, After: func(*explore.Counters, *trace.Trace) {
					schedule, cost := p.take()
					costs[schedule] = cost
					dearest = max(dearest, cost)
				}})
			if err != nil {
				t.Fatal(err)
			}
			if !out.Complete {
				continue
			}
			programs++
			for _, bound := range []int{0, 1, 2, 4, dearest} {
				d, err := search.NewDelay(fmt.Sprint(bound))
				if err != nil {
					t.Fatal(err)
				}
				r, got := &recorded{Delay: d}, map[string]int{}
				out, err := explore.Run(sys, r,
					explore.Options{Conditions: cond, Rerun: true, After: func(*explore.Counters, *trace.Trace) {
						got[strings.Join(append(r.chosen, ""), " ")]++
					}})
				if err != nil {
					t.Fatal(err)
				}
				want := map[string]int{}
				for schedule, cost := range costs {
					if cost <= bound {
						want[schedule] = 1
					}
				}
				if !maps.Equal(got, want) {
					t.Fatalf("seed %d, %v: %d schedules with %d delays at most, want %d", seed, model, len(got), bound, len(want))
				}
				if out.Complete != (len(want) == len(costs)) || !out.Complete &&
					!strings.HasPrefix(out.Within, fmt.Sprint(bound, " delay")) || out.Complete && out.Within != "" {
					t.Fatalf("seed %d, %v: complete %v, %q with %d delays of %d", seed, model, out.Complete,
						out.Within, bound, dearest)
				}
				if !out.Complete {
					cuts++
				}
			}
		}
	}
	t.Logf("%d programs, %d bounds that cut", programs, cuts)
	if programs < 100 || cuts < 200 {
		t.Errorf("too few: %d programs, %d bounds that cut", programs, cuts)
	}
}

// TestDelayKeeps: a system that undoes steps gives the same executions as one that runs from the start.
func TestDelayKeeps(t *testing.T) {
	for _, model := range []trace.Model{trace.Bag, trace.Mailbox} {
		var counts [2]explore.Outcome
		for i := range counts {
			d, err := search.NewDelay("2")
			if err != nil {
				t.Fatal(err)
			}
			counts[i], err = explore.Run(subjects.Pipesort(4), d,
				explore.Options{Rerun: i == 1, Conditions: explore.Conditions{Model: model, Copy: true}})
			if err != nil {
				t.Fatal(err)
			}
			counts[i].Replayed = 0
		}
		if counts[0] != counts[1] || counts[0].Executions < 10 {
			t.Errorf("%v: %+v with undo, %+v without", model, counts[0], counts[1])
		}
	}
}

func TestDelayWords(t *testing.T) {
	for _, word := range []string{"", "-1", "many", "iterative"} {
		if _, err := search.NewDelay(word); err == nil ||
			!strings.Contains(err.Error(), "want a number of delays, as in delay/2") {
			t.Errorf("%q: %v", word, err)
		}
	}
}
