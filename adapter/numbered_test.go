package adapter

import (
	"reflect"
	"sync"
	"testing"

	"github.com/rehearse-go/rehearse/internal/chance"
)

// A point deep in the standard library is not taken for one of the framework's: who has called that is not known.
func TestPointOfUnknownCaller(t *testing.T) {
	lock := reflect.ValueOf((*sync.Mutex).Lock).Pointer() + 1
	d := chance.Draw{Kind: chance.Point, N: 2, Site: [chance.Frames]uintptr{lock}}
	if s := new(System); !s.passes(&d) {
		t.Error("a point of a goroutine that the library has started is a choice")
	}
	for i := range d.Site {
		d.Site[i] = lock
	}
	if s := new(System); s.passes(&d) {
		t.Error("a point whose caller is not known is none")
	}
}
