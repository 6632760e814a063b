// Package auto holds the strategy that Check uses unless told otherwise: the default order, a few random walks, and then both a search of
// everything and random walks, until it shows which of the two the budget is for.
package auto

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/dpor"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/trace"
)

const (
	// probes is the number of random walks before the search begins. They find most bugs.
	probes = 32
	// unlimited stands for the budget where that is no number of executions.
	unlimited = 10_000
)

// Auto is the strategy.
//
// The search executes one of every class of executions: optimal, or source where optimal does not fit. Where checks look at what a
// reduction passes over, it is naive, if that looks affordable. By its estimate of how much there is, it either gets all executions (as
// many as are expected are left of the budget), or every second one (nobody knows), or none any more (even the low end is too much).
type Auto struct {
	budget int // executions; 0: not limited by number
	global func() string
	c      explore.Conditions

	turn      explore.Strategy
	random    explore.Strategy
	search    explore.Strategy // nil: not begun, or there is none
	decided   bool             // on what the search is
	execution int              // of all
	searched  int              // of them by search
	leaves    float64          // of the current walk: product of the numbers of enabled steps
	sum       float64          // over the walks
}

var (
	_ explore.Turner    = (*Auto)(nil)
	_ explore.Wary      = (*Auto)(nil)
	_ explore.Fitter    = (*Auto)(nil)
	_ explore.Estimator = (*Auto)(nil)
)

// New makes the strategy for a budget of so many executions (0: not limited by number).
func New(seed uint64, budget int) *Auto {
	return &Auto{budget: budget, random: sample.NewRandom(seed), global: func() string { return "" }}
}

// Name is "auto".
func (*Auto) Name() string { return "auto" }

// Phase is the name of the strategy whose turn it is, for reports of what found what.
func (a *Auto) Phase() string {
	if a.turn == nil {
		return a.Name()
	}
	return a.turn.Name()
}

// Turn is explore.Turner.
func (a *Auto) Turn() explore.Strategy { return a.turn }

// Heed is explore.Wary.
func (a *Auto) Heed(global func() string) { a.global = global }

// Fits is explore.Fitter: there is always something to do.
func (a *Auto) Fits(c explore.Conditions) error {
	a.c = c
	return nil
}

// Start gives the turn to the default order once, to probes random walks, and then to the search, to random walks, or to both.
func (a *Auto) Start() bool {
	a.leaves = 1
	switch {
	case a.execution == 0:
		a.turn = &sample.DefaultOrder{}
	case a.execution <= probes:
		a.turn = a.random
	default:
		a.turn = a.choose()
	}
	a.execution++
	if a.turn == a.search {
		a.searched++
	}
	return a.turn.Start()
}

// choose says whose turn it is after the first walks.
func (a *Auto) choose() explore.Strategy {
	if !a.decided {
		a.decided = true
		a.search = a.pick()
	}
	if a.search == nil {
		return a.random
	}
	if _, ok := a.search.(*search.Naive); ok {
		return a.search // which was judged by the walks
	}
	e, ok := a.search.(explore.Estimator).Estimate()
	done, left := float64(a.searched), a.left()
	switch {
	case a.budget > 0 && left <= 0:
		return a.search // which is asked whether anything was left
	case ok && e.Total-done <= left:
		return a.search
	case ok && e.Low-done > left && a.budget > 0:
		return a.random
	case a.turn == a.search:
		return a.random
	}
	return a.search
}

// pick gives the search, nil if none looks possible.
func (a *Auto) pick() explore.Strategy {
	affordable := a.walks() <= a.left()
	if affordable && a.global() != "" {
		return search.NewNaive()
	}
	for _, s := range []explore.Strategy{dpor.NewOptimal(nil), dpor.NewSource(nil)} {
		if s.(explore.Fitter).Fits(a.c) == nil {
			return s
		}
	}
	if affordable {
		return search.NewNaive()
	}
	return nil
}

// left is what is left of the budget.
func (a *Auto) left() float64 {
	if a.budget == 0 {
		return unlimited
	}
	return float64(a.budget - a.execution)
}

// walks estimates the number of executions of the naive search: each random walk's product of branching factors is an unbiased estimate
// of the number of leaves of the tree of choices [Knuth75].
func (a *Auto) walks() float64 { return a.sum / probes }

// Estimate is explore.Estimator: what was executed besides the search, and what the search makes in all.
func (a *Auto) Estimate() (explore.Estimate, bool) {
	if a.search == nil {
		return explore.Estimate{}, false
	}
	e, ok := a.search.(explore.Estimator).Estimate()
	if !ok {
		return explore.Estimate{}, false
	}
	besides := float64(a.execution - a.searched)
	return explore.Estimate{Total: e.Total + besides, Low: e.Low + besides, High: e.High + besides}, true
}

// Choose asks the strategy whose turn it is.
func (a *Auto) Choose(tr *trace.Trace, enabled []trace.Step) explore.Choice {
	a.leaves *= float64(len(enabled))
	return a.turn.Choose(tr, enabled)
}

// Learn adds a random walk to the estimate.
func (a *Auto) Learn(tr *trace.Trace, cut bool) {
	if a.execution > 1 && a.execution <= 1+probes {
		a.sum += a.leaves
	}
	a.turn.Learn(tr, cut)
}

// Complete reports whether everything was executed after all.
func (a *Auto) Complete() bool { return a.search != nil && a.search.Complete() }
