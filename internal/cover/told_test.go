package cover

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// goalsOf lists the goals of a set by names.
func goalsOf(o *Achieved) map[string]bool {
	goals := map[string]bool{}
	for actor, b := range o.boxes {
		names := map[int32]trace.ID{}
		for id, n := range b.index {
			names[n] = id
		}
		for c := range b.before {
			for y, row := range b.before[c] {
				row.Each(0, func(x int32) {
					goals[fmt.Sprint(actor, Criterion(c), names[x], " before ", names[int32(y)])] = true
				})
			}
		}
	}
	return goals
}

// someGoals adds goals of a small program.
func someGoals(r *rand.Rand, o *Achieved) *Achieved {
	for range 1 + r.IntN(4) {
		b := o.box(trace.ID{Lo: r.Uint64N(3)})
		for range 1 + r.IntN(40) {
			x, y := o.number(b, trace.ID{Hi: r.Uint64N(40)}), o.number(b, trace.ID{Hi: r.Uint64N(40)})
			if x != y {
				o.put(b, Criterion(r.IntN(criteria)), x, y)
			}
		}
	}
	return o
}

// TestToldGoals: what is told and merged is what lists of goals have, and what is left out because it is known is that.
func TestToldGoals(t *testing.T) {
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 3))
		a, b := someGoals(r, NewAchieved()), someGoals(r, NewAchieved())
		first := a.encode(nil)
		read, err := decodeAchieved(first)
		if err != nil || !maps.Equal(goalsOf(read), goalsOf(a)) || read.count != a.count {
			t.Fatalf("seed %d: %v was read, %v", seed, goalsOf(read), err)
		}
		// More goals on top of what was told: only these are news.
		more, err := decodeAchieved(first)
		if err != nil {
			t.Fatal(err)
		}
		news := someGoals(r, more).encode(read)
		want := goalsOf(more)
		for g := range goalsOf(a) {
			delete(want, g)
		}
		if len(want) == 0 != (news == nil) {
			t.Fatalf("seed %d: %d bytes of %d goals", seed, len(news), len(want))
		}
		if news != nil {
			if got, err := decodeAchieved(news); err != nil || !maps.Equal(goalsOf(got), want) {
				t.Fatalf("seed %d: the news are %v, %v, want %v", seed, goalsOf(got), err, want)
			}
		}
		merges(t, first, b.encode(nil), goalsOf(a), goalsOf(b))
	}
}

// merges checks that two sets become one, in whatever order, and twice as well as once.
func merges(t *testing.T, a, b []byte, goals, more map[string]bool) {
	t.Helper()
	s := NewShared(1, &sample.DefaultOrder{}, sample.NewRandom(1))
	both := func(all []byte, learned ...[]byte) []byte {
		for _, l := range learned {
			var err error
			if all, err = s.Merge(all, l); err != nil {
				t.Fatal(err)
			}
		}
		return all
	}
	want := maps.Clone(goals)
	maps.Copy(want, more)
	sum := both(nil, a, b)
	if again := both(nil, a, b, a, b); !slices.Equal(again, sum) {
		t.Fatal("what is merged twice is another sum")
	}
	for _, sum := range [][]byte{sum, both(nil, b, a), both(a, sum)} {
		if got, err := decodeAchieved(sum); err != nil || !maps.Equal(goalsOf(got), want) {
			t.Fatalf("%v, %v, want %v", goalsOf(got), err, want)
		}
	}
}

// What would be too large is not told, and nothing that was is lost.
func TestToldIsBounded(t *testing.T) {
	large := func(actor uint64) *Achieved {
		o := NewAchieved()
		b := o.box(trace.ID{Lo: actor})
		r := rand.New(rand.NewPCG(actor, 3))
		for n := range int32(1800) {
			o.number(b, trace.ID{Hi: uint64(n)})
			for x := range n {
				if r.IntN(2) == 0 {
					o.put(b, PR, x, n)
				}
			}
		}
		return o
	}
	s := NewShared(1, &sample.DefaultOrder{}, sample.NewRandom(1))
	var all []byte
	for actor := range uint64(8) {
		before := all
		var err error
		if all, err = s.Merge(all, large(actor).encode(nil)); err != nil || len(all) > search.MostTold {
			t.Fatalf("%d bytes, %v", len(all), err)
		}
		if actor == 7 && !slices.Equal(before, all) {
			t.Errorf("%d bytes are merged to %d", len(before), len(all))
		}
	}
	if _, err := decodeAchieved(make([]byte, search.MostTold+1)); err == nil {
		t.Error("too many bytes were read")
	}
	s.all, s.told = NewAchieved(), NewAchieved()
	for actor := range uint64(8) {
		s.all.union(large(actor))
	}
	if b := s.Learned(); b != nil {
		t.Errorf("%d bytes were learned", len(b))
	}
}

// FuzzAchieved: bytes are refused, or are those of the set that they are read as, which can be merged.
func FuzzAchieved(f *testing.F) {
	for seed := range uint64(20) {
		o := NewAchieved()
		if _, err := explore.Run(toy.NewSystem(toy.Random(seed, pure)), sample.NewRandom(seed),
			explore.Options{Budget: explore.Budget{Executions: 5},
				After: func(_ *explore.Counters, tr *trace.Trace) { o.Observe(tr) }}); err != nil {
			f.Fatal(err)
		}
		f.Add(o.encode(nil))
		f.Add(someGoals(rand.New(rand.NewPCG(seed, 1)), NewAchieved()).encode(nil))
	}
	s := NewShared(1, &sample.DefaultOrder{}, sample.NewRandom(1))
	base := someGoals(rand.New(rand.NewPCG(99, 1)), NewAchieved()).encode(nil)
	f.Fuzz(func(t *testing.T, b []byte) {
		o, err := decodeAchieved(b)
		if err != nil {
			return
		}
		if !slices.Equal(o.encode(nil), b) {
			t.Fatal("it is written otherwise")
		}
		if _, err := s.Merge(base, b); err != nil {
			t.Fatal(err)
		}
	})
}

// BenchmarkMerge merges a round into about as much as is told at most.
func BenchmarkMerge(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	o := NewAchieved()
	for actor := range uint64(4) {
		box := o.box(trace.ID{Lo: actor})
		for n := range int32(1400) {
			o.number(box, trace.ID{Hi: uint64(n)})
			for x := range n {
				if r.IntN(2) == 0 {
					o.put(box, PR, x, n)
				}
			}
		}
	}
	all, few := o.encode(nil), someGoals(r, NewAchieved()).encode(nil)
	s := NewShared(1, &sample.DefaultOrder{}, sample.NewRandom(1))
	b.ReportMetric(float64(len(all)), "told-B")
	for b.Loop() {
		if sum, err := s.Merge(all, few); err != nil || len(sum) <= len(all) {
			b.Fatal(err)
		}
	}
}
