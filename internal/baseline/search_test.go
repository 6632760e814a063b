package baseline_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/order"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/subjects"
	"github.com/rehearse-go/rehearse/trace"
)

// TestKeptBeginnings: whether the system goes back to the state or runs again, the search is the same, step for step.
func TestKeptBeginnings(t *testing.T) {
	for reduction, create := range reductions {
		for _, name := range []string{"auto", "HMS", "SGR"} {
			var paths [2][]string
			for i := range paths {
				o := explore.Options{Conditions: explore.Conditions{Model: trace.Bag}, Rerun: i == 1}
				o.After = func(_ *explore.Counters, tr *trace.Trace) { paths[i] = append(paths[i], path(tr)) }
				out, err := explore.Run(subjects.Chameneos(1), create(byName(t, name)), o)
				if err != nil || !out.Complete {
					t.Fatalf("%+v, %v", out, err)
				}
				if i == 0 && out.Replayed > out.Executions/2 {
					t.Errorf("%s/%s: %d deliveries were replayed: the system does not go back", reduction, name, out.Replayed)
				}
			}
			if strings.Join(paths[0], "\n") != strings.Join(paths[1], "\n") {
				t.Errorf("%s/%s: the executions differ", reduction, name)
			}
		}
	}
}

func path(tr *trace.Trace) string {
	var steps []string
	for e := tr.Explored; e < len(tr.Events); e++ {
		steps = append(steps, tr.Events[e].Step.ID.String())
	}
	return strings.Join(steps, " ")
}

// TestFits: where they would be unsound they say so.
func TestFits(t *testing.T) {
	drop := trace.Faults{Max: 1, Kinds: trace.FaultKindsOf(trace.Drop)}
	for _, tt := range []struct {
		c    explore.Conditions
		want string // part of the error, "" for none
	}{
		{explore.Conditions{Model: trace.Bag}, ""},
		{explore.Conditions{Model: trace.FIFO}, ""},
		{explore.Conditions{Model: trace.Causal, Timers: trace.Async}, ""},
		{explore.Conditions{Model: trace.Mailbox}, "strategy dcute/LCA does not fit the delivery model mailbox: "},
		{explore.Conditions{Model: trace.MailboxSerial}, "does not fit the delivery model mailbox-serial: "},
		{explore.Conditions{Model: trace.Bag, Faults: drop}, "strategy dcute/LCA does not inject faults: "},
	} {
		_, err := explore.Run(subjects.Pi(2), reductions["dcute"](byName(t, "LCA")), explore.Options{Conditions: tt.c})
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%+v: %v, want %q", tt.c, err, tt.want)
		}
	}
}

// valued has two actors that choose a value each and send it to a third, which ends the execution on a pair.
func valued(seen map[string]int) *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		got := ""
		sink := ctx.SpawnNamed("sink", actor.Func(func(ctx *actor.Context, m any) {
			got += fmt.Sprint(m)
			if got == "01" {
				t.FailNow()
			}
		}))
		t.AtEnd(func() { seen[got]++ })
		for range 2 {
			a := ctx.SpawnNamed("chooser", actor.Func(func(ctx *actor.Context, _ any) { ctx.Send(sink, ctx.Choose(3)) }))
			ctx.Send(a, msg("go"))
		}
	})
}

// TestValues: every value of Choose is explored with every order, and an execution that FailNow cuts short hides
// nothing.
func TestValues(t *testing.T) {
	want := map[string]int{}
	if _, err := explore.Run(valued(want), search.NewNaive(),
		explore.Options{Conditions: explore.Conditions{Model: trace.Bag}, Rerun: true}); err != nil {
		t.Fatal(err)
	}
	if len(want) != 8 { // 9 pairs, one of which does not reach its end
		t.Fatalf("naive: %v", want)
	}
	for reduction, create := range reductions {
		for _, name := range order.Names() {
			got := map[string]int{}
			out, err := explore.Run(valued(got), create(byName(t, name)),
				explore.Options{Conditions: explore.Conditions{Model: trace.Bag}, Rerun: true})
			if err != nil || len(got) != len(want) {
				t.Errorf("%s/%s: %v in %d executions, want %v (%v)", reduction, name, got, out.Executions, want, err)
			}
		}
	}
}

// TestAutoStartsAnew: the execution that showed the pattern is the only one beside those of the order that it suggests.
func TestAutoStartsAnew(t *testing.T) {
	for _, tt := range []struct{ program, as string }{
		{"fib5", "LCA"}, {"quicksort6", "LCA"}, {"chameneos", "LCA"}, {"pipesort4", "ECA"}, {"pi5", "FIFO"},
		{"shortpathA", "FIFO"}, {"leader", "FIFO"},
	} {
		for reduction := range reductions {
			extra := 1
			if tt.as == "FIFO" {
				extra = 0
			}
			got, want := run(t, programs[tt.program](), reduction, "auto"), run(t, programs[tt.program](), reduction, tt.as)
			if got.Executions != want.Executions+extra || got.Blocked != want.Blocked {
				t.Errorf("%s, %s: %d executions, by %s %d", tt.program, reduction, got.Executions, tt.as, want.Executions)
			}
		}
	}
}

// TestTransDPOR: the registry of [ASTS] figure 4, where the source counts 24 executions without the flag that freezes.
// (With it the figure shows 10: it leaves out those that take m before p once q is done, which the algorithm as
// described does not.)
func TestTransDPOR(t *testing.T) {
	for reduction, want := range map[string]int{"persistent": 24, "trans": 13, "persistent+sleep": 6} {
		if out := run(t, subjects.Registry(), reduction, "FIFO"); out.Executions != want {
			t.Errorf("%s: %d executions, want %d", reduction, out.Executions, want)
		}
	}
}

// TestDivergence: a program that makes a choice of its own is found out, and its search is not complete.
func TestDivergence(t *testing.T) {
	for reduction, create := range reductions {
		execution := 0
		sys := actor.New(func(_ *explore.T, ctx *actor.Context) {
			execution++
			names := []string{"a", "b", "c"}
			b := ctx.SpawnNamed(names[execution%3], actor.Func(func(*actor.Context, any) {}))
			ctx.Send(b, msg("1"))
			ctx.Send(b, msg("2"))
		})
		kinds := map[trace.ViolationKind]int{}
		out, err := explore.Run(sys, create(byName(t, "FIFO")),
			explore.Options{Conditions: explore.Conditions{Model: trace.Bag}, Rerun: true,
				Found: func(f explore.Found) bool { kinds[f.Violations[0].Kind]++; return true }})
		if err != nil || out.Complete || !maps.Equal(kinds, map[trace.ViolationKind]int{trace.Divergence: 1}) {
			t.Errorf("%s: %v, %+v, %v", reduction, kinds, out, err)
		}
	}
}

// TestFeaturesOfToys: the programs of the comparison do have timers and choices.
func TestFeaturesOfToys(t *testing.T) {
	if f := toy.Full; !f.Timers || !f.Choices || !f.Stop || !f.Calls || !f.Constraints {
		t.Errorf("%+v", f)
	}
}
