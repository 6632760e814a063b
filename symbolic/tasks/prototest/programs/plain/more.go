package main

import (
	"testing"

	"github.com/asynkron/protoactor-go/actor"
)

// TestTill is named as tests are: a copy of it must not be.
func TestTill(t *testing.T) {
	system := actor.NewActorSystem()
	system.Root.Send(system.Root.Spawn(actor.PropsFromFunc(answer)), Sale{1})
}

// serving sends nothing itself.
func serving() *actor.RootContext {
	system := actor.NewActorSystem()
	system.Root.Spawn(actor.PropsFromFunc(answer))
	return system.Root
}
