package dpor

import (
	"maps"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/toy"
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

// A bounded search that is divided after every execution executes the classes that it executes in one piece, each once.
func TestBoundedItemsAddUp(t *testing.T) {
	cut, parts := 0, 0
	for _, model := range toy.Models {
		c := explore.Conditions{Model: model}
		for seed := uint64(0); seed < 60; seed++ {
			sys := toy.NewSystem(toy.Random(seed, toy.Features{Spawn: true, Constraints: true, Choices: true}))
			for _, word := range []string{"0", "1", "2"} {
				want, got, whole := map[string]int{}, map[string]int{}, true
				out := run(t, sys, bounded(t, word), c, func(tr *trace.Trace) { want[toy.ClassKey(model, tr)]++ })
				for open := []explore.Item{{}}; len(open) > 0; parts++ {
					b := bounded(t, word)
					if err := b.Take(open[0]); err != nil {
						t.Fatal(err)
					}
					open = open[1:]
					run(t, sys, b, c, func(tr *trace.Trace) {
						got[toy.ClassKey(model, tr)]++
						open = append(open, b.Split(1<<30)...)
					})
					whole = whole && b.Complete()
				}
				if !maps.Equal(got, want) || whole != out.Complete {
					t.Fatalf("seed %d, %v: %d classes within %s deviations, complete %v; want %d, %v", seed, model, len(got), word, whole, len(want), out.Complete)
				}
				if !whole {
					cut++
				}
			}
		}
	}
	if cut < 100 || parts < 1000 {
		t.Errorf("%d searches left something out, %d parts: the comparison says little", cut, parts)
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
