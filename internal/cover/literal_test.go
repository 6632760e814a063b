package cover

import (
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// changing has some receives of every execution change their actor's handlers, decided by their identity: toys have no
// handlers that change.
type changing struct{ *Literal }

func (c changing) Learn(tr *trace.Trace, cut bool) {
	mark(tr)
	c.Literal.Learn(tr, cut)
}

// The guarantees of section IV-D: every schedule is feasible, and achieves a goal that no earlier one does.
func TestLiteralNeverStallsOnPureActors(t *testing.T) {
	schedules, programs := 0, toy.Scale(t, 20_000)
	for seed := range uint64(programs) {
		model := []trace.Model{trace.Bag, trace.FIFO}[seed%2]
		l := NewLiteral(sample.NewRandom(seed))
		o := explore.Options{Conditions: explore.Conditions{Model: model}, Budget: explore.Budget{Executions: 60}}
		goals, left := 0, 0 // of the criterion; criteria left when it was counted
		o.After = func(*explore.Counters, *trace.Trace) {
			if l.gen == nil {
				return
			}
			n := l.gen.o.Count(l.criteria[0])
			if len(l.criteria) == left && n <= goals {
				t.Fatalf("seed %d, %s: schedule %d brings no new goal under %v", seed, model, l.Schedules, l.criteria[0])
			}
			goals, left = n, len(l.criteria)
		}
		if _, err := explore.Run(toy.NewSystem(toy.Random(seed, pure)), changing{l}, o); err != nil {
			t.Fatal(err)
		}
		if l.Stalled > 0 {
			t.Fatalf("seed %d, %s: %d of %d schedules could not be followed", seed, model, l.Stalled, l.Schedules)
		}
		schedules += l.Schedules
	}
	t.Logf("%d schedules", schedules)
	if schedules < 7*programs/2 {
		t.Errorf("%d schedules: the programs show too little", schedules)
	}
}
