package toy

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/trace"
)

// Enumeration is the result of the dumb twin.
type Enumeration struct {
	Executions int
	Finals     map[string]int // executions by final state
	Over       bool           // there are more executions than the limit
}

// Enumerate executes every choice of every state by plain recursion over copied configurations: no pool, no trace, no loop, no
// identities. It follows the table of delivery models as literally as it can.
func Enumerate(p *Program, model trace.Model, limit int) Enumeration {
	out := Enumeration{Finals: map[string]int{}}
	c := &config{p: p, model: model, actors: []twinActor{{kind: -1, caller: -1}}}
	for _, k := range p.Actors {
		c.spawn(0, k)
	}
	c.actors[0].ops = p.Driver
	c.run(0)
	c.release(0)
	c.explore(&out, limit)
	return out
}

type twinActor struct {
	kind, state    int
	path           string
	children       int
	stopped, waits bool
	ops            []Op
	caller, sender int
	held           []twinMessage
	seen           map[int]bool // numbers of the messages whose sends it knows of
}

type twinMessage struct {
	number   int // in the order of sending
	from, to int
	class    trace.Class
	typ      int
	value    int
	call     bool
	past     map[int]bool
}

// config is a state of the program; pending is in the order of arrival.
type config struct {
	p       *Program
	model   trace.Model
	actors  []twinActor
	pending []twinMessage
	sent    int
}

func (c *config) clone() *config {
	d := *c
	d.pending = slices.Clone(c.pending)
	d.actors = slices.Clone(c.actors)
	for i := range d.actors {
		d.actors[i].held = slices.Clone(d.actors[i].held)
		d.actors[i].seen = maps.Clone(d.actors[i].seen)
	}
	return &d
}

func (c *config) explore(out *Enumeration, limit int) {
	if out.Over {
		return
	}
	last := true
	for a := range c.actors {
		if len(c.actors[a].held) > 0 {
			last = false
			d := c.clone()
			d.release(a)
			d.explore(out, limit)
		}
	}
	for i := range c.pending {
		if c.enabled(i) {
			last = false
			d := c.clone()
			d.deliver(i)
			d.explore(out, limit)
		}
	}
	if last {
		out.Executions++
		out.Finals[c.final()]++
		out.Over = out.Executions > limit
	}
}

func (c *config) accepts(m twinMessage) bool {
	a := &c.actors[m.to]
	switch {
	case len(a.held) > 0:
		return false
	case m.class == trace.Answer:
		return a.waits
	case a.stopped || a.waits:
		return false
	case m.class == trace.System:
		return true
	}
	return a.state != c.p.Kinds[a.kind][m.typ].Refuse
}

func (c *config) enabled(i int) bool {
	m := c.pending[i]
	if !c.accepts(m) {
		return false
	}
	if m.class == trace.Answer {
		return true
	}
	for j, o := range c.pending {
		if o.to != m.to || j == i || o.class == trace.Answer {
			continue
		}
		if o.class == trace.System && (m.class == trace.User || j < i) {
			return false
		}
		if m.class == trace.System {
			continue
		}
		switch c.model {
		case trace.FIFO:
			if o.from == m.from && o.number < m.number {
				return false
			}
		case trace.Causal:
			if m.past[o.number] {
				return false
			}
		case trace.Mailbox, trace.MailboxSerial:
			if j < i && c.accepts(o) {
				return false
			}
		}
	}
	return true
}

func (c *config) deliver(i int) {
	m := c.pending[i]
	c.pending = slices.Delete(c.pending, i, i+1)
	a := &c.actors[m.to]
	if a.seen == nil {
		a.seen = map[int]bool{}
	}
	maps.Copy(a.seen, m.past)
	a.seen[m.number] = true
	switch m.class {
	case trace.System:
		a.stopped = true
		c.release(m.to)
		return
	case trace.Answer:
		a.waits = false
		a.state = (a.state + m.value) % Modulus
	default:
		h := c.p.Kinds[a.kind][m.typ]
		a.state = (a.state*h.Mul + h.Add + m.value) % Modulus
		a.ops, a.sender, a.caller = h.Ops, m.from, -1
		if m.call {
			a.caller = m.from
		}
	}
	c.run(m.to)
	c.release(m.to)
}

func (c *config) run(n int) {
	for len(c.actors[n].ops) > 0 {
		op := c.actors[n].ops[0]
		c.actors[n].ops = c.actors[n].ops[1:]
		if op.When >= 0 && c.actors[n].state%2 != op.When {
			continue
		}
		m := twinMessage{from: n, to: op.To + 1, typ: op.Message, value: c.actors[n].state}
		switch op.Kind {
		case Answer:
			if m.to = c.actors[n].sender; m.to == 0 {
				continue
			}
		case Call:
			if m.to == n {
				continue
			}
			m.call, c.actors[n].waits = true, true
		case Spawn:
			m.to = c.spawn(n, op.To)
		case Kill:
			m.class = trace.System
		case Quit:
			c.actors[n].stopped = true
			continue
		}
		c.send(m)
		if m.call {
			return
		}
	}
	if a := &c.actors[n]; a.caller >= 0 {
		c.send(twinMessage{from: n, to: a.caller, class: trace.Answer, value: a.state})
		c.actors[n].caller = -1
	}
}

func (c *config) spawn(by, kind int) int {
	c.actors[by].children++
	c.actors = append(c.actors, twinActor{kind: kind, path: fmt.Sprintf("%s/%d", c.actors[by].path, c.actors[by].children), caller: -1})
	return len(c.actors) - 1
}

func (c *config) send(m twinMessage) {
	m.number = c.sent
	c.sent++
	a := &c.actors[m.from]
	m.past = maps.Clone(a.seen)
	if a.seen == nil {
		a.seen = map[int]bool{}
	}
	a.seen[m.number] = true
	if c.model == trace.Mailbox && m.class != trace.Answer {
		a.held = append(a.held, m)
		return
	}
	c.arrive(m)
}

func (c *config) arrive(m twinMessage) {
	if !c.actors[m.to].stopped {
		c.pending = append(c.pending, m)
	}
}

func (c *config) release(n int) {
	if a := &c.actors[n]; len(a.held) > 0 {
		m := a.held[0]
		a.held = slices.Delete(a.held, 0, 1)
		c.arrive(m)
	}
}

func (c *config) final() string {
	var parts []string
	for _, a := range c.actors {
		parts = append(parts, fmt.Sprintf("%s=%d %v %v", a.path, a.state, a.stopped, a.waits))
	}
	for _, m := range c.pending {
		parts = append(parts, fmt.Sprintf("left %s>%s %d %d %d", c.actors[m.from].path, c.actors[m.to].path, m.class, m.typ, m.value))
	}
	slices.Sort(parts)
	return strings.Join(parts, "; ")
}
