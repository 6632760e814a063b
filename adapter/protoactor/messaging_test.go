package protoactor_test

import (
	"sync"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// doubler answers ask with told.
func doubler(ctx actor.Context) {
	if m, ok := ctx.Message().(ask); ok {
		ctx.Respond(told{2 * m.n})
	}
}

// asker asks whom by a future when it is told a number, and notes the answer.
func asker(whom func() *actor.PID, name string, j *journal) actor.ReceiveFunc {
	return func(ctx actor.Context) {
		if m, ok := ctx.Message().(told); ok {
			r, err := ctx.RequestFuture(whom(), ask{m.n}, time.Second).Result()
			if err != nil {
				j.note("%s %v", name, err)
				return
			}
			j.note("%s %d", name, r.(told).n)
		}
	}
}

var messaging = []feature{
	{name: "Send", program: func(t *explore.T, j *journal) {
		var pid *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			pid = start(s, "sink", func(ctx actor.Context) {
				if m, ok := ctx.Message().(told); ok {
					j.note("%d", m.n)
				}
			})
		})
		s.Root.Send(pid, told{1})
		s.Root.Send(pid, told{2})
	}, want: []string{"1, 2"}},

	{name: "SendRace", program: func(t *explore.T, j *journal) {
		var a, b *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			sink := start(s, "sink", func(ctx actor.Context) {
				if m, ok := ctx.Message().(told); ok {
					j.note("%d", m.n)
				}
			})
			pass := func(ctx actor.Context) {
				if m, ok := ctx.Message().(told); ok {
					ctx.Send(sink, m)
				}
			}
			a, b = start(s, "a", pass), start(s, "b", pass)
		})
		s.Root.Send(a, told{1})
		s.Root.Send(b, told{2})
	}, want: []string{"1, 2", "2, 1"}},

	{name: "Request", program: func(t *explore.T, j *journal) {
		var client *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			server := start(s, "server", doubler)
			client = start(s, "client", func(ctx actor.Context) {
				switch m := ctx.Message().(type) {
				case told:
					if ctx.Sender() == nil {
						ctx.Request(server, ask{m.n})
						return
					}
					j.note("%d from %s", m.n, ctx.Sender().Id)
				}
			})
		})
		s.Root.Send(client, told{3})
	}, check: func(t *testing.T, tr *trace.Trace) {
		if got := received(tr, "client"); got != "told told" {
			t.Errorf("the client received %s", got)
		}
	}, want: []string{""}}, // Respond names no sender: the second told asks again, without a limit but for the answer's sender
}

func TestMessaging(t *testing.T) { runAll(t, messaging) }

var _ = sync.WaitGroup{}
var _ = protoactor.NewActorSystem
