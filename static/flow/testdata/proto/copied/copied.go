// Package copied has a program that copies references, and makes one itself, for the tests of package flow.
package copied

import (
	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
)

// The messages. Two of them hold what a reference leads to.
type (
	start  struct{ to actor.PID }
	list   struct{ to [1]actor.PID }
	again  struct{}
	work   struct{}
	done   struct{}
	thanks struct{}
	lost   struct{}
)

type boss struct{ known []actor.PID }

func (b *boss) Receive(ctx actor.Context) {
	switch m := ctx.Message().(type) {
	case start:
		b.known = append(b.known, m.to)
		ctx.Request(&m.to, work{})
	case list:
		ctx.Watch(&m.to[0])
	case again:
		if len(b.known) > 0 {
			ctx.RequestWithCustomSender(&b.known[0], work{}, ctx.Self())
		}
		made := &actor.PID{Address: "nonhost", Id: "nobody"}
		ctx.Send(made, lost{})
	case done:
		from := *ctx.Sender()
		ctx.Send(&from, thanks{})
	}
}

type worker struct{}

func (*worker) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case work:
		to := *ctx.Sender()
		ctx.RequestWithCustomSender(&to, done{}, ctx.Self())
	case thanks:
	}
}

// Copied sends references by value.
func Copied() rehearse.System {
	return protoactor.System(func(t *rehearse.T) {
		s := protoactor.NewActorSystem()
		b := s.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return &boss{} }))
		w := s.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return &worker{} }))
		s.Root.Send(b, start{*w})
		s.Root.Send(b, list{[1]actor.PID{*w}})
		s.Root.Send(b, again{})
	})
}
