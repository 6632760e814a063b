package dpor

import (
	"errors"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/causal"
	naive "github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

type (
	begin struct{}
	ask   struct{}
	late  struct{ yes bool }
)

// caller calls, but not for ever, and then tells another whether it waited in vain.
type caller struct{ callee, third actor.Ref }

func (c *caller) Receive(ctx *actor.Context, _ any) {
	_, err := ctx.CallTimeout(c.callee, ask{}, time.Second)
	ctx.Send(c.third, late{errors.Is(err, actor.ErrTimeout)})
}

type replier struct{}

func (*replier) Receive(ctx *actor.Context, msg any) {
	if _, ok := msg.(ask); ok {
		ctx.Reply(msg)
	}
}

type listener struct{ heard []any }

func (l *listener) Receive(_ *actor.Context, msg any) { l.heard = append(l.heard, msg) }

// impatient has two callers, or one that calls twice.
func impatient(callers int) *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		var refs []actor.Ref
		t.SetUp(func() {
			third, callee := ctx.Spawn(&listener{}), ctx.Spawn(&replier{})
			for range callers {
				refs = append(refs, ctx.Spawn(&caller{callee, third}))
			}
		})
		for i := range 2 {
			ctx.Send(refs[i%callers], begin{})
		}
	})
}

// A call that is given up before it is answered makes no answer, one that is answered first does: executions of every
// class, told by causal.Order.Key, are what naive finds, with the same dead letters. Under mailbox naive makes
// 4,935,686 executions of 64 classes with two callers where timers fire at any time, and 113,838 with one.
func TestCallsGivenUp(t *testing.T) {
	for _, model := range toy.Models {
		for _, timers := range toy.TimerModes {
			cond := explore.Conditions{Model: model, Timers: timers, Horizon: time.Hour}
			callers := 2
			if model == trace.Mailbox && timers == trace.Async {
				callers = 1
			}
			want, _ := keysOf(t, impatient(callers), naive.NewNaive(), cond)
			if timers == trace.Async && len(want) < 4 {
				t.Errorf("%s: only %d classes", model, len(want))
			}
			for _, s := range []explore.Strategy{NewSource(nil), NewOptimal(nil)} {
				got, out := keysOf(t, impatient(callers), s, cond)
				if !maps.Equal(got, want) {
					t.Errorf("%s under %s %s: %d classes, naive has %d", s.Name(), model, timers, len(got), len(want))
				}
				if s.Name() == "optimal" && (out.Executions != len(want) || out.Blocked > 0) {
					t.Errorf("optimal under %s %s: %d executions, %d blocked, %d classes", model, timers, out.Executions, out.Blocked, len(want))
				}
			}
		}
	}
}

// keysOf gives the classes that a strategy executes, and the dead letters of each.
func keysOf(t *testing.T, sys *actor.System, s explore.Strategy, cond explore.Conditions) (map[trace.ID]int, explore.Outcome) {
	t.Helper()
	keys := map[trace.ID]int{}
	blocked := 0
	out, err := explore.Run(sys, s, explore.Options{Conditions: cond, Budget: explore.Budget{Executions: 120_000}, After: func(c *explore.Counters, tr *trace.Trace) {
		if c.Blocked > blocked {
			blocked = c.Blocked
			return
		}
		o := causal.New(cond.Model, cond.Timers)
		o.Extend(tr, len(tr.Events))
		dead := 0
		for e := range tr.Events {
			dead += len(slices.DeleteFunc(slices.Clone(tr.Events[e].Incidents), func(i trace.Incident) bool { return i.Kind != trace.DeadLetter }))
		}
		if old, ok := keys[o.Key()]; ok && old != dead {
			t.Errorf("%s %s: %d dead letters and %d in one class", cond.Model, cond.Timers, old, dead)
		}
		keys[o.Key()] = dead
	}})
	if err != nil {
		t.Fatal(err)
	}
	if !out.Complete {
		t.Errorf("%s under %s %s is not complete: %s", s.Name(), cond.Model, cond.Timers, out.Reason)
	}
	return keys, out
}
