package protoactor_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/asynkron/protoactor-go/scheduler"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// inOneOrder has an actor set a timer if one message comes before the other, and stop it when that one comes.
func inOneOrder(before, after int) func(*explore.T, *journal) {
	return func(t *explore.T, j *journal) {
		var a, b *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			var stop scheduler.CancelFunc
			a = start(s, "a", func(ctx actor.Context) {
				if m, ok := ctx.Message().(told); ok && m.n == before && j.String() == "" {
					stop = scheduler.NewTimerScheduler(ctx).SendOnce(time.Second, ctx.Self(), tick{})
				} else if ok && m.n == after && stop != nil {
					stop()
				}
				writes(ctx, j)
			})
			forward := func(ctx actor.Context) {
				if m, ok := ctx.Message().(told); ok {
					ctx.Send(a, m)
				}
			}
			b = start(s, "b", forward)
		})
		s.Root.Send(b, told{2})
		s.Root.Send(a, told{1})
	}
}

// A timer of the program's own that is set in some orders only, and stopped in time in all that are executed, makes the
// result say so. One that is set in the default order fires in others.
func TestOwnTimerInOneOrder(t *testing.T) {
	for _, model := range []trace.Model{trace.Bag, trace.FIFO, trace.Mailbox} {
		sees := func(before, after int) (late, fires bool) {
			s := trial{Model: model, Timers: trace.Async, Once: true}.Try(t, protoactor.System, inOneOrder(before, after), nil)
			late = strings.Contains(s.Uncontrolled, "sets a timer in some orders only")
			if omitted := strings.Contains(s.PassedOver, "SendOnce"); s.Err != nil || omitted != (model == trace.Mailbox) || s.Complete != (!late && !omitted) {
				t.Errorf("%v, set by %d: complete %v, uncontrolled %q, not explored %q, %v", model, before, s.Complete, s.Uncontrolled, s.PassedOver, s.Err)
			}
			return late, s.Journals[fmt.Sprintf("%d, tick, %d", before, after)] > 0
		}
		late1, fires1 := sees(1, 2)
		late2, fires2 := sees(2, 1)
		if late1 == late2 || fires1 == late1 || fires2 == late2 {
			t.Errorf("%v: late %v and %v, fires %v and %v: want one that is late, and the other one to fire", model, late1, late2, fires1, fires2)
		}
	}
}

// handled has an actor do something in the handler of a message.
func handled(do func(actor.Context, *journal)) func(*explore.T, *journal) {
	return func(t *explore.T, j *journal) {
		var a *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			a = start(s, "a", func(ctx actor.Context) {
				if _, ok := ctx.Message().(ask); ok {
					do(ctx, j)
				}
				writes(ctx, j)
			})
		})
		s.Root.Send(a, ask{})
	}
}

// A timer of the program's own that its handler stops is seen too. Where a handler is one step it cannot fire in
// between.
func TestOwnTimerInOneHandler(t *testing.T) {
	once := func(ctx actor.Context) scheduler.CancelFunc {
		return scheduler.NewTimerScheduler(ctx).SendOnce(time.Second, ctx.Self(), tick{})
	}
	stopped := handled(func(ctx actor.Context, _ *journal) { once(ctx)() })
	async := trial{Timers: trace.Async}
	const scheduled = "is set by scheduler.(*TimerScheduler).SendOnce (timer.go:"
	runAll(t, []feature{
		{Name: "Stopped", Trial: async, Program: stopped, Want: []string{""}, Omitted: scheduled},
		{Name: "StoppedBag", Trial: trial{Model: trace.Bag, Timers: trace.Async}, Program: stopped, Want: []string{""}},
		{Name: "StoppedQuiescent", Program: stopped, Want: []string{""}},
		{Name: "StoppedAfterSend", Trial: async, Program: handled(func(ctx actor.Context, _ *journal) {
			stop := once(ctx)
			ctx.Send(ctx.Self(), told{1})
			stop()
			ctx.Request(ctx.Self(), told{2})
		}), Want: []string{"1, 2"}, Omitted: scheduled},
		{Name: "Context", Trial: async, Program: handled(func(ctx actor.Context, _ *journal) {
			deadline, cancel := context.WithTimeout(context.Background(), time.Second)
			defer cancel()
			if deadline.Err() == nil {
				ctx.Send(ctx.Self(), told{1})
			}
		}), Want: []string{"1"}, Omitted: "is set by context.WithDeadlineCause (context.go:"},
		{Name: "StoppedBeforeFuture", Trial: async, Program: handled(func(ctx actor.Context, _ *journal) {
			once(ctx)()
			ctx.ActorSystem().Root.RequestFuture(ctx.Self(), told{1}, time.Second)
		}), Want: []string{"1"}, Omitted: scheduled},
		{Name: "StoppedBeforeFutureWhenTimeHasPassed", Trial: async, Program: handled(func(ctx actor.Context, _ *journal) {
			time.Sleep(time.Second)
			once(ctx)()
			ctx.ActorSystem().Root.RequestFuture(ctx.Self(), told{1}, time.Second)
		}), Want: []string{"1"}, Omitted: "a makes a future when time has passed, by other means than the handler's context"},
		{Name: "StoppedBeforeOwnFutureWhenTimeHasPassed", Trial: async, Program: handled(func(ctx actor.Context, _ *journal) {
			time.Sleep(time.Second)
			once(ctx)()
			ctx.RequestFuture(ctx.Self(), told{1}, time.Second)
		}), Want: []string{"1"}, Omitted: scheduled},
		{Name: "Future", Trial: async, Program: handled(func(ctx actor.Context, _ *journal) {
			ctx.ActorSystem().Root.RequestFuture(ctx.Self(), told{1}, time.Second)
			ctx.ActorSystem().Root.RequestFuture(ctx.Self(), told{2}, time.Second)
		}), Want: []string{"1, 2"}},
		{Name: "OfTheTest", Trial: async, Program: func(t *explore.T, j *journal) {
			s := world(t, func(*actor.ActorSystem) {})
			a := start(s, "a", func(ctx actor.Context) { writes(ctx, j) })
			scheduler.NewTimerScheduler(s.Root).SendOnce(time.Second, a, tick{})()
			s.Root.RequestFuture(a, told{1}, time.Second)
		}, Want: []string{"1"}, Omitted: scheduled},
		{Name: "BareFuture", Trial: async, Program: handled(func(ctx actor.Context, _ *journal) {
			f := actor.NewFuture(ctx.ActorSystem(), time.Second)
			f.PipeTo(ctx.Self())
			ctx.Send(f.PID(), told{1})
		}), Omitted: "ewFuture (future.go:"},
		{Name: "Asked", Trial: trial{Timers: trace.Async, Checker: off(trace.DeadLetter)}, Program: handled(func(ctx actor.Context, j *journal) {
			ctx.RequestFuture(start(ctx.ActorSystem(), "server", func(ctx actor.Context) {
				if _, ok := ctx.Message().(told); ok {
					ctx.Respond(told{1})
				}
			}), told{2}, time.Second).PipeTo(ctx.Self())
		}), Want: []string{"1", "future: timeout"}},
	})
}

// A timer of the program's own beyond the horizon is named, however far it is.
func TestOwnTimerFarBeyondTheHorizon(t *testing.T) {
	for _, timers := range []trace.TimerMode{trace.Quiescent, trace.Async} {
		s := trial{Timers: timers}.Try(t, protoactor.System, handled(func(ctx actor.Context, _ *journal) { time.AfterFunc(24*time.Hour, func() {}) }), nil)
		if s.Err != nil || s.Complete || !strings.Contains(s.Beyond, "owntimers_test.go:") {
			t.Errorf("%v: complete %v, %q, %v", timers, s.Complete, s.Beyond, s.Err)
		}
	}
}

// A timer of the program's own whose function sends nothing is a timer as well: the result says that it fired only when
// nothing else could happen.
func TestOwnTimerThatSendsNothing(t *testing.T) {
	for _, sets := range []bool{true, false} {
		r, err := rehearse.Explore(rehearse.Config{Strategy: "naive"}, protoactor.System(func(t *explore.T) {
			s := protoactor.NewActorSystem()
			s.Root.Send(start(s, "a", func(ctx actor.Context) {
				if _, ok := ctx.Message().(told); ok && sets {
					time.AfterFunc(time.Millisecond, func() {})
				}
			}), told{1})
		}))
		if err != nil || !r.Complete || r.Timed != sets || strings.Contains(r.String(), "-timers async lets them fire") != sets {
			t.Errorf("sets one %v: error %v, %s", sets, err, r)
		}
	}
}
