package protoactor_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/internal/chance"
)

// mapLoops are the loops over maps that are common in programs.
var mapLoops = map[string]func(ctx actor.Context, to [4]*actor.PID){
	"broadcast": func(ctx actor.Context, to [4]*actor.PID) {
		for n, pid := range byNumber(to) {
			ctx.Send(pid, ping{n})
		}
	},
	"ask all and gather": func(ctx actor.Context, to [4]*actor.PID) {
		for n, pid := range byNumber(to) {
			ctx.Request(pid, ping{n})
		}
	},
	"ask all and wait": func(ctx actor.Context, to [4]*actor.PID) {
		waits := map[int]promise{}
		for n, pid := range to {
			waits[n] = ctx.RequestFuture(pid, ping{n}, time.Second)
		}
		for _, f := range waits {
			_ = f.Wait()
		}
	},
	"spawn one per key": func(ctx actor.Context, to [4]*actor.PID) {
		for n := range byNumber(to) {
			pid, err := ctx.SpawnNamed(actor.PropsFromFunc(func(actor.Context) {}), fmt.Sprint("child", n))
			if err == nil {
				ctx.Send(pid, ping{n})
			}
		}
	},
	"stop all": func(ctx actor.Context, to [4]*actor.PID) {
		for _, pid := range byNumber(to) {
			ctx.Stop(pid)
		}
	},
	"poison all": func(ctx actor.Context, to [4]*actor.PID) {
		for _, pid := range byNumber(to) {
			ctx.Poison(pid)
		}
	},
}

// Under mailbox, where the sends of a handler have an order, loops over maps that send are complete if the order does
// not count. Of the others it is said what differs: a handler that waits for one future after the other goes on as
// their answers come.
func TestLoopsOverMaps(t *testing.T) {
	for name, want := range map[string]string{
		"broadcast":          "complete",
		"ask all and gather": "complete",
		"stop all":           "complete",
		"poison all":         "complete",
		"ask all and wait":   "of which one sample was explored: ",
		"spawn one per key":  "complete",
	} {
		if chance.Numbered() {
			want = "complete" // each order is explored
		}
		r, err := rehearse.Explore(rehearse.Config{Strategy: "optimal", Budget: "3000x", Seed: 1, Checks: rehearse.Levels{rehearse.DeadLetter: rehearse.Off}}, looper(mapLoops[name]))
		if err != nil || len(r.Findings) > 0 || r.Complete != (want == "complete") || !strings.Contains(r.String(), want) {
			t.Errorf("%s: %v, %s, findings %v", name, err, r, r.Findings)
		}
	}
}

// looper is a program with one actor that does as told with four others, which reply.
func looper(handle func(ctx actor.Context, to [4]*actor.PID)) rehearse.System {
	return chooserOf(handle, func(ctx actor.Context, m ping) {
		if ctx.Sender() != nil {
			ctx.Respond(m.n)
		}
	})
}
