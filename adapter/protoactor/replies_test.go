package protoactor_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// replies are programs whose actors make requests and wait for no reply. Then a reply comes before or after what the
// requester handles next.
var replies = []feature{
	// What a reply is continued with is a system message, which waits while another reply comes.
	{Name: "BesideContinuations", Program: requester(func(ctx actor.Context, f promise, n int, _ *actor.PID, j *journal) {
		ctx.ReenterAfter(as(ctx.ReenterAfter, f), func(any, error) { j.Note("a again %d", n) })
	})},
	{Name: "ToNobody", Program: requester(func(_ actor.Context, _ promise, n int, _ *actor.PID, j *journal) {
		j.Note("a %d", n)
	})},
	// What a reply is piped to and what a later handler sends reach one mailbox in either order.
	{Name: "Piped", Program: requester(func(ctx actor.Context, f promise, n int, to *actor.PID, _ *journal) {
		f.PipeTo(to)
		ctx.Send(to, told{10 * n})
	})},
	// What comes long after the reply may come before it.
	{Name: "BeforeWhatIsLate", Program: func(t *explore.T, j *journal) {
		var a *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			server := start(s, "server", doubler)
			via := []*actor.PID{nil, nil, nil}
			for i := range via {
				via[i] = start(s, fmt.Sprint("via", i), func(ctx actor.Context) {
					if m, ok := ctx.Message().(told); ok {
						ctx.Send(append(via[i+1:], a)[0], m)
					}
				})
			}
			a = start(s, "a", func(ctx actor.Context) {
				if m, ok := ctx.Message().(told); ok {
					if m.n == 1 {
						ctx.RequestFuture(server, ask{m.n}, time.Second)
						ctx.Send(via[0], told{2})
					}
					j.Note("a %d", m.n)
				}
			})
		})
		s.Root.Send(a, told{1})
	}},
}

// requester has an actor make a request in each of two handlers, and do something with its future.
func requester(do func(ctx actor.Context, f promise, n int, to *actor.PID, j *journal)) func(*explore.T, *journal) {
	return func(t *explore.T, j *journal) {
		var a *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			server, b := start(s, "server", doubler), start(s, "b", named("b", j))
			a = start(s, "a", func(ctx actor.Context) {
				if m, ok := ctx.Message().(told); ok {
					do(ctx, ctx.RequestFuture(server, ask{m.n}, time.Second), m.n, b, j)
				}
			})
		})
		s.Root.Send(a, told{1})
		s.Root.Send(a, told{2})
	}
}

// All strategies find both orders, also where no send of a handler is a step of its own.
func TestStrategiesAgreeOnReplies(t *testing.T) {
	for _, f := range replies {
		t.Run(f.Name, func(t *testing.T) { f.Agree(t, protoactor.System, trace.MailboxSerial, "") })
	}
}
