package solve

import (
	"context"
	"fmt"
	"os/exec"
	"time"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// New gives a solver for the terms of a store. It fails if the engine is an external solver that is not on the PATH.
func New(store *term.Store, config Config) (Solver, error) {
	if config.Gates == 0 {
		config.Gates = 1000
	}
	if config.Steps == 0 {
		config.Steps = 1000
	}
	if config.Limit == 0 {
		config.Limit = 10 * time.Second
	}
	switch config.Engine {
	case Auto:
		return &auto{first: newEmbedded(store, config), config: config}, nil
	case Embedded:
		return newEmbedded(store, config), nil
	case Z3, CVC5:
		return newExternal(config.Engine, config)
	}
	return nil, fmt.Errorf("solve: engine %q: want %q, %q or %q, or nothing", config.Engine, Embedded, Z3, CVC5)
}

// auto asks the embedded solver, and where that gives up an external one, if there is any.
type auto struct {
	first  *embedded
	second Solver // nil as long as it was not needed
	looked bool
	config Config
	stats  Stats
}

func (a *auto) Check(ctx context.Context, conds ...*term.Term) Result {
	r := a.first.Check(ctx, conds...)
	if r.Answer == Unknown && ctx.Err() == nil {
		if s := a.external(); s != nil {
			a.stats.External++
			if better := s.Check(ctx, conds...); better.Answer != Unknown {
				r = better
			} else {
				r.Why += "; " + better.Why
				r.Err = better.Err
			}
		}
	}
	a.stats.count(r)
	return r
}

// external gives the external solver, nil if there is none on the PATH.
func (a *auto) external() Solver {
	if a.looked {
		return a.second
	}
	a.looked = true
	for _, engine := range []Engine{Z3, CVC5} {
		if _, err := exec.LookPath(string(engine)); err != nil {
			continue
		}
		if s, err := newExternal(engine, a.config); err == nil {
			a.second = s
			break
		}
	}
	return a.second
}

func (a *auto) Scope() Solver {
	return &auto{first: newEmbedded(a.first.store, a.config), config: a.config}
}

// Stats are those of both, but for the answers, which are what came of it.
func (a *auto) Stats() Stats {
	s, inner := a.stats, a.first.Stats()
	s.Renewed, s.Gates, s.Steps = inner.Renewed, inner.Gates, inner.Steps
	return s
}

func (a *auto) Close() error {
	if a.second == nil {
		return nil
	}
	return a.second.Close()
}
