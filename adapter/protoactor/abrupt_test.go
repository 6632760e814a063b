package protoactor_test

import (
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// abrupt are programs whose actors fail, stop and give up in the middle of what others want of them.
var abrupt = []feature{
	// A child fails while its parent stops it and somebody asks it.
	{Name: "FailsAndStops", Program: func(t *explore.T, j *journal) {
		var p, a *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			a = start(s, "a", func(ctx actor.Context) {
				switch m := ctx.Message().(type) {
				case told:
					panic("fails")
				case ask:
					ctx.Respond(told{m.n})
				}
			})
			p = start(s, "p", func(ctx actor.Context) {
				if _, ok := ctx.Message().(tick); ok {
					ctx.Stop(a)
				}
			})
		})
		s.Root.Send(a, told{1})
		s.Root.Send(p, tick{})
		s.Root.Send(a, ask{1})
	}, Trial: trial{Checker: off(trace.DeadLetter)}},
	// Poison, watch, and a message behind it.
	{Name: "PoisonAndWatch", Program: func(t *explore.T, j *journal) {
		var a, w, p *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			a = start(s, "a", named("a", j))
			w = start(s, "w", func(ctx actor.Context) {
				switch ctx.Message().(type) {
				case tick:
					ctx.Watch(a)
				case *actor.Terminated:
					j.Note("w terminated")
				}
			})
			p = start(s, "p", func(ctx actor.Context) {
				if _, ok := ctx.Message().(tick); ok {
					ctx.Poison(a)
				}
			})
		})
		s.Root.Send(w, tick{})
		s.Root.Send(p, tick{})
		s.Root.Send(a, told{1})
	}, Trial: trial{Checker: off(trace.DeadLetter)}},
	// Of two requests of one actor one times out.
	{Name: "OneOfTwoTimesOut", Program: func(t *explore.T, j *journal) {
		var a, b *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			a = start(s, "a", func(ctx actor.Context) {
				if m, ok := ctx.Message().(ask); ok && m.n == 1 {
					ctx.Respond(told{m.n})
				}
			})
			b = start(s, "b", func(ctx actor.Context) {
				if m, ok := ctx.Message().(ask); ok {
					_, err := ctx.RequestFuture(a, m, time.Second).Result()
					j.Note("b %d %v", m.n, err)
				}
			})
		})
		s.Root.Send(b, ask{1})
		s.Root.Send(b, ask{2})
		s.Root.Send(a, told{1})
	}, Trial: trial{Checker: off(trace.DeadLetter)}},
	// Two requests of one actor time out one after the other; what it gets besides waits for that, or is there before.
	{Name: "TwoTimeOut", Program: func(t *explore.T, j *journal) {
		var a, b *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			a = start(s, "a", named("a", j))
			b = start(s, "b", func(ctx actor.Context) {
				switch m := ctx.Message().(type) {
				case ask:
					_, err := ctx.RequestFuture(a, m, time.Second).Result()
					j.Note("b %d %v", m.n, err)
				case told:
					j.Note("b %d", m.n)
					ctx.Send(a, m)
				}
			})
		})
		s.Root.Send(b, ask{1})
		s.Root.Send(b, ask{2})
		s.Root.Send(b, told{3})
		s.Root.Send(a, told{4})
	}},
	// One waits in vain for another that waits in vain.
	{Name: "TimeOutsInAChain", Program: func(t *explore.T, j *journal) {
		var a, b, c *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			a = start(s, "a", named("a", j))
			b = start(s, "b", func(ctx actor.Context) {
				if m, ok := ctx.Message().(ask); ok {
					_, err := ctx.RequestFuture(a, m, time.Second).Result()
					j.Note("b %d %v", m.n, err)
				}
			})
			c = start(s, "c", func(ctx actor.Context) {
				if m, ok := ctx.Message().(ask); ok {
					_, err := ctx.RequestFuture(b, m, 1500*time.Millisecond).Result()
					j.Note("c %d %v", m.n, err)
				}
			})
		})
		s.Root.Send(c, ask{1})
		s.Root.Send(b, ask{2})
		s.Root.Send(a, told{3})
	}},
	// Children that a storm spawns stop with their parent.
	{Name: "StormStops", Program: func(t *explore.T, j *journal) {
		var a, c *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			a = start(s, "a", func(ctx actor.Context) {
				if _, ok := ctx.Message().(tick); ok {
					for range 2 {
						ctx.Send(ctx.Spawn(actor.PropsFromFunc(named("child", j))), told{1})
					}
				}
			})
			c = start(s, "c", func(ctx actor.Context) {
				if _, ok := ctx.Message().(tick); ok {
					ctx.Stop(a)
				}
			})
		})
		s.Root.Send(a, tick{})
		s.Root.Send(c, tick{})
	}, Trial: trial{Checker: off(trace.DeadLetter)}},
}
