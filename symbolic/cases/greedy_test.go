package cases

import (
	"math/bits"
	"math/rand/v2"
	"testing"
)

// TestTwinCover: the greedy choice covers all that there is, and is held to the fewest sets that do, which are found by
// trying all choices.
func TestTwinCover(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	var greedy, fewest int
	for range 2000 {
		sets := make([][]int, 1+rng.IntN(8))
		var masks []uint16
		largest := 0
		for i := range sets {
			var mask uint16
			for range rng.IntN(6) {
				mask |= 1 << rng.IntN(12)
			}
			for e := range 12 {
				if mask&(1<<e) != 0 {
					sets[i] = append(sets[i], e)
				}
			}
			masks, largest = append(masks, mask), max(largest, len(sets[i]))
		}
		var fixed []int
		if rng.IntN(3) == 0 {
			fixed = []int{rng.IntN(len(sets))}
		}
		union := func(choice uint) (all uint16) {
			for i, m := range masks {
				if choice&(1<<i) != 0 {
					all |= m
				}
			}
			return all
		}
		var must, choice uint
		for _, i := range fixed {
			must |= 1 << i
		}
		for _, i := range cover(sets, fixed) {
			choice |= 1 << i
		}
		every := union(1<<len(sets) - 1)
		if union(choice) != every || choice&must != must {
			t.Fatalf("%v with %v: %b does not cover all", sets, fixed, choice)
		}
		best := len(sets)
		for c := range uint(1) << len(sets) {
			if c&must == must && union(c) == every {
				best = min(best, bits.OnesCount(c))
			}
		}
		harmonic := 0.0
		for k := 1; k <= largest; k++ {
			harmonic += 1 / float64(k)
		}
		if n := bits.OnesCount(choice); float64(n-len(fixed)) > harmonic*float64(best)+1e-9 {
			t.Fatalf("%v: %d sets, and %d do", sets, n, best)
		}
		greedy, fewest = greedy+bits.OnesCount(choice), fewest+best
	}
	if greedy < fewest || float64(greedy) > 1.05*float64(fewest) {
		t.Errorf("%d sets in all, where %d do: want at most 5%% more", greedy, fewest)
	}
	t.Logf("%d sets, where %d do", greedy, fewest)
}
