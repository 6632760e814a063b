package target

import (
	"context"

	"github.com/rehearse-go/rehearse/symbolic/system"
	"github.com/rehearse-go/rehearse/trace"
)

// This file tries the simplest ways first: one message from outside, then two, and all that follows in the default
// order. Most of a large program is that near, and what all of its handlers do together takes long to find out.
//
//	invariants: I1 nothing is concluded from what probes do not reach
//	cost:       all messages that receptionists ask for are tried once for a start and model, whatever the targets are,
//	            and once more for each target that they reach

// Prober sends messages from outside, one after the other. A *system.Program does.
type Prober interface {
	Probe(ctx context.Context, s *system.Start, goals []system.Goal, model trace.Model, b system.Bounds) *system.Found
}

// Probes is how many messages probes send, for those who want any.
const Probes = 2

// The bounds of all executions with so many messages. Three hundred of a large program are less than a million
// instructions. Products of numbers from outside are conditions on which the solver spends as much for one question, in
// one execution after the other.
const (
	probeRuns = 300
	probeWork = 2_000_000
)

// probe tries one message from outside, then more.
func (e *Engine) probe(ctx context.Context) {
	p, ok := e.follower.(Prober)
	if !ok || e.config.Own {
		return
	}
	ctx, stop := context.WithTimeout(ctx, e.config.Timeout/4)
	defer stop()
	for n := 1; n <= min(e.config.Probes, e.config.Outside) && ctx.Err() == nil; n++ {
		b := e.bounds()
		b.Outside, b.Runs, b.Work = n, probeRuns, probeWork
		key := judgeKey{e.start, e.config.Model, b}
		all := e.probed[key]
		if all == nil {
			all = p.Probe(ctx, e.start, nil, e.config.Model, b)
			e.answer.Counts.Walks += all.Runs
			e.probed[key] = all // also if the time was over: what it has reached, it has reached
		}
		if yes, known := all.Reached(e.target.Goal); !yes || !known {
			continue
		}
		found := p.Probe(ctx, e.start, []system.Goal{e.target.Goal}, e.config.Model, b)
		e.answer.Counts.Walks += found.Runs
		if way := found.Ways[0]; way != nil && e.admits(way) {
			e.finds(way)
			return
		}
	}
}
