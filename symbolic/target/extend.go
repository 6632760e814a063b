package target

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// roots gives the nodes with which the search begins: each path of each handler that reaches the target, for each actor
// that it may be of.
func (e *Engine) roots() (list []*node) {
	if e.ofStates() {
		return e.ends()
	}
	for _, fn := range e.lib.fns {
		for _, h := range e.lib.handlers[fn] {
			if e.target.Fn != nil && e.target.Fn != fn || e.target.Message != nil && !types.Identical(e.target.Message, h.msg) {
				continue
			}
			for _, r := range h.routes {
				if !r.reaches(e.target) {
					continue
				}
				list = append(list, e.anybody(&node{}, r, nil, nil)...)
			}
		}
	}
	return list
}

// anybody puts a step with a route into a node, at each place of the history of an actor. It does so for each actor
// that the route may be of, if it is one of some. Then is done with each node that results.
func (e *Engine) anybody(n *node, r *route, some func(agent) bool, then func(n *node, k int) bool) (list []*node) {
	fits := func(g agent) bool { return e.flow.may(g, r) && (some == nil || some(g)) }
	for i, a := range e.start.Actors {
		if fits(agent{start: i, fn: a.Fn}) {
			m := n.clone()
			list = append(list, e.put(m, m.started(i, a.Fn), r, then)...)
		}
	}
	for a, g := range n.agents {
		if g.start < 0 && fits(g) {
			list = append(list, e.put(n, a, r, then)...)
		}
	}
	if n.created() >= e.config.Actors {
		return list
	}
	for _, fn := range e.lib.fns {
		if g := (agent{start: -1, fn: fn}); e.lib.makesAny(fn) && fits(g) {
			m := n.clone()
			list = append(list, e.put(m, m.add(g), r, then)...)
		}
	}
	return list
}

// put puts a step with a route into a node, at each place of the history of an agent. No place is after the first step
// of the node, if that is the target's.
func (e *Engine) put(n *node, a int, r *route, then func(n *node, k int) bool) (list []*node) {
	for at := 0; at <= len(n.history[a]); at++ {
		if at > 0 && (n.history[a][at-1] == 0 || n.steps[n.history[a][at-1]].route.broken) {
			break // nothing comes after the target, or after a panic
		}
		if r.broken && at < len(n.history[a]) {
			continue
		}
		if at < len(n.history[a]) && n.steps[n.history[a][at]].begins() {
			continue // nothing comes before Started
		}
		c := n.clone()
		k := c.insert(a, at, r)
		if e.isStarted(r.msg) {
			if at > 0 || !e.fresh(c.agents[a]) {
				break
			}
			c.steps[k].from = source{kind: told}
		}
		if then == nil || then(c, k) {
			list = append(list, c)
		}
	}
	return list
}

// descends reports whether an agent is another one, or created by it, or by one that it has created, and so on.
func (n *node) descends(a, from int) bool {
	for a != from {
		g := n.agents[a]
		if g.start >= 0 || g.by.kind == open {
			return false
		}
		a = n.steps[g.by.step].agent
	}
	return true
}

// created counts the agents that steps create.
func (n *node) created() (count int) {
	for _, a := range n.agents {
		if a.start < 0 {
			count++
		}
	}
	return count
}

// makesAny reports whether some route creates an actor whose messages a function handles.
func (l *library) makesAny(fn *ssa.Function) bool {
	for _, m := range l.makes {
		if m.fn == fn {
			return true
		}
	}
	return false
}

func (e *Engine) isStarted(t types.Type) bool {
	return e.started != nil && types.Identical(t, e.started)
}

// extend gives the nodes in which a request has a source.
func (e *Engine) extend(n *node, r request) []*node {
	if r.step < 0 {
		return e.creations(n, r.agent)
	}
	return e.sources(n, r.step)
}

// sources gives the nodes in which the message of a step has a source.
func (e *Engine) sources(n *node, k int) (list []*node) {
	s := n.steps[k]
	if isTold(s.route.msg) {
		list = append(list, n.from(k, source{kind: told}))
	}
	if start := n.agents[s.agent].start; start >= 0 {
		list = append(list, e.outsiders(n, k, start)...)
	}
	for j := range n.steps {
		if j == 0 {
			continue // what the target's step sends comes too late
		}
		r := n.steps[j].route
		for i := range r.path.Events {
			if from := (source{sent, j, i}); e.fits(r, i, s.route.msg) && !n.taken(from) && !n.answers(j, r.path.Events[i].Op) &&
				e.flow.sends(n.agents[n.steps[j].agent], r, i, n.agents[s.agent]) {
				list = append(list, n.from(k, from))
			}
		}
	}
	if n.counted() >= e.most {
		return list
	}
	for _, em := range e.lib.emits {
		if e.fits(em.route, em.event, s.route.msg) {
			some := func(g agent) bool { return e.flow.sends(g, em.route, em.event, n.agents[s.agent]) }
			list = append(list, e.anybody(n, em.route, some, func(m *node, j int) bool {
				m.steps[k].from = source{sent, j, em.event}
				return true
			})...)
		}
	}
	return list
}

// outsiders gives the nodes in which the message of a step, to an actor of the start, comes from outside: invented, or
// one that the driver sends.
func (e *Engine) outsiders(n *node, k, start int) (list []*node) {
	msg := n.steps[k].route.msg
	if !e.config.Own && n.outside < e.config.Outside && e.shaped(start, msg) {
		m := n.from(k, source{kind: outside})
		m.outside++
		list = append(list, m)
	}
	for i, m := range e.start.Sent {
		from := source{kind: driver, event: i}
		if m.To != start || m.Type == nil || !types.Identical(m.Type, msg) || n.taken(from) || !m.Always && e.unassumed(i) {
			continue
		}
		c := n.from(k, from)
		if !e.config.Own && !m.Always {
			if e.shaped(start, m.Type) && e.invented(i) { // then it is one of those from outside
				continue
			}
			c.outside++
		}
		if c.outside <= e.config.Outside {
			list = append(list, c)
		}
	}
	return list
}

// from gives the node in which the message of a step has a source.
func (n *node) from(k int, from source) *node {
	m := n.clone()
	m.steps[k].from = from
	return m
}

// fits reports whether an event may be a message of a type.
func (e *Engine) fits(r *route, event int, t types.Type) bool {
	if is := r.roles[event]; is != message && is != timer {
		return false
	}
	ev := &r.path.Events[event]
	return !ev.Lost && ev.Type != nil && types.Identical(ev.Type, t)
}

// shaped reports whether a message of a type may come to an actor from outside.
func (e *Engine) shaped(start int, t types.Type) bool {
	for _, s := range e.start.Shapes {
		if s.To == start && types.Identical(s.Type, t) && (s.Sent || !e.config.Usual) {
			return true
		}
	}
	return false
}

// creations gives the nodes in which some step creates an agent.
func (e *Engine) creations(n *node, a int) (list []*node) {
	for j := range n.steps {
		if j == 0 {
			continue
		}
		r := n.steps[j].route
		for i := range r.path.Events {
			if from := (source{sent, j, i}); r.roles[i] == spawn && !r.path.Events[i].Over && !n.taken(from) &&
				e.handles(&r.path.Events[i]) == n.agents[a].fn && !n.descends(n.steps[j].agent, a) {
				m := n.clone()
				m.agents[a].by = from
				list = append(list, m)
			}
		}
	}
	if n.counted() >= e.most {
		return list
	}
	for _, em := range e.lib.makes {
		if em.fn == n.agents[a].fn {
			list = append(list, e.anybody(n, em.route, nil, func(m *node, j int) bool {
				if m.descends(m.steps[j].agent, a) {
					return false
				}
				m.agents[a].by = source{sent, j, em.event}
				return true
			})...)
		}
	}
	return list
}

// unassumed reports whether what is assumed of messages from outside does not hold for a message of the driver. Where
// the driver sends its own, nothing is assumed of them.
func (e *Engine) unassumed(i int) bool {
	if e.config.Own {
		return false
	}
	s := e.store.SubstNames(e.sentFlat[i])
	return slices.ContainsFunc(e.assumed(e.start.Sent[i].Type), func(c *term.Term) bool { return s.Apply(c).False() })
}

// invented reports whether a message of the driver is one that may come from outside with the same values: numbers,
// texts, and references to actors of the start.
func (e *Engine) invented(i int) bool {
	t := e.start.Sent[i].Type
	if _, pointer := types.Unalias(t).(*types.Pointer); pointer {
		return false
	}
	for name, v := range e.sentFlat[i] {
		part, ref := strings.CutSuffix(strings.TrimPrefix(name, "msg"), "!ref")
		at := typeAt(t, part)
		if !v.Const() || at == nil || ref && !isReference(at) || strings.Contains(part, "!") {
			return false
		}
	}
	return !e.config.some()
}
