package goroutine

import (
	"runtime"
	"runtime/metrics"
	"sync/atomic"
	"time"
	_ "unsafe" // for linkname
)

// Go starts a goroutine of Rehearse's own, which no Counter counts.
func Go(f func()) {
	ours.Add(1)
	go f()
}

// After has f run after a while, if nobody calls stop before, on a goroutine that no Counter counts. That of a time.AfterFunc would be taken for the
// program's.
func After(d time.Duration, f func()) (stop func()) {
	stopped, timer := make(chan struct{}), time.NewTimer(d)
	Go(func() {
		defer timer.Stop()
		select {
		case <-timer.C:
			f()
		case <-stopped:
		}
	})
	return func() { close(stopped) }
}

var ours atomic.Uint64

// Ours gives how many goroutines Go has started so far.
func Ours() uint64 { return ours.Load() }

// created gives how many goroutines were started so far, without the runtime's own. It is set in a test that `rehearse
// test` has built, for each Go: the runtime of its overlay has a variable of that name. In any other it is nil.
//
//go:linkname created runtime.rehearseStarted
var created func() uint64

// The metrics that a Counter reads elsewhere. Go 1.26 is the first to have them: before, a goroutine that has ended leaves
// no trace.
const (
	createdMetric = "/sched/goroutines-created:goroutines"
	livingMetric  = "/sched/goroutines:goroutines"
)

var countable = created != nil || isCountable()

// isCountable proves that both metrics are what Counter takes them for: one goroutine more shows in the first, and the
// second includes the runtime's own, of which there are some.
func isCountable() bool {
	var c Counter
	c.name()
	metrics.Read(c.created[:])
	metrics.Read(c.living[:])
	if c.created[0].Value.Kind() != metrics.KindUint64 || c.living[0].Value.Kind() != metrics.KindUint64 {
		return false
	}
	before := c.created[0].Value.Uint64()
	done := make(chan struct{})
	go close(done)
	<-done
	metrics.Read(c.created[:])
	return c.created[0].Value.Uint64() > before && c.system() > 0
}

// Countable reports whether Counters count.
func Countable() bool { return countable }

// Counter counts the goroutines that are started in the process, by neither the runtime itself nor Rehearse. Its zero
// value is ready, and counts from the first call of Started on. A look costs some 70 ns.
type Counter struct {
	begun           bool
	created, living [1]metrics.Sample
	seen            int // started so far, but for ours
	systems         int // the runtime's own, alive, when some were started last
	started         int // the runtime's own, as far as they were alive at a look
	counted         int // the program's
}

func (c *Counter) name() {
	c.created[0].Name, c.living[0].Name = createdMetric, livingMetric
}

// Started is how many were started since it was last called; 0 at first, and where they cannot be counted.
func (c *Counter) Started() int {
	if !countable {
		return 0
	}
	first := !c.begun
	c.begun = true
	total := c.total()
	// SUBTLE: another thread may start one of ours or the runtime's between the looks, which is then taken off before it is counted. The total
	// falls for a while; if that were the new state, its rise would be a goroutine of the program's.
	n := total - c.counted
	if first || n > 0 {
		c.counted = total
	}
	if first {
		return 0
	}
	return max(n, 0)
}

// total is how many were started so far.
func (c *Counter) total() int {
	if created != nil {
		return int(created() - ours.Load())
	}
	if c.created[0].Name == "" {
		c.name()
	}
	metrics.Read(c.created[:])
	seen := int(c.created[0].Value.Uint64() - ours.Load())
	if seen == c.seen {
		return seen - c.started
	}
	// One of the runtime's own that ends (the tracer's do, a while after it was stopped) is none that was started.
	systems := int(c.system())
	c.started += max(systems-c.systems, 0)
	c.seen, c.systems = seen, systems
	return seen - c.started
}

// system is how many goroutines of the runtime's own there are.
func (c *Counter) system() uint64 {
	for {
		before := runtime.NumGoroutine()
		metrics.Read(c.living[:])
		if n := c.living[0].Value.Uint64(); runtime.NumGoroutine() == before && n >= uint64(before) {
			return n - uint64(before)
		}
	}
}
