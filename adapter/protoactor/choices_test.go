package protoactor_test

import (
	"fmt"
	"testing"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// The tests of this file are about what a handler does behind a choice: it depends on what others do as what comes
// before the choice.

// chooses has an actor choose and do something, while another one sends.
func chooses(does func(ctx actor.Context, n int, c *actor.PID)) func(*explore.T, *journal) {
	return func(t *explore.T, j *journal) {
		var a, b, c *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			c = start(s, "c", named("c", j))
			a = start(s, "a", func(ctx actor.Context) {
				if _, ok := ctx.Message().(tick); ok {
					does(ctx, t.Choose(2), c)
				}
			})
			b = start(s, "b", func(ctx actor.Context) {
				if _, ok := ctx.Message().(tick); ok {
					ctx.Send(c, told{5})
				}
			})
		})
		s.Root.Send(a, tick{})
		s.Root.Send(b, tick{})
	}
}

func TestEffectsBehindAChoice(t *testing.T) {
	quiet := trial{checker: off(trace.DeadLetter, trace.OrphanDead)}
	for _, f := range []feature{
		{name: "Send", program: chooses(func(ctx actor.Context, n int, c *actor.PID) { ctx.Send(c, told{n}) }), trial: quiet},
		{name: "Stop", program: chooses(func(ctx actor.Context, _ int, c *actor.PID) { ctx.Stop(c) }), trial: quiet},
		{name: "Spawn", program: chooses(func(ctx actor.Context, n int, c *actor.PID) {
			ctx.Spawn(actor.PropsFromFunc(func(child actor.Context) {
				if _, ok := child.Message().(*actor.Started); ok {
					child.Send(c, told{n})
				}
			}))
		}), trial: quiet},
		{name: "Twice", program: chooses(func(ctx actor.Context, n int, c *actor.PID) {
			ctx.Send(c, told{n})
			ctx.Stop(ctx.Self())
		}), trial: quiet},
	} {
		for _, model := range []trace.Model{trace.Bag, trace.FIFO, trace.Causal, trace.Mailbox, trace.MailboxSerial} {
			t.Run(fmt.Sprint(f.name, " ", model), func(t *testing.T) { f.agree(t, model, "") })
		}
	}
}

// pauses has the handler of a system message choose before or after it waits for an answer, while user messages come.
// stops: that is the end of its actor, else that of another one.
func pauses(before, after, stops bool) func(*explore.T, *journal) {
	return func(t *explore.T, j *journal) {
		var a, b *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			server := start(s, "server", doubler)
			b = start(s, "b", func(ctx actor.Context) {
				if m, ok := ctx.Message().(told); ok {
					ctx.Send(a, m)
				}
			})
			a = start(s, "a", func(ctx actor.Context) {
				switch m := ctx.Message().(type) {
				case *actor.Started:
					ctx.Watch(b)
				case *actor.Terminated, *actor.Stopping:
					if before {
						j.note("a first %d", t.Choose(2))
					}
					answer, err := ctx.RequestFuture(server, ask{1}, -1).Result()
					j.note("a got %v %v", answer, err)
					if after {
						j.note("a then %d", t.Choose(2))
					}
				case told:
					j.note("a told %d", m.n)
				}
			})
		})
		s.Root.Send(a, told{5})
		s.Root.Send(b, told{6})
		if stops {
			s.Root.Stop(a)
		} else {
			s.Root.Stop(b)
		}
	}
}

// A message that could have been taken before a system message whose handler waits is moved there, past a choice of
// that handler too. What such a handler does at its end, such as to stop, it does behind its choice.
func TestSystemHandlersThatChooseAndWait(t *testing.T) {
	for _, c := range []struct{ before, after, stops bool }{{true, false, false}, {false, true, false}, {true, true, false}, {true, false, true}, {false, true, true}} {
		f := feature{program: pauses(c.before, c.after, c.stops), trial: trial{checker: off(trace.DeadLetter, trace.OrphanDead)}}
		for _, model := range []trace.Model{trace.Mailbox, trace.MailboxSerial} {
			t.Run(fmt.Sprint(c, model), func(t *testing.T) { f.agree(t, model, "") })
		}
	}
}
