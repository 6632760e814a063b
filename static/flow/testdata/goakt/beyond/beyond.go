// Package beyond uses what of GoAkt no model follows.
package beyond

import (
	"context"
	"time"

	"github.com/tochemey/goakt/v4/actor"
)

type (
	Ask  struct{}
	Told struct{}
)

// desk asks a grain.
type desk struct{ grain *actor.GrainIdentity }

func (d *desk) PreStart(*actor.Context) error { return nil }
func (d *desk) PostStop(*actor.Context) error { return nil }

func (d *desk) Receive(c *actor.ReceiveContext) {
	if _, ok := c.Message().(Ask); ok {
		_, _ = c.ActorSystem().AskGrain(c.Context(), d.grain, Told{}, time.Second)
	}
}

// Open spawns a desk, and a router of others.
func Open(ctx context.Context, system actor.ActorSystem) error {
	pid, err := system.Spawn(ctx, "desk", &desk{})
	if err != nil {
		return err
	}
	if _, err := system.SpawnRouter(ctx, "desks", 2, &desk{}); err != nil {
		return err
	}
	return actor.Tell(ctx, pid, Ask{})
}
