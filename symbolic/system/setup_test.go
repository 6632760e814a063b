package system

import (
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// kettle handles five messages in set-up.
type kettle struct{ left int }

func (k *kettle) Receive(ctx *actor.Context, msg any) {
	switch n := msg.(type) {
	case int:
		if n > 0 {
			ctx.Send(ctx.Self(), n-1)
		}
	case bool:
		whistled()
	}
}

func whistled() {}

// setUpKettle sends one message that counts.
func setUpKettle() *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		var k actor.Ref
		t.SetUp(func() {
			k = ctx.Spawn(&kettle{})
			ctx.Send(k, 4)
		})
		ctx.Send(k, true)
	})
}

// TestSetUpIsNoStep: what is handled in set-up does not count against the bound on messages, which called everything
// behind it infeasible.
func TestSetUpIsNoStep(t *testing.T) {
	p := program(t, ".", ".")
	s := startOf(t, p, "setUpKettle")
	w, f := foundIn(t, p, s, Goal{Block: function(t, p, "whistled").Blocks[0]}, trace.FIFO, Bounds{Outside: 1, Steps: 1})
	if w == nil || len(w.Plan.Steps) != 1 {
		t.Errorf("%+v, %v: want a way of one step", w, f.Cuts)
	}
}
