package protoactor_test

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/replay"
	"github.com/rehearse-go/rehearse/trace"
)

// The tests of this file are about draws of the runtime. Package overlay builds them with it, and the hidden choices of
// hidden_test.go; in plain go test there is nothing to see.

// lostUpdate are handlers whose two goroutines count, each by 1.
var lostUpdate = map[string]func() int{
	"atomic": func() int {
		var n atomic.Int64
		var all sync.WaitGroup
		for range 2 {
			all.Go(func() { n.Store(n.Load() + 1) })
		}
		all.Wait()
		return int(n.Load())
	},
	"mutex": func() int {
		var mu sync.Mutex
		var all sync.WaitGroup
		n := 0
		for range 2 {
			all.Go(func() {
				mu.Lock()
				seen := n
				mu.Unlock()
				mu.Lock()
				n = seen + 1
				mu.Unlock()
			})
		}
		all.Wait()
		return n
	},
	"channel": func() int {
		read, done, n := make(chan int), make(chan bool), 0
		for range 2 {
			go func() {
				seen := n
				read <- seen
				n = seen + 1
				done <- true
			}()
		}
		for range 2 {
			<-read
		}
		<-done
		<-done
		return n
	},
}

// loses is a program whose handler counts with two goroutines, and fails if that is not 2.
func loses(count func() int) rehearse.System {
	return chooser(func(ctx actor.Context, to [4]*actor.PID) {
		n := count()
		ctx.Send(to[0], ping{n})
		if n != 2 {
			panic("an update was lost")
		}
	})
}

// A lost update among goroutines of a handler is found, and its minimal schedule loses it each time.
func TestOverlaidLostUpdate(t *testing.T) {
	if !chance.Numbered() {
		return
	}
	for name, count := range lostUpdate {
		sys := loses(count)
		r, err := rehearse.Explore(rehearse.Config{}, sys)
		if err != nil || len(r.Findings) != 1 || r.Diverged {
			t.Errorf("%s: error %v, %s, findings %v", name, err, r, r.Findings)
			continue
		}
		f := r.Findings[0]
		h := f.Schedule.Header
		t.Logf("%s: %d executions, schedule %+v", name, r.Executions, f.Schedule.Steps)
		lost := 0
		o := explore.Options{Conditions: explore.Conditions{Model: trace.Mailbox, Draws: h.Draws, Preemptions: h.Preemptions, Choices: h.Choices}, Check: &check.Checker{}, Found: func(x explore.Found) bool {
			if strings.Contains(x.Violations[0].Text, "an update was lost") {
				lost++
			}
			return true
		}}
		for range 1000 {
			again := replay.New(f.Schedule.Steps)
			if out, err := explore.Run(sys, again, o); err != nil || out.Executions != 1 || len(again.Stale()) > 0 {
				t.Fatalf("%s: %+v, %v, stale %v", name, out, err, again.Stale())
			}
		}
		t.Logf("%s: lost in %d replays of 1,000", name, lost)
		if lost != 1000 {
			t.Error("want all")
		}
	}
}

// Goroutines that end with their handler are ordinary: no divergence, and nothing uncontrolled. What they draw is
// explored as far as the bound reaches.
func TestOverlaidGoroutines(t *testing.T) {
	if !chance.Numbered() {
		return
	}
	for name, tt := range map[string]struct {
		handle   func(ctx actor.Context, to [4]*actor.PID)
		choices  string
		complete bool
	}{
		"one": {func(ctx actor.Context, to [4]*actor.PID) {
			done := make(chan int, 1)
			go func() { done <- 1 }()
			ctx.Send(to[0], ping{<-done})
		}, "20/20", true},
		"two": {func(ctx actor.Context, to [4]*actor.PID) {
			done := make(chan int, 2)
			go func() { done <- 1 }()
			go func() { done <- 2 }()
			ctx.Send(to[0], ping{10*<-done + <-done})
		}, "20/20", true},
		"two, bounded": {func(ctx actor.Context, to [4]*actor.PID) {
			done := make(chan int, 2)
			go func() { done <- 1 }()
			go func() { done <- 2 }()
			ctx.Send(to[0], ping{10*<-done + <-done})
		}, "1", false},
	} {
		ends := map[int]bool{}
		sys := chooserOf(tt.handle, func(_ actor.Context, m ping) { ends[m.n] = true })
		r, err := rehearse.Explore(rehearse.Config{Strategy: "optimal", Budget: "20000x", Choices: tt.choices}, sys)
		if err != nil || len(r.Findings) > 0 || r.Uncontrolled != "" || r.Complete != tt.complete || (r.OneSeed == "") != tt.complete {
			t.Errorf("%s: error %v, %s, findings %v", name, err, r, r.Findings)
		}
		if strings.HasPrefix(name, "two") && (!ends[12] || !ends[21]) {
			t.Errorf("%s: ends %v", name, ends)
		}
		t.Logf("%s: %s", name, r)
	}
}

// Goroutines of a handler that wait for each other's locks are a deadlock, in the order in which they do, with all
// stacks. So is a handler that waits for a lock that it has.
func TestOverlaidDeadlock(t *testing.T) {
	if !chance.Numbered() {
		return
	}
	for name, tt := range map[string]struct {
		handle func(ctx actor.Context, to [4]*actor.PID)
		text   string
		stacks []string
	}{
		"two locks": {func(actor.Context, [4]*actor.PID) {
			var a, b sync.Mutex
			var all sync.WaitGroup
			both := func(first, second *sync.Mutex) {
				first.Lock()
				second.Lock()
				second.Unlock()
				first.Unlock()
			}
			all.Go(func() { both(&a, &b) })
			all.Go(func() { both(&b, &a) })
			all.Wait()
		}, "(sync.WaitGroup.Wait at overlaid_test.go:", []string{"chooser waits: sync.WaitGroup.Wait", "a goroutine started at overlaid_test.go:", " waits: sync.Mutex.Lock\n"}},
		"its own lock": {func(actor.Context, [4]*actor.PID) {
			var a sync.Mutex
			a.Lock()
			a.Lock()
		}, "(sync.Mutex.Lock at overlaid_test.go:", []string{"chooser waits: sync.Mutex.Lock"}},
	} {
		if v, r := waitsForEver(t, name, rehearse.Config{Strategy: "random", Budget: "60x"}, tt.handle, tt.text, tt.stacks); v != nil {
			t.Logf("%s: %d executions, schedule %+v", name, r.Executions, r.Findings[0].Schedule.Steps)
		}
	}
}
