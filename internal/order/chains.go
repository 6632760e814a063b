package order

import (
	"github.com/rehearse-go/rehearse/trace"
)

// chain is one way from a handler to a message for an actor of some type.
type chain struct {
	length  int     // handlers of it, both ends included
	through []int32 // rows of the handlers between
	depth   int     // conditions that all its calls are under
	any     bool    // something undeclared is between, so that all types of actors may be
}

// maxChains bounds the chains that are told apart between a handler and a type of actor; what is beyond weighs nothing.
const maxChains = 256

// chains are the chains of declared calls, found when they are asked for.
type chains struct {
	calls   trace.Calls
	literal bool
	rows    map[handled]int32
	found   map[leading][]chain
	leads   map[leading]bool
	next    [][]int32 // by row, by call: the row of what is called, -1 if nothing is declared of it
}

type handled struct{ actor, message *trace.Type }

type leading struct {
	row   int32
	actor *trace.Type
}

// newChains finds for each handler which handlers may follow it, by what it may send.
func newChains(calls trace.Calls, literal bool) *chains {
	c := &chains{calls: calls, literal: literal, rows: map[handled]int32{}, found: map[leading][]chain{},
		leads: map[leading]bool{}}
	for i := range calls {
		var next []int32
		for _, d := range calls[i].May {
			// Where it is not known who receives it, what comes of it is not either.
			row := -1
			if d.Actor != trace.Anybody {
				row = calls.Of(d.Actor, d.Message)
			}
			next = append(next, int32(row))
		}
		c.next = append(c.next, next)
	}
	return c
}

// row gives what is declared of a handler, -1 if nothing is.
func (c *chains) row(actor, message *trace.Type) int32 {
	k := handled{actor, message}
	r, ok := c.rows[k]
	if !ok {
		r = int32(c.calls.Of(actor.Name, message.Name))
		c.rows[k] = r
	}
	return r
}

// undeclared leads from a handler that nothing is declared of to any actor: at once, and by way of others.
var undeclared = []chain{{length: 2}, {length: 3, any: true}}

// lead reports whether there is a chain from a handler to actors of a type.
func (c *chains) lead(row int32, actor *trace.Type) bool {
	if row < 0 {
		return true
	}
	k := leading{row, actor}
	leads, ok := c.leads[k]
	if !ok {
		leads = c.reach(row, actor, make([]bool, len(c.calls)))
		c.leads[k] = leads
	}
	return leads
}

// reach reports whether a handler, or one that it leads to, may send to an actor of that type. What sends to nobody
// knows whom may.
func (c *chains) reach(row int32, actor *trace.Type, seen []bool) bool {
	for i, d := range c.calls[row].May {
		next := c.next[row][i]
		if next < 0 || trace.SameType(d.Actor, actor.Name) {
			return true
		}
		if !seen[next] {
			seen[next] = true
			if c.reach(next, actor, seen) {
				return true
			}
		}
	}
	return false
}

// to gives the chains from a handler to actors of a type.
func (c *chains) to(row int32, actor *trace.Type) []chain {
	if row < 0 {
		return undeclared
	}
	k := leading{row, actor}
	found, ok := c.found[k]
	if !ok {
		w := walk{chains: c, first: row, actor: actor, on: make([]bool, len(c.calls))}
		w.from(row, 0)
		found = w.found
		c.found[k] = found
	}
	return found
}

// walk finds chains depth first.
type walk struct {
	*chains
	first int32
	actor *trace.Type
	path  []int32 // rows after the first
	on    []bool  // by row: it is on the path
	found []chain
}

// from adds the chains that go on behind a handler, depth first. A handler is on a chain once, else a cycle would have
// chains without end. Where it is not known who receives, the chain may lead anywhere, and ends.
func (w *walk) from(row int32, depth int) {
	for i, d := range w.calls[row].May {
		if len(w.found) >= maxChains || !w.lead(row, w.actor) {
			return
		}
		next := w.next[row][i]
		if d.To(w.actor.Name) && !(w.literal && next >= 0 && w.on[next]) {
			w.found = append(w.found,
				chain{length: len(w.path) + 2, through: append([]int32(nil), w.path...), depth: depth + d.Depth})
		}
		if next < 0 {
			w.found = append(w.found, chain{length: len(w.path) + 3, depth: depth + d.Depth, any: true})
			continue
		}
		if w.on[next] || w.literal && next == w.first {
			continue
		}
		w.on[next] = true
		w.path = append(w.path, next)
		w.from(next, depth+d.Depth)
		w.path = w.path[:len(w.path)-1]
		w.on[next] = false
	}
}

// leadsThrough reports whether a handler between the ends of a chain is one of actors of the type.
func (c *chains) leadsThrough(ch *chain, actor *trace.Type) bool {
	for _, r := range ch.through {
		if trace.SameType(c.calls[r].Actor, actor.Name) {
			return true
		}
	}
	return false
}
