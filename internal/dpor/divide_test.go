package dpor

import (
	"errors"
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// divisible are the searches that can be divided.
var divisible = []func() explore.Joiner{
	func() explore.Joiner { return NewSource(nil) },
	func() explore.Joiner { return NewOptimal(nil) },
}

// divided executes a program that chooses, stops and loses messages, and gives away at most two items after each
// execution. It gives these, and what was found for nodes above.
func divided(t *testing.T, make func() explore.Joiner) (items, found []explore.Item) {
	t.Helper()
	senders := toy.Features{Senders: true, Stop: true, Choices: true, Dense: true}
	for seed := range uint64(6) {
		s := make()
		c := explore.Conditions{Model: trace.Bag, Faults: trace.Faults{Max: 1, Kinds: trace.FaultKindsOf(trace.Drop)}}
		o := explore.Options{Conditions: c, Budget: explore.Budget{Executions: 20}}
		o.After = func(*explore.Counters, *trace.Trace) {
			given := s.Split(2)
			if len(given) > 2 {
				t.Errorf("%d items, want 2 at most", len(given))
			}
			items = append(items, given...)
		}
		if _, err := explore.Run(toy.NewSystem(toy.Random(120+seed, senders)), s, o); err != nil {
			t.Fatal(err)
		}
		nodes, more := s.Owed()
		items, found = append(items, nodes...), append(found, more...)
		if nodes, more := s.Owed(); len(nodes)+len(more) > 0 {
			t.Error("what was given is given again")
		}
	}
	if len(items) < 10 || len(found) == 0 {
		t.Errorf("%d items, %d findings: the test says little", len(items), len(found))
	}
	return items, found
}

// TestItemsAreTaken: an item is taken as it was given, and a search that has not begun gives it back as it is.
func TestItemsAreTaken(t *testing.T) {
	for _, make := range divisible {
		items, _ := divided(t, make)
		for _, item := range append(items, explore.Item{}) {
			s := make()
			if err := s.Take(item); err != nil {
				t.Fatal(err)
			}
			back := s.Split(1)
			if len(back) != 1 || !slices.Equal(back[0].Steps, item.Steps) ||
				!slices.Equal(back[0].Rest, item.Rest) || s.Start() {
				t.Fatalf("%v came back as %v", item, back)
			}
		}
	}
}

// TestItemsAreRefused: whatever is cut off an item or a finding, or added to it, it is refused.
func TestItemsAreRefused(t *testing.T) {
	for _, make := range divisible {
		items, found := divided(t, make)
		for _, item := range items[:min(len(items), 12)] {
			refused := func(what string, steps []trace.ID, rest []byte) {
				t.Helper()
				if err := make().Take(explore.Item{Steps: steps, Rest: rest}); !errors.Is(err, errNode) {
					t.Fatalf("%s: %v was taken for an item: %v", what, rest, err)
				}
			}
			for k := 1; k < len(item.Rest); k++ { // nothing at all is the item that is everything
				refused("cut", item.Steps, item.Rest[:k])
				joinRefuses(t, make(), explore.Item{Steps: item.Steps, Rest: item.Rest[:k]}, found[0].Rest)
			}
			refused("longer", item.Steps, append(slices.Clone(item.Rest), 0))
			refused("a step more", append(slices.Clone(item.Steps), trace.ID{Lo: 1}), item.Rest)
			if len(item.Steps) > 0 {
				refused("a step less", item.Steps[1:], item.Rest)
				refused("another step", append([]trace.ID{{Lo: 1}}, item.Steps[1:]...), item.Rest)
			}
		}
		for _, f := range found[:min(len(found), 5)] {
			for k := range f.Rest {
				joinRefuses(t, make(), items[0], f.Rest[:k])
			}
		}
	}
}

// joinRefuses wants what was found for an item to be refused, or the item.
func joinRefuses(t *testing.T, s explore.Joiner, item explore.Item, found []byte) {
	t.Helper()
	_, left, err := s.Join(item, found)
	if !errors.Is(err, errNode) && !errors.Is(err, explore.ErrLater) || left {
		t.Fatalf("%v was added to %v: left %v, %v", found, item, left, err)
	}
}
