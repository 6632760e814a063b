package dpor

import (
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/subjects"
	"github.com/rehearse-go/rehearse/trace"
)

// A search that gives away parts of itself all the time, and whose parts do the same, executes every class once all the same.
func TestItemsAddUp(t *testing.T) {
	open, classes, items := []explore.Item{{}}, 0, 0
	for len(open) > 0 {
		r := NewReverse()
		if err := r.Take(open[0]); err != nil {
			t.Fatal(err)
		}
		open = open[1:]
		items++
		given := func(*explore.Counters, *trace.Trace) { open = append(open, r.Split(3)...) }
		out, err := explore.Run(subjects.ShortpathA(), r, explore.Options{Conditions: explore.Conditions{Model: trace.Bag, Copy: true}, After: given})
		if err != nil || !out.Complete {
			t.Fatal(out, err)
		}
		classes += out.Classes
	}
	if classes != 126 || items < 50 {
		t.Errorf("%d classes in %d items, want 126 in many", classes, items)
	}
}

func TestTakeRefusesWhatIsNoItem(t *testing.T) {
	for _, item := range []explore.Item{
		{Steps: make([]trace.ID, 3)},
		{Steps: make([]trace.ID, 1), Rest: []byte{9}},
		{Steps: make([]trace.ID, 1), Rest: append([]byte{2}, make([]byte, 7)...)},
		{Steps: make([]trace.ID, 1), Rest: append([]byte{2}, append(make([]byte, 16), 0, 0, 0, 1)...)},
	} {
		if err := NewReverse().Take(item); err == nil {
			t.Errorf("%v was taken", item)
		}
	}
}
