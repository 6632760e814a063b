package protoactor_test

import (
	"fmt"
	"testing"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse/adapter/protoactor"
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
	quiet := trial{Checker: off(trace.DeadLetter, trace.OrphanDead)}
	for _, f := range []feature{
		{Name: "Send", Program: chooses(func(ctx actor.Context, n int, c *actor.PID) { ctx.Send(c, told{n}) }), Trial: quiet},
		{Name: "Stop", Program: chooses(func(ctx actor.Context, _ int, c *actor.PID) { ctx.Stop(c) }), Trial: quiet},
		{Name: "Spawn", Program: chooses(func(ctx actor.Context, n int, c *actor.PID) {
			ctx.Spawn(actor.PropsFromFunc(func(child actor.Context) {
				if _, ok := child.Message().(*actor.Started); ok {
					child.Send(c, told{n})
				}
			}))
		}), Trial: quiet},
		{Name: "Twice", Program: chooses(func(ctx actor.Context, n int, c *actor.PID) {
			ctx.Send(c, told{n})
			ctx.Stop(ctx.Self())
		}), Trial: quiet},
	} {
		for _, model := range []trace.Model{trace.Bag, trace.FIFO, trace.Causal, trace.Mailbox, trace.MailboxSerial} {
			t.Run(fmt.Sprint(f.Name, " ", model), func(t *testing.T) { f.Agree(t, protoactor.System, model, "") })
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
						j.Note("a first %d", t.Choose(2))
					}
					answer, err := ctx.RequestFuture(server, ask{1}, -1).Result()
					j.Note("a got %v %v", answer, err)
					if after {
						j.Note("a then %d", t.Choose(2))
					}
				case told:
					j.Note("a told %d", m.n)
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
		f := feature{Program: pauses(c.before, c.after, c.stops), Trial: trial{Checker: off(trace.DeadLetter, trace.OrphanDead)}}
		for _, model := range []trace.Model{trace.Mailbox, trace.MailboxSerial} {
			t.Run(fmt.Sprint(c, model), func(t *testing.T) { f.Agree(t, protoactor.System, model, "") })
		}
	}
}
