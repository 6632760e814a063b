package protoactor_test

import (
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/asynkron/protoactor-go/scheduler"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// The tests of this file are about asynchronous timers under mailbox: one that a handler sets fires behind what the
// handler has sent before.

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
	}), want: []string{"1, tick"}, omitted: "is set by scheduler.(*TimerScheduler).SendOnce (timer.go:"},
	{name: "ReceiveTimeout", trial: trial{timers: trace.Async}, program: logging(func(ctx actor.Context, _ *actor.PID) {
		ctx.SetReceiveTimeout(time.Second)
		ctx.Send(ctx.Self(), told{1})
		ctx.Send(ctx.Self(), told{2})
	}), want: []string{"1, 2, timeout", "1, timeout, 2", "timeout, 1, 2"}},
	{name: "ReceiveTimeoutBetween", trial: trial{timers: trace.Async}, program: logging(func(ctx actor.Context, _ *actor.PID) {
		ctx.Send(ctx.Self(), told{1})
		ctx.SetReceiveTimeout(time.Second)
		ctx.Send(ctx.Self(), told{2})
	}), want: []string{"1, 2, timeout", "1, timeout, 2"}},
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

// murmur does not count as a message for the receive timeout.
type murmur struct{}

func (murmur) NotInfluenceReceiveTimeout() {}

// patient makes a program with an actor that sets a receive timeout in the beginning, and does the given when it is
// sent a message.
func patient(message any, does func(actor.Context)) func(*explore.T, *journal) {
	return func(t *explore.T, j *journal) {
		var a *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			a = start(s, "a", func(ctx actor.Context) {
				switch ctx.Message().(type) {
				case *actor.Started:
					ctx.SetReceiveTimeout(time.Second)
				case murmur, tick:
					does(ctx)
				default:
					writes(ctx, j)
				}
			})
		})
		s.Root.Send(a, message)
	}
}

func sendsFirst(ctx actor.Context) {
	ctx.Send(ctx.Self(), told{1})
	ctx.CancelReceiveTimeout()
}

func setsAnew(ctx actor.Context) {
	ctx.Send(ctx.Self(), told{1})
	ctx.SetReceiveTimeout(2 * time.Second)
}

func stopsFirst(ctx actor.Context) {
	ctx.CancelReceiveTimeout()
	ctx.Send(ctx.Self(), told{1})
}

// A receive timeout that runs while a handler sends, and that the handler stops then, may fire between the two in a
// process. That is not explored. A message that counts for the timeout stops it as soon as it is handled.
func TestReceiveTimeoutStoppedLate(t *testing.T) {
	late := "a (murmur from Driver to a) stops its receive timeout after what it has sent"
	runAll(t, []feature{
		{name: "SendCancel", trial: trial{timers: trace.Async}, program: patient(murmur{}, sendsFirst), omitted: late},
		{name: "SendSet", trial: trial{timers: trace.Async}, program: patient(murmur{}, setsAnew), omitted: late},
		{name: "CancelSend", trial: trial{timers: trace.Async}, program: patient(murmur{}, stopsFirst), want: []string{"1", "timeout, 1"}},
		{name: "Counts", trial: trial{timers: trace.Async}, program: patient(tick{}, sendsFirst), want: []string{"1", "timeout, 1"}},
		{name: "CountsSet", trial: trial{timers: trace.Async}, program: patient(tick{}, setsAnew), want: []string{"1, timeout", "timeout, 1, timeout"}},
		{name: "Quiescent", program: patient(murmur{}, sendsFirst), want: []string{"1"}},
		{name: "OneStep", trial: trial{model: trace.MailboxSerial, timers: trace.Async}, program: patient(murmur{}, sendsFirst), want: []string{"1", "timeout, 1"}},
	})
}

// A receive timeout that its handler sets and stops, or sets to another time, may fire in between in a process.
func TestReceiveTimeoutStoppedWhereItIsSet(t *testing.T) {
	late := "a (tick from Driver to a) stops its receive timeout in the step in which it was set"
	does := func(does func(actor.Context)) func(*explore.T, *journal) { return patient(tick{}, does) }
	async := trial{timers: trace.Async}
	cancels := func(ctx actor.Context) {
		ctx.CancelReceiveTimeout()
		ctx.SetReceiveTimeout(time.Minute)
		ctx.CancelReceiveTimeout()
	}
	runAll(t, []feature{
		{name: "Cancel", trial: async, program: does(cancels), omitted: late},
		{name: "Zero", trial: async, program: does(func(ctx actor.Context) {
			ctx.SetReceiveTimeout(2 * time.Second)
			ctx.SetReceiveTimeout(0)
		}), omitted: late},
		{name: "Twice", trial: async, program: does(func(ctx actor.Context) {
			ctx.SetReceiveTimeout(2 * time.Second)
			ctx.SetReceiveTimeout(3 * time.Second)
		}), omitted: late},
		{name: "Back", trial: async, program: does(func(ctx actor.Context) {
			ctx.SetReceiveTimeout(2 * time.Second)
			ctx.SetReceiveTimeout(time.Second)
		}), omitted: late},
		{name: "Once", trial: async, program: does(func(ctx actor.Context) {
			ctx.SetReceiveTimeout(2 * time.Second)
			ctx.SetReceiveTimeout(2 * time.Second)
		}), want: []string{"timeout", "timeout, timeout"}},
		{name: "Ends", trial: async, program: does(func(ctx actor.Context) { ctx.CancelReceiveTimeout() }), want: []string{"", "timeout"}},
		{name: "Quiescent", program: does(cancels), want: []string{""}},
		{name: "OneStep", trial: trial{model: trace.MailboxSerial, timers: trace.Async}, program: does(cancels), want: []string{"", "timeout"}},
	})
}

// A timer that ran before the handler began fires between its sends.
func TestReceiveTimeoutBetweenSends(t *testing.T) {
	feature{trial: trial{timers: trace.Async}, program: patient(murmur{}, func(ctx actor.Context) {
		ctx.Send(ctx.Self(), told{1})
		ctx.Send(ctx.Self(), told{2})
	}), want: []string{"1, 2, timeout", "1, timeout, 2", "timeout, 1, 2"}}.run(t)
}

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

// A timer of the program's own that is stopped in time in the default order may fire before that in another one.
func TestOwnTimerStoppedInTime(t *testing.T) {
	program := func(t *explore.T, j *journal) {
		var a, b *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			var stop scheduler.CancelFunc
			a = start(s, "a", func(ctx actor.Context) {
				switch ctx.Message().(type) {
				case *actor.Started:
					stop = scheduler.NewTimerScheduler(ctx).SendOnce(time.Second, ctx.Self(), tick{})
				case ask:
					stop()
					j.note("stopped")
				default:
					writes(ctx, j)
				}
			})
			b = start(s, "b", func(ctx actor.Context) {
				if m, ok := ctx.Message().(ask); ok {
					ctx.Send(a, m)
				}
			})
		})
		s.Root.Send(b, ask{})
	}
	runAll(t, []feature{
		{name: "Bag", trial: trial{model: trace.Bag, timers: trace.Async}, program: program, want: []string{"stopped", "tick, stopped", "stopped, tick"}},
		{name: "Mailbox", trial: trial{timers: trace.Async}, program: program, want: []string{"stopped", "tick, stopped", "stopped, tick"}, omitted: "is set by scheduler.(*TimerScheduler).SendOnce (timer.go:"},
	})
}
