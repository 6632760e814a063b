// Package routers_test has systems with the routers of protoactor-go, for `rehearse target` and `rehearse reproduce tap`
// in a copy of that module: see docs/savina-targets.md.
package routers_test

import (
	"testing"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/asynkron/protoactor-go/router"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
)

// work is a message to routees.
type work struct{ Key string }

// Hash implements router.Hasher.
func (w *work) Hash() string { return w.Key }

// routee counts its messages.
type routee struct{ got int }

// Receive implements actor.Actor.
func (r *routee) Receive(ctx actor.Context) {
	if _, ok := ctx.Message().(*work); ok {
		r.got++
	}
}

func newRoutee() actor.Actor { return &routee{} }

// asks sends a router what it asks for.
func asks(root *actor.RootContext, to, routee *actor.PID) {
	root.Send(to, &work{"a"})
	root.Send(to, &router.AddRoutee{PID: routee})
	root.Send(to, &router.RemoveRoutee{PID: routee})
	root.Send(to, &router.BroadcastMessage{Message: &work{"b"}})
	root.RequestFuture(to, &router.GetRoutees{}, -1)
}

var once = rehearse.Config{Strategy: "default", Budget: "1x", Recheck: -1}

func TestRoundRobinPool(t *testing.T) {
	rehearse.Check(t, once, protoactor.System(func(*rehearse.T) {
		system := protoactor.NewActorSystem()
		pool := system.Root.Spawn(router.NewRoundRobinPool(2, actor.WithProducer(newRoutee)))
		extra := system.Root.Spawn(actor.PropsFromProducer(newRoutee))
		asks(system.Root, pool, extra)
	}))
}

func TestConsistentHashPool(t *testing.T) {
	rehearse.Check(t, once, protoactor.System(func(*rehearse.T) {
		system := protoactor.NewActorSystem()
		pool := system.Root.Spawn(router.NewConsistentHashPool(2, actor.WithProducer(newRoutee)))
		extra := system.Root.Spawn(actor.PropsFromProducer(newRoutee))
		asks(system.Root, pool, extra)
	}))
}

func TestBroadcastGroup(t *testing.T) {
	rehearse.Check(t, once, protoactor.System(func(*rehearse.T) {
		system := protoactor.NewActorSystem()
		first := system.Root.Spawn(actor.PropsFromProducer(newRoutee))
		second := system.Root.Spawn(actor.PropsFromProducer(newRoutee))
		group := system.Root.Spawn(router.NewBroadcastGroup(first))
		asks(system.Root, group, second)
	}))
}

func TestRandomGroup(t *testing.T) {
	rehearse.Check(t, once, protoactor.System(func(*rehearse.T) {
		system := protoactor.NewActorSystem()
		first := system.Root.Spawn(actor.PropsFromProducer(newRoutee))
		second := system.Root.Spawn(actor.PropsFromProducer(newRoutee))
		group := system.Root.Spawn(router.NewRandomGroup(first))
		asks(system.Root, group, second)
	}))
}
