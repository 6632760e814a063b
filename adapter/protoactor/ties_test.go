package protoactor_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/tests/agree"
	"github.com/rehearse-go/rehearse/trace"
)

// The tests of this file are about deadlines that are as near each other as steps are: each step takes a nanosecond.

// soon has an actor set a timer for another, which gets a message from the test function too.
func soon(delay time.Duration) func(*explore.T, *journal) {
	return func(t *explore.T, j *journal) {
		var a, b *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			b = start(s, "b", named("b", j))
			a = start(s, "a", func(ctx actor.Context) {
				if m, ok := ctx.Message().(ask); ok {
					time.AfterFunc(delay, func() { s.Root.Send(b, told{m.n}) })
				}
			})
		})
		s.Root.Send(a, ask{1})
		s.Root.Send(b, told{2})
	}
}

// waiters has two actors wait, each for a delay of its own, and then tell a third one.
func waiters(wait func(ctx actor.Context, delay time.Duration, then func()), delays ...time.Duration) func(*explore.T, *journal) {
	return func(t *explore.T, j *journal) {
		var pids []*actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			c := start(s, "c", named("c", j))
			for i, d := range delays {
				pids = append(pids, start(s, fmt.Sprint("a", i), func(ctx actor.Context) {
					switch ctx.Message().(type) {
					case ask:
						wait(ctx, d, func() { s.Root.Send(c, told{i}) })
					case *actor.ReceiveTimeout:
						ctx.CancelReceiveTimeout()
						ctx.Send(c, told{i})
					}
				}))
			}
		})
		for _, pid := range pids {
			s.Root.Send(pid, ask{})
		}
	}
}

func after(_ actor.Context, d time.Duration, then func())  { time.AfterFunc(d, then) }
func timeout(ctx actor.Context, d time.Duration, _ func()) { ctx.SetReceiveTimeout(d) }

// waitsBeside has the test function wait about as long as an actor, whose receive timeout starts anew with what comes
// after that.
func waitsBeside(wait func(*actor.ActorSystem)) func(*explore.T, *journal) {
	return func(t *explore.T, j *journal) {
		s := world(t, func(*actor.ActorSystem) {})
		a := start(s, "a", func(ctx actor.Context) {
			switch ctx.Message().(type) {
			case ask:
				ctx.SetReceiveTimeout(time.Second)
			case *actor.ReceiveTimeout:
				ctx.CancelReceiveTimeout()
			}
			named("a", j)(ctx)
		})
		s.Root.Send(a, ask{})
		wait(s)
		s.Root.Send(a, told{})
	}
}

func sleeps(d time.Duration) func(*actor.ActorSystem) {
	return func(*actor.ActorSystem) { time.Sleep(d) }
}

// asks waits for an answer that never comes.
func asks(s *actor.ActorSystem) {
	s.Root.RequestFuture(start(s, "mute", func(actor.Context) {}), ask{}, time.Second).Wait()
}

// A reduction that calls itself complete comes to all ends of a program, and one that is not says that time decided
// something. Delays that differ by more than the steps take are no reason to say less.
func TestTies(t *testing.T) {
	for _, c := range []struct {
		name    string
		program func(*explore.T, *journal)
		tied    bool
	}{
		{"SoonerThanAStep", soon(1), true},
		{"SoonerThanTwoSteps", soon(2), true},
		{"Later", soon(time.Second), false},
		{"EqualDelays", waiters(after, time.Second, time.Second), true},
		{"EqualTimeouts", waiters(timeout, time.Second, time.Second), true},
		{"OtherDelays", waiters(after, time.Second, 2*time.Second), false},
		{"DriverSleeps", waitsBeside(sleeps(time.Second)), true},
		{"DriverSleepsLonger", waitsBeside(sleeps(time.Second + time.Microsecond)), false},
		{"DriverSleepsLess", waitsBeside(sleeps(time.Second - time.Microsecond)), false},
		{"DriverAsks", waitsBeside(asks), true},
		{"OtherTimeouts", waiters(timeout, time.Second, 2*time.Second), false},
	} {
		for _, model := range []trace.Model{trace.Mailbox, trace.MailboxSerial, trace.Bag} {
			t.Run(fmt.Sprint(c.name, "/", model), func(t *testing.T) {
				ends, out := endsOf(t, "naive", model, c.program)
				if !out.Complete {
					t.Errorf("naive takes no steps to be independent, and is not complete: %s", out.PassedOver)
				}
				for _, strategy := range []string{"source", "optimal", "reverse"} {
					got, out := endsOf(t, strategy, model, c.program)
					if out.Complete && !slices.Equal(got, ends) {
						t.Errorf("%s is complete and ends in %q, naive in %q", strategy, got, ends)
					}
					if out.Complete == c.tied || c.tied != strings.Contains(out.PassedOver, "the order of steps decided") {
						t.Errorf("%s: complete %v, passed over %q", strategy, out.Complete, out.PassedOver)
					}
				}
			})
		}
	}
}

// endsOf gives the journals that a strategy comes to.
func endsOf(t *testing.T, strategy string, model trace.Model, program func(*explore.T, *journal)) ([]string, explore.Outcome) {
	var j journal
	ends := map[string]bool{}
	p := agree.Program{
		System:     protoactor.System(func(t *explore.T) { program(t, &j) }),
		Conditions: explore.Conditions{Model: model, Blocked: 5 * time.Second},
		State:      func() string { ends[j.String()] = true; return "" },
		Before:     func() { j = journal{} },
	}
	s, err := p.Show(strategy)
	if err != nil {
		t.Fatal(err)
	}
	return slices.Sorted(maps.Keys(ends)), s.Outcome
}
