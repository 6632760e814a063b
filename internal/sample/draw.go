package sample

import (
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/trace"
)

// sampler is what all strategies that draw have in common. The n-th execution under a seed is the same everywhere. A
// draw is a hash of (seed, execution, what is drawn for), so it does not depend on the order in which the enabled steps
// are listed.
//
// Where a fault may be injected, nothing happens most of the time. An execution draws its own rate of faults, from
// every second question down to every 64th, so that they come early in some and late in others.
type sampler struct {
	search.Range
	seed   uint64
	number uint64   // of the execution
	base   trace.ID // the same
	asked  uint64
}

// Start wants another execution, unless it was given others.
func (s *sampler) Start() bool {
	n, ok := s.Next()
	if !ok {
		return false
	}
	s.number, s.base, s.asked = n, trace.ID{Hi: s.seed}.With(n), 0
	return true
}

// Learn learns nothing.
func (*sampler) Learn(*trace.Trace, bool) {}

// Complete is false: sampling proves nothing.
func (*sampler) Complete() bool { return false }

// DrawSeed is explore.DrawSampler.
func (s *sampler) DrawSeed() uint64 { return max(1, s.base.With(forDraws).Hi) }

// next gives what the draws of this question are hashed from.
func (s *sampler) next() trace.ID {
	at := s.base.With(s.asked)
	s.asked++
	return at
}

// uniform picks one of the steps, each equally likely, but for the rate of faults.
func (s *sampler) uniform(enabled []trace.Step) int {
	at := s.next()
	if enabled[0].Nothing() && !s.injects(at) {
		return 0
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
	return best
}

// rates is the number of rates of faults: 1/2 to 1/64.
const rates = 6

// injects draws whether a fault is injected now.
func (s *sampler) injects(at trace.ID) bool {
	rate := 1 + s.base.With(rates).Lo%rates
	return at.With(rates).Lo>>(64-rate) == 0
}

// What the draws of a whole execution are hashed with, apart from those of single questions, which are counted from 0.
const (
	forDelay    = 1<<32 + iota // of a message
	forPriority                // of a thread, or of a step
	forPoint                   // a place in the execution
	forTarget                  // what is of interest
	forDraws                   // what Go chooses
)
