package search_test

import (
	"math"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/reverse"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/subjects"
	"github.com/rehearse-go/rehearse/trace"
)

type divisible interface {
	explore.Divisible
	search.Walker
}

// surveyed makes so many executions, and then gives the rest away. It gives the estimates of before and after.
func surveyed(t *testing.T, sys explore.System, s divisible, executions, chunk int) (walk, survey explore.Estimate) {
	t.Helper()
	done := 0
	o := explore.Options{Conditions: explore.Conditions{Model: trace.Bag},
		After: func(*explore.Counters, *trace.Trace) { done++ }, Stop: func() bool { return done == executions }}
	if _, err := explore.Run(sys, s, o); err != nil {
		t.Fatal(err)
	}
	walk = explore.ReportOf(s).Estimate
	// The last branch of a node that has no other one left is finished only when the search goes on.
	grown, err := search.DecodeGrowth(s.Walk().Encode())
	if err != nil {
		t.Fatal(err)
	}
	items := 0
	for given := s.Split(chunk); len(given) > 0; given = s.Split(chunk) {
		items += len(given)
	}
	if s.Start() {
		t.Fatal("it goes on")
	}
	outline, spots, ok := s.Walk().Outline()
	if !ok || len(spots) != items {
		t.Fatalf("%d spots of %d items, %v", len(spots), items, ok)
	}
	v := search.NewSurvey(s.Walk().Uneven)
	if err := v.Fold([]int{0}, nil, []search.NewItem{{Item: 1, Spot: search.Spot{Many: 1}}}); err != nil {
		t.Fatal(err)
	}
	var fresh []search.NewItem
	for i, s := range spots {
		s.Of = 1
		fresh = append(fresh, search.NewItem{Item: 2 + i, Spot: s})
	}
	if err := v.Fold([]int{1}, map[int]search.Outline{1: outline}, fresh); err != nil {
		t.Fatal(err)
	}
	v.Add(&grown)
	return walk, v.Total()
}

// TestSurveyIsTheWalk: of a search that was divided once the survey says what its walk says.
func TestSurveyIsTheWalk(t *testing.T) {
	compared := 0
	for name, tt := range map[string]struct {
		sys  explore.System
		make func() divisible
	}{
		"pi(6)":        {subjects.Pi(6), func() divisible { return reverse.New() }},
		"fib(7)":       {subjects.Fib(7), func() divisible { return reverse.New() }},
		"chameneos(3)": {subjects.Chameneos(3), func() divisible { return reverse.New() }},
		"leader(3)":    {subjects.Leader(3), func() divisible { return search.NewNaive() }},
		"mergesort(4)": {subjects.Mergesort(4), func() divisible { return search.NewNaive() }},
	} {
		for _, executions := range []int{1, 7, 8, 20, 53, 100, 211, 300} {
			for _, chunk := range []int{1, 3, math.MaxInt} {
				s := tt.make()
				walk, survey := surveyed(t, tt.sys, s, executions, chunk)
				if walk.Known() != survey.Known() {
					t.Errorf("%s after %d: %v, want %v", name, executions, survey, walk)
				}
				same := func(a, b float64) bool { return math.Abs(a-b) <= 1e-4*b }
				if !walk.Known() || !same(walk.Total, survey.Total) && walk.Total < 1.5*float64(executions) {
					continue // as many as are known: an item stands for one, whatever it has
				}
				compared++
				if even := !s.Walk().Uneven; !same(survey.Total, walk.Total) || even && survey.High < 0.999*walk.High ||
					!even && !same(survey.High, walk.High) {
					t.Errorf("%s after %d: %v, want %v", name, executions, survey, walk)
				}
			}
		}
	}
	if compared < 60 {
		t.Errorf("only %d compared", compared)
	}
}

// TestSurveyOfDeepNodes: the walk of a long naive search knows nothing of the lowest nodes. What they give away has a
// place all the same, and what was executed adds up.
func TestSurveyOfDeepNodes(t *testing.T) {
	for _, executions := range []int{16_500, 20_011, 30_000, 40_003} {
		walk, survey := surveyed(t, subjects.Pi(4), search.NewNaive(), executions, math.MaxInt)
		if math.Abs(math.Log(survey.Total/walk.Total)) > 0.02 {
			t.Errorf("after %d executions: %v, want about %v", executions, survey, walk)
		}
	}
}
