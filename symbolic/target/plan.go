package target

import (
	"go/types"
	"math"
	"slices"

	"github.com/rehearse-go/rehearse/symbolic/system"
	"github.com/rehearse-go/rehearse/symbolic/term"
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

// assumed gives what holds of all numbers in a message from outside, under the names of the message.
func (e *Engine) assumed(t types.Type) (conds []*term.Term) {
	if e.config.Numbers == nil {
		return nil
	}
	var each func(name string, t types.Type, depth int)
	each = func(name string, t types.Type, depth int) {
		if d, ok := term.TypeOf(t); ok && d.Kind == term.WordKind {
			conds = append(conds, e.inRange(e.store.Var(name, d.Sort), d))
			return
		}
		if depth == 0 {
			t = pointed(t)
		}
		if s, ok := t.Underlying().(*types.Struct); ok && depth < 4 && !isReference(t) {
			for f := range s.Fields() {
				each(name+"."+f.Name(), f.Type(), depth+1)
			}
		}
	}
	each("msg", t, 0)
	return conds
}

// inRange gives the condition that a number is in the range of the configuration.
func (e *Engine) inRange(v *term.Term, d term.Type) *term.Term {
	s, r := e.store, *e.config.Numbers
	if d.Unsigned {
		if r.Most < 0 || r.Least > 0 && uint64(r.Least) > d.Mask() {
			return s.Bool(false)
		}
		return s.And(s.UAtMost(s.Uint(d.Sort, uint64(max(r.Least, 0))), v), s.UAtMost(v, s.Uint(d.Sort, min(uint64(max(r.Most, 0)), d.Mask()))))
	}
	most := int64(math.MaxInt64) >> (64 - d.Bits)
	if r.Most < -most-1 || r.Least > most {
		return s.Bool(false)
	}
	return s.And(s.SAtMost(s.Int(d.Sort, max(r.Least, -most-1)), v), s.SAtMost(v, s.Int(d.Sort, min(r.Most, most))))
}
