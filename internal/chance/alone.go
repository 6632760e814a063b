package chance

import (
	"runtime"
	"sync"
)

// alone counts who wants the process to run one goroutine at a time.
var alone struct {
	sync.Mutex
	users int
	procs int // GOMAXPROCS as it was
	cgo   cgo
	collector
}

// Remarks says, for people, what the program has done since the process was to be Alone by which Go may choose
// otherwise in executions that ought to be the same.
func Remarks() (all []string) {
	if SetsCollector() {
		all = append(all, "the program sets Go's collector of garbage itself (debug.SetGCPercent), which is off while "+
			"an execution runs: collections in the middle of an execution have goroutines run in another order")
	}
	if CallsC() {
		all = append(all, "the program calls C code (cgo): a long call moves the goroutine to another thread, on which "+
			"what Go chooses by itself is not repeated")
	}
	return all
}

// cgo counts calls of C while the process is Alone: those before and between explorations are none of theirs.
type cgo struct {
	alone  bool
	before int64 // calls of the process by then
	called bool
}

func (c *cgo) begin(calls int64) { *c = cgo{alone: true, before: calls} }

func (c *cgo) end(calls int64) { c.called, c.alone = c.calls(calls), false }

func (c *cgo) calls(calls int64) bool { return c.called || c.alone && calls > c.before }

// CallsC reports whether C code was called (cgo) while the process is Alone or, if it is not, was so last. A call that
// takes longer than some microseconds goes on on a thread of its own.
func CallsC() bool {
	alone.Lock()
	defer alone.Unlock()
	return alone.cgo.calls(runtime.NumCgoCall())
}

// Alone has the process run one goroutine at a time until release is called. So a goroutine and those that it starts
// stay on one thread, but for system calls that wait. Garbage is collected by Collect meanwhile. It may be called by
// several; the last one to release restores GOMAXPROCS.
func Alone() (release func()) {
	alone.Lock()
	defer alone.Unlock()
	if alone.users++; alone.users == 1 {
		alone.procs = runtime.GOMAXPROCS(1)
		alone.cgo.begin(runtime.NumCgoCall())
		alone.begin()
	}
	return sync.OnceFunc(func() {
		alone.Lock()
		defer alone.Unlock()
		if alone.users--; alone.users == 0 {
			alone.cgo.end(runtime.NumCgoCall())
			alone.end()
			runtime.GOMAXPROCS(alone.procs)
		}
	})
}
