package chance

import (
	"runtime"
	"sync"
)

// alone counts who wants the process to run one goroutine at a time.
var alone struct {
	sync.Mutex
	users int
	procs int   // GOMAXPROCS as it was
	calls int64 // of C before
	collector
}

// CallsC reports whether C code was called (cgo) since the process was to be Alone, or was so last. A call that takes longer than some microseconds goes on on a thread of its own.
func CallsC() bool {
	alone.Lock()
	defer alone.Unlock()
	return runtime.NumCgoCall() > alone.calls
}

// Alone has the process run one goroutine at a time until release is called, so that a goroutine and those that it starts stay on one thread, but for system calls
// that wait. Garbage is collected by Collect meanwhile. It may be called by several; the last one to release restores GOMAXPROCS.
func Alone() (release func()) {
	alone.Lock()
	defer alone.Unlock()
	if alone.users++; alone.users == 1 {
		alone.procs = runtime.GOMAXPROCS(1)
		alone.calls = runtime.NumCgoCall()
		alone.begin()
	}
	return sync.OnceFunc(func() {
		alone.Lock()
		defer alone.Unlock()
		if alone.users--; alone.users == 0 {
			alone.end()
			runtime.GOMAXPROCS(alone.procs)
		}
	})
}
