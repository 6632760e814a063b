package target

import (
	"slices"

	"github.com/rehearse-go/rehearse/symbolic/system"
)

// plan gives the order in which the steps of a node are handled.
func (e *Engine) plan(n *node) system.Plan {
	g := e.order(n)
	p := system.Plan{Model: e.config.Model}
	index := make([]int, len(n.steps)) // in the plan
	order := n.sequence(g)
	for i, k := range order {
		index[k] = i
	}
	for _, k := range order {
		s := n.steps[k]
		step := system.Step{To: n.agentIn(s.agent, index), Message: s.route.msg, Path: s.route.path}
		switch s.from.kind {
		case outside:
			step.Assume = e.assumed(s.route.msg)
		case driver:
			step.From = system.Source{Kind: system.Sent, Event: s.from.event}
		case told:
			step.From = system.Source{Kind: system.Told}
		case sent:
			from := n.steps[s.from.step].route
			step.From = system.Source{Kind: system.Event, Step: index[s.from.step], Event: from.places[s.from.event]}
			if from.roles[s.from.event] == timer {
				step.From.Kind = system.Timer
			}
		}
		p.Steps = append(p.Steps, step)
	}
	return p
}

// sequence gives the steps in the order of their receives, the target's last.
func (n *node) sequence(g *graph) (order []int) {
	for _, at := range g.sorted() {
		if k := slices.Index(g.first, at); k > 0 {
			order = append(order, k)
		}
	}
	return append(order, 0)
}

// agentIn names an agent of a node in its plan.
func (n *node) agentIn(a int, index []int) system.Agent {
	g := n.agents[a]
	if g.start >= 0 {
		return system.Agent{Start: g.start, Step: -1}
	}
	return system.Agent{Step: index[g.by.step], Spawn: n.steps[g.by.step].route.places[g.by.event]}
}
