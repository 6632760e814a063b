package reverse

import (
	"maps"
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/subjects"
	"github.com/rehearse-go/rehearse/trace"
)

// A search that gives away parts of itself all the time, and whose parts do the same, executes every class once all the
// same.
func TestItemsAddUp(t *testing.T) {
	for _, parts := range []int{1, 2, 3, mostParts} {
		itemsAddUp(t, parts)
	}
}

// itemsAddUp has the children of a class make so many items.
func itemsAddUp(t *testing.T, parts int) {
	open, classes, items, siblings := []explore.Item{{}}, 0, 0, 0
	for len(open) > 0 {
		if rest := open[0].Rest; len(rest) > 0 && rest[0] == together {
			siblings++
		}
		r := New()
		r.parts = parts
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
	if classes != 126 || items < 50 || (siblings > 5) != (parts < mostParts) {
		t.Errorf("%d classes in %d items, %d of siblings, want 126 in many", classes, items, siblings)
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
					b.reverse.parts = 1 + int(seed%3)
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
		{Rest: []byte{together}},
		{Rest: []byte{together, 0, 0, 0}},
		{Rest: []byte{together, 0, 0, 1, 1}},
	} {
		if err := New().Take(item); err == nil {
			t.Errorf("%v was taken", item)
		}
	}
}

// siblings is an item with choices a, b and c, of which the last two deviate, and two children.
func siblings() explore.Item {
	id := func(n uint64) trace.ID { return trace.ID{Hi: 7, Lo: n} }
	p := &path{ids: []trace.ID{id(1), id(2), id(3)}, labels: []stepLabel{byS, deviating, deviation},
		turned: []displaced{{id(9), 2}}}
	rec := &record{path: p, share: 2,
		children: []child{{at: 1, past: []int32{2}, x: id(8), t: id(2)}, {at: 2, same: []int32{1, 2}, t: id(3)}}}
	item, _, _ := rec.part(1)
	return item
}

// What is given away is what comes back, and whatever is cut off it is refused.
func TestSiblings(t *testing.T) {
	item, r := siblings(), New()
	if err := r.Take(item); err != nil {
		t.Fatal(err)
	}
	r.levels[0].share = 2
	if again, _, _ := r.levels[0].part(1); !slices.Equal(again.Rest, item.Rest) || !slices.Equal(again.Steps, item.Steps) || len(item.Steps) != 1 {
		t.Errorf("given %v, then %v", item, again)
	}
	for n := 1; n < len(item.Rest); n++ {
		if err := New().Take(explore.Item{Steps: item.Steps, Rest: item.Rest[:n]}); err == nil {
			t.Errorf("the first %d bytes were taken", n)
		}
	}
	item.Steps = append(item.Steps, item.Steps...)
	if err := New().Take(item); err == nil {
		t.Error("another path was taken")
	}
}

// Whatever an item is, it is refused, or what it says can be begun with.
func TestDamagedSiblings(t *testing.T) {
	for at := range siblings().Rest {
		for change := range byte(255) {
			item := siblings()
			item.Rest[at] += change + 1
			r := New()
			if err := r.Take(item); err != nil {
				continue
			}
			for n := 0; n < 3 && r.Start(); n++ {
				if len(r.plan) == 0 || len(r.plan) != len(r.labels) {
					t.Errorf("byte %d changed by %d: a class with plan %v, labels %v", at, change, r.plan, r.labels)
				}
			}
		}
	}
}

// Where many messages wait for one actor, each child adds a few bytes to what is given away, however long its class is.
func TestItemsOfManyMessagesAreSmall(t *testing.T) {
	const messages = 100
	type message struct{ n int }
	sink := func(*actor.Context, any) {}
	sys := actor.New(func(_ *explore.T, ctx *actor.Context) {
		a := ctx.Spawn(actor.Func(sink))
		for n := range messages {
			ctx.Send(a, message{n})
		}
	})
	r, size, items := New(), 0, 0
	o := explore.Options{Conditions: explore.Conditions{Model: trace.Bag, Copy: true}, After: func(*explore.Counters, *trace.Trace) {
		for _, item := range r.Split(1 << 30) {
			size += 16*len(item.Steps) + len(item.Rest)
			items++
		}
	}}
	if _, err := explore.Run(sys, r, o); err != nil {
		t.Fatal(err)
	}
	const children = messages * (messages - 1) / 2
	if items > mostParts || size > 100*children {
		t.Errorf("%d bytes in %d items for %d children", size, items, children)
	}
}
