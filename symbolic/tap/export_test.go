package tap

import (
	"github.com/rehearse-go/rehearse/static/flow"
	"github.com/rehearse-go/rehearse/symbolic/system"
)

// Graph is the message flow graph that guides searches from a start.
func (p *Program) Graph(start *system.Start) (*flow.Graph, error) {
	q, err := p.of(start)
	if err != nil {
		return nil, err
	}
	return q.graph, nil
}
