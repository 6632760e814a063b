package tap

import (
	"go/types"
	"slices"

	"github.com/rehearse-go/rehearse/static/flow"
	"github.com/rehearse-go/rehearse/symbolic/system"
)

// hopeless reports whether open requests cannot be met within the bound: there are not enough events for them, and too
// few messages may still be handled to make more.
//
// Differs: the paper has no bound. Nothing that is within it is lost.
func (e *Engine) hopeless(c *configuration) bool {
	if e.orphaned(c) || slices.ContainsFunc(c.actors, func(a *actor) bool {
		return slices.ContainsFunc(a.open, func(q *request) bool { return !e.stirred(c, q.time) })
	}) {
		return true
	}
	n := e.lacks(c)
	if n.outside > e.config.Outside {
		e.cut("messages from outside")
		return true
	}
	if c.runs+max(n.runs(), n.unused) > e.runs {
		e.cut(cutRuns)
		return true
	}
	return false
}

// lack counts what a configuration still needs.
type lack struct {
	outside int  // messages from outside, those that it has included
	open    int  // requests for messages that come from actors
	events  int  // that are sent and not received
	unused  int  // actors that have handled nothing yet
	busy    bool // a handler is explored
	absent  bool // there is a request for a message that nobody who is there sends
}

func (e *Engine) lacks(c *configuration) (n lack) {
	n.outside = len(c.external)
	for _, a := range c.actors {
		for _, q := range a.open {
			if !q.answer && e.fromOutsideOnly(a.class, q.t) {
				n.outside++
			}
			if !e.mayBeOutside(a, q) {
				n.open++
				n.absent = n.absent || !e.among(c, e.sendersOf(a, q))
			}
		}
		switch {
		case a.at != nil, len(a.tasks) > 0:
			n.busy = true
		case len(a.runs) == 0:
			n.unused++
		}
	}
	for _, ev := range c.pending {
		if ev.to != nil {
			n.events++
		}
	}
	return n
}

// runs is how many more messages must be handled at least, so that the open requests can be met.
func (n lack) runs() int {
	if n.open == 0 {
		return 0
	}
	needs := 1
	if n.absent {
		needs = 2 // a run whose entry introduces an actor that may send, and one of that actor
	}
	if n.busy {
		needs-- // the run that is explored may be the one
	}
	if n.events > 0 && needs < 2 {
		needs = 0
	}
	if n.events < n.open && !n.busy {
		needs = max(needs, 1)
	}
	return needs
}

// stirred reports whether something may still make an actor handle a message, at a time that is before all that it has
// handled, or that of an open request. In the end that is a message from outside. Either there may be one more, or
// there is one that need not come later.
func (e *Engine) stirred(c *configuration, at int) bool {
	var times []int
	for _, x := range c.external {
		times = append(times, x.req.time)
	}
	for _, b := range c.actors {
		for _, q := range b.open {
			if !q.answer && e.fromOutsideOnly(b.class, q.t) {
				times = append(times, q.time)
			}
		}
	}
	if len(times) < e.config.Outside || slices.Contains(times, at) {
		return true
	}
	late := c.order.behind(at)
	if slices.ContainsFunc(times, func(t int) bool { return !late[t] }) {
		return true
	}
	e.cut("messages from outside")
	return false
}

// fromOutsideOnly reports whether messages of a type come to actors of a class from outside, and from nobody else.
func (e *Engine) fromOutsideOnly(class *Class, t types.Type) bool {
	return e.outside(class, t) && len(e.program.senders(class, t)) == 0
}

// useless reports whether a run has done nothing that another one may need. Without it, and without its message, the
// rest is as possible as before. But with channels that keep their order a message that somebody has sent may have to
// be out of the way.
func (e *Engine) useless(a *actor, kind types.Type) bool {
	target := a.id == 1 && len(a.runs) == 0
	return !a.acts && !target && !e.config.Literal && (!e.config.FIFO || kind != nil && e.fromOutsideOnly(a.class, kind))
}

// orphaned reports whether there are open requests of actors of one class for which there are too few events, and
// nobody who is there or may still come sends more.
func (e *Engine) orphaned(c *configuration) bool {
	for _, a := range c.actors {
		last, n := []*Class(nil), 0
		for _, q := range a.open {
			known := e.sendersOf(a, q)
			if e.mayBeOutside(a, q) || slices.ContainsFunc(known, func(k *Class) bool { return e.exists(c, k) }) {
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

// exists reports whether there may be one more actor of a class than a configuration has: classes that no handler
// creates have those of the start.
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
				if to.is(edge.To) && all[to] >= 0 &&
					slices.ContainsFunc(p.classes, func(c *Class) bool { return c.is(edge.From) && all[c] != 0 }) {
					all[to], more = -1, true
				}
			}
		}
	}
	return all
}
