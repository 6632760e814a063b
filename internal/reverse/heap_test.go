package reverse

import (
	"runtime"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/subjects"
	"github.com/rehearse-go/rehearse/trace"
)

// The peak of the live heap that reverse adds: of fib(8), with 2^20 classes, beside that of fib(5), with 16, whose
// executions have a third of the steps.
func BenchmarkHeap(b *testing.B) {
	for b.Loop() {
		small, _ := peakHeap(b, subjects.Fib(5), 0, 1)
		large, classes := peakHeap(b, subjects.Fib(8), 0, 1<<15)
		if classes != 1<<20 {
			b.Fatalf("fib(8): %d classes", classes)
		}
		b.ReportMetric(float64(small), "fib5-B")
		b.ReportMetric(float64(large), "fib8-B")
		b.ReportMetric(float64(large)/float64(small), "times")
	}
}

// peakHeap explores and gives the largest live heap beyond what was there before, measured after each so many
// executions.
func peakHeap(tb testing.TB, sys explore.System, budget, every int) (bytes int64, classes int) {
	live := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC() // what pools held until the first is gone after the second
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before := live()
	after := func(c *explore.Counters, _ *trace.Trace) {
		if c.Executions%every == 0 {
			bytes = max(bytes, live()-before)
		}
	}
	out, err := explore.Run(sys, New(), explore.Options{Conditions: explore.Conditions{Model: trace.Bag}, Budget: explore.Budget{Executions: budget}, After: after})
	if err != nil || out.Blocked > 0 {
		tb.Fatal(out, err)
	}
	return bytes, out.Classes
}

// What is remembered is about one execution and one record a level, however much was executed: fib(8) has 65,536 times
// the classes of fib(5), executions of 3.4 times the steps, and almost four times the levels.
func TestHeap(t *testing.T) {
	small, _ := peakHeap(t, subjects.Fib(5), 0, 1)
	large, _ := peakHeap(t, subjects.Fib(8), 20000, 500)
	if large > 4*small {
		t.Errorf("peak of the live heap: %d bytes for fib(5), %d for 20,000 classes of fib(8), want at most four times as much", small, large)
	}
	t.Logf("%d bytes, %d bytes", small, large)
}
