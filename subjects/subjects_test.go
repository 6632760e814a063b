package subjects

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/trace"
)

// TestNaiveCounts are the counts of the naive search, which executes every schedule once. Those marked published are
// from tables 3.1 and 3.2 of [Basset11]; the others are ours.
func TestNaiveCounts(t *testing.T) {
	for _, tt := range []struct {
		name                   string
		sys                    *actor.System
		executions, deliveries int
		published              bool
	}{
		{"server", Server(false), 6, 26, true},
		{"pi(2)", Pi(2), 12, 43, false},
		{"pi(4)", Pi(4), 60480, 168645, true},
		{"fib(4)", Fib(4), 168, 768, true},
		{"leader(3)", Leader(3), 374, 1466, true},
		{"leader(3) of Scala", LeaderCreated(1, 0, 2), 374, 1466, true},
		{"leader(3) in order", LeaderInOrder(3), 374, 1466, false},
		{"mergesort(4)", Mergesort(4), 33264, 113066, true},
		{"spinsort(4)", Spinsort(4), 1152, 5044, true},
		{"quicksort of 3 0 1 2", QuicksortOf(3, 0, 1, 2), 11088, 43437, true},
		{"server of Scala", ServerDirect(), 6, 25, true},
		{"pi(4) of Scala", PiDirect(4), 60480, 168644, true},
		{"fib(4) of Scala", FibDirect(4), 168, 767, true},
		{"fib(3) of tasks", FibTasks(3), 168, 599, false},
		{"mergesort(4) of Scala", MergesortDirect(4), 33264, 113065, true},
		{"spinsort(4) of ActorFoundry", SpinsortBoot(4), 1152, 5045, true},
		{"quicksort of 0 1 2, booted", QuicksortBoot(0, 1, 2), 168, 600, false},
		{"shortpath on the triangle", ShortpathTriangle(), 620, 1717, false},
		{"shortpath with a detour", ShortpathDetour(), 3614, 9999, true},
		{"regsim(3)", Regsim(3), 30, 90, false},
		{"registry", Registry(), 30, 89, false},
		{"bank", Bank(), 4, 11, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out := explored(t, tt.sys, trace.Bag, explore.Options{})
			if out.Executions != tt.executions || out.Deliveries != tt.deliveries {
				t.Errorf("got %d executions / %d deliveries, want %d / %d", out.Executions, out.Deliveries,
					tt.executions, tt.deliveries)
			}
		})
	}
}

// explored runs the naive search to its end.
func explored(t *testing.T, sys *actor.System, model trace.Model, o explore.Options) explore.Outcome {
	t.Helper()
	o.Conditions.Model, o.Conditions.Copy = model, true
	out, err := explore.Run(sys, search.NewNaive(), o)
	if err != nil {
		t.Fatal(err)
	}
	if !out.Complete {
		t.Fatalf("the search is not complete: %+v", out)
	}
	return out
}

// TestResults: whatever the order, the programs compute what they are to compute. Each is run through random schedules
// under every model, and its final state judged.
func TestResults(t *testing.T) {
	for _, tt := range []struct {
		name    string
		sys     *actor.System
		final   func(check.State) error
		ordered bool // final holds only where messages of one sender stay in order
	}{
		{name: "fib(7)", sys: Fib(7), final: one(func(r *fibRoot) bool { return r.value == 13 })},
		{name: "fib(7) of Scala", sys: FibDirect(7), final: one(func(r *fibRoot) bool { return r.value == 13 })},
		{name: "fib(5) of tasks", sys: FibTasks(5),
			final: one(func(f *fibTask) bool { return f.parent == (actor.Ref{}) && f.r == 5 })},
		{name: "pi(3)", sys: Pi(3)},
		{name: "pi(3) of Scala", sys: PiDirect(3)},
		{name: "server of Scala", sys: ServerDirect(), final: one(func(c *eagerClient) bool { return len(c.reads) == 2 })},
		{name: "quicksort(6)", sys: Quicksort(6),
			final: one(func(s *sorter) bool { return slices.Equal(s.result, []int{28, 38, 47, 81, 97, 98}) })},
		{name: "quicksort, booted", sys: QuicksortBoot(4, 0, 3, 1, 2),
			final: one(func(s *sorter) bool { return slices.Equal(s.result, []int{0, 1, 2, 3, 4}) })},
		{name: "mergesort(8) of Scala", sys: MergesortDirect(8),
			final: one(func(s *merger) bool { return slices.Equal(s.result, []int{2, 3, 14, 17, 30, 39, 46, 60}) })},
		{name: "mergesort(8)", sys: Mergesort(8),
			final: one(func(s *merger) bool { return slices.Equal(s.result, []int{2, 3, 14, 17, 30, 39, 46, 60}) })},
		{name: "pipesort(5)", sys: Pipesort(5), final: stored(98, 163, 979, 92, 233)},
		{name: "spinsort(5)", sys: Spinsort(5), final: stored(98, 163, 979, 92, 233)},
		{name: "spinsort(5) of ActorFoundry", sys: SpinsortBoot(5), final: stored(98, 163, 979, 92, 233)},
		{name: "chameneos(4)", sys: Chameneos(4), final: func(s check.State) error { return metTimes(s, 8) }},
		{name: "shortpath A", sys: ShortpathA(), final: distances(0, 10, 10, 10, -1)},
		{name: "shortpath on the triangle", sys: ShortpathTriangle(), final: distances(0, 10, 10, -1, -1)},
		{name: "shortpath with a detour", sys: ShortpathDetour(), final: distances(0, 10, 20)},
		{name: "shortpath B", sys: ShortpathB(), final: distances(10, 10, 20, 20, 0)},
		{name: "leader(4)", sys: LeaderInOrder(4), final: oneLeader, ordered: true},
		{name: "regsim(4)", sys: Regsim(4)},
	} {
		for _, m := range []trace.Model{trace.Bag, trace.FIFO, trace.Causal, trace.Mailbox, trace.MailboxSerial} {
			t.Run(tt.name+" "+m.String(), func(t *testing.T) {
				final := tt.final
				if tt.ordered && m == trace.Bag {
					final = nil
				}
				o := explore.Options{Conditions: explore.Conditions{Model: m, Copy: true}, Budget: explore.Budget{Executions: 100},
					Check: &check.Checker{Final: final},
					Found: func(f explore.Found) bool { t.Error(f.Violations[0].Text); return false }}
				if _, err := explore.Run(tt.sys, sample.NewRandom(1), o); err != nil {
					t.Fatal(err)
				}
			})
		}
	}
}

// one asks for at least one actor with a behaviour of type B for which ok holds.
func one[B any](ok func(B) bool) func(check.State) error {
	return func(s check.State) error {
		found := false
		s.Actors(func(_, _ string, value any) bool {
			if b, is := value.(B); is && ok(b) {
				found = true
			}
			return !found
		})
		if !found {
			return fmt.Errorf("no %T is as it should be", *new(B))
		}
		return nil
	}
}

// stored asks that the stages of a pipelined sort hold these numbers in ascending order, in whichever order they
// arrived.
func stored(numbers ...int) func(check.State) error {
	return func(s check.State) error {
		var got []int
		s.Actors(func(_, _ string, value any) bool {
			switch b := value.(type) {
			case *stage:
				got = append(got, b.value)
			case *middle:
				got = append([]int{b.value}, got...) // created from last to first
			}
			return true
		})
		want := slices.Sorted(slices.Values(numbers))
		if !slices.Equal(got, want) {
			return fmt.Errorf("the stages hold %v, want %v", got, want)
		}
		return nil
	}
}

func metTimes(s check.State, want int) error {
	met := 0
	s.Actors(func(_, _ string, value any) bool {
		if c, ok := value.(*creature); ok {
			met += c.met
		}
		return true
	})
	if met != want {
		return fmt.Errorf("the creatures met %d times in all, want %d", met, want)
	}
	return nil
}

func distances(want ...int) func(check.State) error {
	return func(s check.State) error {
		var got []int
		s.Actors(func(_, _ string, value any) bool {
			got = append(got, value.(*node).distance)
			return true
		})
		if !slices.Equal(got, want) {
			return fmt.Errorf("distances %v, want %v", got, want)
		}
		return nil
	}
}

// oneLeader is the property of Leader, whose algorithm is meant for channels that keep the order.
func oneLeader(s check.State) error {
	active := 0
	s.Actors(func(_, _ string, value any) bool {
		if !value.(*eagerProcess).inactive {
			active++
		}
		return true
	})
	if active != 1 {
		return errors.New("no or several leaders")
	}
	return nil
}

// TestBugs: the known bugs are found, under the models under which they exist.
func TestBugs(t *testing.T) {
	for _, tt := range []struct {
		name  string
		sys   *actor.System
		model trace.Model
		want  trace.ViolationKind // NoViolation: none
	}{
		{"server's reads differ", Server(true), trace.Bag, trace.Assertion},
		{"server's reads agree in order", Server(true), trace.FIFO, trace.NoViolation},
		{"server leaves an orphan", Server(false), trace.Bag, trace.OrphanDead},
		{"server leaves none in order", Server(false), trace.Mailbox, trace.NoViolation},
		{"philosophers wait for ever", Philosophers(2), trace.Bag, trace.Deadlock},
		{"philosophers wait for ever", Philosophers(2), trace.Mailbox, trace.Deadlock},
		{"bank overdrawn", Bank(), trace.Bag, trace.Assertion},
		{"bank in order", Bank(), trace.FIFO, trace.NoViolation},
		{"bank in order", Bank(), trace.Mailbox, trace.NoViolation},
	} {
		found := map[trace.ViolationKind]bool{}
		explored(t, tt.sys, tt.model, explore.Options{
			Check: &check.Checker{Levels: check.Levels{trace.OrphanDead: check.Error}},
			Found: func(f explore.Found) bool {
				for _, v := range f.Violations {
					found[v.Kind] = true
				}
				return true
			}})
		if tt.want == trace.NoViolation && len(found) > 0 || tt.want != trace.NoViolation && !found[tt.want] {
			t.Errorf("%s under %v: found %v, want %v", tt.name, tt.model, found, tt.want)
		}
	}
}
