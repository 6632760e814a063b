package prototest

import (
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/symbolic/tasks"
)

// executions are of one subject by one configuration.
type executions struct {
	cases, met, executed int
}

func (e *executions) add(f executions) {
	e.cases, e.met, e.executed = e.cases+f.cases, e.met+f.met, e.executed+f.executed
}

// TestExecuted: random inputs, executed through the order of each case that they meet: one of each handler and setting,
// with REHEARSE_TOY six.
func TestExecuted(t *testing.T) {
	inputs, enough := 1, 2
	if os.Getenv("REHEARSE_TOY") != "" {
		inputs, enough = 6, 20
	}
	rng := rand.New(rand.NewPCG(1, 2))
	var total executions
	for _, s := range subjects {
		p := program(t, s.dir)
		var all executions
		for _, c := range configs(s) {
			r, err := p.Cases(t.Context(), s.actor, s.message, c)
			if err != nil {
				t.Fatal(err)
			}
			if r.Defect != "" {
				t.Fatalf("%s on %s: %s", s.actor, s.message, r.Defect)
			}
			all.add(s.executed(t, rng, p, c, r, inputs))
		}
		t.Logf("%s on %s: %+v", s.actor, s.message, all)
		if all.executed < enough {
			t.Errorf("%s on %s: only %d executions", s.actor, s.message, all.executed)
		}
		total.add(all)
	}
	t.Logf("all: %+v", total)
}

// executed executes what so many random inputs meet of a result.
func (s subject) executed(t *testing.T, rng *rand.Rand, p *tasks.Program, c tasks.Config, r *tasks.Result, inputs int) executions {
	t.Helper()
	met := map[int]bool{}
	e := executions{cases: len(r.Cases)}
	for range inputs {
		d := s.random(rng, rng.IntN(c.Queue+1))
		if c.Policy != tasks.FIFO && repeated(d.queue) {
			continue
		}
		for i, k := range r.Cases {
			if slices.Equal(k.Queued, d.queue) && d.meets(t, p, k) {
				d.agree(t, p, c, k)
				e.executed++
				met[i] = true
			}
		}
	}
	e.met = len(met)
	return e
}

// repeated reports whether two messages of a queue have one name, so that an order does not tell them apart.
func repeated(queue []string) bool {
	return len(slices.Compact(slices.Sorted(slices.Values(queue)))) < len(queue)
}

// configs are those that a subject is explored with. The longer queue is for the policy of the framework.
func configs(s subject) []tasks.Config {
	return []tasks.Config{
		{Queue: s.queue, Pruning: 1, Actors: 3},
		{Queue: min(s.queue, 1), Pruning: 1, Actors: 3, Timers: tasks.Async},
		{Queue: min(s.queue, 1), Pruning: 1, Actors: 3, Policy: tasks.LIFO},
		{Queue: min(s.queue, 1), Pruning: 1, Actors: 3, Policy: tasks.Priority},
		{Queue: min(s.queue, 1), Pruning: 1, Actors: 2, Policy: tasks.Any},
		{Queue: min(s.queue, 1), Pruning: 1, Actors: 2, Policy: tasks.Any, Timers: tasks.Async},
	}
}
