package session

import (
	"runtime"
	"strings"
	"testing"
)

// What an execution holds is measured, garbage apart, from when it was seen first. The next one is not to blame for it.
func TestMemoryIsMeasured(t *testing.T) {
	g := &memoryGuard{limit: 32 << 20}
	g.next()
	g.look()
	var held [][]byte
	for range 3 {
		held = [][]byte{make([]byte, 20<<20)}
		g.look()
	}
	if why, _ := g.over(); why != "" {
		t.Errorf("most of it is garbage: %s", why)
	}
	held = append(held, make([]byte, 20<<20))
	g.look()
	if why, remedy := g.over(); why != "it holds more than 32 MB of memory, and still going" ||
		!strings.Contains(remedy, "GOMEMLIMIT") {
		t.Errorf("%q, %q", why, remedy)
	}
	g.next()
	g.look()
	if why, _ := g.over(); why != "" {
		t.Errorf("the next execution is not to blame: %s", why)
	}
	runtime.KeepAlive(held)
}
