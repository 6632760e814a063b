package search

import (
	"math"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
)

// walkTree walks the tree whose node at the end of path has branches(path) branches depth first, as a search does, and
// calls f after each leaf and again after the next branch was taken. It gives the number of leaves.
func walkTree(w *Walk, branches func(path []int) int, f func(count int, e explore.Estimate)) (count int) {
	var path, left []int
	open := func(i int) int { return left[i] }
	for {
		for b := branches(path); b > 0; b = branches(path) {
			path, left = append(path, 0), append(left, b-1)
		}
		w.Grow(len(path))
		count++
		f(count, w.Total(open))
		for len(path) > 0 && left[len(left)-1] == 0 {
			path, left = path[:len(path)-1], left[:len(left)-1]
		}
		if len(path) == 0 {
			w.Turn(0, 0)
			return count
		}
		path[len(path)-1]++
		left[len(left)-1]--
		w.Turn(len(path), left[len(left)-1])
		f(count, w.Total(open))
	}
}

// TestEven: where all branches are alike the estimate is never far off.
func TestEven(t *testing.T) {
	for _, tt := range []struct{ wide, deep, leaves int }{{2, 10, 1024}, {3, 6, 729}, {10, 3, 1000}, {1000, 1, 1000}} {
		w := &Walk{}
		n := walkTree(w, func(path []int) int {
			if len(path) == tt.deep {
				return 0
			}
			return tt.wide
		}, func(count int, e explore.Estimate) {
			ok := e.Known()
			if ok != (count >= least) {
				t.Errorf("%v: known is %v after %d", tt, ok, count)
			}
			if ok && (math.Abs(e.Total-float64(tt.leaves)) > 0.15*e.Total && tt.deep > 1 || e.Low > float64(tt.leaves) ||
				e.High < float64(tt.leaves)) {
				t.Errorf("%v: %v after %d", tt, e, count)
			}
		})
		if e := w.Total(nil); n != tt.leaves ||
			e != (explore.Estimate{Total: float64(n), Low: float64(n), High: float64(n)}) {
			t.Errorf("%v: at the end %v of %d", tt, e, n)
		}
	}
}

// TestGrowing: node k of a level has k branches (with a leaf of its own), so that the last branch is half of all.
func TestGrowing(t *testing.T) {
	w := &Walk{Uneven: true}
	branches := func(path []int) int {
		if len(path) == 0 {
			return 12
		}
		return path[len(path)-1]
	}
	count := 0
	inside, cases := 0, 0
	total := walkTree(&Walk{}, branches, func(int, explore.Estimate) {})
	walkTree(w, branches, func(n int, e explore.Estimate) {
		if count = n; e.Known() && n < total {
			cases++
			if e.Low <= float64(total) && float64(total) <= e.High {
				inside++
			}
			if e.Low < float64(n) || e.Low >= e.High {
				t.Errorf("after %d of %d: %v", n, total, e)
			}
		}
	})
	if count != total || inside*10 < cases*9 {
		t.Errorf("inside in %d of %d cases", inside, cases)
	}
}

// TestLost: a path that became shorter by itself is no walk, and nothing is claimed.
func TestLost(t *testing.T) {
	w := &Walk{}
	n := 0
	walkTree(w, func(path []int) int { return 2 * max(0, min(1, 6-len(path))) },
		func(count int, _ explore.Estimate) { n = count })
	w = &Walk{}
	for range n {
		w.Grow(5)
		w.Turn(5, 1)
	}
	if e := w.Total(func(int) int { return 1 }); !e.Known() || e.Low >= e.High {
		t.Fatalf("no estimate of a walk: %v", e)
	}
	w.Grow(3)
	if e := w.Total(func(int) int { return 1 }); e.Known() {
		t.Errorf("an estimate of what is no walk: %v", e)
	}
}

// A node with many branches does not take memory for each.
func TestWideNodes(t *testing.T) {
	w := Walk{}
	w.Grow(1)
	for range 3 * widest {
		w.Turn(1, 2*widest)
		w.Grow(2)
	}
	if len(w.links) > widest || len(w.ends) > widest || len(w.links) < widest/2 {
		t.Errorf("%d and %d entries after %d branches", len(w.links), len(w.ends), 3*widest)
	}
	if e := w.Total(func(i int) int { return 100 - 100*i }); e.Total < float64(w.count) {
		t.Errorf("estimate %+v after %d executions", e, w.count)
	}
}
