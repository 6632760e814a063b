package byhand_test

import (
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/byhand"
	"github.com/rehearse-go/rehearse/trace"
)

type counter struct{ Left int }

func (c *counter) Receive(ctx *actor.Context, msg any) {
	if c.Left = msg.(int); c.Left > 0 {
		ctx.Send(ctx.Self(), c.Left-1)
	}
}

// TestLong: of a long execution the last steps are told, with how many were before them.
func TestLong(t *testing.T) {
	const steps = 30_000
	sys := actor.New(func(_ *explore.T, ctx *actor.Context) { ctx.Send(ctx.Spawn(&counter{}), steps-1) })
	c := &byhand.Chooser{Onward: true, Names: true}
	_, err := explore.Run(sys, c, explore.Options{Conditions: explore.Conditions{Model: trace.Bag, MaxSteps: 100}})
	if err != nil {
		t.Fatal(err)
	}
	v := c.View()
	last := v.Steps[len(v.Steps)-1]
	// The start of the test function is in the list, and has no number.
	if v.Earlier+len(v.Steps) != steps+1 || v.Earlier == 0 || last.Number != steps || last.Choice != steps ||
		v.Steps[0].Number != v.Earlier || v.Steps[0].Choice != v.Earlier {
		t.Errorf("%d earlier, %d steps, the first %+v, the last %+v", v.Earlier, len(v.Steps), v.Steps[0], last)
	}
}
