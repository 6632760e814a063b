package sample

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// Random is the uniform random walk: at each step every enabled step is equally likely. It is not uniform over
// schedules: one that passes through states with few enabled steps is more likely than one that passes through states
// with many.
//
//	cost:       a hash for every enabled step
//	checked by: random_test.go
type Random struct{ sampler }

var _ explore.Numbered = (*Random)(nil)

// NewRandom makes the walk with this seed.
func NewRandom(seed uint64) *Random { return &Random{sampler{seed: seed}} }

// Name is "random".
func (*Random) Name() string { return "random" }

// Choose draws for every enabled step and takes the least draw.
func (r *Random) Choose(_ *trace.Trace, enabled []trace.Step) explore.Choice {
	return explore.Choice{Index: r.uniform(enabled)}
}
