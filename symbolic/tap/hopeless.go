package tap

import (
	"slices"

	"github.com/rehearse-go/rehearse/static/flow"
	"github.com/rehearse-go/rehearse/symbolic/system"
)

// hopeless reports whether open requests cannot be met within the bound: there are not enough events for them, and too few messages may still be handled to make more.
//
// Differs: the paper has no bound. Nothing that is within it is lost.
func (e *Engine) hopeless(c *configuration) bool {
	if e.orphaned(c) {
		return true
	}
	outside := len(c.external)
	busy, events, open, unused, needs := 0, 0, 0, 0, 1
	for _, a := range c.actors {
		for _, q := range a.open {
			if e.outside(a.class, q.t) {
				if len(e.program.senders(a.class, q.t)) == 0 {
					outside++
				}
				continue
			}
			if open++; !e.among(c, e.program.senders(a.class, q.t)) {
				needs = 2 // a run whose entry introduces an actor that may send, and one of that actor
			}
		}
		switch {
		case a.at != nil:
			busy++
		case len(a.runs) == 0:
			unused++
		}
	}
	for _, ev := range c.pending {
		if ev.to != nil {
			events++
		}
	}
	if outside > e.config.Outside {
		e.cut("messages from outside")
		return true
	}
	if busy > 0 {
		needs-- // the run that is explored may be the one
	}
	if events > 0 && needs < 2 {
		needs = 0
	}
	if events < open && busy == 0 {
		needs = max(needs, 1)
	}
	if open == 0 {
		needs = 0
	}
	if c.runs+max(needs, unused) > e.runs {
		e.cut(cutRuns)
		return true
	}
	return false
}

// orphaned reports whether there are open requests of actors of one class for which there are too few events, and nobody who is there or may still come sends more.
func (e *Engine) orphaned(c *configuration) bool {
	for _, a := range c.actors {
		last, n := []*Class(nil), 0
		for _, q := range a.open {
			known := e.program.senders(a.class, q.t)
			if e.outside(a.class, q.t) || slices.ContainsFunc(known, func(k *Class) bool { return e.exists(c, k) }) {
				continue
			}
			if slices.ContainsFunc(c.actors, func(b *actor) bool { return slices.Contains(known, b.class) }) {
				continue
			}
			if n++; n > 1 && !slices.Equal(last, known) {
				n = 1
			}
			last = known
			events := 0
			for _, ev := range c.pending {
				if ev.to != nil && slices.Contains(known, c.by(ev.actor).class) {
					events++
				}
			}
			if events < n {
				return true
			}
		}
	}
	return false
}

// exists reports whether there may be one more actor of a class than a configuration has: classes that no handler creates have those of the start.
func (e *Engine) exists(c *configuration, class *Class) bool {
	if e.limits == nil {
		e.limits = e.program.numbers(e.start)
	}
	limit := e.limits[class]
	if limit < 0 {
		return true
	}
	n := 0
	for _, list := range [][]*actor{c.actors, c.made} {
		for _, a := range list {
			if a.class == class {
				n++
			}
		}
	}
	return n < limit
}

// numbers counts the actors of each class that there may be; -1 is any number. Classes that are not in it have none.
func (p *Program) numbers(start *system.Start) map[*Class]int {
	all := map[*Class]int{}
	for _, a := range start.Actors {
		all[p.classAt(a)]++
	}
	for more := true; more; {
		more = false
		for _, edge := range p.graph.Edges {
			if edge.Kind != flow.Create || edge.From == nil || edge.From.Environment {
				continue
			}
			for _, to := range p.classes {
				if to.Name == edge.To.Name && all[to] >= 0 && slices.ContainsFunc(p.classes, func(c *Class) bool { return c.Name == edge.From.Name && all[c] != 0 }) {
					all[to], more = -1, true
				}
			}
		}
	}
	return all
}
