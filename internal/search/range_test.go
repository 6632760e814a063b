package search

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// TestRange: whatever is executed of a range, and whatever is given away, each number below the limit comes once, and
// what is beyond stays in items for a larger one. The twin is a list of the numbers that came.
func TestRange(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		open, like := []explore.Item{{}}, Range{FirstAlone: seed%3 == 0, Round: seed % 4 * 9}
		var came []uint64
		for _, limit := range []int{1 + r.IntN(40), 50 + r.IntN(300)} { // gone on with, with a larger budget
			came, open = executed(t, r, open, limit, like, came)
			slices.Sort(came)
			for i, n := range came {
				if n != uint64(i) || len(came) != limit {
					t.Fatalf("seed %d: of the numbers below %d these came: %v", seed, limit, came)
				}
			}
		}
	}
}

// executed executes items, in any order, until all are beyond the limit, and divides them all the time.
func executed(t *testing.T, r *rand.Rand, open []explore.Item, limit int, like Range, came []uint64) (now []uint64,
	left []explore.Item) {
	t.Helper()
	for {
		var within []int
		for i, item := range open {
			x := Range{}
			if x.Limit(limit); !x.Beyond(item) {
				within = append(within, i)
			}
		}
		if len(within) == 0 {
			return came, open
		}
		k := within[r.IntN(len(within))]
		x := like
		x.Limit(limit)
		if err := x.Take(open[k]); err != nil {
			t.Fatal(err)
		}
		open = slices.Delete(open, k, k+1)
		for range r.IntN(8) {
			n, ok := x.Next()
			if !ok {
				break
			}
			if x.FirstAlone && n > 0 && !slices.Contains(came, 0) {
				t.Fatalf("execution %d comes before execution 0", n)
			}
			came = append(came, n)
		}
		most := 1 + r.IntN(20)
		items := x.Split(most)
		if len(items) > most {
			t.Fatalf("%d items, want at most %d", len(items), most)
		}
		if _, ok := x.Next(); ok || x.Split(1) != nil {
			t.Fatal("something is left after everything was given away")
		}
		open = append(open, items...)
	}
}

// Without a limit there is always one item without end, and the number of items grows slowly.
func TestRangeWithoutEnd(t *testing.T) {
	open, came := []explore.Item{{}}, map[uint64]bool{}
	for len(came) < 100_000 {
		x := Range{}
		if err := x.Take(open[0]); err != nil {
			t.Fatal(err)
		}
		open = open[1:]
		for range 5000 {
			n, ok := x.Next()
			if !ok {
				break
			}
			if came[n] {
				t.Fatalf("execution %d comes twice", n)
			}
			came[n] = true
		}
		open = append(open, x.Split(256)...)
	}
	endless := 0
	for _, item := range open {
		if _, end, err := rangeOf(item); err != nil {
			t.Error(err)
		} else if end == 0 {
			endless++
		}
	}
	if endless != 1 || len(open) < 5 || len(open) > 500 {
		t.Errorf("%d items, %d of them without end, want one, and some others", len(open), endless)
	}
}

// What is left below the limit is shared evenly, in whole rounds: as many pieces as each has executions, sixteen with
// what is beyond the limit.
func TestRangeIsShared(t *testing.T) {
	for _, tt := range []struct {
		round, left uint64
		want        []uint64
	}{
		{0, 1, []uint64{1}}, {0, 2, []uint64{1, 1}}, {0, 9, []uint64{3, 3, 3}}, {0, 10, []uint64{3, 3, 2, 2}},
		{0, 1500, slices.Repeat([]uint64{100}, 15)}, {64, 150, []uint64{64, 64, 22}}, {64, 64, []uint64{64}},
		{64, 64 * 60, slices.Repeat([]uint64{256}, 15)},
		{64, 64*30 + 1, slices.Concat([]uint64{192}, slices.Repeat([]uint64{128}, 13), []uint64{65})},
	} {
		x := Range{Round: tt.round}
		x.Limit(int(tt.left) + 5)
		if err := x.Take(rangeItem(5, 0)); err != nil {
			t.Fatal(err)
		}
		var got []uint64
		items := x.Split(256)
		for _, item := range items[:len(items)-1] {
			from, end, _ := rangeOf(item)
			got = append(got, end-from)
		}
		if !slices.Equal(got, tt.want) || !x.Beyond(items[len(items)-1]) {
			t.Errorf("%d executions in rounds of %d: %v, want %v", tt.left, tt.round, got, tt.want)
		}
	}
}

// What no range is.
func TestRangeRefuses(t *testing.T) {
	for _, item := range []explore.Item{{Steps: []trace.ID{{Hi: 1}}}, {Rest: []byte("x")}, rangeItem(3, 3),
		rangeItem(4, 3), rangeItem(mostNumber, 0), rangeItem(1, mostNumber+1),
		{Steps: []trace.ID{{}}, Rest: rangeItem(1, 2).Rest}} {
		var r Range
		r.Limit(1)
		if err := r.Take(item); err == nil || r.Beyond(item) {
			t.Errorf("%+v was taken, or is beyond something", item)
		}
		if _, left := r.Behind(item); left {
			t.Errorf("something is behind %+v", item)
		}
	}
}

// What an item has left behind its first execution, which killed a process.
func TestRangeBehind(t *testing.T) {
	var r Range
	for _, tt := range []struct{ from, end, want, wantEnd uint64 }{{0, 0, 1, 0}, {3, 9, 4, 9}, {3, 4, 0, 0}} {
		item := rangeItem(tt.from, tt.end)
		if tt.from == 0 {
			item = explore.Item{}
		}
		rest, left := r.Behind(item)
		from, end, err := rangeOf(rest)
		if err != nil || left != (tt.want > 0) || left && (from != tt.want || end != tt.wantEnd) {
			t.Errorf("%+v: %d to %d, %v, %v", tt, from, end, left, err)
		}
	}
}

// FuzzRange: an item is refused, or is what Split would make of it.
func FuzzRange(f *testing.F) {
	for _, b := range [][]byte{nil, {1}, make([]byte, 16), rangeItem(3, 0).Rest, rangeItem(3, 4).Rest,
		rangeItem(4, 4).Rest, rangeItem(1<<63, 0).Rest, rangeItem(1, 1<<63).Rest, make([]byte, 17)} {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var r Range
		err := r.Take(explore.Item{Rest: b})
		if good := len(b) == 0 || len(b) == 16; err == nil && !good {
			t.Fatalf("%x was taken", b)
		}
		r = Range{}
		if r.Take(explore.Item{Rest: b}) == nil {
			if items := r.Split(1); len(items) != 1 || len(b) > 0 && string(items[0].Rest) != string(b) {
				t.Fatalf("%x was taken as %v", b, items)
			}
		}
		r.Limit(10)
		r.Beyond(explore.Item{Rest: b})
		r.Behind(explore.Item{Rest: b})
	})
}
