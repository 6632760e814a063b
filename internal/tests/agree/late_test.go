package agree

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/strategies"
	"github.com/rehearse-go/rehearse/trace"
)

// counter counts what it gets; every step of it can be compared.
type counter struct {
	N    int
	Seen *int
}

func (c *counter) Receive(ctx *actor.Context, msg any) {
	c.N++
	*c.Seen = c.N
	if c.N == 80 {
		ctx.T().Errorf("%d messages", c.N)
	}
}

// Wherever the time is up, in an execution or while a strategy plans: the first execution comes to its end, nothing
// begins after that, what was found is told, and nothing is called complete. Executions are long enough to be looked at
// in the middle.
func TestTimeIsUpAnywhere(t *testing.T) {
	const messages = 90
	names := append(strings.Fields("reverse/3 pct/3 cover/literal stateful/persistent delay/2"), strategies.Names()...)
	names = slices.DeleteFunc(names, func(name string) bool { return name == "delay" }) // which wants a bound
	for _, name := range names {
		for _, polls := range []int{0, 1, 2, 7, 40, 90, 300, 1500} {
			s, err := strategies.New(name, 1, 0)
			if err != nil {
				t.Fatal(err)
			}
			seen, found, asked, over, most := new(int), 0, 0, 0, 5
			sys := actor.New(func(t *explore.T, ctx *actor.Context) {
				a := ctx.Spawn(&counter{Seen: seen})
				for i := range messages {
					ctx.Send(a, add{i % 3})
				}
			})
			late := func() bool {
				if asked++; asked == polls+1 {
					most = over + 1 // the one that runs, or that was over before its strategy planned
				}
				return asked > polls
			}
			out, err := explore.Run(sys, s, explore.Options{
				Conditions: explore.Conditions{Model: trace.Bag, Horizon: time.Minute, Copy: true, Blocked: 5 * time.Second},
				Check:      &check.Checker{},
				Late:       late,
				Budget:     explore.Budget{Executions: 4},
				After:      func(c *explore.Counters, _ *trace.Trace) { over = c.Executions + c.Blocked },
				Found:      func(explore.Found) bool { found++; return true },
			})
			at := fmt.Sprintf("%s, %d times not late: %+v", name, polls, out)
			if err != nil {
				t.Fatalf("%s: %v", at, err)
			}
			if over < 1 || over > min(4, most) || out.Complete || out.Exhausted {
				t.Errorf("%s: want 1 to %d executions, and nothing complete", at, min(4, most))
			}
			if polls == 0 && asked == 0 {
				t.Errorf("%s: nobody asked for the time", at)
			}
			if found == 0 {
				t.Errorf("%s: nothing was found", at)
			}
			if asked > polls && out.Reason != "stopped" && over < 4 {
				t.Errorf("%s: want that it was stopped", at)
			}
		}
	}
}
