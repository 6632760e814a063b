// Package rooted has programs that configure the context of those that are no actors, and props in rarer ways, for the tests of package flow.
package rooted

import (
	"github.com/asynkron/protoactor-go/actor"
	"github.com/asynkron/protoactor-go/router"
	"github.com/asynkron/protoactor-go/scheduler"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
)

// The messages.
type (
	ping  struct{}
	pong  struct{}
	audit struct{}
	saved struct{}
	over  struct{}
	first struct{}
	last  struct{}
	begin struct{}
)

func of[A actor.Actor](a A, options ...actor.PropsOption) *actor.Props {
	return actor.PropsFromProducer(func() actor.Actor { return a }, options...)
}

type auditor struct{}

func (*auditor) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case audit, saved, over, first, last:
	}
}

type player struct{}

func (*player) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case ping:
		ctx.Respond(pong{})
	case begin:
		panic("begin")
	}
}

// Rooted has middleware and a guardian around what is no actor.
func Rooted() rehearse.System {
	return protoactor.System(func(t *rehearse.T) {
		s := protoactor.NewActorSystem()
		log := s.Root.Spawn(of(&auditor{}))
		plain := *s.Root
		s.Root.WithSenderMiddleware(func(next actor.SenderFunc) actor.SenderFunc {
			return func(ctx actor.SenderContext, to *actor.PID, env *actor.MessageEnvelope) {
				plain.Send(log, audit{})
				next(ctx, to, env)
			}
		}).WithSpawnMiddleware(func(next actor.SpawnFunc) actor.SpawnFunc {
			return func(system *actor.ActorSystem, id string, props *actor.Props, by actor.SpawnerContext) (*actor.PID, error) {
				plain.Send(log, saved{})
				return next(system, id, props, by)
			}
		})
		p := plain.Spawn(of(&player{}, actor.WithGuardian(actor.NewAllForOneStrategy(0, 0, func(any) actor.Directive {
			plain.Send(log, over{})
			return actor.StopDirective
		}))))
		s.Root.Send(s.Root.Spawn(of(&player{})), ping{})
		s.Root.Send(p, begin{})
	})
}

// private is a context whose Receive is the program's own.
type private struct {
	actor.Context
	log *actor.PID
}

func (p *private) Receive(env *actor.MessageEnvelope) {
	p.Context.Send(p.log, first{})
	p.Context.Receive(env)
	p.Context.Send(p.log, last{})
}

// logs is an option of the program's own.
func logs(log *actor.PID) actor.PropsOption {
	return func(props *actor.Props) {
		props.Configure(actor.WithContextDecorator(func(next actor.ContextDecoratorFunc) actor.ContextDecoratorFunc {
			return func(ctx actor.Context) actor.Context { return &private{next(ctx), log} }
		}))
	}
}

type doer struct{ log *actor.PID }

func (d *doer) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case ping:
		ctx.Send(d.log, audit{})
	}
}

// Copied has props that are copied, extended and put together by hand.
func Copied() rehearse.System {
	return protoactor.System(func(t *rehearse.T) {
		s := protoactor.NewActorSystem()
		log := s.Root.Spawn(of(&auditor{}))
		props := (&actor.Props{}).Configure(actor.WithProducer(func() actor.Actor { return &doer{log} }))
		other := *props
		other.Configure(logs(log))
		s.Root.Send(s.Root.Spawn(props), ping{})
		s.Root.Send(s.Root.Spawn(&other), ping{})
	})
}

// sorter passes on what it gets by a timer, through middleware of its routees'.
type sorter struct{ to *actor.PID }

func (s *sorter) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case begin:
		scheduler.NewTimerScheduler(ctx).SendOnce(1, s.to, ping{})
	}
}

type sorted struct{}

func (*sorted) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case ping:
	case pong:
		ctx.Send(ctx.Self(), last{})
	}
}

// Sorted has a router whose routees have middleware.
func Sorted() rehearse.System {
	return protoactor.System(func(t *rehearse.T) {
		s := protoactor.NewActorSystem()
		pool := router.NewRoundRobinPool(1, actor.WithProducer(func() actor.Actor { return &sorted{} }),
			actor.WithReceiverMiddleware(func(next actor.ReceiverFunc) actor.ReceiverFunc {
				return func(ctx actor.ReceiverContext, env *actor.MessageEnvelope) {
					switch env.Message.(type) {
					case ping:
						next(ctx, &actor.MessageEnvelope{Message: pong{}})
					default:
						next(ctx, env)
					}
				}
			}))
		s.Root.Send(s.Root.Spawn(of(&sorter{s.Root.Spawn(pool)})), begin{})
	})
}
