// Package goakt puts unmodified GoAkt programs (github.com/tochemey/goakt/v4 v4.2.1) under the control of Rehearse.
package goakt

import (
	"context"

	"github.com/tochemey/goakt/v4/actor"

	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/explore"
)

// System makes the program that test builds and starts a system to explore. The Mode of the result chooses how handlers
// are run; both ways give the same traces.
func System(test func(*explore.T)) *adapter.System {
	return adapter.NewSystem(&framework{}, test)
}

// Control puts an actor system under control, and gives it back. Call it right after ActorSystem.Start, in the test
// function or in what that calls: there may be no actors yet. Outside of an execution it does nothing.
func Control(system actor.ActorSystem) actor.ActorSystem {
	if rt := adapter.Current(); rt != nil && rt.Exploring() {
		frameworkOf(rt).control(rt, system)
	}
	return system
}

// NewActorSystem is actor.NewActorSystem, Start, and Control. In an execution it starts the actors of the framework's
// own that a program without a network needs, and takes a third of the time.
func NewActorSystem(name string, options ...actor.Option) (actor.ActorSystem, error) {
	system, err := actor.NewActorSystem(name, options...)
	if err != nil {
		return nil, err
	}
	rt := adapter.Current()
	if rt == nil || !rt.Exploring() {
		return system, system.Start(context.Background())
	}
	return system, frameworkOf(rt).start(rt, system)
}
