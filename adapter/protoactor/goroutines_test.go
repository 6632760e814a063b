package protoactor_test

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/goroutine"
)

// several are handlers with several goroutines, and whether these end before their handler does. What order these have
// decides nothing: a loaded machine may take a thread away for so long that Go's scheduler goes on with another
// goroutine.
var several = map[string]struct {
	handle func(ctx actor.Context, to [4]*actor.PID)
	ends   bool
}{
	"do nothing and outlive": {func(ctx actor.Context, to [4]*actor.PID) {
		for range 2 {
			go func() { runtime.Gosched() }()
		}
		ctx.Send(to[0], ping{})
	}, false},
	"sleep": {func(ctx actor.Context, to [4]*actor.PID) {
		var all sync.WaitGroup
		for range 2 {
			all.Go(func() { time.Sleep(time.Millisecond) })
		}
		all.Wait()
		ctx.Send(to[0], ping{})
	}, false},
	"add": {func(ctx actor.Context, to [4]*actor.PID) {
		var all sync.WaitGroup
		var mu sync.Mutex
		n := 0
		for i := range 3 {
			all.Go(func() {
				mu.Lock()
				defer mu.Unlock()
				n += i
			})
		}
		all.Wait()
		ctx.Send(to[0], ping{n})
	}, true},
}

// deciding are such handlers whose goroutines decide by their order what is sent.
var deciding = map[string]func(ctx actor.Context, to [4]*actor.PID){
	"send and outlive": func(ctx actor.Context, to [4]*actor.PID) {
		for _, pid := range to {
			go ctx.Send(pid, ping{})
		}
	},
	"send": func(ctx actor.Context, to [4]*actor.PID) {
		var all sync.WaitGroup
		for _, pid := range to[:2] {
			all.Go(func() { ctx.Send(pid, ping{}) })
		}
		all.Wait()
	},
	"decide": func(ctx actor.Context, to [4]*actor.PID) {
		first := make(chan int, len(to))
		for n := range to {
			go func() { runtime.Gosched(); first <- n }()
		}
		got := []int{<-first, <-first, <-first, <-first}
		ctx.Send(to[got[0]], ping{})
	},
}

// collectNever leaves no collection beside the executions of a test: one reorders goroutines.
func collectNever(t *testing.T) {
	percent := debug.SetGCPercent(-1)
	t.Cleanup(func() { debug.SetGCPercent(percent) })
	runtime.GC()
}

// Several goroutines of a handler are no divergence: they repeat. All orders of messages are explored for one order of
// the goroutines, which the result says with their place. Where they outlive the handler, it says so.
func TestSeveralGoroutinesOfAHandler(t *testing.T) {
	if !chance.Available() || !goroutine.Countable() {
		t.Skip("their order is Go's, or they are not counted: ", chance.Why())
	}
	collectNever(t)
	for name, tt := range several {
		for _, strategy := range []string{"random", "naive", "auto"} {
			r, err := rehearse.Explore(rehearse.Config{Strategy: strategy, Budget: "50x", Recheck: 20}, chooser(tt.handle))
			if err != nil || len(r.Findings) > 0 || r.Complete || r.Diverged || r.Varied != "" {
				t.Errorf("%s, %s: error %v, %s, findings %v", name, strategy, err, r, r.Findings)
			}
			if chance.Numbered() && tt.ends { // their orders are draws
				if r.Uncontrolled != "" || r.OneOrder || !strings.Contains(r.Remarks, chance.OrdersExplored) {
					t.Errorf("%s, %s: %s", name, strategy, r)
				}
				continue
			}
			if !strings.Contains(r.Uncontrolled, "goroutines_test.go:") || strings.Contains(r.Uncontrolled, "outlive") == tt.ends {
				t.Errorf("%s, %s: uncontrolled %q", name, strategy, r.Uncontrolled)
			}
			if said := strings.HasPrefix(r.String(), "complete for one order of goroutines: "); said != (r.OneOrder && r.Reason == "done") || said && !tt.ends {
				t.Errorf("%s, %s: %s", name, strategy, r)
			}
		}
	}
	if chance.Numbered() {
		return
	}
	r, err := rehearse.Explore(rehearse.Config{Strategy: "naive"}, chooser(several["add"].handle))
	if want := "goroutines ran in one order wherever a step was repeated, and the others were not explored: chooser starts a goroutine in its handler, at goroutines_test.go:"; err != nil ||
		!r.OneOrder || r.Complete || !strings.HasPrefix(r.String(), "complete for one order of goroutines: ") || !strings.Contains(r.String(), want) {
		t.Errorf("error %v, %s", err, r)
	}
}

// Where the order of goroutines decides, nothing is ever complete without a word, and the place is told.
func TestGoroutinesThatDecide(t *testing.T) {
	if !goroutine.Countable() {
		t.Skip("goroutines that are over are not counted")
	}
	for name, handle := range deciding {
		r, err := rehearse.Explore(rehearse.Config{Strategy: "naive", Budget: "50x"}, chooser(handle))
		said := r.Uncontrolled
		if chance.Numbered() && name != "send and outlive" {
			said = r.OneSeed + r.Remarks // these are draws, of which the budget or the bound leaves some out
			if !strings.Contains(r.Remarks, chance.OrdersExplored) {
				t.Errorf("%s: %s", name, r)
			}
		}
		if err != nil || r.Complete || !strings.Contains(said, "goroutines_test.go:") {
			t.Errorf("%s: error %v, %s, findings %v", name, err, r, r.Findings)
		}
	}
}

// Goroutines of a handler may ask, spawn and send to nobody at the same time.
func TestGoroutinesThatAsk(t *testing.T) {
	r, err := rehearse.Explore(rehearse.Config{Strategy: "naive", Budget: "10x", Checks: rehearse.Levels{rehearse.DeadLetter: rehearse.Off}},
		chooser(func(ctx actor.Context, _ [4]*actor.PID) {
			root := ctx.ActorSystem().Root
			var all sync.WaitGroup
			for n := range 3 {
				all.Go(func() {
					pid := spawnFunc(root, fmt.Sprint("asked", n), doubler)
					if got, err := root.RequestFuture(pid, ask{n}, time.Second).Result(); err != nil || got != any(told{2 * n}) {
						panic(fmt.Sprint(got, err))
					}
					root.Send(&actor.PID{Id: "nobody", Address: pid.Address}, ping{})
				})
			}
			all.Wait()
		}))
	if err != nil || len(r.Findings) > 0 || r.Complete || goroutine.Countable() && !strings.Contains(r.Uncontrolled, "outlive") {
		t.Errorf("error %v, %s, findings %v", err, r, r.Findings)
	}
}

// What blocks for ever among the goroutines of a handler is a deadlock that says who waits for what, and where.
func TestDeadlockAmongGoroutines(t *testing.T) {
	for name, tt := range map[string]struct {
		handle func(ctx actor.Context, to [4]*actor.PID)
		text   string
		stacks []string
	}{
		"nobody sends": {func(actor.Context, [4]*actor.PID) { <-make(chan int) }, "(chan receive at goroutines_test.go:", []string{"chooser waits: chan receive"}},
		"nobody receives": {func(actor.Context, [4]*actor.PID) {
			var all sync.WaitGroup
			answers := make(chan int)
			for range 2 {
				all.Go(func() { answers <- 1 })
			}
			all.Wait()
			<-answers
		}, "(sync.WaitGroup.Wait at goroutines_test.go:", []string{"chooser waits: sync.WaitGroup.Wait", "a goroutine started at goroutines_test.go:", " waits: chan send\n"}},
	} {
		v, _ := waitsForEver(t, name, rehearse.Config{Strategy: "naive", Budget: "1x"}, tt.handle, tt.text, tt.stacks)
		if v != nil && (strings.Contains(v.Stack, "rehearse/adapter.") || strings.Contains(v.Stack, "asynkron")) {
			t.Errorf("%s: the stack has the framework's or ours:\n%s", name, v.Stack)
		}
	}
}

// waitsForEver explores a chooser whose handler waits for something that does not come. It gives the one deadlock, nil
// if it is another, and the result.
func waitsForEver(t *testing.T, name string, c rehearse.Config, handle func(actor.Context, [4]*actor.PID), text string, stacks []string) (*rehearse.Violation, rehearse.Result) {
	t.Helper()
	c.Recheck = -1
	r, err := rehearse.Explore(c, chooser(handle))
	if err != nil || len(r.Findings) != 1 || r.Findings[0].Violation.Kind != rehearse.Deadlock {
		t.Errorf("%s: error %v, %s, findings %v", name, err, r, r.Findings)
		return nil, r
	}
	v := r.Findings[0].Violation
	if !strings.Contains(v.Text, "chooser waits for something other than a message "+text) {
		t.Errorf("%s: %s", name, v.Text)
	}
	for _, want := range stacks {
		if !strings.Contains(v.Stack, want) {
			t.Errorf("%s: want %q in\n%s", name, want, v.Stack)
		}
	}
	return &v, r
}
