// Package auto holds the strategy that Check uses unless told otherwise: the default order, then a few random walks, then either
// everything, where that looks affordable, or random walks to the end of the budget.
package auto

import (
	"math"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/trace"
)

// probes is the number of random walks from which the size of the choice tree is estimated.
const probes = 32

// Auto is the strategy.
type Auto struct {
	explore.Strategy // whose turn it is

	budget    int // executions; 0: not limited by number
	seed      uint64
	execution int
	leaves    float64 // of the current walk: product of the numbers of enabled steps
	sum       float64 // over the walks
	naive     *search.Naive
}

// New makes the strategy for a budget of so many executions (0: not limited by number).
func New(seed uint64, budget int) *Auto { return &Auto{seed: seed, budget: budget} }

// Name is "auto".
func (*Auto) Name() string { return "auto" }

// Phase is the name of the strategy whose turn it is, for reports of what found what.
func (a *Auto) Phase() string {
	if a.Strategy == nil {
		return a.Name()
	}
	return a.Strategy.Name()
}

// Start takes turns: default order once, probes random walks, then naive or random for good.
func (a *Auto) Start() bool {
	switch a.execution {
	case 0:
		a.Strategy = &sample.DefaultOrder{}
	case 1:
		a.Strategy = sample.NewRandom(a.seed)
	case 1 + probes:
		if a.affordable() {
			a.naive = search.NewNaive()
			a.Strategy = a.naive
		}
	}
	a.execution++
	a.leaves = 1
	return a.Strategy.Start()
}

// affordable compares the estimated number of executions with what is left of the budget, or with 10,000. Each random walk's product of
// branching factors is an unbiased estimate of the number of leaves (Knuth 1975).
func (a *Auto) affordable() bool {
	limit := 10_000.0
	if a.budget > 0 {
		limit = float64(a.budget - a.execution)
	}
	return a.Estimate() <= limit
}

// Estimate is the estimated number of executions of the naive search, NaN before there is one.
func (a *Auto) Estimate() float64 {
	if a.execution < 2 {
		return math.NaN()
	}
	return a.sum / float64(min(a.execution-1, probes))
}

// Choose asks the strategy whose turn it is.
func (a *Auto) Choose(tr *trace.Trace, enabled []trace.Step) explore.Choice {
	a.leaves *= float64(len(enabled))
	return a.Strategy.Choose(tr, enabled)
}

// Learn adds a random walk to the estimate.
func (a *Auto) Learn(tr *trace.Trace, cut bool) {
	if a.execution > 1 && a.execution <= 1+probes {
		a.sum += a.leaves
	}
	a.Strategy.Learn(tr, cut)
}

// Divergence is that of the strategy whose turn it is.
func (a *Auto) Divergence() *trace.Incident {
	if d, ok := a.Strategy.(explore.Diverger); ok {
		return d.Divergence()
	}
	return nil
}

// Complete reports whether everything was executed after all.
func (a *Auto) Complete() bool { return a.naive != nil && a.naive.Complete() }
