package shows

import (
	"runtime"
	"testing"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/strategies"
	"github.com/rehearse-go/rehearse/trace"
)

// Large explores a large program with auto, for few executions; none is minimised or repeated. It must find an
// assertion that fails, or none, with as many actors and about as many deliveries as stated. Once three executions have
// made the room that they need, memory must not grow.
func Large(t *testing.T, sys rehearse.System, buggy bool, actors, deliveries int) {
	t.Helper()
	const executions = 8
	auto, err := strategies.New("auto", 1, executions)
	if err != nil {
		t.Fatal(err)
	}
	var heap []uint64 // in use after each execution
	o, err := options(rehearse.Config{}, sys)
	if err != nil {
		t.Fatal(err)
	}
	o.Check = &check.Checker{}
	o.Budget.Executions = executions
	o.After = func(_ *explore.Counters, tr *trace.Trace) {
		heap = append(heap, inUse())
		if n := handled(tr); len(tr.Actors)-1 != actors || n < deliveries*9/10 || n > deliveries*11/10 {
			t.Errorf("%d actors and %d deliveries, want %d and about %d", len(tr.Actors)-1, n, actors, deliveries)
		}
	}
	found := 0
	o.Found = func(f explore.Found) bool {
		if f.Violations[0].Kind == trace.Assertion {
			found++
		}
		return false
	}
	out, err := explore.Run(sys, auto, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d executions, %d found; bytes in use after each: %v", out.Executions, found, heap)
	if found > 0 != buggy {
		t.Errorf("the assertion failed in %d of %d executions", found, out.Executions)
	}
	for i := 3; i < len(heap); i++ {
		if heap[i] > heap[2]+heap[2]/5 {
			t.Errorf("%d bytes are in use after execution %d, %d were after the third", heap[i], i+1, heap[2])
		}
	}
}

// inUse is the size of what the heap holds that is not garbage.
func inUse() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// handled counts the deliveries after set-up.
func handled(tr *trace.Trace) int {
	n := 0
	for _, e := range tr.Events[tr.Explored:] {
		if e.Step.Kind.Handles() {
			n++
		}
	}
	return n
}
