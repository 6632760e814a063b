package reverse

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/subjects"
	"github.com/rehearse-go/rehearse/trace"
)

func bounded(t *testing.T, word string) *Bounded {
	t.Helper()
	b, err := NewBounded(word)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// levels gives the number of deviations of each class, by Search without bound.
func levels(t *testing.T, sys explore.System, c explore.Conditions) (map[string]int, *Search) {
	t.Helper()
	r, at := New(), map[string]int{}
	run(t, sys, r, c, func(tr *trace.Trace) { at[toy.ClassKey(c.Model, tr)] = len(r.levels) - 1 })
	return at, r
}

func run(t *testing.T, sys explore.System, s explore.Strategy, c explore.Conditions, after func(*trace.Trace)) explore.Outcome {
	t.Helper()
	out, err := explore.Run(sys, s, explore.Options{Conditions: c, Budget: explore.Budget{Executions: 2000}, After: func(_ *explore.Counters, tr *trace.Trace) { after(tr) }})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestBounded: within a bound the classes are those that Search reaches on so many levels, each once; level by level
// they come in the order of their deviations; the words say what was done, and Complete only that nothing was left out.
func TestBounded(t *testing.T) {
	programs, cut, whole := 0, 0, 0
	for _, model := range toy.Models {
		for seed := uint64(0); seed < 60; seed++ {
			sys, c := toy.NewSystem(toy.Random(seed, toy.Features{Spawn: true, Constraints: true})), explore.Conditions{Model: model}
			at, r := levels(t, sys, c)
			if !r.done {
				continue
			}
			programs++
			deepest := 0
			for _, level := range at {
				deepest = max(deepest, level)
			}
			for bound := 0; bound <= deepest+1; bound++ {
				b, got := bounded(t, fmt.Sprint(bound)), map[string]int{}
				out := run(t, sys, b, c, func(tr *trace.Trace) { got[toy.ClassKey(model, tr)]++ })
				want := map[string]int{}
				for key, level := range at {
					if level <= bound {
						want[key] = 1
					}
				}
				if !maps.Equal(got, want) {
					t.Fatalf("seed %d, %v: %d classes within %d deviations, want %d", seed, model, len(got), bound, len(want))
				}
				if complete := len(want) == len(at) && r.doubt == ""; out.Complete != complete {
					t.Fatalf("seed %d, %v: Complete is %v within %d of %d deviations", seed, model, out.Complete, bound, deepest)
				}
				if within := out.Within; r.doubt == "" && !out.Complete && !strings.HasPrefix(within, fmt.Sprint(bound, " deviation")) || out.Complete && within != "" {
					t.Fatalf("seed %d, %v: %q within %d deviations", seed, model, within, bound)
				}
				if out.Complete {
					whole++
				} else {
					cut++
				}
			}
			var order []int
			seen := map[string]bool{}
			out := run(t, sys, bounded(t, "iterative"), c, func(tr *trace.Trace) {
				key := toy.ClassKey(model, tr)
				if seen[key] {
					t.Errorf("seed %d, %v: a class came twice", seed, model)
				}
				seen[key] = true
				order = append(order, at[key])
			})
			for i := 1; i < len(order); i++ {
				if order[i] < order[i-1] {
					t.Fatalf("seed %d, %v: levels %v", seed, model, order)
				}
			}
			if len(seen) != len(at) || out.Complete != (r.doubt == "") {
				t.Fatalf("seed %d, %v: %d classes level by level, want %d; Complete is %v", seed, model, len(seen), len(at), out.Complete)
			}
		}
	}
	t.Logf("%d programs, %d bounds that cut, %d that did not", programs, cut, whole)
	if cut < 150 || whole < 300 {
		t.Errorf("too few: %d bounds that cut, %d that did not", cut, whole)
	}
}

// TestDeviationsByHand: n results may reach the master of pi in any order. The scheduler takes the least that is left;
// each result that comes although a lesser one is left is a deviation. So a permutation has as many deviations as it
// has elements that are not the least of those from there on, and brute force over the permutations says how many have
// how many.
func TestDeviationsByHand(t *testing.T) {
	for n := 2; n <= 5; n++ {
		want := map[int]int{}
		var permute func(left []int, deviations int)
		permute = func(left []int, deviations int) {
			if len(left) == 0 {
				want[deviations]++
			}
			for i := range left {
				more := 0
				if i > 0 { // left is sorted
					more = 1
				}
				permute(append(append([]int(nil), left[:i]...), left[i+1:]...), deviations+more)
			}
		}
		var all []int
		for i := range n {
			all = append(all, i)
		}
		permute(all, 0)
		at, _ := levels(t, subjects.Pi(n), explore.Conditions{Model: trace.Bag})
		got := map[int]int{}
		for _, level := range at {
			got[level]++
		}
		if !maps.Equal(got, want) {
			t.Errorf("pi(%d): classes by deviations %v, want %v", n, got, want)
		}
	}
}

// TestNoDeviation: without deviations there is the default order alone.
func TestNoDeviation(t *testing.T) {
	for seed := range uint64(50) {
		c := explore.Conditions{Model: trace.Bag}
		sys := toy.NewSystem(toy.Random(seed, toy.Features{}))
		want, got := "", ""
		run(t, sys, &sample.DefaultOrder{}, c, func(tr *trace.Trace) { want = toy.ClassKey(c.Model, tr) })
		run(t, sys, bounded(t, "0"), c, func(tr *trace.Trace) { got += toy.ClassKey(c.Model, tr) })
		if got != want {
			t.Errorf("seed %d: not the default order", seed)
		}
	}
}

// TestIterativeWords: when the budget ends a level by level search, it says up to where it was complete.
func TestIterativeWords(t *testing.T) {
	c := explore.Conditions{Model: trace.Bag}
	at, r := levels(t, subjects.Fib(6), c)
	upto := map[int]int{} // classes with so many deviations at most
	for _, level := range at {
		for l := level; l <= len(at); l++ {
			upto[l]++
		}
	}
	if r.doubt != "" || upto[1] == len(at) {
		t.Fatalf("the program is not what the test needs: %q, %v", r.doubt, upto)
	}
	for level := 0; upto[level] < len(at); level++ {
		for _, budget := range []int{upto[level], upto[level+1] - 1} {
			out, err := explore.Run(subjects.Fib(6), bounded(t, "iterative"), explore.Options{Budget: explore.Budget{Executions: budget}, Conditions: c})
			if err != nil || out.Complete || out.Executions != budget || !strings.HasPrefix(out.Within, fmt.Sprint(level, " deviation")) {
				t.Errorf("after %d of %d executions: %+v, %v; want %d deviations", budget, len(at), out, err, level)
			}
		}
	}
	out, err := explore.Run(subjects.Fib(6), bounded(t, "iterative"), explore.Options{Budget: explore.Budget{Executions: len(at)}, Conditions: c})
	if err != nil || !out.Complete || out.Within != "" {
		t.Errorf("after all executions: %+v, %v", out, err)
	}
}

func TestBoundWords(t *testing.T) {
	for _, word := range []string{"", "-1", "few", "3/4"} {
		if _, err := NewBounded(word); err == nil || !strings.Contains(err.Error(), "want a number of deviations, as in reverse/3") {
			t.Errorf("%q: %v", word, err)
		}
	}
}
