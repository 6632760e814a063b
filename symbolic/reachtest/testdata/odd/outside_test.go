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

const jobs = 2

// Another package makes the system.
func TestSystem(t *testing.T) {
	for _, s := range []*actor.System{odd.System(jobs, []string{"x"}...)} {
		core.Check(t, core.Config{}, s)
	}
}

// What it is made from is known here alone.
func TestSystemOf(t *testing.T) { core.Check(t, core.Config{}, odd.System(len(t.Name()))) }
