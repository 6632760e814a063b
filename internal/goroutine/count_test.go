package goroutine

import (
	"io"
	"runtime"
	"runtime/trace"
	"strings"
	"sync"
	"testing"
	"time"
)

// Go 1.25 has no metric. Where the runtime is that of `rehearse test`, it counts.
func TestCountable(t *testing.T) {
	if want := created != nil || !strings.HasPrefix(runtime.Version(), "go1.25"); Countable() != want {
		t.Fatalf("%s: countable: %v", runtime.Version(), Countable())
	}
}

// Goroutines that have ended count; the runtime's own and ours do not.
func TestStarted(t *testing.T) {
	counted := func(n int) int {
		if !Countable() {
			return 0
		}
		return n
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var c Counter
	var wg sync.WaitGroup
	if n := c.Started(); n != 0 {
		t.Errorf("%d before anything", n)
	}
	for want := range 20 {
		for range want {
			wg.Add(1)
			go wg.Done()
		}
		wg.Wait()
		if n := c.Started(); n != counted(want) {
			t.Errorf("%d counted, %d started", n, want)
		}
	}
	for range 10 {
		wg.Add(1)
		Go(wg.Done)
	}
	wg.Add(1)
	After(0, wg.Done)
	After(time.Hour, func() { t.Error("it was stopped") })()
	wg.Wait()
	runtime.GOMAXPROCS(3) // the next collection starts goroutines for the new processors
	runtime.GC()
	runtime.GOMAXPROCS(1)
	runtime.SetFinalizer(new([64]byte), func(*[64]byte) {})
	runtime.AddCleanup(new([64]byte), func(int) {}, 0)
	runtime.GC()
	if n := c.Started(); n != 0 {
		t.Errorf("%d of ours or the runtime's counted", n)
	}
	wg.Go(func() {})
	wg.Wait()
	if n := c.Started(); n != counted(1) {
		t.Errorf("%d counted, 1 started", n)
	}
}

func BenchmarkStarted(b *testing.B) {
	var c Counter
	for b.Loop() {
		c.Started()
	}
}

// What the runtime starts and ends by itself, the tracer's goroutines here, is none of the program's.
func TestStartedWhereTheRuntimeEndsSome(t *testing.T) {
	want := 100
	if !Countable() {
		want = 0
	}
	var c Counter
	var wg sync.WaitGroup
	for range 10 {
		if err := trace.Start(io.Discard); err != nil {
			t.Fatal(err)
		}
		c.Started()
		trace.Stop()
		total := 0
		for range 100 {
			wg.Add(1)
			go wg.Done()
			wg.Wait()
			total += c.Started()
		}
		if total != want {
			t.Fatalf("%d counted, %d started", total, want)
		}
	}
}
