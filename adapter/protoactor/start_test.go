package protoactor_test

import (
	"strings"
	"testing"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/asynkron/protoactor-go/router"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/startstate"
	"github.com/rehearse-go/rehearse/trace"
)

type beginner struct{ n int }

func (n *beginner) Receive(ctx actor.Context) {
	if _, ok := ctx.Message().(int); ok {
		n.n++
	}
}

// What decides what actors do beside their values is told where an analysis begins at a state; a plain program has none of it.
func TestStartTellsWhatItLeavesOut(t *testing.T) {
	props := func(more ...actor.PropsOption) *actor.Props {
		return actor.PropsFromProducer(func() actor.Actor { return &beginner{n: 3} }, more...)
	}
	middle := func(next actor.ReceiverFunc) actor.ReceiverFunc {
		return func(c actor.ReceiverContext, e *actor.MessageEnvelope) { next(c, e) }
	}
	for name, c := range map[string]struct {
		do   func(s *actor.ActorSystem)
		want string
	}{
		"plain":      {func(s *actor.ActorSystem) { s.Root.Send(s.Root.Spawn(props()), 1) }, ""},
		"middleware": {func(s *actor.ActorSystem) { s.Root.Send(s.Root.Spawn(props(actor.WithReceiverMiddleware(middle))), 1) }, "its props have receiverMiddleware"},
		"router": {func(s *actor.ActorSystem) {
			s.Root.Send(s.Root.Spawn(router.NewRoundRobinPool(2, actor.WithFunc(func(actor.Context) {}))), 1)
		}, "it is a router"},
		"listener": {func(s *actor.ActorSystem) {
			s.EventStream.Subscribe(func(any) {})
			s.Root.Send(s.Root.Spawn(props()), 1)
		}, "the program listens to an event stream"},
		"goroutine": {func(s *actor.ActorSystem) {
			pid := s.Root.Spawn(props())
			go s.Root.Send(pid, 1)
			s.Root.Send(pid, 2)
		}, "goroutine"},
	} {
		t.Run(name, func(t *testing.T) {
			sys := protoactor.System(func(*rehearse.T) { c.do(protoactor.NewActorSystem()) })
			s, err := startstate.Of(sys, explore.Conditions{Model: trace.Mailbox}, explore.NewT("T", nil))
			if err != nil {
				t.Fatal(err)
			}
			open := s.Unread
			for _, a := range s.Actors {
				if a.Unread != "" {
					open = append(open, a.Unread)
				}
			}
			got := strings.Join(open, "; ")
			if (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
				t.Errorf("it leaves open %q, want %q", got, c.want)
			}
		})
	}
}
