package chance

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"
)

var sink []byte

// waste allocates that many MB, of which nothing stays.
func waste(megabytes int) {
	for range megabytes {
		sink = make([]byte, 1<<20)
	}
	sink = nil
}

// collections is how often garbage was collected while f ran.
func collections(f func()) uint32 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.NumGC - before.NumGC
}

// betweenExecutions is as many calls of Collect as it takes for one to look.
func betweenExecutions() {
	for range looks {
		Collect()
	}
}

// Garbage is collected between executions only, and then if there is much.
func TestCollect(t *testing.T) {
	needed(t)
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	rate := runtime.MemProfileRate
	release := Alone()
	defer release()
	runtime.GC()
	betweenExecutions()
	if n := collections(func() { waste(100) }); n != 0 {
		t.Errorf("%d collections in an execution", n)
	}
	if n := collections(betweenExecutions); n != 1 {
		t.Errorf("%d collections between two", n)
	}
	if n := collections(betweenExecutions); n != 0 {
		t.Errorf("%d collections where there is nothing to collect", n)
	}
	if n := collections(func() { waste(3 * room >> 20) }); n == 0 {
		t.Error("no collection in an execution that takes much")
	}
	if !profiled() && runtime.MemProfileRate != 0 {
		t.Errorf("the rate of the profile of memory is %d", runtime.MemProfileRate)
	}
	release()
	if percent := debug.SetGCPercent(100); percent != 100 || runtime.MemProfileRate != rate {
		t.Errorf("GOGC is %d afterwards, the rate %d and was %d", percent, runtime.MemProfileRate, rate)
	}
}

// A limit of memory holds, and is there again afterwards.
func TestCollectWithLimit(t *testing.T) {
	needed(t)
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	const limit = 48 << 20
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(limit))
	release := Alone()
	if n := collections(func() { waste(200) }); n < 2 {
		t.Errorf("%d collections while 200 MB were allocated", n)
	}
	betweenExecutions()
	if got := MemoryLimit(); got != limit {
		t.Errorf("the limit is %d", got)
	}
	release()
	if got := debug.SetMemoryLimit(-1); got != limit {
		t.Errorf("the limit is %d afterwards", got)
	}
}

// What the program sets itself is heeded, and is in force afterwards.
func TestProgramSetsCollector(t *testing.T) {
	needed(t)
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(math.MaxInt64))
	release := Alone()
	defer release()
	if SetsCollector() {
		t.Error("it has set nothing yet")
	}
	debug.SetGCPercent(50)
	debug.SetMemoryLimit(4 << 30)
	betweenExecutions()
	if !SetsCollector() {
		t.Error("it was not seen to set the collector")
	}
	if n := collections(func() { waste(100) }); n != 0 {
		t.Errorf("%d collections in the next execution", n)
	}
	if got := MemoryLimit(); got != 4<<30 {
		t.Errorf("its limit is %d", got)
	}
	release()
	if percent, limit := debug.SetGCPercent(100), debug.SetMemoryLimit(-1); percent != 50 || limit != 4<<30 {
		t.Errorf("GOGC is %d afterwards, the limit %d", percent, limit)
	}
}

// A collection has one plan made, however many explorations there were before.
func TestOneBell(t *testing.T) {
	needed(t)
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	for range 50 {
		Alone()()
	}
	release := Alone()
	defer release()
	bells := func() uint64 {
		alone.Lock()
		defer alone.Unlock()
		return alone.hung
	}
	before := bells()
	for range 3 { // finalizers of the first are run by the end of the last
		done := make(chan bool)
		runtime.SetFinalizer(&[16]*int{}, func(*[16]*int) { close(done) })
		runtime.GC()
		<-done
	}
	if n := bells() - before; n < 1 || n > 3 {
		t.Errorf("%d plans at 3 collections", n)
	}
}

// GOGC=off stays off.
func TestCollectorOff(t *testing.T) {
	needed(t)
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	release := Alone()
	if n := collections(func() { waste(2 * room >> 20); betweenExecutions() }); n != 0 || SetsCollector() {
		t.Errorf("%d collections; set by the program: %v", n, SetsCollector())
	}
	release()
	if percent := debug.SetGCPercent(100); percent != -1 {
		t.Errorf("GOGC is %d afterwards", percent)
	}
}
