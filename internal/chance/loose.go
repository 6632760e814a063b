package chance

import (
	"runtime"
)

// This file sees when the program takes the process out of our hands while it is Alone: by more threads, or by one
// that a goroutine has for itself. Goroutines then run at the same time, or draw from states that nobody has set.
//
//	source:     runtime/proc.go, LockOSThread of Go 1.25 and 1.26: the thread counts the calls
//	checked by: loose_test.go

// locks is where a thread counts the calls of LockOSThread of its goroutine.
var locks uintptr

// Loosened says what the goroutine that calls it, or one beside it, has done to be out of our hands since Alone: what
// somebody "sets" or "calls". It is "" if nothing was done, or nobody wants the process Alone. GOMAXPROCS is put
// back.
func Loosened() string {
	if !alone.isOn() {
		return ""
	}
	switch {
	case runtime.GOMAXPROCS(0) != 1:
		runtime.GOMAXPROCS(1)
		return "sets GOMAXPROCS, so that goroutines ran at the same time, in an order that is not ours"
	case available && locked():
		return "has its goroutine locked to a thread (runtime.LockOSThread): other goroutines run on other threads, " +
			"on which nothing that Go chooses is repeated"
	}
	return ""
}

// locked reports whether the goroutine that calls it is locked to its thread.
//
//go:norace
//go:nocheckptr
func locked() bool { return *(*uint32)(thread(getm()).at(locks)) != 0 }

// findLocks looks for the one number of the thread that counts.
func findLocks() (at uintptr, ok bool) {
	for range attempts {
		if at, ok = only(lockCounts); ok {
			return at, true
		}
	}
	return 0, false
}

// lockCounts gives the numbers that grow and shrink with calls of LockOSThread and UnlockOSThread.
func lockCounts() (offsets []uintptr) {
	runtime.LockOSThread() // so that all is read of one thread
	defer runtime.UnlockOSThread()
	before := counts()
	runtime.LockOSThread()
	once := counts()
	runtime.LockOSThread()
	twice := counts()
	runtime.UnlockOSThread()
	runtime.UnlockOSThread()
	after := counts()
	for i := range before {
		if once[i] == before[i]+1 && twice[i] == before[i]+2 && after[i] == before[i] {
			offsets = append(offsets, uintptr(i)*4)
		}
	}
	return offsets
}

// counts reads the running thread.
//
//go:norace
//go:nocheckptr
func counts() (all [threadLen / 4]uint32) {
	t := thread(getm())
	for i := range all {
		all[i] = *(*uint32)(t.at(uintptr(i) * 4))
	}
	return all
}
