package protoactor_test

import (
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
)

// shop asks a bank for money and gives up after a second. What becomes of it shows at a third actor, the book, which
// gets one message in every order.
func shop(pay func(ctx actor.Context, bank *actor.PID, settle func(error))) func(*rehearse.T) {
	return func(t *rehearse.T) {
		taken, settled := 0, ""
		var front *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			bank := start(s, "bank", func(ctx actor.Context) {
				if _, ok := ctx.Message().(ask); ok {
					taken++
					ctx.Respond(told{})
				}
			})
			book := start(s, "book", func(ctx actor.Context) {
				if m, ok := ctx.Message().(string); ok {
					settled = m
				}
			})
			front = start(s, "front", func(ctx actor.Context) {
				if _, ok := ctx.Message().(tick); ok {
					pay(ctx, bank, func(err error) {
						if err != nil {
							ctx.Send(book, "cancelled")
						} else {
							ctx.Send(book, "paid")
						}
					})
				}
			})
		})
		s.Root.Send(front, tick{})
		t.AtEnd(func() {
			if taken > 0 && settled == "cancelled" {
				t.Errorf("the money was taken for nothing")
			}
		})
	}
}

// The order that decides may be that of time and a step: no actor receives anything in another order.
func TestAdvanceAsCulprit(t *testing.T) {
	blocking := func(ctx actor.Context, bank *actor.PID, settle func(error)) {
		_, err := ctx.RequestFuture(bank, ask{}, time.Second).Result()
		settle(err)
	}
	reentrant := func(ctx actor.Context, bank *actor.PID, settle func(error)) {
		ctx.ReenterAfter(ctx.RequestFuture(bank, ask{}, time.Second), func(_ any, err error) { settle(err) })
	}
	late := rehearse.Levels{rehearse.DeadLetter: rehearse.Off}
	const (
		before = "the advance of the clock to 1s before "
		passes = " breaks; the other way round it passes."
		asked  = before + "ask from front at bank" + passes
		reply  = before + "the reply told from bank at front" + passes
	)
	for _, c := range []struct {
		name   string
		pay    func(actor.Context, *actor.PID, func(error))
		checks rehearse.Levels
		want   string
	}{
		{"an answer to nobody", blocking, nil, asked},
		{"an assertion at the end", blocking, late, asked},
		{"a continuation", reentrant, nil, asked}, // nobody waits for the reply: it comes with the step that answers
		{"a continuation, an assertion at the end", reentrant, late, asked},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg := rehearse.Config{Timers: rehearse.Async, Budget: "300x", Checks: c.checks}
			r, err := rehearse.Explore(cfg, protoactor.System(shop(c.pay)))
			if err != nil || len(r.Findings) == 0 {
				t.Fatalf("error %v, findings %d", err, len(r.Findings))
			}
			if got := r.Findings[0].Culprit; got != c.want {
				t.Errorf("got  %s\nwant %s\n%s", got, c.want, r.Findings[0].Diagram)
			}
		})
	}
}

// A dead letter of a continuation is explained by the stop of its receiver, though the continuation alone, taken before
// that, sends too late all the same.
func TestStopAsCulprit(t *testing.T) {
	r, err := rehearse.Explore(rehearse.Config{Budget: "300x"}, protoactor.System(func(t *rehearse.T) {
		var client *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			log := start(s, "log", func(actor.Context) {})
			server := start(s, "server", func(ctx actor.Context) {
				if _, ok := ctx.Message().(ask); ok {
					ctx.Respond(told{})
					ctx.Stop(log)
				}
			})
			client = start(s, "client", func(ctx actor.Context) {
				if _, ok := ctx.Message().(tick); ok {
					ctx.ReenterAfter(ctx.RequestFuture(server, ask{}, time.Second), func(any, error) { ctx.Send(log, told{}) })
				}
			})
		})
		s.Root.Send(client, tick{})
	}))
	if err != nil || len(r.Findings) == 0 {
		t.Fatalf("error %v, findings %d", err, len(r.Findings))
	}
	if got, want := r.Findings[0].Culprit, "Stop from server at log before continuation from server at client breaks; the other way round it passes."; got != want {
		t.Errorf("got  %s\nwant %s\n%s", got, want, r.Findings[0].Diagram)
	}
}
