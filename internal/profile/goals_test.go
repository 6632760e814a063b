package profile

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/internal/bitset"
	"github.com/rehearse-go/rehearse/trace"
)

// An execution's goals are the orders of types, and of messages of one type at an actor; and it is known by which event
// it has the new ones.
func TestGoals(t *testing.T) {
	g := NewGoals()
	first, events := g.Of(letters("a1x", "a2", "a1y", "b1"), nil)
	if n := first.Beyond(nil); n != 3 || events != 4 { // 1 before 2, 2 before 1, 1x before 1y
		t.Errorf("%d goals, the last by event %d", n, events)
	}
	for _, c := range []struct {
		steps       []string
		new, events int
	}{
		{[]string{"a1x", "a2", "a1y", "b1"}, 0, 0},
		{[]string{"b1", "b2", "a1x", "a1y", "a2"}, 0, 0}, // another actor of the type
		{[]string{"a1y", "a1x", "a2"}, 1, 3},
		{[]string{"b1x", "b1y", "a2"}, 1, 3}, // other messages
		{[]string{"a3", "a1x", "a2"}, 2, 4},  // start, 3, 1, 2
	} {
		set, events := g.Of(letters(c.steps...), first)
		if n := set.Beyond(first); n != c.new || events != c.events {
			t.Errorf("%v: %d new goals by event %d, want %d by %d", c.steps, n, events, c.new, c.events)
		}
	}
}

// The prefix of an execution that Of names has its new goals.
func TestGoalsOfPrefixes(t *testing.T) {
	news := 0
	for seed := range uint64(300) {
		g, have := NewGoals(), bitset.Set(nil)
		for _, tr := range executions(t, seed, models[seed%5], 10) {
			all, events := g.Of(tr, have)
			if all.Beyond(have) > 0 != (events > 0) {
				t.Fatalf("seed %d: %d new, by event %d", seed, all.Beyond(have), events)
			}
			if events > 0 {
				news++
				head := *tr
				head.Events = tr.Events[:events]
				if part, _ := g.Of(&head, have); part.Beyond(have) != all.Beyond(have) {
					t.Fatalf("seed %d: the first %d events have %d new goals of %d", seed, events, part.Beyond(have), all.Beyond(have))
				}
				head.Events = tr.Events[:events-1]
				if part, _ := g.Of(&head, have); part.Beyond(have) == all.Beyond(have) {
					t.Fatalf("seed %d: %d events would do", seed, events-1)
				}
			}
			have = have.Union(all)
		}
	}
	if news < 300 {
		t.Errorf("%d executions with news", news)
	}
}

func TestGoalsAreBounded(t *testing.T) {
	var steps []string
	for i := range 2 * rivals {
		steps = append(steps, fmt.Sprintf("a1%04d", i))
	}
	set, _ := NewGoals().Of(letters(steps...), nil)
	if n := set.Beyond(nil); n != rivals*(rivals-1)/2 {
		t.Errorf("%d goals", n)
	}
	g := NewGoals()
	for i := range maxRivals {
		g.groups[trace.ID{Lo: uint64(i)}] = map[trace.ID]bool{}
	}
	if set, _ := g.Of(letters("a1x", "a1y", "a2", "a1z"), nil); len(g.groups) != maxRivals || set.Beyond(nil) != 2 {
		t.Errorf("%d groups, goals %v: want the orders of types alone", len(g.groups), set)
	}
}

// fewest is the size of the smallest choice with all that the sets have.
func fewest(sets []bitset.Set) int {
	var all bitset.Set
	for _, s := range sets {
		all = all.Union(s)
	}
	best := len(sets)
	for choice := range 1 << len(sets) {
		var have bitset.Set
		n := 0
		for i, s := range sets {
			if choice>>i&1 == 1 {
				have, n = have.Union(s), n+1
			}
		}
		if all.Beyond(have) == 0 {
			best = min(best, n)
		}
	}
	return best
}

func TestChoose(t *testing.T) {
	more := 0
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 2))
		sets := make([]bitset.Set, r.IntN(8))
		var all bitset.Set
		for i := range sets {
			for range r.IntN(6) {
				sets[i] = sets[i].With(r.Int32N(10) * 20)
			}
			all = all.Union(sets[i])
		}
		chosen := Choose(sets, 100)
		have := func(without int) (u bitset.Set) {
			for i, c := range chosen {
				if i != without {
					u = u.Union(sets[c])
				}
			}
			return u
		}
		if all.Beyond(have(-1)) != 0 {
			t.Fatalf("seed %d: %v of %v do not have everything", seed, chosen, sets)
		}
		for i := range chosen {
			if all.Beyond(have(i)) == 0 {
				t.Fatalf("seed %d: %v of %v: %d could be left out", seed, chosen, sets, chosen[i])
			}
		}
		least := fewest(sets)
		if more += len(chosen) - least; len(chosen) > 2*least {
			t.Errorf("seed %d: %d sets, %d would do", seed, len(chosen), least)
		}
		if few := Choose(sets, 2); len(few) > 2 {
			t.Errorf("seed %d: %v are more than two", seed, few)
		}
	}
	t.Logf("%d sets more than needed", more)
	a, b := bitset.Set{1}, bitset.Set{1}
	if got := Choose([]bitset.Set{a, b}, 9); !slices.Equal(got, []int{0}) {
		t.Errorf("%v: of two that add as much the first is wanted", got)
	}
}
