// Package layered has programs whose props have middleware, decorators and supervisors, for the tests of package flow.
package layered

import (
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
)

// The messages.
type (
	ping   struct{}
	pong   struct{}
	audit  struct{ of string }
	copied struct{}
	swap   struct{}
	boom   struct{}
	gone   struct{}
)

func of[A actor.Actor](a A, options ...actor.PropsOption) *actor.Props {
	return actor.PropsFromProducer(func() actor.Actor { return a }, options...)
}

type auditor struct{}

func (*auditor) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case audit, copied, gone:
	}
}

// audited tells the auditor of each message before it is handled.
func audited(to *actor.PID) actor.ReceiverMiddleware {
	return func(next actor.ReceiverFunc) actor.ReceiverFunc {
		return func(ctx actor.ReceiverContext, env *actor.MessageEnvelope) {
			if _, ok := env.Message.(ping); ok {
				ctx.ActorSystem().Root.Send(to, audit{"received"})
			}
			next(ctx, env)
		}
	}
}

// swapped has a pong handled where a swap came.
func swapped(next actor.ReceiverFunc) actor.ReceiverFunc {
	return func(ctx actor.ReceiverContext, env *actor.MessageEnvelope) {
		if _, ok := env.Message.(swap); ok {
			env = &actor.MessageEnvelope{Message: pong{}, Sender: env.Sender}
		}
		next(ctx, env)
	}
}

// deaf has no branch for what only its middleware asks for.
type deaf struct{}

func (*deaf) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case gone:
	}
}

// player answers. It never sees a swap.
type player struct{}

func (*player) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case ping:
		ctx.Respond(pong{})
	case pong:
		ctx.Respond(ping{})
	case swap:
		ctx.Respond(boom{})
	}
}

type asker struct{ to *actor.PID }

func (a *asker) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case *actor.Started:
		ctx.Request(a.to, ping{})
		ctx.Request(a.to, swap{})
	case ping, pong:
	}
}

// Received has middleware before handlers.
func Received() rehearse.System {
	return protoactor.System(func(t *rehearse.T) {
		s := protoactor.NewActorSystem()
		log := s.Root.Spawn(of(&auditor{}))
		p := s.Root.Spawn(of(&player{}, actor.WithReceiverMiddleware(audited(log), swapped)))
		s.Root.Spawn(of(&asker{p}))
		s.Root.Send(s.Root.Spawn(of(&deaf{}, actor.WithReceiverMiddleware(audited(log)))), ping{})
	})
}

// copying sends a copy to the auditor, and a gone instead of a boom.
func copying(to *actor.PID) actor.SenderMiddleware {
	return func(next actor.SenderFunc) actor.SenderFunc {
		return func(ctx actor.SenderContext, target *actor.PID, env *actor.MessageEnvelope) {
			if _, ok := env.Message.(boom); ok {
				next(ctx, target, &actor.MessageEnvelope{Message: gone{}, Sender: env.Sender})
				return
			}
			next(ctx, target, env)
			next(ctx, to, actor.WrapEnvelope(copied{}))
		}
	}
}

type sayer struct{ to *actor.PID }

func (a *sayer) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case swap:
		ctx.Send(a.to, boom{})
		ctx.Request(a.to, ping{})
	case pong:
	}
}

type hearer struct{}

func (*hearer) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case ping:
		ctx.Respond(pong{})
	case boom:
		ctx.Respond(boom{})
	case gone:
	}
}

// Sent has middleware around sends.
func Sent() rehearse.System {
	return protoactor.System(func(t *rehearse.T) {
		s := protoactor.NewActorSystem()
		log := s.Root.Spawn(of(&auditor{}))
		a := s.Root.Spawn(of(&sayer{s.Root.Spawn(of(&hearer{}))}, actor.WithSenderMiddleware(copying(log))))
		s.Root.Send(a, swap{})
	})
}

type parent struct{}

func (*parent) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case ping:
		ctx.Send(ctx.Spawn(of(&child{})), ping{})
	}
}

type child struct{}

func (*child) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case ping:
		ctx.Send(ctx.Self(), pong{})
	}
}

// twin is created beside each child.
type twin struct{}

func (*twin) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case audit:
	}
}

func doubled(next actor.SpawnFunc) actor.SpawnFunc {
	return func(s *actor.ActorSystem, id string, props *actor.Props, p actor.SpawnerContext) (*actor.PID, error) {
		beside, err := next(s, id+"-twin", of(&twin{}), p)
		if err != nil {
			return nil, err
		}
		s.Root.Send(beside, audit{"child"})
		return next(s, id, props.Clone(actor.WithReceiverMiddleware(swapped)), p)
	}
}

// Spawned has middleware around creations, one by a spawner of its own.
func Spawned() rehearse.System {
	return protoactor.System(func(t *rehearse.T) {
		s := protoactor.NewActorSystem()
		p := s.Root.Spawn(of(&parent{}, actor.WithSpawnMiddleware(doubled), actor.WithSpawnFunc(
			func(s *actor.ActorSystem, id string, props *actor.Props, p actor.SpawnerContext) (*actor.PID, error) {
				return actor.DefaultSpawner(s, id, props, p)
			})))
		s.Root.Send(p, ping{})
	})
}

// loud is a context that tells the auditor of everything that is sent.
type loud struct {
	actor.Context
	to *actor.PID
}

func (l *loud) Send(pid *actor.PID, message any) {
	l.Context.Send(pid, message)
	l.Context.Send(l.to, audit{"sent"})
}

func (l *loud) Respond(response any) { l.Send(l.Sender(), response) }

type decorated struct{}

func (*decorated) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case ping:
		ctx.Respond(pong{})
	}
}

type curious struct{ to *actor.PID }

func (c *curious) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case *actor.Started:
		ctx.Request(c.to, ping{})
	case pong:
	}
}

// Decorated has a context of the program's own, and what is done when the actor is set up.
func Decorated() rehearse.System {
	return protoactor.System(func(t *rehearse.T) {
		s := protoactor.NewActorSystem()
		log := s.Root.Spawn(of(&auditor{}))
		d := s.Root.Spawn(of(&decorated{}, actor.WithContextDecorator(func(next actor.ContextDecoratorFunc) actor.ContextDecoratorFunc {
			return func(ctx actor.Context) actor.Context { return &loud{next(ctx), log} }
		}), actor.WithOnInit(func(ctx actor.Context) { ctx.Send(log, gone{}) })))
		s.Root.Spawn(of(&curious{d}))
	})
}

// head has children that fail.
type head struct{ log *actor.PID }

func (h *head) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case *actor.Started:
		ctx.Send(ctx.Spawn(of(&fragile{h.log})), boom{})
	case swap:
	}
}

type fragile struct{ log *actor.PID }

func (f *fragile) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case *actor.Restarting:
		ctx.Send(f.log, copied{})
	case boom:
		panic("boom")
	}
}

// strategy is a supervisor of the program's own.
type strategy struct{ log *actor.PID }

func (s *strategy) HandleFailure(system *actor.ActorSystem, by actor.Supervisor, who *actor.PID, _ *actor.RestartStatistics, _, _ any) {
	system.Root.Send(s.log, gone{})
	by.StopChildren(who)
}

// guard is an actor that is its own supervisor.
type guard struct{ log *actor.PID }

func (g *guard) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case *actor.Started:
		ctx.Send(ctx.Spawn(of(&fragile{g.log})), boom{})
	}
}

func (g *guard) HandleFailure(system *actor.ActorSystem, by actor.Supervisor, who *actor.PID, _ *actor.RestartStatistics, _, _ any) {
	system.Root.Send(g.log, swap{})
	by.StopChildren(who)
}

// Supervised has deciders that send.
func Supervised() rehearse.System {
	return protoactor.System(func(t *rehearse.T) {
		s := protoactor.NewActorSystem()
		log := s.Root.Spawn(of(&auditor{}))
		s.Root.Spawn(of(&head{log}, actor.WithSupervisor(actor.NewOneForOneStrategy(1, time.Second, func(any) actor.Directive {
			s.Root.Send(log, audit{"failed"})
			return actor.RestartDirective
		}))))
		s.Root.Spawn(of(&head{log}, actor.WithSupervisor(&strategy{log})))
		s.Root.Spawn(of(&guard{log}))
	})
}
