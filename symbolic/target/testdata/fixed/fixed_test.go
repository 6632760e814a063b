package fixed

import (
	"testing"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/actor"
)

func TestMaster(t *testing.T) {
	rehearse.Check(t, rehearse.Config{Budget: "10x"}, actor.New(func(_ *rehearse.T, ctx *actor.Context) {
		m := ctx.Spawn(NewMaster(5))
		ctx.Send(m, Begin{})
		ctx.Send(m, Raise{})
	}))
}

func TestTree(t *testing.T) {
	rehearse.Check(t, rehearse.Config{Budget: "10x"}, actor.New(func(_ *rehearse.T, ctx *actor.Context) {
		tree := ctx.Spawn(&Tree{size: 6})
		ctx.Send(tree, Begin{})
		ctx.Send(tree, Grow{})
	}))
}

func TestStrict(t *testing.T) {
	rehearse.Check(t, rehearse.Config{Budget: "10x"}, actor.New(func(_ *rehearse.T, ctx *actor.Context) {
		ctx.Send(ctx.Spawn(&Strict{}), Begin{})
		ctx.Spawn(&Tree{size: 1})
	}))
}
