package uncontrolled

import (
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/explore"
)

// beyond is what handlers do that is not under control, or may not be: always, or in some executions, which workers
// come to in one item or another.
var beyond = []struct {
	name   string
	always bool
	does   func()
}{
	{"nothing", true, func() {}},
	{"goroutines that are waited for", true, gather},
	{"goroutines that are waited for, in some executions", false, gather},
	{"a goroutine that outlives", true, outlive},
	{"a goroutine that outlives, in some executions", false, outlive},
	{"a timer", true, func() { time.AfterFunc(time.Hour, func() {}).Stop() }},
	{"a loop over a map", true, func() {
		for i := range map[int]bool{1: true, 2: true, 3: true} {
			done.Add(int64(i))
		}
	}},
	{"GOMAXPROCS", true, func() { runtime.GOMAXPROCS(2) }},
	{"a thread", true, runtime.LockOSThread},
	{"the collector", true, func() { debug.SetGCPercent(50) }},
	{"the collector, in some executions", false, func() { debug.SetGCPercent(50) }},
	{"cgo", true, callC},
}

// done counts what nobody asks for.
var done atomic.Int64

// gather starts two goroutines and waits for them.
func gather() {
	var all sync.WaitGroup
	for i := range 2 {
		all.Go(func() { done.Add(int64(i)) })
	}
	all.Wait()
}

// outlive starts a goroutine that may go on when its handler is over.
func outlive() { go done.Add(1) }

// CheckWorkers explores programs in one process and in two workers: these say all that the one says of what it does not
// control. program makes one of which a handler does something: always, or where messages come in one order of several.
func CheckWorkers(t *testing.T, program func(always bool, does func()) rehearse.System) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, p := range beyond {
		cfg := rehearse.Config{Strategy: "naive", Budget: "unlimited", Seed: 1}
		one := saysOf(t, cfg, program(p.always, p.does))
		cfg.Workers = 2
		if got := saysOf(t, cfg, program(p.always, p.does)); got != one {
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
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	r, err := rehearse.Explore(cfg, sys)
	if err != nil {
		t.Fatal(err)
	}
	return says{r.Complete, r.ForOneSeed, r.OneOrder, sorted(r.Uncontrolled), sorted(r.Remarks), r.OneSeed, r.Bypassed,
		r.Reason}
}

// sorted has the parts of a text in an order that is nobody's.
func sorted(text string) string {
	parts := strings.Split(text, explore.RemarkSeparator)
	slices.Sort(parts)
	return strings.Join(parts, explore.RemarkSeparator)
}
