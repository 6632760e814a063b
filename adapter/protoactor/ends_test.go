package protoactor_test

import (
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

// The tests of this file are about the end of an actor, and about continuations, in the order of the program with what
// handlers send. What is wanted was also seen on the framework without Rehearse (package freerun).

// ended is a log, a victim that does what is given when it stops and after, and a third actor that asks the victim when
// it is told to.
func ended(stopping, stopped func(ctx actor.Context, log, asker *actor.PID), begin func(ctx *actor.RootContext, victim *actor.PID)) func(*explore.T, *journal) {
	return func(t *explore.T, j *journal) {
		var victim *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			log := start(s, "log", notes(j))
			asker := start(s, "asker", func(ctx actor.Context) {
				switch m := ctx.Message().(type) {
				case tick:
					_, err := ctx.RequestFuture(victim, ask{}, time.Second).Result()
					j.Note("%v", err)
				case ask:
					ctx.Respond(m)
				}
			})
			victim = start(s, "victim", func(ctx actor.Context) {
				switch ctx.Message().(type) {
				case *actor.Stopping:
					stopping(ctx, log, asker)
				case *actor.Stopped:
					stopped(ctx, log, asker)
				case told:
					ctx.Send(log, "told")
				}
			})
		})
		begin(s.Root, victim)
	}
}

func nothing(actor.Context, *actor.PID, *actor.PID) {}

func tellsAsker(ctx actor.Context, _, asker *actor.PID) { ctx.Send(asker, tick{}) }

func stopIt(root *actor.RootContext, victim *actor.PID) { root.Stop(victim) }

// asksLate waits for an answer when the actor is gone.
func asksLate(ctx actor.Context, log, asker *actor.PID) {
	_, err := ctx.RequestFuture(asker, ask{}, time.Second).Result()
	ctx.Send(log, map[bool]string{true: "answered", false: "in vain"}[err == nil])
}

const unanswered, deadLetter = "future: timeout", "future: dead letter"

func TestEnds(t *testing.T) {
	quiet := trial{Checker: off(trace.DeadLetter, trace.OrphanDead, trace.Orphan)}
	runAll(t, []feature{
		// What the Stopping handler sends comes before the actor is gone: who gets it still finds the actor, or does not any
		// more.
		{Name: "Stopping", Program: ended(tellsAsker, nothing, stopIt), Want: []string{deadLetter, unanswered}, Trial: quiet},
		// What the Stopped handler sends comes after.
		{Name: "Stopped", Program: ended(nothing, tellsAsker, stopIt), Want: []string{deadLetter}, Trial: quiet},
		// An actor that is gone gets the answer that its handler waits for, and what was sent to it was handled before it
		// stopped or not.
		{Name: "WaitsInStopped", Program: ended(nothing, asksLate, func(root *actor.RootContext, victim *actor.PID) {
			root.Send(victim, told{})
			root.Stop(victim)
		}), Want: []string{"answered", "told, answered"}, Trial: quiet},
	})
}

// All strategies find the orders of an actor that waits while it stops.
func TestStrategiesAgreeOnEnds(t *testing.T) {
	for _, stopping := range []func(ctx actor.Context, log, asker *actor.PID){nothing, tellsAsker} {
		program := ended(stopping, asksLate, func(root *actor.RootContext, victim *actor.PID) {
			teller := start(root.ActorSystem(), "teller", func(ctx actor.Context) {
				if _, ok := ctx.Message().(tick); ok {
					ctx.Send(victim, told{}) // later than the stop in the first execution
				}
			})
			root.Send(teller, tick{})
			root.Stop(victim)
		})
		var j journal
		p := &agree.Program{
			System:     protoactor.System(func(t *explore.T) { program(t, &j) }),
			Conditions: explore.Conditions{Model: trace.Mailbox, Horizon: time.Minute},
			State: func() string { // of several actors, whose order among each other is none
				return strings.Join(slices.Sorted(slices.Values(j.Lines())), ", ")
			},
			Before: func() { j = journal{} },
		}
		if shown, err := p.Compare(agree.Reductions...); err != nil {
			t.Errorf("%v\n%v", err, shown)
		}
	}
}

// continuing is a server that answers each request at once, and a client that makes two and does what is given.
func continuing(j *journal, client func(ctx actor.Context, server *actor.PID)) func(*explore.T) {
	return func(t *explore.T) {
		var asker *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			server := start(s, "server", func(ctx actor.Context) {
				if _, ok := ctx.Message().(ask); ok {
					ctx.Respond("fine")
				}
			})
			asker = start(s, "asker", func(ctx actor.Context) {
				switch m := ctx.Message().(type) {
				case tick:
					client(ctx, server)
				case string:
					j.Note("%s", m)
				}
			})
		})
		s.Root.Send(asker, tick{})
	}
}

func TestContinuationsWaitInTurn(t *testing.T) {
	noting := func(ctx actor.Context, j *journal, text string) func(any, error) {
		return func(any, error) { j.Note("%s", text) }
	}
	after := func(ctx actor.Context, to *actor.PID, j *journal, text string) {
		ctx.ReenterAfter(ctx.RequestFuture(to, ask{}, time.Second), noting(ctx, j, text))
	}
	program := func(client func(ctx actor.Context, server *actor.PID, j *journal)) func(*explore.T, *journal) {
		return func(t *explore.T, j *journal) {
			continuing(j, func(ctx actor.Context, server *actor.PID) { client(ctx, server, j) })(t)
		}
	}
	runAll(t, []feature{
		// One server answers in the order of the requests, and so the client goes on.
		{Name: "Order", Program: program(func(ctx actor.Context, server *actor.PID, j *journal) {
			after(ctx, server, j, "first")
			after(ctx, server, j, "second")
		}), Want: []string{"first, second"}},
		// A future that is resolved while its owner waits for another one is resolved then.
		{Name: "WhileWaiting", Program: program(func(ctx actor.Context, server *actor.PID, j *journal) {
			after(ctx, server, j, "first")
			_ = ctx.RequestFuture(server, ask{}, time.Second).Wait()
			after(ctx, server, j, "third")
			j.Note("waited")
			ctx.Send(ctx.Self(), "self")
		}), Want: []string{"waited, first, self, third", "waited, first, third, self"}},
		// A request to the dead is answered by whoever sends it, before what it sends next.
		{Name: "Dead", Program: program(func(ctx actor.Context, server *actor.PID, j *journal) {
			after(ctx, actor.NewPID(server.Address, "nobody"), j, "dead")
			ctx.Send(ctx.Self(), "self")
		}), Want: []string{"dead, self"}, Trial: trial{Checker: off(trace.DeadLetter)}},
	})
}
