package dpor

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/gotest"
	"github.com/rehearse-go/rehearse/internal/reverse"
	"github.com/rehearse-go/rehearse/internal/tests/long"
	"github.com/rehearse-go/rehearse/trace"
)

// lengths are the steps of an execution: what one costs is to grow with them, and not with their square.
var lengths = []int{100, 1000, 10000}

func TestWorkGrowsWithLength(t *testing.T) {
	long.CheckWork(t, func() (explore.Strategy, func() int) {
		s := NewSource(nil)
		return s, func() int { return s.looked + s.order.Walked() }
	})
	long.CheckWork(t, func() (explore.Strategy, func() int) {
		o := NewOptimal(nil)
		return o, func() int { return o.looked + o.order.Walked() }
	})
}

// BenchmarkLength is one of a few executions of growing length.
func BenchmarkLength(b *testing.B) {
	for _, p := range long.Programs {
		for _, s := range []func() explore.Strategy{
			func() explore.Strategy { return NewOptimal(nil) },
			func() explore.Strategy { return NewSource(nil) },
			func() explore.Strategy { return reverse.New() },
		} {
			for _, n := range lengths {
				name := fmt.Sprintf("%s/%s/%d", p.Name, s().Name(), n)
				b.Run(name, func(b *testing.B) { measureLength(b, p.Make(n), s) })
			}
		}
	}
}

func measureLength(b *testing.B, sys explore.System, s func() explore.Strategy) {
	var before, after runtime.MemStats
	var out explore.Outcome
	var last explore.Strategy
	runtime.GC()
	runtime.ReadMemStats(&before)
	executions, began := 0, gotest.ProcessorTime()
	for b.Loop() {
		last = s()
		out = long.First(b, sys, last, trace.Bag)
		executions += out.Executions
	}
	spent := gotest.ProcessorTime() - began
	runtime.ReadMemStats(&after)
	allocated := after.TotalAlloc - before.TotalAlloc
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(last)
	b.ReportMetric(float64(spent.Microseconds())/float64(executions), "us/execution")
	b.ReportMetric(float64(allocated)/float64(executions)/1024, "KB/execution")
	b.ReportMetric(float64(after.HeapAlloc-min(before.HeapAlloc, after.HeapAlloc))/1024, "KB-kept")
	b.ReportMetric(float64(out.Executions), "executions")
	b.ReportMetric(float64(out.Deliveries+out.Replayed), "deliveries")
	b.ReportMetric(float64(out.Classes), "classes")
	b.ReportMetric(0, "ns/op")
}

// Where a source runs beside its sink, each sequence holds nearly all that comes later. The trees hold that in runs,
// and not as branches: these are about as many as the steps.
func TestTreesHoldRuns(t *testing.T) {
	const n = 400
	o := NewOptimal(nil)
	long.First(t, long.Flood(n), o, trace.Bag)
	branches, steps := 0, 0
	var count func(bs []*branch)
	count = func(bs []*branch) {
		for _, b := range bs {
			branches++
			steps += 1 + len(b.run)
			count(b.below)
		}
	}
	for k := range o.nodes {
		count(o.nodes[k].wakeup)
	}
	if t.Logf("%d branches, %d steps of them", branches, steps); branches > 4*n || steps < n*n/16 {
		t.Errorf("%d branches hold %d steps of executions of %d: want few branches, and about the square of steps", branches,
			steps, n)
	}
}
