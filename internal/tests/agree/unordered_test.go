package agree

import (
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// fanOut sends to two others, in an order that is none of the program's, as a loop over a map does.
type fanOut struct {
	to   [2]actor.Ref
	swap func() bool
	n    int
}

func (f *fanOut) Receive(ctx *actor.Context, _ any) {
	first := 0
	if f.swap() {
		first = 1
	}
	ctx.Send(f.to[first], add{f.n + first})
	ctx.Send(f.to[1-first], add{f.n + 1 - first})
}

// An actor sends in another order in every second run. Under mailbox a step that releases a message is repeated as the
// release of that message, and what was planned for one message befalls that one. Else the search goes astray, or
// executes a class twice. The result is not complete, since the order of the sends is not explored.
func TestReleasesAreRepeated(t *testing.T) {
	for _, name := range []string{"source", "optimal"} {
		runs := 0
		p := Program{
			System: actor.New(func(_ *explore.T, ctx *actor.Context) {
				a, b := ctx.Spawn(&sum{last: new(int)}), ctx.Spawn(&sum{last: new(int)})
				for i := range 2 {
					ctx.Send(ctx.Spawn(&fanOut{[2]actor.Ref{a, b}, func() bool { return runs%2 == 0 }, 10 * i}), add{})
				}
			}),
			Conditions: explore.Conditions{Model: trace.Mailbox, Horizon: time.Minute, Copy: true, Blocked: 5 * time.Second},
			Before:     func() { runs++ }, // each execution runs from the start
		}
		s, err := p.Show(name)
		if err != nil || !s.Exhausted || s.Complete || s.Executions != 4 || len(s.Classes) != 4 || s.Blocked > 0 {
			t.Errorf("%v, %v, want 4 executions of 4 classes, and that they are not all", s, err)
		}
	}
}
