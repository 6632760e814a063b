package search

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestPart: the part of a node that was begun, and its deviation, against their definitions.
func TestPart(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 5))
	for range 300 {
		tt := &totals{uneven: rnd.IntN(2) == 0}
		for j := range 12 {
			tt.links.learn(j, 100, 105+rnd.IntN(200))
			tt.ends.learn(j, 100, 105+rnd.IntN(200))
			tt.links.learn(j, 10, 15)
		}
		all := 2 + rnd.IntN(12)
		var open []*piece
		begun := make([]bool, all)
		for k := range all {
			begun[k] = k == 0 || rnd.IntN(2) == 0 && k < all-1
			if !begun[k] {
				open = append(open, &piece{from: k, many: 1})
			}
		}
		logs := make([]float64, all) // [k]: of the first k branches, by branch k
		part := func() (sum float64) {
			c := 1.0
			for k := all - 1; k >= 0; k-- {
				before := c * math.Exp(-logs[k])
				if k == 0 {
					before = 0
				}
				if begun[k] {
					sum += c - before
				}
				c = before
			}
			return sum
		}
		guesses := make([]guess, all)
		for k := 1; k < all; k++ {
			guesses[k] = tt.grow(k, k+1, all)
			logs[k] = guesses[k].log
		}
		want := part()
		variance, bias := 0.0, 0.0
		for k := 1; k < all; k++ {
			const h = 1e-6
			logs[k] += h
			d := (math.Log(part()) - math.Log(want)) / h
			logs[k] -= h
			variance += d * d * guesses[k].variance
			bias += math.Abs(d) * guesses[k].bias
		}
		got, deviation := tt.part(open)
		if wide := math.Sqrt(variance + bias*bias); math.Abs(got-want) > 1e-9 || math.Abs(deviation-wide) > 1e-3*(wide+0.01) {
			t.Fatalf("begun %v: %v with %v, want %v with %v", begun, got, deviation, want, wide)
		}
	}
}

// Of a node with very many branches several are looked at together.
func TestPartOfManyBranches(t *testing.T) {
	tt := &totals{}
	for j := range 500 {
		tt.links.learn(j, 100*(j+1), 100*(j+2))
	}
	for _, all := range []int{200, 255, 256, 257, 300, 500} {
		part, deviation := tt.part([]*piece{{from: all / 2, many: all - all/2}})
		if math.Abs(part-0.5) > 0.02 || !(deviation > 0 && deviation < 1) {
			t.Errorf("half of %d branches: %v with %v", all, part, deviation)
		}
	}
	tt.part([]*piece{{from: 1, many: 1}, {from: 1 << 29, many: 1 << 29}})
	if len(tt.rows) > finest {
		t.Errorf("%d rows", len(tt.rows))
	}
}
