package system

import (
	"context"
	"slices"

	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/trace"
)

// This file executes what starts the actors of protoactor-go, beside all else: to know whether their state behind it
// can be told without running it.

// Begin executes the driver of a start, and then only the messages with which the framework starts actors, and what
// watches some. It tells what is there then, and what of that is not modelled, "" if nothing: of what the driver leaves
// open itself nothing is said. It gives nil if no actor is to be started, or if it cannot be told.
func (p *Program) Begin(ctx context.Context, s *Start, c Config) (begun *Start, open string) {
	if !slices.ContainsFunc(s.Actors, func(a *Actor) bool { return a.Fresh }) {
		return nil, ""
	}
	found := p.explore(ctx, s.Driver, c.defaults(), func() *world {
		t := &beginning{start: &Start{Driver: s.Driver, Function: p.Exec().Function}}
		if begun == nil {
			begun = t.start // of the first run
		}
		return &world{p: p, driver: s.Driver, task: t, model: ownModel(s, trace.DefaultModel)}
	})
	if found.Defect != "" {
		return nil, found.Defect
	}
	for _, path := range found.Paths {
		for _, what := range p.inexact(path, 1) {
			if !slices.Contains(s.Inexact, what) {
				return begun, what
			}
		}
		if path.Exit == exec.Cut || path.Exit == exec.Refused && !expected[path.Why] {
			return begun, p.place(path.Pos) + ": " + path.Why
		}
	}
	return begun, ""
}

// beginning is the task of an execution that only starts actors.
type beginning struct {
	start *Start
	steps int
}

// mostBeginnings bounds the steps: each actor that is started may create others.
const mostBeginnings = 2000

// choose takes what starts or watches an actor, and releases, since what is released earlier may be before it.
func (t *beginning) choose(w *world, steps []trace.Step) int {
	if t.steps++; t.steps > mostBeginnings {
		w.m.Cut("starting the actors takes more than %d steps", mostBeginnings)
	}
	return slices.IndexFunc(steps, func(s trace.Step) bool {
		if s.Kind == trace.Send {
			return true
		}
		if s.Kind != trace.Deliver || s.Message < 0 {
			return false
		}
		k := w.letters[s.Message].kind
		return k == startedKind || k == watchKind || k == unwatchKind
	})
}

// ended tells what is there then.
func (t *beginning) ended(w *world) { (&starting{start: t.start}).opened(w) }

func (*beginning) opened(*world)             {}
func (*beginning) begins(*world, *handler)   {}
func (*beginning) escapes(*exec.Failed) bool { return false }
func (*beginning) idle(*world) bool          { return false }
