package toy

import (
	"encoding/binary"
	"slices"

	"github.com/rehearse-go/rehearse/trace"
)

// cause is what the twin names steps, messages and actors by: what they are and what led to them. Equal causes have
// equal names, in all executions of one enumeration.
type cause struct {
	from    int // name of the step, or of the message, that leads to it
	what    effect
	to      int // name of the receiver
	class   trace.MessageKind
	kind    int // of the actor or the message
	ordinal int // among the equal effects of one step
}

type effect int

const (
	_        effect = iota // the beginning of everything
	sent                   // a message, which is also the step that delivers it
	spawned                // an actor
	released               // the step that releases the message
	arrived                // the arrival of a system message
	chosen                 // the step that picks a value
	faulted                // the step that injects a fault
)

// name gives the number of a cause.
func (c *config) name(x cause) int {
	n, ok := c.names[x]
	if !ok {
		n = len(c.names) + 1
		c.names[x] = n
	}
	return n
}

// effect names something that the current step does.
func (c *config) effect(x cause) int {
	x.from = c.step
	like := x
	for _, o := range c.done {
		if o == like {
			x.ordinal++
		}
	}
	c.done = append(c.done, like)
	return c.name(x)
}

// entry is a place in one of the sequences that tell classes apart.
type entry struct {
	kind  sequence
	of    int // name of the actor
	name  int
	after int // so many advances
	free  *freedom
}

type sequence int

const (
	steps sequence = iota // of the actor, and arrivals of system messages
	box                   // what is appended to its mailbox
	late                  // user messages that reach it after it has stopped; no sequence, but a set
)

// begin notes that a step of the actor begins.
func (c *config) begin(actor, step int) {
	c.step, c.done = step, c.done[:0]
	c.log = append(c.log, entry{kind: steps, of: actor, name: step, after: c.advances})
}

// appended notes that m reaches its receiver, in the current step.
func (c *config) appended(m twinMessage) {
	to := c.actors[m.to].name
	note := func(kind sequence, name int) { c.log = append(c.log, entry{kind, to, name, c.advances, nil}) }
	if m.kind == trace.System {
		note(steps, c.name(cause{from: m.name, what: arrived}))
		return
	}
	if m.kind == trace.User && c.actors[m.to].left {
		note(late, m.name)
	}
	if m.kind != trace.Answer && c.model.Queues() {
		note(box, m.name)
	}
}

// class encodes the sequences, in an order that does not depend on the execution.
func (c *config) class() string {
	log := c.sorted()
	var key []byte
	for i, e := range log {
		if i == 0 || e.of != log[i-1].of || e.kind != log[i-1].kind {
			key = append(key, loosen(log[i:], c.model)...)
		}
		e = log[i] // which may have been sorted now
		key = append(key, byte(e.kind))
		key = binary.AppendUvarint(key, uint64(e.of))
		key = binary.AppendUvarint(key, uint64(e.name))
		key = binary.AppendUvarint(key, uint64(e.after))
	}
	return string(key)
}

// spot is where an entry stands, and what it is sorted by: it is smaller than an entry, and this is done for every
// execution.
type spot struct{ kind, of, name, at int32 }

// sorted gives the sequences one after the other, those that are sets by name.
func (c *config) sorted() []entry {
	spots := make([]spot, len(c.log))
	for i := range c.log {
		e := &c.log[i]
		spots[i] = spot{kind: int32(e.kind), of: int32(e.of), at: int32(i)}
		if e.kind == late {
			spots[i].name = int32(e.name)
		}
	}
	slices.SortFunc(spots, func(x, y spot) int {
		switch {
		case x.kind != y.kind:
			return int(x.kind - y.kind)
		case x.of != y.of:
			return int(x.of - y.of)
		case x.name != y.name:
			return int(x.name - y.name)
		}
		return int(x.at - y.at)
	})
	log := make([]entry, len(spots))
	for i, s := range spots {
		log[i] = c.log[s.at]
	}
	return log
}
