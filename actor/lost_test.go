package actor_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/goroutine"
	"github.com/rehearse-go/rehearse/internal/replay"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/trace"
)

// philosophers has two goroutines take two locks, each in another order, and waits for them.
func philosophers() {
	var a, b sync.Mutex
	var wg sync.WaitGroup
	eat := func(first, second *sync.Mutex) {
		first.Lock()
		second.Lock()
		second.Unlock()
		first.Unlock()
	}
	wg.Go(func() { eat(&a, &b) })
	wg.Go(func() { eat(&b, &a) })
	wg.Wait()
}

// lockedTwice waits for itself.
func lockedTwice() {
	var mu sync.Mutex
	mu.Lock()
	mu.Lock()
}

// neverDone waits for a goroutine that has gone.
func neverDone() {
	var wg sync.WaitGroup
	wg.Add(2)
	go wg.Done()
	wg.Wait()
}

// neverSent waits for a value that a goroutine sends elsewhere.
func neverSent() {
	a, b := make(chan int), make(chan int)
	go func() { b <- 1 }()
	<-a
}

// whatever waits is the handler of an actor; another one does something beside it.
func waiting(wait func()) *actor.System {
	return actor.New(func(_ *explore.T, ctx *actor.Context) {
		beside := ctx.SpawnNamed("beside", actor.Func(func(*actor.Context, any) {}))
		ctx.Send(ctx.SpawnNamed("waits", actor.Func(func(*actor.Context, any) { wait() })), ping{})
		ctx.Send(beside, pong{})
	})
}

// Where draws have numbers, a handler that waits for ever is a deadlock at once, with what its goroutines wait for; the
// rest of its execution goes on, its schedule repeats, and the exploration goes on. Elsewhere the watchdog ends it.
func TestLostHandlersInDraws(t *testing.T) {
	for name, tt := range map[string]struct {
		wait  func()
		waits string
		at    []string
	}{
		"philosophers": {philosophers, "sync.WaitGroup.Wait in actor_test.philosophers",
			[]string{"the handler of waits waits: sync.WaitGroup.Wait",
				"a goroutine started at lost_test.go:", "waits: sync.Mutex.Lock"}},
		"locked twice": {lockedTwice, "sync.Mutex.Lock in actor_test.lockedTwice",
			[]string{"the handler of waits waits: sync.Mutex.Lock\n    lost_test.go:"}},
		"never done": {neverDone, "sync.WaitGroup.Wait in actor_test.neverDone", nil},
		"never sent": {neverSent, "chan receive in actor_test.neverSent", []string{"waits: chan send"}},
	} {
		t.Run(name, func(t *testing.T) {
			if chance.TheWatcher() == nil {
				stuckFor(t, tt.wait)
				return
			}
			for _, again := range []bool{false, true} {
				var found *trace.Trace
				var v trace.Violation
				finds := 0
				o := explore.Options{Conditions: explore.Conditions{Model: trace.Bag, Draws: 30, Preemptions: 1}, Rerun: again,
					Check: &check.Checker{},
					Found: func(f explore.Found) bool {
						if finds++; found == nil {
							found, v = f.Trace.Clone(), f.Violations[0]
						}
						return true
					}}
				out, err := explore.Run(waiting(tt.wait), search.NewNaive(), o)
				if err != nil || found == nil || !out.Exhausted || v.Kind != trace.Deadlock {
					t.Fatalf("%+v, %v, %v", out, v, err)
				}
				if name == "philosophers" && finds == out.Executions {
					t.Errorf("all %d executions wait for ever", finds)
				}
				if len(v.Waits) != 1 || v.Waits[0].Awaits != tt.waits ||
					!strings.Contains(v.Text, "waits waits for "+tt.waits+" (lost_test.go:") {
					t.Errorf("%q waits %q, want %q", v.Text, v.Waits, tt.waits)
				}
				for _, at := range tt.at {
					if !strings.Contains(v.Stack, at) {
						t.Errorf("want %q in\n%s", at, v.Stack)
					}
				}
				repeats(t, tt.wait, o, found.Schedule(), v.Key())
			}
		})
	}
}

// repeats replays a schedule.
func repeats(t *testing.T, wait func(), o explore.Options, forced []trace.Forced, key string) {
	run := replay.NewRunner(waiting(wait), o)
	for range 20 {
		x, err := run(forced)
		if err != nil || x.With(key) == nil || len(x.Stale) > 0 {
			t.Fatalf("replayed: %v, %+v", err, x)
		}
	}
}

// stuckFor has the watchdog notice.
func stuckFor(t *testing.T, wait func()) {
	hangs, restore := goroutine.Hang()
	defer restore()
	_, err := explore.Run(waiting(func() { hangs(); lockedTwice(); wait() }), search.NewNaive(),
		explore.Options{Conditions: explore.Conditions{Model: trace.Bag, Blocked: 20 * time.Millisecond}})
	if err == nil || !strings.Contains(err.Error(), "lockedTwice") {
		t.Errorf("error %v, want the stack of what is stuck", err)
	}
}

// What time ends, or a goroutine that is not the handler's, is no deadlock: the handler goes on.
func TestWaitsThatEndInDraws(t *testing.T) {
	served := make(chan int)
	over := make(chan struct{})
	defer close(over)
	go func() {
		for {
			time.Sleep(time.Millisecond)
			select {
			case served <- 1:
			case <-over:
				return
			}
		}
	}()
	for name, wait := range map[string]func(){
		"time":      func() { time.Sleep(time.Millisecond) },
		"timer":     func() { <-time.After(time.Millisecond) },
		"another's": func() { <-served },
		"time in a goroutine": func() {
			var wg sync.WaitGroup
			wg.Go(func() { time.Sleep(time.Millisecond) })
			wg.Wait()
		},
	} {
		out, err := explore.Run(waiting(wait), search.NewNaive(),
			explore.Options{Conditions: explore.Conditions{Model: trace.Bag, Draws: 30, Preemptions: 1}, Check: &check.Checker{},
				Found: func(f explore.Found) bool { t.Errorf("%s: %v", name, f.Violations); return true }})
		if err != nil || !out.Exhausted {
			t.Errorf("%s: %+v, %v", name, out, err)
		}
	}
}

// What was lost in an exploration, or an execution, may be woken by another one: that is no handler that went on beside
// others.
func TestLostBeforeIsNotAwokenInDraws(t *testing.T) {
	if chance.TheWatcher() == nil {
		return // nothing is lost, and the watchdog ends explorations
	}
	o := explore.Options{Conditions: explore.Conditions{Model: trace.Bag, Draws: 4, Preemptions: 1},
		Check: &check.Checker{}, Found: func(explore.Found) bool { return true }}
	before := make(chan int)
	if out, err := explore.Run(waiting(func() { <-before }), search.NewNaive(), o); err != nil || !out.Exhausted {
		t.Fatalf("%+v, %v", out, err)
	}
	closes := sync.OnceFunc(func() { close(before) })
	out, err := explore.Run(actor.New(func(_ *explore.T, ctx *actor.Context) {
		closer := ctx.SpawnNamed("closer", actor.Func(func(*actor.Context, any) { closes() }))
		ctx.Send(ctx.SpawnNamed("waits", actor.Func(func(*actor.Context, any) { lockedTwice() })), ping{})
		ctx.Send(closer, pong{})
	}), search.NewNaive(), o)
	if err != nil || !out.Exhausted {
		t.Errorf("%+v, %v", out, err)
	}
}
