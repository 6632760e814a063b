package source

import (
	"github.com/rehearse-go/rehearse/static/flow"
	"github.com/rehearse-go/rehearse/static/load"
)

// load reads packages, for any number of analyses.
func (g *graphRun) load(packages []string) (*load.Program, error) {
	return load.Config{Patterns: packages, NoTests: !g.tests}.Load()
}

// analyse makes the graph of a program.
func (g *graphRun) analyse(p *load.Program, precision string) (*flow.Graph, error) {
	return flow.Build(p, flow.Config{Precision: precision, Receptionists: g.receptionists})
}
