package strategies

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/causal"
	"github.com/rehearse-go/rehearse/internal/cover"
	"github.com/rehearse-go/rehearse/internal/dpor"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/trace"
)

// This file holds the strategy that Check uses unless told otherwise. It begins with the default order, and goes on
// with schedules for orders not seen yet and random ones. Then it also searches everything, until it shows which of
// them the budget is for.
//
//	source:     none for the turns; the walks that judge naive are [Knuth75]
//	assumes:    the estimates of the search (package estimate); nothing else is decided by them
//	invariants: I1 every execution is one of cover, a sampler or the search, in turns that depend on the seed, the budget
//	               and the program alone
//	            I2 complete is what the search has completed
//	            I3 the first execution is in the default order
//	cost:       that of its parts; cover is told of each execution
//	checked by: auto_test.go; TestTimeIsUpAnywhere in package agree; rehearse reproduce bita for what it finds

const (
	// probes is the number of executions before the search begins. They find most bugs.
	probes = 33
	// unlimited stands for the budget where that is no number of executions.
	unlimited = 10_000
)

// auto is the strategy. Of each four executions that are not of the search, the first three are those of cover, the
// first of all in the default order. The fourth is sampled, by random walks and PCT in turn. Cover is told of all
// executions.
//
// The search begins after the probes. It executes one of every class of executions: optimal, or source where optimal
// does not fit. Where checks look at what a reduction passes over, it is naive, if that looks affordable. How many
// executions it gets depends on its estimate of how much there is. It gets all if as many as are expected are left of
// the budget. It gets every second one if nobody knows, and none any more if even the low end is too much.
type auto struct {
	budget int // executions; 0: not limited by number
	env    explore.Env

	turn      explore.Strategy
	cover     *cover.Star
	samplers  []explore.Strategy // the first is the random walk
	search    explore.Strategy   // nil: not begun, or there is none
	decided   bool               // on what the search is
	execution int                // of all
	searched  int                // of them by search
	others    int                // of them by cover and samplers
	leaves    float64            // of the current execution: product of the numbers of enabled steps
	sum       float64            // over the walks
	walked    int                // walks
}

var (
	_ explore.Composite = (*auto)(nil)
	_ explore.Binder    = (*auto)(nil)
	_ explore.Reporter  = (*auto)(nil)
)

// newAuto makes the strategy for a budget of so many executions (0: not limited by number).
func newAuto(seed uint64, budget int) *auto {
	return &auto{budget: budget,
		cover:    cover.NewStar(seed, &sample.DefaultOrder{}, sample.NewPOS(seed, causal.Accesses{})),
		samplers: []explore.Strategy{sample.NewRandom(seed), sample.NewPCT(3, seed)}}
}

// Name is "auto".
func (*auto) Name() string { return "auto" }

// Active is explore.Composite.
func (a *auto) Active() explore.Strategy { return a.turn }

// Bind is explore.Binder: there is always something to do.
func (a *auto) Bind(e explore.Env) error {
	a.env = e
	for _, s := range append([]explore.Strategy{a.cover}, a.samplers...) {
		if err := explore.BindTo(s, e); err != nil {
			return err
		}
	}
	return nil
}

// Start gives the turn to the search, or to one of the others.
func (a *auto) Start() bool {
	a.leaves = 1
	before := a.turn
	a.turn = nil
	if a.execution >= probes {
		a.turn = a.choose(before)
	}
	if a.turn == nil {
		a.turn = a.other()
	} else {
		a.searched++
	}
	a.execution++
	return a.turn.Start()
}

// other gives the next of those that are no search.
func (a *auto) other() explore.Strategy {
	n := a.others
	a.others++
	if n%4 != 3 {
		return a.cover
	}
	return a.samplers[n/4%len(a.samplers)]
}

// choose gives the search if it is its turn after another's, else nil.
func (a *auto) choose(before explore.Strategy) explore.Strategy {
	if !a.decided {
		a.decided = true
		a.search = a.pick()
	}
	if a.search == nil {
		return nil
	}
	if _, ok := a.search.(*search.Naive); ok {
		return a.search // which was judged by the walks
	}
	e := explore.ReportOf(a.search).Estimate
	done, left := float64(a.searched), a.left()
	switch {
	case a.budget > 0 && left <= 0:
		return a.search // which is asked whether anything was left
	case e.Known() && e.Total-done <= left:
		return a.search
	case e.Known() && e.Low-done > left && a.budget > 0:
		return nil
	case before == a.search:
		return nil
	}
	return a.search
}

// pick gives the search, nil if none looks possible.
func (a *auto) pick() explore.Strategy {
	if a.env.PassesOver() != "" && a.walks() <= a.left() {
		return search.NewNaive()
	}
	optimal, source := dpor.NewOptimal(nil), dpor.NewSource(nil)
	if optimal.Bind(a.env) == nil && optimal.Report().IncompleteReason == "" {
		return optimal
	}
	if source.Bind(a.env) == nil {
		return source
	}
	return nil
}

// left is what is left of the budget.
func (a *auto) left() float64 {
	if a.budget == 0 {
		return unlimited
	}
	return float64(a.budget - a.execution)
}

// walks estimates the number of executions of the naive search. Each random walk's product of branching factors is an
// unbiased estimate of the number of leaves of the tree of choices [Knuth75].
func (a *auto) walks() float64 { return a.sum / float64(max(a.walked, 1)) }

// Report is explore.Reporter: there are what was executed besides the search, and what the search makes in all.
func (a *auto) Report() explore.Report {
	if a.search == nil {
		return explore.Report{}
	}
	e := explore.ReportOf(a.search).Estimate
	if e.Known() {
		besides := float64(a.execution - a.searched)
		e.Total, e.Low, e.High = e.Total+besides, e.Low+besides, e.High+besides
	}
	return explore.Report{Estimate: e}
}

// Choose asks the strategy whose turn it is.
func (a *auto) Choose(tr *trace.Trace, enabled []trace.Step) explore.Choice {
	a.leaves *= float64(len(enabled))
	return a.turn.Choose(tr, enabled)
}

// Pick is explore.Picker.
func (a *auto) Pick(tr *trace.Trace, o explore.Offer) (trace.Step, explore.Choice, bool) {
	s, c, ok := explore.PickBy(a.turn, tr, o)
	if ok {
		a.leaves *= float64(o.Len())
	}
	return s, c, ok
}

// Learn adds a random walk to the estimate, and tells cover what others saw.
func (a *auto) Learn(tr *trace.Trace, cut bool) {
	if a.turn == a.samplers[0] {
		a.sum += a.leaves
		a.walked++
	}
	a.turn.Learn(tr, cut)
	switch a.turn {
	case a.cover:
	case a.search:
		a.cover.Observe(tr) // one that looks like the last: no base
	default:
		a.cover.Witness(tr)
	}
}

// Complete reports whether everything was executed after all.
func (a *auto) Complete() bool { return a.search != nil && a.search.Complete() }
