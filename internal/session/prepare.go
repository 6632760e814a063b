package session

import (
	"cmp"
	"fmt"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/guide"
	"github.com/rehearse-go/rehearse/internal/strategies"
	"github.com/rehearse-go/rehearse/trace"
)

// Prepare derives the rest of a plan. The error says what makes no sense.
func (p *Plan) Prepare(sys explore.System, getenv func(string) string) (err error) {
	if p.Model == trace.DefaultModel {
		p.Model = sys.DefaultModel()
	}
	p.command = cmp.Or(getenv(chance.CommandVariable), "rehearse")
	if err := p.ofGo(sys, getenv); err != nil {
		return err
	}
	if p.Guide != nil {
		return p.follow()
	}
	if p.elsewhere, err = TheCoordinator(); err != nil {
		return err
	}
	if p.Strategy == strategyAuto {
		if p.Strategy, err = p.auto(); err != nil {
			return err
		}
	}
	p.strategy, err = strategies.New(p.Strategy, p.Seed, p.Budget.Executions)
	return err
}

// strategyAuto is the strategy where none is asked for. It cannot be divided.
const strategyAuto = "auto"

// auto gives the strategy that auto stands for: in a swarm one that machines can share, in a worker process that of its
// exploration.
func (p *Plan) auto() (string, error) {
	if p.elsewhere != nil {
		return "reverse", nil
	}
	if w, err := TheWorker(); err != nil {
		return "", err
	} else if w != nil {
		return w.Header.Strategy, nil
	}
	return strategyAuto, nil
}

// follow has the plan follow the guide. Variables that are about explorations are meant for other Checks of the run.
func (p *Plan) follow() error {
	if err := p.Guide.Validate(p.Faults); err != nil {
		return fmt.Errorf("Config.Guide: %w", err)
	}
	p.Strategy, p.Workers, p.Corpus, p.All, p.Facts, p.Resume = strategyGuide, 1, false, false, "off", ""
	p.guide = guide.New(p.Guide)
	p.strategy = p.guide
	return nil
}
