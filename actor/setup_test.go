package actor_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/trace"
)

func TestSetUpIsNotExplored(t *testing.T) {
	for _, c := range []explore.Conditions{bag, fifo, causal, mailbox, serial} {
		h := explored(t, func(t *explore.T, ctx *actor.Context) {
			var a actor.Ref
			t.SetUp(func() {
				a = ctx.Spawn(actor.Func(logger))
				ctx.Send(a, hello{1})
				ctx.Send(a, hello{2})
				v, err := ctx.Call(ctx.Spawn(actor.Func(func(ctx *actor.Context, msg any) {
					ctx.Send(a, hello{3})
					ctx.Reply(4)
				})), ping{})
				t.Log(v, err)
			})
			ctx.Send(a, hello{5})
		}, c)
		if fmt.Sprint(h.logs) != "[1 2 4 <nil> 3 5]" && fmt.Sprint(h.logs) != "[1 2 3 4 <nil> 5]" || h.out.Executions != 1 ||
			h.out.Depth < 2 || h.out.Deliveries != 1 {
			t.Errorf("%v: got %q, %+v", c.Model, h.logs, h.out)
		}
	}
}

// Several set-ups are one in parts, and what the test function does before them and between them belongs to it.
func TestSeveralSetUps(t *testing.T) {
	for _, c := range []explore.Conditions{bag, fifo, causal, mailbox, serial} {
		for _, c.Timers = range []trace.TimerMode{trace.Quiescent, trace.Async} {
			sys := actor.New(func(t *explore.T, ctx *actor.Context) {
				a := ctx.Spawn(actor.Func(logger))
				ctx.Send(a, hello{1})
				ctx.After(time.Second, hello{9})
				t.SetUp(func() { ctx.Send(a, hello{2}) })
				ctx.Send(a, hello{3})
				t.SetUp(func() {
					ctx.After(time.Second, hello{9})
					t.Log(ctx.Call(ctx.Spawn(actor.Func(answers)), ping{}))
				})
				t.SetUp(func() {})
				ctx.Send(a, hello{4})
				t.SetUp(func() { ctx.Send(a, hello{5}) })
				t.Log("set up")
				ctx.Receive(func(any) bool { return true })
				ctx.Receive(func(any) bool { return true })
				t.Log("timers")
				ctx.Send(a, hello{6})
				ctx.Send(a, hello{7})
			})
			h := exploredBy(t, sys, search.NewNaive(), explore.Options{Conditions: c, Check: &check.Checker{}, Rerun: true})
			for _, log := range h.logs {
				before, after, ok := strings.Cut(log, "set up")
				if !ok || before != "1 2 3 {} <nil> 4 5 " || after != " timers 6 7" &&
					(after != " timers 7 6" || c.Model != trace.Bag) {
					t.Errorf("%s, timers %s: %q", c.Model, c.Timers, log)
				}
			}
			if len(h.logs) == 0 || len(h.violations) > 0 {
				t.Errorf("%s, timers %s: %q, found %q", c.Model, c.Timers, h.logs, h.texts)
			}
			undoing := exploredBy(t, sys, search.NewNaive(), explore.Options{Conditions: c, Check: &check.Checker{}})
			if undoing.out.Executions != h.out.Executions || len(undoing.violations) > 0 {
				t.Errorf("%s, timers %s: %d executions where steps are taken back, found %q; %d from the start", c.Model, c.Timers,
					undoing.out.Executions, undoing.texts, h.out.Executions)
			}
		}
	}
}

func TestExploredMarksTheEndOfSetUp(t *testing.T) {
	for _, sends := range []int{0, 3} {
		var explored, events int
		var step trace.Step
		exploredBy(t, actor.New(func(t *explore.T, ctx *actor.Context) {
			var a actor.Ref
			t.SetUp(func() {
				a = ctx.Spawn(actor.Func(logger))
				for range sends {
					ctx.Send(a, hello{})
				}
			})
			ctx.Send(a, hello{})
		}), search.NewNaive(), explore.Options{Check: ending(func(x explore.Execution) {
			tr := x.Trace()
			explored, events, step = tr.Explored, len(tr.Events), tr.Events[tr.Explored].Step
		})})
		if explored != 1+sends || events != explored+2 || step != trace.StartStep(1) {
			t.Errorf("%d sends in set-up: the explored part starts at event %d of %d with %+v", sends, explored, events, step)
		}
	}
}

// ending is a Checker that looks at the end of an execution.
type ending func(explore.Execution)

func (ending) Step(explore.Execution, int32) []trace.Violation { return nil }

func (f ending) End(x explore.Execution, _ bool, _ []trace.Incident) []trace.Violation {
	f(x)
	return nil
}
