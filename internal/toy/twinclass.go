package toy

import (
	"encoding/binary"
	"slices"

	"github.com/rehearse-go/rehearse/trace"
)

// cause is what the twin names steps, messages and actors by: what they are and what led to them. Equal causes have equal names,
// in all executions of one enumeration.
type cause struct {
	from    int // name of the step, or of the message, that leads to it
	what    effect
	to      int // name of the receiver
	class   trace.Class
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
	box   bool // the sequence is of the actor's mailbox; else of its steps
	of    int  // name of the actor
	name  int
	after int // so many advances
}

// begin notes that a step of the actor begins.
func (c *config) begin(actor, step int) {
	c.step, c.done = step, c.done[:0]
	c.log = append(c.log, entry{of: actor, name: step, after: c.advances})
}

// appended notes that m reaches its receiver, in the current step.
func (c *config) appended(m twinMessage) {
	to := c.actors[m.to].name
	switch {
	case m.class == trace.System:
		c.log = append(c.log, entry{of: to, name: c.name(cause{from: m.name, what: arrived}), after: c.advances})
	case m.class != trace.Answer && c.queues():
		c.log = append(c.log, entry{box: true, of: to, name: m.name, after: c.advances})
	}
}

// class encodes the sequences, in an order that does not depend on the execution.
func (c *config) class() string {
	log := slices.Clone(c.log)
	slices.SortStableFunc(log, func(x, y entry) int {
		if x.box != y.box {
			if x.box {
				return 1
			}
			return -1
		}
		return x.of - y.of
	})
	var key []byte
	for _, e := range log {
		if e.box {
			key = append(key, 1)
		} else {
			key = append(key, 0)
		}
		key = binary.AppendUvarint(key, uint64(e.of))
		key = binary.AppendUvarint(key, uint64(e.name))
		key = binary.AppendUvarint(key, uint64(e.after))
	}
	return string(key)
}
