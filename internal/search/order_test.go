package search_test

import (
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/trace"
)

type number struct{ n int }

// fanOut is a program with an actor that sends to three others, in the order that it is told for each execution, and
// one that races it.
func fanOut(order func() []int) explore.System {
	return actor.New(func(_ *explore.T, ctx *actor.Context) {
		var to []actor.Ref
		for _, name := range []string{"a", "b", "c"} {
			to = append(to, ctx.SpawnNamed(name, actor.Func(func(*actor.Context, any) {})))
		}
		sends := order()
		fan := ctx.SpawnNamed("fan", actor.Func(func(ctx *actor.Context, _ any) {
			for _, i := range sends {
				ctx.Send(to[i], number{i})
			}
		}))
		racer := ctx.SpawnNamed("racer", actor.Func(func(ctx *actor.Context, _ any) { ctx.Send(to[0], number{9}) }))
		ctx.Send(fan, number{})
		ctx.Send(racer, number{})
	})
}

// endings executes everything, and gives how often each order at the receivers came about.
func endings(t *testing.T, sys explore.System) (map[string]int, explore.Outcome, []trace.Violation) {
	t.Helper()
	seen := map[string]int{}
	var found []trace.Violation
	out, err := explore.Run(sys, search.NewNaive(), explore.Options{Conditions: explore.Conditions{Model: trace.Mailbox},
		Found: func(f explore.Found) bool { found = append(found, f.Violations...); return false },
		After: func(_ *explore.Counters, tr *trace.Trace) {
			var order []string
			for e := tr.Explored; e < len(tr.Events); e++ {
				order = append(order, tr.StepName(tr.Events[e].Step))
			}
			seen[strings.Join(order, "\n")]++
		}})
	if err != nil {
		t.Fatal(err)
	}
	return seen, out, found
}

// A program that sends in another order in every execution is searched by the names of its messages: each path once, as
// if it kept to the order of the first execution; and the result is not complete, since other orders of its own are
// left out.
func TestNaiveFollowsSendsByName(t *testing.T) {
	orders := [][]int{{0, 1, 2}, {2, 1, 0}, {1, 0, 2}, {1, 2, 0}, {0, 2, 1}}
	steady, want, _ := endings(t, fanOut(func() []int { return orders[0] }))
	if !want.Complete || want.Uncontrolled != "" {
		t.Fatalf("the steady program: %+v", want)
	}
	execution := 0
	restless, got, found := endings(t, fanOut(func() []int { execution++; return orders[(execution-1)%len(orders)] }))
	if len(found) > 0 {
		t.Fatalf("an order of sends to different receivers is no divergence: %v", found)
	}
	if got.Complete || !strings.Contains(got.Uncontrolled, "fan") {
		t.Errorf("want an uncontrolled order of fan and no complete result: %+v", got)
	}
	for path, n := range restless {
		if n > 1 {
			t.Errorf("executed %d times:\n%s", n, path)
		}
	}
	if len(restless) != got.Executions || len(steady) != want.Executions || want.Executions < 100 {
		t.Errorf("%d executions with %d paths; the steady program has %d with %d", got.Executions, len(restless),
			want.Executions, len(steady))
	}
}

// Sends to other receivers are a choice of the program, under naive too.
func TestNaiveReportsOtherSends(t *testing.T) {
	execution := 0
	_, out, found := endings(t, fanOut(func() []int { execution++; return [][]int{{0, 1}, {0, 2}}[execution%2] }))
	if len(found) != 1 || found[0].Kind != trace.Divergence || out.Complete {
		t.Errorf("want a divergence: %v, %+v", found, out)
	}
}

// An execution that ends before the path that it repeats does is a divergence too, whatever ended it.
func TestNaiveReportsShorterExecutions(t *testing.T) {
	for name, end := range map[string]func(*explore.T){
		"naturally":      func(*explore.T) {},
		"by a violation": func(t *explore.T) { t.Fatal("too late") },
	} {
		execution := 0
		s := search.NewNaive()
		var found []trace.Violation
		out, err := explore.Run(actor.New(func(t *explore.T, ctx *actor.Context) {
			execution++
			b := ctx.SpawnNamed("b", actor.Func(func(*actor.Context, any) {}))
			ctx.Send(ctx.SpawnNamed("a", actor.Func(func(ctx *actor.Context, _ any) {
				if execution > 1 {
					end(t)
					return
				}
				ctx.Send(b, number{1})
				ctx.Send(b, number{2})
			})), number{})
		}), s, explore.Options{Conditions: explore.Conditions{Model: trace.Bag},
			Found: func(f explore.Found) bool { found = append(found, f.Violations...); return true }})
		if err != nil {
			t.Fatal(err)
		}
		if len(found) != 1 || found[0].Kind != trace.Divergence || !strings.Contains(found[0].Text, "ends after step 1") {
			t.Errorf("%s: want a divergence: %v", name, found)
		}
		if out.Complete || s.Complete() || out.Reason != "complete" {
			t.Errorf("%s: claims to be complete: %+v", name, out)
		}
	}
}
