package explain

import (
	"runtime"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/replay"
	"github.com/rehearse-go/rehearse/trace"
)

type again struct{ left int }

type itself struct{}

func (*itself) Receive(ctx *actor.Context, msg any) {
	if left := msg.(again).left; left > 0 {
		ctx.Send(ctx.Self(), again{left - 1})
	}
}

// In an execution in which each delivery needs all before it no two can be swapped. There are as many pairs as the
// square of its length, and to see that takes the past of each delivery once, not once for each pair: with those it
// took a GB here.
func TestPairsOfLongExecutions(t *testing.T) {
	const n, most = 800, 64 << 20
	sys := actor.New(func(_ *explore.T, ctx *actor.Context) { ctx.Send(ctx.Spawn(&itself{}), again{n - 1}) })
	run := replay.NewRunner(sys, explore.Options{Conditions: explore.Conditions{Model: trace.Bag}})
	failing, err := run(nil)
	if err != nil || len(failing.Trace.Events) < n {
		t.Fatal(failing, err)
	}
	g := newGraph(failing.Trace)
	same := func([]trace.Forced) (*replay.Run, error) { return failing, nil }
	s := &finder{failing: failing.Trace, limit: MaxReplays, run: same}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err = s.pairs(g, failing.Trace.Events[len(failing.Trace.Events)-1].Step.Actor, func(*swap) bool { return true })
	runtime.ReadMemStats(&after)
	if bytes := after.TotalAlloc - before.TotalAlloc; err != nil || s.swapped > 0 || bytes > most {
		t.Errorf("%d bytes for %d steps, want %d at most; %v", bytes, n, most, err)
	} else {
		t.Log(bytes, "bytes")
	}
}
