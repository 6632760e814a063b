package session

import (
	"fmt"
	"math"
	"runtime"
	"runtime/metrics"
	"sync/atomic"
	"time"

	"github.com/rehearse-go/rehearse/internal/chance"
)

// This file ends executions that take so much memory that the system would kill the process, which nobody could report.
// How much an execution may take is the machine's affair, so a goroutine beside it measures: what the process holds
// more than when the goroutine first saw the execution. What a strategy holds between executions does not count.

// mostMemory is how much one execution may hold, unless GOMEMLIMIT is set: then it is half of that.
const mostMemory = 1 << 30

// memoryTick is how often it is measured. An execution that is over before two ticks have passed is not.
const memoryTick = 50 * time.Millisecond

// memoryGuard looks at one execution after the other. A nil guard sees nothing.
type memoryGuard struct {
	limit uint64
	turn  atomic.Int64 // counts executions, and what is between them
	heavy atomic.Int64 // the turn that holds too much; 0: none
	quit  chan struct{}

	// of the goroutine
	seen int64  // the turn that was looked at last
	base uint64 // what the process held then
}

func guardMemory() *memoryGuard {
	g := &memoryGuard{limit: mostMemory, quit: make(chan struct{})}
	if limit := chance.MemoryLimit(); limit < math.MaxInt64 {
		g.limit = uint64(limit) / 2
	}
	go g.watch()
	return g
}

func (g *memoryGuard) stop() { close(g.quit) }

// next is told that an execution begins or ends.
func (g *memoryGuard) next() {
	if g != nil {
		g.turn.Add(1)
	}
}

// over is explore.Options.Over.
func (g *memoryGuard) over() (why, remedy string) {
	if g == nil || g.heavy.Load() == 0 || g.heavy.Load() != g.turn.Load() {
		return "", ""
	}
	return fmt.Sprintf("it holds more than %d MB of memory, and still going", g.limit>>20),
		"raise GOMEMLIMIT, of which it may hold half,"
}

// watch looks until the guard is stopped.
func (g *memoryGuard) watch() {
	ticker := time.NewTicker(memoryTick)
	defer ticker.Stop()
	for {
		select {
		case <-g.quit:
			return
		case <-ticker.C:
			g.look()
		}
	}
}

// look measures what goes on: the first time what there is already, later what was added.
func (g *memoryGuard) look() {
	if turn := g.turn.Load(); turn != g.seen {
		g.seen, g.base = turn, heap()
		return
	}
	if heap() < g.base+g.limit {
		return
	}
	runtime.GC() // what was seen may be garbage
	if heap() >= g.base+g.limit {
		g.heavy.Store(g.seen)
	}
}

// heap is what the objects take that were not found to be garbage, in bytes.
func heap() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
