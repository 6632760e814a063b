package goakt

import (
	"context"

	"github.com/tochemey/goakt/v4/actor"
)

// This file brings about faults: actors that crash, and restarts.

// silent takes the place of an actor that has crashed.
type silent struct{}

func (silent) PreStart(*actor.Context) error { return nil }
func (silent) Receive(*actor.ReceiveContext) {}
func (silent) PostStop(*actor.Context) error { return nil }

// Crash stops the actor as the framework does, but none of its code runs, and what waits in its mailbox stays there.
// adapter.Actor.
func (b *box) Crash() {
	value := of[actor.Actor](b.pid, b.framework.ofPID.actor)
	b.value = *value
	*value = silent{}
	_ = b.pid.Shutdown(context.Background())
}

// Restart is what the framework does when a supervisor says so. adapter.Actor.
func (b *box) Restart() { _ = b.pid.Restart(context.Background()) }
