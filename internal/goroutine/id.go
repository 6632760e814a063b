// Package goroutine tells goroutines apart, counts those that are started, and finds where. It tells which timers are
// set, and notices when a program makes no progress (watchdog.go).
//
// It is the one place that knows the Go runtime from within. What it takes from there is proven when the process
// starts; where the proof fails, it does without.
package goroutine

import (
	"bytes"
	"runtime"
	"strconv"
	"unsafe"
)

// The runtime gives the id of a goroutine only with a stack trace: some microseconds, and random numbers of its own.
// So the id is read from the runtime's record of the goroutine, g, to which a register or thread-local storage points
// (id_amd64.s, id_arm64.s). Its offset there is looked for at start: the one word of g that is the id from the stack
// trace, in several goroutines.

// ID is the id of this goroutine. No two goroutines of a process have the same.
func ID() uint64 {
	if offset == 0 {
		return idOfStack()
	}
	return idAt(offset)
}

// CheapID reports whether ID takes nanoseconds.
func CheapID() bool { return offset != 0 }

// offset of the id in g, 0 if it is not known.
var offset = findOffset()

const (
	provers   = 4  // goroutines that must agree on the offset
	wordsOfG  = 50 // that are looked at; g has more in every version
	wordBytes = 8
)

// findOffset proves where the id is, 0 if it cannot. It runs before main, so that nothing else is going on.
func findOffset() uintptr {
	if !readsG {
		return 0
	}
	left := idOffsets()
	found := make(chan []uintptr)
	release := make(chan struct{})
	for range provers {
		go func() {
			found <- idOffsets()
			<-release // all are alive at once, so that no two can have the same g
		}()
	}
	for range provers {
		left = common(left, <-found)
	}
	close(release)
	if len(left) != 1 {
		return 0
	}
	return left[0]
}

// idOffsets gives the offsets of all words of g that equal the id of this goroutine. The first word is the stack's.
func idOffsets() []uintptr {
	id := idOfStack()
	var at []uintptr
	for i := uintptr(1); i < wordsOfG; i++ {
		if idAt(i*wordBytes) == id {
			at = append(at, i*wordBytes)
		}
	}
	return at
}

func common(a, b []uintptr) []uintptr {
	var both []uintptr
	for _, x := range a {
		for _, y := range b {
			if x == y {
				both = append(both, x)
			}
		}
	}
	return both
}

// idAt reads a word of g. Only this goroutine's own is read, of which the race detector and checkptr know nothing.
//
//go:norace
//go:nocheckptr
func idAt(offset uintptr) uint64 { return *(*uint64)(unsafe.Add(g(), offset)) }

// idOfStack takes the id from the first line of a stack trace.
func idOfStack() uint64 {
	var buf [32]byte
	b := bytes.TrimPrefix(buf[:runtime.Stack(buf[:], false)], []byte("goroutine "))
	if i := bytes.IndexByte(b, ' '); i >= 0 {
		b = b[:i]
	}
	id, _ := strconv.ParseUint(string(b), 10, 64)
	return id
}
