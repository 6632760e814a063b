package main

import (
	"fmt"
	"testing"
	"time"

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

// patient stops its actor when somebody presses a key, which nobody does.
func patient() {
	system := actor.NewActorSystem()
	pid := system.Root.Spawn(actor.PropsFromFunc(idles))
	fmt.Scanln()
	system.Root.Stop(pid)
}

func idles(c actor.Context) {
	switch c.Message().(type) {
	case *actor.Started:
		c.SetReceiveTimeout(time.Second)
	case *actor.ReceiveTimeout:
		bored()
	}
}

func bored() { fmt.Println("nothing to do") }
