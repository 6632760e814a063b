package cover

import (
	"errors"
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
	for seed := range uint64(150) {
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
	for actor := range uint64(5) {
		before := all
		var err error
		if all, err = s.Merge(all, large(actor).encode(nil)); err != nil || len(all) > search.MostTold {
			t.Fatalf("%d bytes, %v", len(all), err)
		}
		if actor == 4 && !slices.Equal(before, all) {
			t.Errorf("%d bytes are merged to %d", len(before), len(all))
		}
	}
	if _, err := decodeAchieved(make([]byte, search.MostTold+1)); err == nil {
		t.Error("too many bytes were read")
	}
	s.all, s.told = NewAchieved(), NewAchieved()
	for actor := range uint64(5) {
		s.all.union(large(actor))
	}
	if b := s.Learned(); b != nil {
		t.Errorf("%d bytes were learned", len(b))
	}
}

// sound says what is wrong with a set that was read from bytes: it is written as these bytes, and has only goals that
// can be.
func sound(o *Achieved, b []byte) error {
	if !slices.Equal(o.encode(nil), b) {
		return errors.New("it is written otherwise")
	}
	for _, box := range o.boxes {
		for c := range box.before {
			for y, row := range box.before[c] {
				if row.Has(int32(y)) || beyond(row, int32(len(box.index))) {
					return fmt.Errorf("receive %d of %d comes after %v", y, len(box.index), row)
				}
			}
		}
	}
	return nil
}

// TestHostileGoals: whatever is done to bytes, they are refused or a set of goals.
func TestHostileGoals(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	base := someGoals(r, NewAchieved()).encode(nil)
	s := NewShared(1, &sample.DefaultOrder{}, sample.NewRandom(1))
	taken := 0
	for range 100 {
		b := someGoals(r, NewAchieved()).encode(nil)
		for range 100 {
			bad := harmed(r, b)
			o, err := decodeAchieved(bad)
			if err != nil {
				continue
			}
			if taken++; sound(o, bad) != nil {
				t.Fatalf("%x: %v", bad, sound(o, bad))
			}
			if _, err := s.Merge(base, bad); err != nil {
				t.Fatal(err)
			}
		}
	}
	if taken < 500 || taken > 8_000 {
		t.Errorf("%d of 10,000 are sets", taken)
	}
}

// harmed changes some bytes, and maybe how many there are.
func harmed(r *rand.Rand, b []byte) []byte {
	b = slices.Clone(b)
	for range 1 + r.IntN(3) {
		i := r.IntN(len(b))
		switch r.IntN(5) {
		case 0:
			b = slices.Delete(b, i, i+1)
		case 1:
			b = slices.Insert(b, i, byte(r.IntN(256)))
		case 2:
			b[i] = []byte{0, 1, 2, 127, 128, 255}[r.IntN(6)]
		case 3:
			b[i] += byte(r.IntN(5)) - 2
		default:
			b[i] ^= 1 << r.IntN(8)
		}
		if len(b) == 0 {
			return []byte{0}
		}
	}
	return b
}

// What no set of goals is, by the rule that it breaks.
func TestRefusedGoals(t *testing.T) {
	id := func(n byte) []byte { return append(make([]byte, 15), n) }
	box := func(actor byte, receives []byte, rows ...byte) []byte {
		b := append(id(actor), byte(len(receives)))
		for _, r := range receives {
			b = append(b, id(r)...)
		}
		return append(b, rows...)
	}
	one := []byte{1, 2}
	good := box(1, one, 2, 1, 0, 0, 0, 0, 0) // of two receives the second comes before the first
	for name, b := range map[string][]byte{
		"good":               append([]byte{1}, good...),
		"no actor":           {0},
		"too many actors":    append([]byte{2}, good...),
		"one actor twice":    slices.Concat([]byte{2}, good, good),
		"not in order":       slices.Concat([]byte{2}, box(2, one, 2, 1, 0, 0, 0, 0, 0), good),
		"no goal":            append([]byte{1}, box(1, one, 0, 0, 0, 0, 0, 0)...),
		"unnamed receive":    append([]byte{1}, box(1, []byte{1, 2, 3}, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0)...),
		"receive twice":      append([]byte{1}, box(1, []byte{1, 1}, 2, 1, 0, 0, 0, 0, 0)...),
		"before itself":      append([]byte{1}, box(1, one, 2, 0, 0, 0, 0, 0, 0)...),
		"before a third":     append([]byte{1}, box(1, one, 2, 2, 0, 0, 0, 0, 0)...),
		"bits for a list":    append([]byte{1}, box(1, one, 3, 2, 0, 0, 0, 0, 0)...),
		"an empty byte":      append([]byte{1}, box(1, one, 5, 2, 0, 0, 0, 0, 0, 0)...),
		"a long number":      append([]byte{1}, box(1, one, 2, 0x81, 0, 0, 0, 0, 0, 0)...),
		"something follows":  append(append([]byte{1}, good...), 0),
		"twice the same":     append([]byte{1}, box(1, one, 4, 1, 0, 0, 0, 0, 0, 0)...),
		"no identity":        {1, 1, 2},
		"far beyond":         append([]byte{1}, box(1, one, 2, 0xff, 0xff, 0xff, 0xff, 0x0f, 0, 0, 0, 0, 0)...),
		"more than are told": append([]byte{1}, box(1, one, 200, 1, 0, 0, 0, 0, 0)...),
	} {
		if _, err := decodeAchieved(b); (err == nil) != (name == "good") {
			t.Errorf("%s: %v", name, err)
		}
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
		if err := sound(o, b); err != nil {
			t.Fatal(err)
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
	for actor := range uint64(5) {
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
