package protoactor_test

import (
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/asynkron/protoactor-go/scheduler"

	"github.com/rehearse-go/rehearse/adapter/protoactor"
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
		j.Note("%d", m.n)
	case *actor.ReceiveTimeout:
		j.Note("timeout")
	case tick:
		j.Note("tick")
	case error:
		j.Note("%v", m)
	}
}

var behind = []feature{
	{Name: "Scheduler", Trial: trial{Timers: trace.Async}, Program: logging(func(ctx actor.Context, _ *actor.PID) {
		ctx.Send(ctx.Self(), told{1})
		scheduler.NewTimerScheduler(ctx).SendOnce(time.Second, ctx.Self(), tick{})
	}), Want: []string{"1, tick"}, Omitted: "is set by scheduler.(*TimerScheduler).SendOnce (timer.go:"},
	{Name: "ReceiveTimeout", Trial: trial{Timers: trace.Async}, Program: logging(func(ctx actor.Context, _ *actor.PID) {
		ctx.SetReceiveTimeout(time.Second)
		ctx.Send(ctx.Self(), told{1})
		ctx.Send(ctx.Self(), told{2})
	}), Want: []string{"1, 2, timeout", "1, timeout, 2", "timeout, 1, 2"}},
	{Name: "ReceiveTimeoutBetween", Trial: trial{Timers: trace.Async}, Program: logging(func(ctx actor.Context, _ *actor.PID) {
		ctx.Send(ctx.Self(), told{1})
		ctx.SetReceiveTimeout(time.Second)
		ctx.Send(ctx.Self(), told{2})
	}), Want: []string{"1, 2, timeout", "1, timeout, 2"}},
	{Name: "Pipe", Trial: trial{Timers: trace.Async}, Program: logging(func(ctx actor.Context, log *actor.PID) {
		ctx.Send(log, told{1})
		ctx.RequestFuture(log, tick{}, time.Second).PipeTo(log)
		ctx.Send(log, told{2})
	}), Want: []string{"1, future: timeout, tick, 2", "1, tick, future: timeout, 2", "1, tick, 2, future: timeout"}},
	// Whether the receiver of a timeout that waited for a release has stopped by then.
	{Name: "PipeToStopped", Trial: trial{Timers: trace.Async, Checker: off(trace.DeadLetter)}, Program: func(t *explore.T, j *journal) {
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
	}, Want: []string{"", "future: timeout"}},
	// A timeout that waited for a release, and another message, reach one mailbox: either may be first.
	{Name: "PipeMeets", Trial: trial{Timers: trace.Async}, Program: func(t *explore.T, j *journal) {
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
	}, Want: []string{"1, 2, future: timeout", "1, future: timeout, 2", "2, 1, future: timeout"}},
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
		{Name: "SendCancel", Trial: trial{Timers: trace.Async}, Program: patient(murmur{}, sendsFirst), Omitted: late},
		{Name: "SendSet", Trial: trial{Timers: trace.Async}, Program: patient(murmur{}, setsAnew), Omitted: late},
		{Name: "CancelSend", Trial: trial{Timers: trace.Async}, Program: patient(murmur{}, stopsFirst), Want: []string{"1", "timeout, 1"}},
		{Name: "Counts", Trial: trial{Timers: trace.Async}, Program: patient(tick{}, sendsFirst), Want: []string{"1", "timeout, 1"}},
		{Name: "CountsSet", Trial: trial{Timers: trace.Async}, Program: patient(tick{}, setsAnew), Want: []string{"1, timeout", "timeout, 1, timeout"}},
		{Name: "Quiescent", Program: patient(murmur{}, sendsFirst), Want: []string{"1"}},
		{Name: "OneStep", Trial: trial{Model: trace.MailboxSerial, Timers: trace.Async}, Program: patient(murmur{}, sendsFirst), Want: []string{"1", "timeout, 1"}},
	})
}

// A receive timeout that its handler sets and stops, or sets to another time, may fire in between in a process.
func TestReceiveTimeoutStoppedWhereItIsSet(t *testing.T) {
	late := "a (tick from Driver to a) stops its receive timeout in the step in which it was set"
	does := func(does func(actor.Context)) func(*explore.T, *journal) { return patient(tick{}, does) }
	async := trial{Timers: trace.Async}
	cancels := func(ctx actor.Context) {
		ctx.CancelReceiveTimeout()
		ctx.SetReceiveTimeout(time.Minute)
		ctx.CancelReceiveTimeout()
	}
	runAll(t, []feature{
		{Name: "Cancel", Trial: async, Program: does(cancels), Omitted: late},
		{Name: "Zero", Trial: async, Program: does(func(ctx actor.Context) {
			ctx.SetReceiveTimeout(2 * time.Second)
			ctx.SetReceiveTimeout(0)
		}), Omitted: late},
		{Name: "Twice", Trial: async, Program: does(func(ctx actor.Context) {
			ctx.SetReceiveTimeout(2 * time.Second)
			ctx.SetReceiveTimeout(3 * time.Second)
		}), Omitted: late},
		{Name: "Back", Trial: async, Program: does(func(ctx actor.Context) {
			ctx.SetReceiveTimeout(2 * time.Second)
			ctx.SetReceiveTimeout(time.Second)
		}), Omitted: late},
		{Name: "Once", Trial: async, Program: does(func(ctx actor.Context) {
			ctx.SetReceiveTimeout(2 * time.Second)
			ctx.SetReceiveTimeout(2 * time.Second)
		}), Want: []string{"timeout", "timeout, timeout"}},
		{Name: "Ends", Trial: async, Program: does(func(ctx actor.Context) { ctx.CancelReceiveTimeout() }), Want: []string{"", "timeout"}},
		{Name: "Quiescent", Program: does(cancels), Want: []string{""}},
		{Name: "OneStep", Trial: trial{Model: trace.MailboxSerial, Timers: trace.Async}, Program: does(cancels), Want: []string{"", "timeout"}},
	})
}

// A timer that ran before the handler began fires between its sends.
func TestReceiveTimeoutBetweenSends(t *testing.T) {
	feature{Trial: trial{Timers: trace.Async}, Program: patient(murmur{}, func(ctx actor.Context) {
		ctx.Send(ctx.Self(), told{1})
		ctx.Send(ctx.Self(), told{2})
	}), Want: []string{"1, 2, timeout", "1, timeout, 2", "timeout, 1, 2"}}.Run(t, protoactor.System)
}

// What a test function sends when it wakes comes behind what it sent before it slept, one by one.
func TestDriverWakes(t *testing.T) {
	feature{Trial: trial{Timers: trace.Async}, Program: func(t *explore.T, j *journal) {
		var log *actor.PID
		s := world(t, func(s *actor.ActorSystem) { log = start(s, "log", func(ctx actor.Context) { writes(ctx, j) }) })
		s.Root.Send(log, told{1})
		time.Sleep(time.Second)
		s.Root.Send(log, told{2})
		s.Root.Send(log, told{3})
	}, Want: []string{"1, 2, 3"}}.Run(t, protoactor.System)
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
					j.Note("stopped")
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
		{Name: "Bag", Trial: trial{Model: trace.Bag, Timers: trace.Async}, Program: program, Want: []string{"stopped", "tick, stopped", "stopped, tick"}},
		{Name: "Mailbox", Trial: trial{Timers: trace.Async}, Program: program, Want: []string{"stopped", "tick, stopped", "stopped, tick"}, Omitted: "is set by scheduler.(*TimerScheduler).SendOnce (timer.go:"},
	})
}
