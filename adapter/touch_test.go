package adapter

import (
	"math/rand"
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/trace"
)

// What an event touches is noted once, in order, however much it is and whichever event follows.
func TestTouches(t *testing.T) {
	rnd := rand.New(rand.NewSource(1))
	r := newRuntime(new(System))
	for range 2000 {
		r.tr.Events = append(r.tr.Events, trace.Event{})
		event := int32(rnd.Intn(len(r.tr.Events)))
		r.open = event
		e := &r.tr.Events[event]
		want := slices.Clone(e.Touched)
		for range rnd.Intn(4 * fewTouches) {
			touch := trace.Touch{Object: trace.ID{Lo: uint64(rnd.Intn(3 * fewTouches))}, Write: rnd.Intn(2) == 0}
			if !slices.Contains(want, touch) {
				want = append(want, touch)
			}
			r.recorder.touch(touch.Object, touch.Write)
		}
		if !slices.Equal(e.Touched, want) {
			t.Fatalf("event %d: got %v\nwant %v", event, e.Touched, want)
		}
	}
}
