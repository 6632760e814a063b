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
	busy, events, open := 0, 0, 0
	for _, a := range c.actors {
		outside := len(e.shapes(a)) > 0
		if !outside {
			open += len(a.open)
		}
		if a.at != nil {
			busy++
			if !outside {
				open++ // the message of its run
			}
		}
	}
	for _, ev := range c.pending {
		if ev.to != nil {
			events++
		}
	}
	unused := 0
	for _, a := range c.actors {
		if a.at == nil && len(a.runs) == 0 {
			unused++
		}
	}
	if c.runs+unused > e.runs {
		e.cut(cutRuns)
		return true
	}
	if events >= open {
		return false
	}
	needs := 1 // a run that sends
	if slices.ContainsFunc(c.actors, func(a *actor) bool { return a.at != nil && e.program.sends(a.class) }) {
		needs = 0
	}
	for _, a := range c.actors {
		known := e.program.predecessors(a.class)
		if events == 0 && len(a.open) > 0 && len(e.shapes(a)) == 0 && !slices.ContainsFunc(c.actors, func(b *actor) bool { return slices.Contains(known, b.class) }) {
			needs = 2 // one whose entry introduces an actor of a class that may send, and one of that class
			if busy > 0 {
				needs = 1
			}
		}
	}
	if c.runs+needs > e.runs {
		e.cut(cutRuns)
		return true
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

// sends reports whether handlers of a class may send anything, by the message flow graph.
func (p *Program) sends(c *Class) bool {
	return slices.ContainsFunc(p.classes, func(other *Class) bool { return slices.Contains(p.predecessors(other), c) })
}
