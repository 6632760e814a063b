package cases

import "slices"

// This file: few cases that cover what all of a target do.

// sparing picks few cases that cover what all do, by a criterion: first the findings, then always the one that adds
// most, and of several the first.
func sparing(list []*Case, u *universe, by Criterion) []*Case {
	if by == Paths {
		return list
	}
	number := map[way]int{}
	for i, w := range u.all() {
		if (w.succ < 0) == (by == Blocks) {
			number[w] = i
		}
	}
	var sets [][]int
	var fixed []int
	for i, c := range list {
		var set []int
		if c.Model != nil {
			for w := range ways(c.Path) {
				if n, ok := number[w]; ok {
					set = append(set, n)
				}
			}
		}
		sets = append(sets, set)
		if c.Reached != nil {
			fixed = append(fixed, i)
		}
	}
	var kept []*Case
	for _, i := range cover(sets, fixed) {
		kept = append(kept, list[i])
	}
	return kept
}

// cover picks sets that have all elements of all, by the greedy rule: the one with most elements that are missing.
// Those that are fixed are in it. The result is sorted.
//
//	source: V. Chvátal, A greedy heuristic for the set-covering problem, 1979: at most H(n) times as many as needed, for
//	        sets of at most n elements
func cover(sets [][]int, fixed []int) []int {
	picked := slices.Clone(fixed)
	has := map[int]bool{}
	add := func(i int) {
		for _, e := range sets[i] {
			has[e] = true
		}
	}
	for _, i := range fixed {
		add(i)
	}
	for {
		best, most := -1, 0
		for i, set := range sets {
			missing := 0
			for _, e := range set {
				if !has[e] {
					missing++
				}
			}
			if missing > most {
				best, most = i, missing
			}
		}
		if best < 0 {
			slices.Sort(picked)
			return picked
		}
		picked = append(picked, best)
		add(best)
	}
}
