package dpor

import (
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/order"
	"github.com/rehearse-go/rehearse/internal/reverse"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/subjects"
	"github.com/rehearse-go/rehearse/trace"
)

// classes are the numbers of classes of the subjects, in the order of toy.Models: bag, fifo, causal, mailbox,
// mailbox-serial. -1: not counted.
var classes = []struct {
	name string
	make func() *actor.System
	want [5]int
}{
	{"server", func() *actor.System { return subjects.Server(false) }, [5]int{4, 1, 1, 1, 1}},
	{"pi(3)", func() *actor.System { return subjects.Pi(3) }, [5]int{6, 6, 6, 6, 6}},
	{"pi(5)", func() *actor.System { return subjects.Pi(5) }, [5]int{120, 120, 120, 120, 120}},
	{"fib(4)", func() *actor.System { return subjects.Fib(4) }, [5]int{4, 4, 4, 4, 4}},
	{"fib(5)", func() *actor.System { return subjects.Fib(5) }, [5]int{16, 16, 16, 16, 16}},
	{"quicksort(4)", func() *actor.System { return subjects.Quicksort(4) }, [5]int{8, 8, 8, 8, 8}},
	{"quicksort(6)", func() *actor.System { return subjects.Quicksort(6) }, [5]int{32, 32, 32, 32, 32}},
	{"pipesort(3)", func() *actor.System { return subjects.Pipesort(3) }, [5]int{12, 1, 1, 1, 1}},
	{"pipesort(4)", func() *actor.System { return subjects.Pipesort(4) }, [5]int{288, 1, 1, 1, 1}},
	{"chameneos(1)", func() *actor.System { return subjects.Chameneos(1) }, [5]int{36, 36, 36, 36, 36}},
	{"chameneos(2)", func() *actor.System { return subjects.Chameneos(2) }, [5]int{216, 216, 216, 216, 216}},
	{"shortpath triangle", subjects.ShortpathTriangle, [5]int{26, 8, 3, 3, 2}},
	{"shortpath A", subjects.ShortpathA, [5]int{126, 28, 9, 9, 2}},
	{"shortpath B", subjects.ShortpathB, [5]int{296, -1, -1, -1, -1}},
	{"leader(3)", func() *actor.System { return subjects.Leader(3) }, [5]int{24, -1, -1, -1, -1}},
	{"registry", subjects.Registry, [5]int{6, 6, 2, 2, 2}},
}

// Under every delivery model optimal executes each class of the subjects once and blocks nothing, and source misses
// none.
func TestSubjects(t *testing.T) {
	for _, tt := range classes {
		for i, model := range toy.Models {
			if tt.want[i] < 0 {
				continue
			}
			for _, s := range []explore.Strategy{NewSource(nil), NewOptimal(nil)} {
				out := all(t, tt.make(), s, model)
				if out.Executions != tt.want[i] || s.Name() == "optimal" && out.Blocked > 0 {
					t.Errorf("%s of %s under %s: %d executions, %d blocked, want %d classes", s.Name(), tt.name, model, out.Executions, out.Blocked, tt.want[i])
				}
			}
		}
	}
}

func all(t *testing.T, sys *actor.System, s explore.Strategy, model trace.Model) explore.Outcome {
	t.Helper()
	out, err := explore.Run(sys, s, explore.Options{Conditions: explore.Conditions{Model: model, Copy: true}, Budget: explore.Budget{Executions: 5000}})
	if err != nil {
		t.Fatal(err)
	}
	if !out.Complete {
		t.Errorf("%s under %s is not complete: %s", s.Name(), model, out.Reason)
	}
	return out
}

// The order of actors changes what comes first, not how much there is: optimal still executes each class once.
func TestOrders(t *testing.T) {
	for _, name := range order.Names() {
		for _, tt := range classes {
			if tt.want[0] > 40 {
				continue
			}
			if out := all(t, tt.make(), NewOptimal(inOrder(t, name)), trace.Bag); out.Executions != tt.want[0] || out.Blocked > 0 {
				t.Errorf("%s in order %s: %d executions, %d blocked, want %d classes", tt.name, name, out.Executions, out.Blocked, tt.want[0])
			}
			if out := all(t, tt.make(), NewSource(inOrder(t, name)), trace.Bag); out.Executions != tt.want[0] {
				t.Errorf("source: %s in order %s: %d executions, want %d classes", tt.name, name, out.Executions, tt.want[0])
			}
		}
	}
}

// What the actors of a native program would have accepted is known, so that no plan is refused.
func TestConstraintsOfNativeActors(t *testing.T) {
	for _, s := range []explore.Strategy{NewSource(nil), NewOptimal(nil), reverse.New()} {
		out, err := explore.Run(subjects.Philosophers(2), s, explore.Options{Conditions: explore.Conditions{Model: trace.Bag}})
		if err != nil || out.Executions != 3 || out.Blocked != 0 || !out.Complete {
			t.Errorf("%s: %+v, %v; want 3 executions", s.Name(), out, err)
		}
	}
}

// Under every delivery model reverse executes each class of the subjects once and blocks nothing.
func TestReverseOnSubjects(t *testing.T) {
	for _, tt := range classes {
		for i, model := range toy.Models {
			out := all(t, tt.make(), reverse.New(), model)
			if tt.want[i] < 0 {
				tt.want[i] = all(t, tt.make(), NewOptimal(nil), model).Classes
			}
			if out.Executions != tt.want[i] || out.Classes != tt.want[i] || out.Blocked > 0 {
				t.Errorf("%s under %s: %d executions, %d blocked, want %d classes", tt.name, model, out.Executions, out.Blocked, tt.want[i])
			}
		}
	}
}
