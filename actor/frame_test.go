package actor_test

import (
	"runtime"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/trace"
)

// What escapes handlers is caught at the bottom of their goroutine, whether they have waited there or not: the
// exploration goes on with the same executions, also where the code ends its goroutine and panics on the way out.
func TestFrames(t *testing.T) {
	const plain, waits, fails = "plain", "waits", "fails on the way out"
	bad := func(how string) actor.Func {
		return func(ctx *actor.Context, msg any) {
			to, is := msg.(actor.Ref)
			if !is {
				return
			}
			switch how {
			case waits:
				_, _ = ctx.Call(to, 1)
			case fails:
				defer func() { panic("on the way out") }()
				ctx.T().FailNow()
			}
			panic(how)
		}
	}
	executions := map[string]map[trace.Model]int{ // as when each handler caught its own
		plain: {trace.Bag: 5, trace.FIFO: 2, trace.Causal: 2, trace.Mailbox: 4, trace.MailboxSerial: 2},
		waits: {trace.Bag: 9, trace.FIFO: 4, trace.Causal: 4, trace.Mailbox: 37, trace.MailboxSerial: 2},
		fails: {trace.Bag: 5, trace.FIFO: 2, trace.Causal: 2, trace.Mailbox: 4, trace.MailboxSerial: 2},
	}
	for how, violations := range map[string]int{plain: 1, waits: 1, fails: 2} {
		for _, in := range allModels {
			before := runtime.NumGoroutine()
			_, _, h := tallied(t, func(t *explore.T, ctx *actor.Context) {
				echo := ctx.SpawnNamed("echo", actor.Func(func(ctx *actor.Context, msg any) {
					if msg == 1 {
						ctx.Reply(msg)
					}
				}))
				a := ctx.SpawnNamed("bad", bad(how))
				ctx.Send(a, echo)
				ctx.Send(a, 1)
				ctx.Send(echo, 2)
			}, in, "", search.NewNaive())
			if len(h.violations) != violations || h.out.Executions != executions[how][in.Model] {
				t.Errorf("%s under %s: violations %v, %d executions", how, in.Model, h.violations, h.out.Executions)
			}
			if n := runtime.NumGoroutine(); n > before+2 {
				t.Errorf("%s under %s: %d goroutines, %d before", how, in.Model, n, before)
			}
		}
	}
}
