package sample

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// Random is the uniform random walk: at each step every enabled step is equally likely. The n-th execution under a seed is
// the same everywhere: the draw is a hash of (seed, execution, step number, step), so it does not depend on the
// order in which the enabled steps are listed.
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
	best, least := 0, trace.ID{}
	for i := range enabled {
		if draw := at.WithID(enabled[i].ID); i == 0 || draw.Less(least) {
			best, least = i, draw
		}
	}
	return explore.Choice{Index: best}
}

// Learn learns nothing.
func (*Random) Learn(*trace.Trace, bool) {}

// Complete is false: sampling proves nothing.
func (*Random) Complete() bool { return false }
