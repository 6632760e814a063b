package rehearse_test

import (
	"os/user"
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/actor"
)

// beyond are programs whose handlers do something that is not under control, or may not be: always, or in a
// quarter of the executions, which workers come to in one item or another.
var beyond = []struct {
	name   string
	always bool
	does   func()
}{
	{"nothing", true, func() {}},
	{"goroutines that are waited for", true, func() { lastOf(2) }},
	{"goroutines that are waited for, in some executions", false, func() { lastOf(2) }},
	{"a goroutine that outlives", true, func() { go later.Add(1) }},
	{"a goroutine that outlives, in some executions", false, func() { go later.Add(1) }},
	{"a timer", true, func() { time.AfterFunc(time.Hour, func() {}).Stop() }},
	{"a loop over a map", true, func() {
		for i := range map[int]bool{1: true, 2: true, 3: true} {
			later.Add(int64(i))
		}
	}},
	{"GOMAXPROCS", true, func() { runtime.GOMAXPROCS(2) }},
	{"a thread", true, runtime.LockOSThread},
	{"the collector", true, func() { debug.SetGCPercent(50) }},
	{"cgo", true, func() { _, _ = user.LookupId("1") }},
}

// threeWays is a program whose first handler does something, always or where the message 3 is the first to come.
func threeWays(always bool, does func()) rehearse.System {
	return actor.New(func(_ *rehearse.T, ctx *actor.Context) {
		n := 0
		to := ctx.SpawnNamed("to", actor.Func(func(_ *actor.Context, msg any) {
			if n++; n == 1 && (always || msg == 3) {
				does()
			}
		}))
		for i := range 4 {
			ctx.Send(to, i)
		}
	})
}

// TestWorkersSayAsMuch: a divided exploration says all that one process says of what it does not control.
func TestWorkersSayAsMuch(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	for _, p := range beyond {
		cfg := rehearse.Config{Strategy: "naive", Budget: "unlimited", Seed: 1}
		one := saysOf(t, cfg, threeWays(p.always, p.does))
		cfg.Workers = 2
		if got := saysOf(t, cfg, threeWays(p.always, p.does)); got != one {
			t.Errorf("%s: two workers say\n%+v\none process says\n%+v", p.name, got, one)
		}
	}
}

// says is what a result says of its worth.
type says struct {
	Complete, ForOneSeed, OneOrder                   bool
	Uncontrolled, Remarks, OneSeed, Bypassed, Reason string
}

func saysOf(t *testing.T, cfg rehearse.Config, sys rehearse.System) says {
	t.Helper()
	r, err := rehearse.Explore(cfg, sys)
	if err != nil {
		t.Fatal(err)
	}
	return says{r.Complete, r.ForOneSeed, r.OneOrder, r.Uncontrolled, r.Remarks, r.OneSeed, r.Bypassed, r.Reason}
}
