package goroutine

import (
	"runtime"
	"sync"
	"testing"
)

// The id that is read is that of the stack trace, in goroutines that live at once and in those that come after them.
func TestIDIsThatOfTheStackTrace(t *testing.T) {
	for range 50 {
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				if id, want := ID(), idOfStack(); id != want {
					t.Errorf("id %d, the stack trace says %d", id, want)
				}
				runtime.Gosched()
				if id, want := ID(), idOfStack(); id != want {
					t.Errorf("after a switch: id %d, the stack trace says %d", id, want)
				}
			})
		}
		wg.Wait()
	}
}

// Where the offset is not proven, ID takes the stack trace's, which is the same.
func TestIDWithoutAnOffset(t *testing.T) {
	read := ID()
	defer func(proven uintptr) { offset = proven }(offset)
	offset = 0
	if id := ID(); CheapID() || id != read || id == 0 {
		t.Errorf("id %d, cheap %t; it is %d", id, CheapID(), read)
	}
	other := make(chan uint64)
	go func() { other <- ID() }()
	if id := <-other; id == read || id == 0 {
		t.Errorf("another goroutine has the id %d, this one %d", id, read)
	}
}

func TestIDIsCheapWhereItIsRead(t *testing.T) {
	arch := runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64"
	if CheapID() != arch {
		t.Errorf("on %s the id is cheap: %v; the layout of the runtime's g has changed?", runtime.GOARCH, CheapID())
	}
}

// Words that are the id in one goroutine by chance are no proof.
func TestTheProofTakesSeveralGoroutines(t *testing.T) {
	if both := common([]uintptr{8, 16, 152}, []uintptr{24, 152}); len(both) != 1 || both[0] != 152 {
		t.Errorf("common words: %v", both)
	}
	if both := common([]uintptr{8}, nil); both != nil {
		t.Errorf("common words: %v", both)
	}
}

func BenchmarkID(b *testing.B) {
	for b.Loop() {
		ID()
	}
}
