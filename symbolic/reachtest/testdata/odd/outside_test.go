package odd_test

import (
	"testing"

	core "github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/symbolic/reachtest/testdata/odd"
)

// What is sent cannot be named here, and a function sends it.
func TestDeliver(t *testing.T) {
	items := []int{1, 2}
	core.Check(t, core.Config{}, actor.New(func(_ *core.T, ctx *actor.Context) {
		w := ctx.SpawnNamed("w", &odd.Worker{})
		odd.Deliver(ctx, w, items, 3)
	}))
}
