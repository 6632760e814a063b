package chance

import (
	"runtime"
	"strings"
	"testing"
)

// That a goroutine has a thread of its own is seen, from the first call to the last.
func TestLocked(t *testing.T) {
	needed(t)
	defer Alone()()
	for _, depth := range []int{1, 3} {
		done := make(chan string)
		go func() {
			defer close(done)
			done <- Loosened()
			for range depth {
				runtime.LockOSThread()
				done <- Loosened()
			}
			for range depth {
				done <- Loosened()
				runtime.UnlockOSThread()
			}
			done <- Loosened()
		}()
		var got []bool
		for s := range done {
			got = append(got, strings.Contains(s, "LockOSThread"))
		}
		for i, is := range got {
			if want := i > 0 && i < len(got)-1; is != want {
				t.Errorf("%d calls: locked at look %d is %v", depth, i, is)
			}
		}
	}
}

// More threads are seen, and taken back.
func TestLoosenedByProcs(t *testing.T) {
	needed(t)
	before := runtime.GOMAXPROCS(0)
	release := Alone()
	if got := Loosened(); got != "" {
		t.Errorf("at first: %q", got)
	}
	runtime.GOMAXPROCS(3)
	if got := Loosened(); !strings.Contains(got, "GOMAXPROCS") {
		t.Errorf("with three: %q", got)
	}
	if got, n := Loosened(), runtime.GOMAXPROCS(0); got != "" || n != 1 {
		t.Errorf("afterwards: %q with %d", got, n)
	}
	release()
	if n := runtime.GOMAXPROCS(0); n != before {
		t.Errorf("%d at the end, and %d before", n, before)
	}
	if got := Loosened(); got != "" {
		t.Errorf("where nobody minds: %q", got)
	}
}

// needed skips a test where the package is not available.
func needed(t *testing.T) {
	t.Helper()
	if !Available() {
		t.Skip(Why())
	}
}
