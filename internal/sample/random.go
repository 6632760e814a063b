package sample

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// Random is the uniform random walk: at each step every enabled step is equally likely. The n-th execution under a seed is
// the same everywhere: the draw is a hash of (seed, execution, step number, step), so it does not depend on the
// order in which the enabled steps are listed.
//
// Where a fault may be injected, nothing happens most of the time: an execution draws its own rate of faults, from every second
// question down to every 64th, so that they come early in some and late in others.
type Random struct {
	seed      uint64
	execution uint64
	base      trace.ID
	steps     uint64
}

// NewRandom makes the walk with this seed.
func NewRandom(seed uint64) *Random { return &Random{seed: seed} }

// Name is "random".
func (*Random) Name() string { return "random" }

// Start always wants another execution.
func (r *Random) Start() bool {
	r.base = trace.ID{Hi: r.seed}.With(r.execution)
	r.execution++
	r.steps = 0
	return true
}

// Choose draws for every enabled step and takes the least draw.
func (r *Random) Choose(_ *trace.Trace, enabled []trace.Step) explore.Choice {
	at := r.base.With(r.steps)
	r.steps++
	if enabled[0].Nothing() && !r.injects(at) {
		return explore.Choice{}
	}
	best, least := 0, trace.ID{}
	for i := range enabled {
		if enabled[i].Nothing() {
			continue
		}
		if draw := at.WithID(enabled[i].ID); least.IsZero() || draw.Less(least) {
			best, least = i, draw
		}
	}
	return explore.Choice{Index: best}
}

// rates is the number of rates of faults: 1/2 to 1/64.
const rates = 6

// injects draws whether a fault is injected now.
func (r *Random) injects(at trace.ID) bool {
	rate := 1 + r.base.With(rates).Lo%rates
	return at.With(rates).Lo>>(64-rate) == 0
}

// Learn learns nothing.
func (*Random) Learn(*trace.Trace, bool) {}

// Complete is false: sampling proves nothing.
func (*Random) Complete() bool { return false }
