package actor_test

import (
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/search"
)

// Where the values of final checks are tried between executions, as in worker processes, no execution is lost. The
// strategy must not have begun the next one by then. It had where a step cannot be taken back, as here behind a call.
func TestEndsBetweenExecutions(t *testing.T) {
	f := numberedDraws(t)
	program := func(t *explore.T, c *actor.Context) {
		a := c.Spawn(oneWhoReplies{})
		c.Send(a, 1)
		c.Send(a, 2)
		c.Call(a, "call")
		c.Send(a, 3)
		t.AtEnd(func() { f.Draw(0, 3) })
	}
	executions := func(stop func() bool) int {
		o := exploringEnds(&check.Checker{}, 0)
		o.EndsStop = stop
		out, err := explore.Run(actor.New(program), search.NewNaive(), o)
		if err != nil || !out.Complete {
			t.Errorf("%+v, %v", out, err)
		}
		return out.Executions
	}
	want := executions(nil)
	if got := executions(func() bool { return false }); got != want {
		t.Errorf("%d executions, want %d", got, want)
	}
}

// oneWhoReplies has nothing that could not be saved.
type oneWhoReplies struct{}

func (oneWhoReplies) Receive(c *actor.Context, msg any) {
	if msg == "call" {
		c.Reply(nil)
	}
}
