package protoactor_test

import (
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/asynkron/protoactor-go/scheduler"

	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/adapter/conform"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/explore"
)

// onSystem is protoactor-go as the suite sees it, on actor systems that are made so.
func onSystem(system func() *actor.ActorSystem) conform.Framework {
	return conform.Framework{
		Name: "protoactor-go",
		System: func(test func(*explore.T, conform.Stage)) *adapter.System {
			return protoactor.System(func(t *explore.T) { test(t, role{spawner: system().Root}) })
		},
		Stock: func() (test conform.Stage, end func()) {
			s := small() // the framework's own code, but for a smaller registry
			return role{spawner: s.Root}, func() { time.Sleep(s.Config.DeadLetterThrottleInterval + time.Second) }
		},
		Lacks: []conform.Lack{
			{Ability: conform.Drain, Why: "what waits behind Poison is lost, whenever it came"},
		},
	}
}

func small() *actor.ActorSystem { return protoactor.NewActorSystem() }

func TestConform(t *testing.T) { conform.Run(t, onSystem(small)) }

// The rates on a system of the adapter's, and on one as applications create it.
func BenchmarkRing(b *testing.B) {
	b.Run("own", func(b *testing.B) { conform.Bench(b, onSystem(small)) })
	b.Run("stock", func(b *testing.B) { conform.Bench(b, onSystem(stock)) })
}

// Memory does not grow over a million executions: run it with -benchtime 1x.
func BenchmarkMillion(b *testing.B) { conform.Million(b, onSystem(small)) }

// spawner is what the contexts of handlers and of the test have in common.
type spawner interface {
	actor.SenderContext
	Stop(*actor.PID)
	Poison(*actor.PID)
	ActorSystem() *actor.ActorSystem
}

// role is a conform.Stage of protoactor-go.
type role struct {
	spawner
	handler actor.Context // nil: the test
}

func (r role) Self() any {
	if r.handler == nil {
		return nil
	}
	return r.handler.Self()
}

func (r role) Tell(to, message any) { r.Request(to.(*actor.PID), message) }

func (r role) Call(to, message any, patience time.Duration) (any, error) {
	return r.RequestFuture(to.(*actor.PID), message, patience).Result()
}

func (r role) Respond(message any) { r.handler.Respond(message) }

// Spawn starts an actor without a parent: one that ends takes its children along.
func (r role) Spawn(name string, create func() conform.Actor) any {
	props := actor.PropsFromProducer(func() actor.Actor { return member{create()} })
	pid, err := r.ActorSystem().Root.SpawnNamed(props, name)
	if err != nil {
		panic(err)
	}
	return pid
}

func (r role) End(who any) { r.Poison(who.(*actor.PID)) }

func (r role) Halt(who any) { r.Stop(who.(*actor.PID)) }

func (r role) Watch(who any) { r.handler.Watch(who.(*actor.PID)) }

func (r role) Forward(to any) { r.handler.Forward(to.(*actor.PID)) }

func (r role) After(d time.Duration, message any) {
	scheduler.NewTimerScheduler(r.handler).SendOnce(d, r.handler.Self(), message)
}

// member is an actor of protoactor-go.
type member struct{ actor conform.Actor }

// Receive implements actor.Actor.
func (m member) Receive(ctx actor.Context) {
	s := role{ctx, ctx}
	switch msg := ctx.Message().(type) {
	case actor.SystemMessage, actor.AutoReceiveMessage, *actor.Started:
		if gone, ok := msg.(*actor.Terminated); ok {
			m.actor.Receive(s, conform.Gone{Name: gone.Who.Id})
		}
	default:
		m.actor.Receive(s, msg)
	}
}
