package target

import (
	"context"

	"github.com/rehearse-go/rehearse/symbolic/solve"
)

// This file reads cores: links that do not fit say which part of which actor's state has to be another one before which
// step. Every way that a node stands for, and that is not the node itself, breaks one of them: something is handled in
// between that writes the part. Of what does, the last one is put in: right before the step.

// core gives links of a node whose conditions exclude each other if these links are closed: all of them are needed for
// that.
//
// SUBTLE: the links are those that the terms of the contradiction went through. A contradiction of sums that cancel is
// found without a question to the solver, and with equations for links in their place it would take the solver minutes.
func (e *Engine) core(ctx context.Context, n *node, used []variable) []variable {
	opened := map[variable]bool{}
	for i := len(used) - 1; i >= 0; i-- { // those that were followed last are nearest to the target
		opened[used[i]] = true
		if e.tightSat(ctx, e.tighten(n, opened)) {
			delete(opened, used[i])
		}
	}
	var core []variable
	for _, at := range used {
		if !opened[at] {
			core = append(core, at)
		}
	}
	return core
}

// tightSat reports whether conditions may hold together, as far as that is known.
func (e *Engine) tightSat(ctx context.Context, x *evaluation) bool {
	return !x.dead && e.ask(ctx, x.conds).Answer != solve.Unsat
}

// writers gives the nodes in which a step before the one of a link writes what the link is about, for each of some
// links.
func (e *Engine) writers(n *node, links []variable) (list []*node) {
	if n.counted() >= e.most {
		return nil
	}
	for _, l := range links {
		list = append(list, e.before(n, l)...)
	}
	return list
}

// before gives the nodes with a writer right before the step of a link.
func (e *Engine) before(n *node, l variable) (list []*node) {
	a, at := n.steps[l.step].agent, n.position(l.step)
	if n.steps[l.step].begins() {
		return nil
	}
	for _, r := range routesOf(e.flow.handlers(e.flow.classOf(n.agents[a]), nil)) {
		if !r.passes() || r.broken || !r.changes(l.name) || !e.flow.may(n.agents[a], r) ||
			e.isStarted(r.msg) && (at > 0 || !e.fresh(n.agents[a])) {
			continue
		}
		m := n.clone()
		k := m.insert(a, at, r)
		if e.isStarted(r.msg) {
			m.steps[k].from = source{kind: told}
		}
		list = append(list, m)
	}
	return list
}

// begin gives the nodes in which an agent of protoactor-go handles Started first, if its handler does something; nil if
// nothing has to be put in.
func (e *Engine) begin(n *node) (list []*node, needed bool) {
	if e.started == nil {
		return nil, false
	}
	for a := range n.agents {
		h := e.lib.of(n.agents[a].fn, e.started)
		if h == nil || !e.fresh(n.agents[a]) || !h.acts() || len(n.history[a]) == 0 || n.steps[n.history[a][0]].begins() {
			continue
		}
		for _, r := range h.routes {
			if r.passes() && e.flow.may(n.agents[a], r) {
				m := n.clone()
				k := m.insert(a, 0, r)
				m.steps[k].from = source{kind: told}
				list = append(list, m)
			}
		}
		return list, true
	}
	return nil, false
}

// fresh reports whether an agent has not handled Started at the start.
func (e *Engine) fresh(g agent) bool {
	return e.started != nil && (g.start < 0 || e.start.Actors[g.start].Fresh)
}

// acts reports whether a handler does anything that others could see.
func (h *handler) acts() bool {
	for _, r := range h.routes {
		if !r.passes() || len(r.writes) > 0 || len(r.path.Events) > 0 {
			return true
		}
	}
	return false
}
