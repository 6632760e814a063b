package actor_test

import (
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/goroutine"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/trace"
)

// blocksALot leaves handlers blocked and released in every way at the end of an execution.
func blocksALot(t *explore.T, ctx *actor.Context) {
	forever := func(f func(*actor.Context)) {
		ctx.Send(ctx.Spawn(actor.Func(func(ctx *actor.Context, _ any) { f(ctx) })), ping{})
	}
	never := actor.Func(func(*actor.Context, any) {})
	forever(func(ctx *actor.Context) { ctx.Call(ctx.Spawn(never), ping{}) })
	forever(func(ctx *actor.Context) { ctx.Await(ctx.Ask(ctx.Spawn(never), ping{})) })
	forever(func(ctx *actor.Context) { ctx.AwaitUntil(func() bool { return false }) })
	forever(func(ctx *actor.Context) { ctx.Receive(func(any) bool { return false }) })
	ctx.Call(ctx.Spawn(actor.Func(func(ctx *actor.Context, _ any) { ctx.Reply(nil) })), ping{})
	ctx.Receive(func(any) bool { return false })
}

func TestNoGoroutineLeaks(t *testing.T) {
	before := runtime.NumGoroutine()
	for _, c := range every {
		exploredBy(t, actor.New(blocksALot), sample.NewRandom(1),
			explore.Options{Conditions: c, Budget: explore.Budget{Executions: 300}})
		// Cut in the middle of it, too.
		exploredBy(t, actor.New(blocksALot), sample.NewRandom(1),
			explore.Options{Conditions: c, Budget: explore.Budget{Executions: 100}, MaxSteps: 6})
	}
	// A goroutine that has handed over its last word may still be on its way out.
	for i := 0; runtime.NumGoroutine() > before && i < 1000; i++ {
		time.Sleep(time.Millisecond)
	}
	if after := runtime.NumGoroutine(); after > before {
		t.Errorf("%d goroutines before, %d after", before, after)
	}
}

func TestDeferredFunctionsRunAtTheEnd(t *testing.T) {
	unwound, sent := 0, 0
	exploredBy(t, actor.New(func(t *explore.T, ctx *actor.Context) {
		a := ctx.Spawn(actor.Func(func(ctx *actor.Context, _ any) {
			defer func() {
				unwound++
				ctx.Send(ctx.Self(), ping{})
				ctx.Spawn(actor.Func(logger))
				ctx.After(time.Second, ping{})
				ctx.Become(actor.Func(logger))
				ctx.Call(ctx.Self(), ping{})
				sent++ // not reached
			}()
			ctx.Receive(func(any) bool { return false })
		}))
		ctx.Send(a, ping{})
		t.Cleanup(func() { t.Log("cleaned") })
	}), sample.NewRandom(1),
		explore.Options{Budget: explore.Budget{Executions: 5}, Check: ending(func(x explore.Execution) {
			if unwound > 0 && len(x.Trace().Actors) != 2 {
				t.Errorf("an actor was created after the end")
			}
		})})
	if unwound != 5 || sent != 0 {
		t.Errorf("%d of 5 handlers were unwound, %d went on after a call", unwound, sent)
	}
}

func TestMemoryStaysFlat(t *testing.T) {
	sys := actor.New(blocksALot)
	heap := func(executions int) uint64 {
		if _, err := explore.Run(sys, sample.NewRandom(1),
			explore.Options{Conditions: bag, Budget: explore.Budget{Executions: executions}}); err != nil {
			t.Fatal(err)
		}
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	more := 20_000
	if testing.Short() { // what a run without the race detector measures closely
		more = 4_000
	}
	before := heap(100)
	if after := heap(more); after > before+256<<10 {
		t.Errorf("%d bytes after 100 executions, %d after %d more", before, after, more)
	}
}

func TestAHandlerThatNeverReturns(t *testing.T) {
	hangs, restore := goroutine.Hang()
	defer restore()
	var began atomic.Int32
	over := make(chan bool, 6)
	defer func() { // so that none ends beside another test
		for range began.Load() {
			<-over
		}
	}()
	begins := func() (ends func()) {
		began.Add(1)
		return func() { over <- true }
	}
	release := make(chan struct{})
	defer close(release)
	var mutex sync.Mutex
	mutex.Lock()
	defer mutex.Unlock()
	// which is seen at once, and needs no clock
	lost := func(name string) bool { return chance.Numbered() && name != "in a loop" }
	for _, tt := range []struct {
		name      string
		stuckHere func()
	}{
		{"on a channel", func() { defer begins()(); <-release }},
		{"on a mutex", func() { defer begins()(); mutex.Lock(); mutex.Unlock() }},
		// The last: it goes on beside whatever comes after it, and where others run nothing is lost at once.
		{"in a loop", func() {
			for {
				select {
				case <-release:
					return
				default:
				}
			}
		}},
	} {
		name, stuckHere := tt.name, tt.stuckHere
		for _, first := range []bool{false, true} { // in a handler that was never blocked, and in one that has been resumed
			sys := actor.New(func(_ *explore.T, ctx *actor.Context) {
				a := ctx.Spawn(actor.Func(func(ctx *actor.Context, msg any) {
					if msg == (pong{}) {
						ctx.Reply(nil)
						return
					}
					if first {
						ctx.Call(ctx.Sender(), ping{})
					}
					if !lost(name) {
						hangs()
					}
					stuckHere()
				}))
				ctx.Send(a, ping{})
				if first {
					ctx.Receive(func(any) bool { return true })
					ctx.Reply(nil)
				}
			})
			o := explore.Options{Conditions: explore.Conditions{Model: trace.Bag, Blocked: 50 * time.Millisecond},
				Budget: explore.Budget{Executions: 1}}
			out, err := explore.Run(sys, sample.NewRandom(1), o)
			if lost(name) {
				if err != nil || out.Executions != 1 {
					t.Errorf("%s (%v): error %v, %+v, want an execution without the handler", name, first, err, out)
				}
				continue
			}
			if err == nil || !strings.Contains(err.Error(), "no progress for 50ms") ||
				!strings.Contains(err.Error(), "TestAHandlerThatNeverReturns") {
				t.Errorf("%s (%v): error %v, want the stack of the stuck handler", name, first, err)
			} else if n := strings.Count(err.Error(), "\ngoroutine "); n != 1 {
				t.Errorf("%s (%v): %d goroutines shown, want the stuck one\n%v", name, first, n, err)
			}
		}
	}
}

// What is explored behind a handler that loops for ever, and goes on to, is explored as ever: its goroutine is none of
// those among which one is drawn.
func TestDrawsBehindAHandlerThatLoops(t *testing.T) {
	if !chance.Numbered() {
		return
	}
	joins := actor.New(func(_ *explore.T, ctx *actor.Context) {
		a := ctx.Spawn(actor.Func(func(*actor.Context, any) {
			var wg sync.WaitGroup
			wg.Go(func() {})
			wg.Wait()
		}))
		ctx.Send(a, ping{})
	})
	explored := func() int {
		c := explore.Conditions{Model: trace.Bag, Draws: 4, Preemptions: 1}
		out, err := explore.Run(joins, search.NewNaive(), explore.Options{Conditions: c})
		if err != nil || !out.Exhausted {
			t.Fatalf("%v, %+v", err, out)
		}
		return out.Executions
	}
	before := explored()
	hangs, restore := goroutine.Hang()
	release := make(chan struct{})
	defer close(release)
	for _, resumed := range []bool{false, true} {
		_, err := explore.Run(actor.New(func(_ *explore.T, ctx *actor.Context) {
			if resumed {
				ctx.Call(ctx.Spawn(actor.Func(func(ctx *actor.Context, _ any) { ctx.Reply(nil) })), ping{})
			}
			hangs()
			for over := false; !over; {
				select {
				case <-release:
					over = true
				default:
				}
			}
		}), sample.NewRandom(1), explore.Options{Conditions: bag, Budget: explore.Budget{Executions: 1}})
		if err == nil || !strings.Contains(err.Error(), "no progress") {
			t.Errorf("resumed %v: error %v", resumed, err)
		}
	}
	restore()
	if after := explored(); after != before {
		t.Errorf("%d executions before a handler looped for ever, %d after it", before, after)
	}
}

func TestTheSystemIsUsableAfterAStuckHandler(t *testing.T) {
	release := make(chan struct{})
	var stuck atomic.Bool
	stuck.Store(true)
	sys := actor.New(func(t *explore.T, ctx *actor.Context) {
		if stuck.Load() {
			<-release
		}
	})
	o := explore.Options{Conditions: explore.Conditions{Model: trace.Bag, Blocked: 20 * time.Millisecond},
		Budget: explore.Budget{Executions: 3}}
	// there it is lost, and executions go on without it
	if _, err := explore.Run(sys, sample.NewRandom(1), o); (err == nil) != chance.Numbered() {
		t.Errorf("error %v", err)
	}
	close(release)
	stuck.Store(false)
	o.Conditions.Blocked = 0
	if out, err := explore.Run(sys, sample.NewRandom(1), o); err != nil || out.Executions != 3 {
		t.Errorf("afterwards: %v, %+v", err, out)
	}
}

func TestGoexitIsAnError(t *testing.T) {
	for _, resumed := range []bool{false, true} {
		_, err := explore.Run(actor.New(func(_ *explore.T, ctx *actor.Context) {
			s := ctx.Spawn(actor.Func(func(ctx *actor.Context, _ any) { ctx.Reply(nil) }))
			ctx.Send(ctx.Spawn(actor.Func(func(ctx *actor.Context, _ any) {
				defer func() {
					defer func() { recover() }()
					panic("a panic in a deferred function changes nothing")
				}()
				if resumed {
					ctx.Call(s, ping{})
				}
				runtime.Goexit()
			})), ping{})
		}), sample.NewRandom(1), explore.Options{Conditions: bag, Budget: explore.Budget{Executions: 1}})
		if err == nil || !strings.Contains(err.Error(), "runtime.Goexit") ||
			!strings.Contains(err.Error(), "TestGoexitIsAnError") {
			t.Errorf("resumed %v: error %v", resumed, err)
		}
	}
}

func TestFailNowInHandlersIsNoPanic(t *testing.T) {
	for _, c := range every {
		h := exploredBy(t, actor.New(func(t *explore.T, ctx *actor.Context) {
			t.Cleanup(func() { t.Log("cleaned") })
			ctx.Spawn(&starter{func(ctx *actor.Context) { ctx.T().FailNow() }})
			t.Log("not reached")
		}), sample.NewRandom(1),
			explore.Options{Conditions: c, Budget: explore.Budget{Executions: 1}, Check: &check.Checker{}})
		if len(h.violations) != 1 || !strings.HasPrefix(h.violations[0], "assertion") || h.logs[0] != "cleaned" {
			t.Errorf("%v: found %q, logs %q", c.Model, h.violations, h.logs)
		}
	}
}
