package protoactor_test

import (
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/asynkron/protoactor-go/scheduler"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// The tests of this file are about asynchronous timers under mailbox: one that a handler sets fires behind what the handler has sent before.

// logging makes a program with a log and an actor that does the given when it is asked, with a log to send to.
func logging(does func(ctx actor.Context, log *actor.PID)) func(*explore.T, *journal) {
	return func(t *explore.T, j *journal) {
		var a *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			log := start(s, "log", func(ctx actor.Context) { writes(ctx, j) })
			a = start(s, "a", func(ctx actor.Context) {
				if _, ok := ctx.Message().(ask); ok {
					does(ctx, log)
					return
				}
				writes(ctx, j)
			})
		})
		s.Root.Send(a, ask{})
	}
}

func writes(ctx actor.Context, j *journal) {
	switch m := ctx.Message().(type) {
	case told:
		j.note("%d", m.n)
	case *actor.ReceiveTimeout:
		j.note("timeout")
	case tick:
		j.note("tick")
	case error:
		j.note("%v", m)
	}
}

var behind = []feature{
	{name: "Scheduler", trial: trial{timers: trace.Async}, program: logging(func(ctx actor.Context, _ *actor.PID) {
		ctx.Send(ctx.Self(), told{1})
		scheduler.NewTimerScheduler(ctx).SendOnce(time.Second, ctx.Self(), tick{})
	}), want: []string{"1, tick"}},
	{name: "ReceiveTimeout", trial: trial{timers: trace.Async}, program: logging(func(ctx actor.Context, _ *actor.PID) {
		ctx.SetReceiveTimeout(time.Second)
		ctx.Send(ctx.Self(), told{1})
		ctx.Send(ctx.Self(), told{2})
	}), want: []string{"1, 2, timeout"}},
	{name: "Pipe", trial: trial{timers: trace.Async}, program: logging(func(ctx actor.Context, log *actor.PID) {
		ctx.Send(log, told{1})
		ctx.RequestFuture(log, tick{}, time.Second).PipeTo(log)
		ctx.Send(log, told{2})
	}), want: []string{"1, future: timeout, tick, 2", "1, tick, future: timeout, 2", "1, tick, 2, future: timeout"}},
	// Whether the receiver of a timeout that waited for a release has stopped by then.
	{name: "PipeToStopped", trial: trial{timers: trace.Async, checker: off(trace.DeadLetter)}, program: func(t *explore.T, j *journal) {
		var a, b *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			b = start(s, "b", func(ctx actor.Context) { writes(ctx, j) })
			a = start(s, "a", func(ctx actor.Context) {
				if _, ok := ctx.Message().(ask); ok {
					ctx.Send(ctx.Self(), told{1})
					ctx.RequestFuture(ctx.Self(), tick{}, time.Second).PipeTo(b)
				}
			})
		})
		s.Root.Send(a, ask{})
		s.Root.Stop(b)
	}, want: []string{"", "future: timeout"}},
	// A timeout that waited for a release, and another message, reach one mailbox: either may be first.
	{name: "PipeMeets", trial: trial{timers: trace.Async}, program: func(t *explore.T, j *journal) {
		var a, b *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			b = start(s, "b", func(ctx actor.Context) { writes(ctx, j) })
			a = start(s, "a", func(ctx actor.Context) {
				if _, ok := ctx.Message().(ask); ok {
					ctx.Send(b, told{1})
					ctx.RequestFuture(ctx.Self(), tick{}, time.Second).PipeTo(b)
				}
			})
		})
		s.Root.Send(a, ask{})
		s.Root.Send(b, told{2})
	}, want: []string{"1, 2, future: timeout", "1, future: timeout, 2", "2, 1, future: timeout"}},
}

func TestTimersComeBehind(t *testing.T) { runAll(t, behind) }

// What a test function sends when it wakes comes behind what it sent before it slept, one by one.
func TestDriverWakes(t *testing.T) {
	feature{trial: trial{timers: trace.Async}, program: func(t *explore.T, j *journal) {
		var log *actor.PID
		s := world(t, func(s *actor.ActorSystem) { log = start(s, "log", func(ctx actor.Context) { writes(ctx, j) }) })
		s.Root.Send(log, told{1})
		time.Sleep(time.Second)
		s.Root.Send(log, told{2})
		s.Root.Send(log, told{3})
	}, want: []string{"1, 2, 3"}}.run(t)
}
