package chance

import (
	"flag"
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
	"weak"
)

// This file keeps the collector of garbage out of executions: it parks goroutines and has others run before them, and
// what it does for a stack draws random numbers. So it is off while executions run, and Collect is called between two
// of them. Samples of the profile of memory draw too, and are not taken.
//
//	assumes:    an execution that takes much memory is the exception. One that allocates more than room is interrupted by
//	            a collection, as it would be otherwise
//	invariants: I1 a limit of memory that the program has (GOMEMLIMIT) holds all the time
//	            I2 what the program sets itself (GOGC, SetGCPercent, SetMemoryLimit, MemProfileRate) is in force behind
//	               the exploration
//	cost:       the heap may grow by least before a collection, and by room in one execution
//	checked by: collector_test.go

const (
	least = 32 << 20  // bytes that are allocated between two collections at least, where GOGC is 100 or more
	room  = 256 << 20 // and that one execution may allocate beyond that
	looks = 16        // Collect looks at the heap at one of so many executions
)

// collector is how Go's collector is set while somebody wants the process Alone. It is guarded by the lock of that.
type collector struct {
	on       uint32 // 1: it is off. SUBTLE: as with attached, a method of package atomic would be a point
	looked   atomic.Uint32
	percent  int    // GOGC as the program has set it, below 0 if off
	limit    int64  // the limit of memory as the program has set it
	ours     int64  // that is in force
	rate     int    // MemProfileRate as it was
	next     uint64 // the heap's size that has Collect do so
	bySelf   bool   // the program has set GOGC while it was explored
	readings [3]metrics.Sample
	bell     weak.Pointer[bell]
	hung     uint64 // bells so far: the number of the one that counts
}

// What is read of the runtime.
const (
	heapBytes = iota
	liveBytes
	usedBytes
)

// isOn reports whether the collector is off, and Collect has its place.
func (c *collector) isOn() bool { return atomic.LoadUint32(&c.on) != 0 }

// begin turns the collector off.
func (c *collector) begin() {
	if !available && !Numbered() {
		return
	}
	c.readings[heapBytes].Name = "/memory/classes/heap/objects:bytes"
	c.readings[liveBytes].Name = "/gc/heap/live:bytes"
	c.readings[usedBytes].Name = "/memory/classes/total:bytes"
	if c.rate = runtime.MemProfileRate; !profiled() {
		runtime.MemProfileRate = 0
	}
	c.percent, c.limit, c.bySelf = debug.SetGCPercent(-1), debug.SetMemoryLimit(-1), false
	c.ours = c.limit
	atomic.StoreUint32(&c.on, 1)
	c.plan()
	c.hang()
}

// end restores what was, unless the program has set something else meanwhile.
func (c *collector) end() {
	if !atomic.CompareAndSwapUint32(&c.on, 1, 0) {
		return
	}
	c.takeDown()
	c.adopt()
	debug.SetMemoryLimit(c.limit)
	debug.SetGCPercent(c.percent)
	if runtime.MemProfileRate == 0 {
		runtime.MemProfileRate = c.rate
	}
}

// adopt takes over what the program has set.
func (c *collector) adopt() {
	percent := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(percent)
	if now := percent[0].Value.Uint64(); now != math.MaxUint64 {
		c.percent, c.bySelf = debug.SetGCPercent(-1), true
	}
	if now := debug.SetMemoryLimit(-1); now != c.ours {
		c.limit, c.ours = now, now
	}
}

// plan sets when to collect next, from what is alive. Where the program wants no collector there is its limit alone.
func (c *collector) plan() {
	c.next = math.MaxUint64
	limit := c.limit
	if c.percent >= 0 {
		metrics.Read(c.readings[:])
		live := c.readings[liveBytes].Value.Uint64()
		grows := max(live/100*uint64(c.percent), least/100*uint64(min(c.percent, 100)))
		c.next = live + grows
		limit = min(limit, int64(c.readings[usedBytes].Value.Uint64()+grows+room))
	}
	if limit != c.ours {
		debug.SetMemoryLimit(limit)
		c.ours = limit
	}
}

// bell is an object whose end tells that garbage was collected in the middle of an execution.
type bell struct{ *collector }

// hang has the next plan made then, since more was found alive than there was. One bell hangs at a time: those of
// earlier explorations would each hang another one at every collection.
func (c *collector) hang() {
	b := &bell{c}
	c.bell = weak.Make(b)
	c.hung++
	number := c.hung
	runtime.SetFinalizer(b, func(*bell) {
		alone.Lock()
		defer alone.Unlock()
		if c.isOn() && number == c.hung {
			c.adopt()
			c.plan()
			c.hang()
		}
	})
}

// takeDown has the bell tell nothing any more.
func (c *collector) takeDown() {
	if b := c.bell.Value(); b != nil {
		runtime.SetFinalizer(b, nil)
	}
	c.hung++
}

// collect collects garbage, and plans.
func (c *collector) collect() {
	c.takeDown()
	runtime.GC()
	c.plan()
	c.hang()
}

// Collect is called between two executions, and collects garbage if there is much.
func Collect() {
	c := &alone.collector
	if !c.isOn() || c.looked.Add(1)%looks != 0 {
		return
	}
	alone.Lock()
	defer alone.Unlock()
	c.adopt()
	metrics.Read(c.readings[:1])
	if c.readings[heapBytes].Value.Uint64() >= c.next {
		c.collect()
	}
}

// profiled reports whether this process writes a profile of memory.
func profiled() bool {
	f := flag.Lookup("test.memprofile")
	return f != nil && f.Value.String() != ""
}

// MemoryLimit is the limit of memory that the program has, math.MaxInt64 if none: the one in force may be less while
// it is explored.
func MemoryLimit() int64 {
	alone.Lock()
	defer alone.Unlock()
	if c := &alone.collector; c.isOn() {
		c.adopt()
		return c.limit
	}
	return debug.SetMemoryLimit(-1)
}

// SetsCollector reports whether the program has turned Go's collector on while it was explored alone: collections in
// the middle of executions have goroutines run in another order.
func SetsCollector() bool {
	alone.Lock()
	defer alone.Unlock()
	c := &alone.collector
	if c.isOn() {
		c.adopt()
	}
	return c.bySelf
}
