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
	Classes    int            // of equivalent executions; see ClassKey for the definition
	Finals     map[string]int // executions by final state
	Violations map[string]int // executions by the key of a violation that happens in them
	Over       bool           // there are more executions than the limit
	// Ambiguous tells of two equivalent executions that end differently, "" if there are none: then independent steps do not
	// commute, and the definition of classes is wrong.
	Ambiguous string
}

// Enumerate executes every choice of every state by plain recursion over copied configurations: no pool, no trace, no loop, no
// identities. It follows the table of delivery models as literally as it can.
func Enumerate(p *Program, model trace.Model, limit int) Enumeration {
	out := Enumeration{Finals: map[string]int{}, Violations: map[string]int{}}
	classes := map[string]string{}
	c := &config{p: p, model: model, names: map[cause]int{}, actors: []twinActor{{kind: -1, caller: -1}}}
	c.begin(c.actors[0].name, c.name(cause{}))
	for _, k := range p.Actors {
		c.spawn(0, k)
	}
	c.actors[0].ops = p.Driver
	c.run(0)
	c.release(0)
	c.explore(&out, classes, limit)
	out.Classes = len(classes)
	return out
}

type twinActor struct {
	kind, state    int
	path           string
	name           int
	children       int
	stopped, waits bool
	ops            []Op
	caller, sender int
	held           []twinMessage
	seen           map[int]bool // numbers of the messages whose sends it knows of
}

type twinMessage struct {
	name     int
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
	sent    int           // messages
	left    []twinMessage // dead letters
	failed  []string      // keys of the violations so far

	names map[cause]int // shared by all configurations
	step  int           // the name of the current step
	sends []cause       // of the current step, and what it spawned
	log   []entry
}

func (c *config) clone() *config {
	d := *c
	d.pending = slices.Clone(c.pending)
	d.left, d.failed, d.sends, d.log = slices.Clone(c.left), slices.Clone(c.failed), slices.Clone(c.sends), slices.Clone(c.log)
	d.actors = slices.Clone(c.actors)
	for i := range d.actors {
		d.actors[i].held = slices.Clone(d.actors[i].held)
		d.actors[i].seen = maps.Clone(d.actors[i].seen)
	}
	return &d
}

func (c *config) explore(out *Enumeration, classes map[string]string, limit int) {
	if out.Over {
		return
	}
	last := true
	for a := range c.actors {
		if len(c.actors[a].held) > 0 {
			last = false
			d := c.clone()
			d.begin(d.actors[a].name, d.name(cause{from: d.actors[a].held[0].name, what: released}))
			d.release(a)
			d.explore(out, classes, limit)
		}
	}
	for i := range c.pending {
		if c.enabled(i) {
			last = false
			d := c.clone()
			d.deliver(i)
			d.explore(out, classes, limit)
		}
	}
	if last {
		c.end(out, classes)
		out.Over = out.Executions > limit
	}
}

// end counts an execution.
func (c *config) end(out *Enumeration, classes map[string]string) {
	final := c.final()
	out.Executions++
	out.Finals[final]++
	slices.Sort(c.failed)
	c.failed = slices.Compact(c.failed)
	for _, v := range c.failed {
		out.Violations[v]++
	}
	key := c.class()
	outcome := fmt.Sprintf("%s; violations %q", final, c.failed)
	if before, known := classes[key]; known && before != outcome {
		out.Ambiguous = fmt.Sprintf("%s\nand\n%s", before, outcome)
	}
	classes[key] = outcome
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
	c.begin(a.name, m.name)
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
		if a.state == h.Fail {
			c.failed = append(c.failed, fmt.Sprintf("assertion: toy.K%d: toy.M%d: K%d.M%d", a.kind, m.typ, a.kind, m.typ))
		}
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
	c.actors = append(c.actors, twinActor{kind: kind, path: fmt.Sprintf("%s/%d", c.actors[by].path, c.actors[by].children), caller: -1,
		name: c.effect(cause{what: spawned, kind: kind})})
	return len(c.actors) - 1
}

func (c *config) send(m twinMessage) {
	m.name = c.effect(cause{what: sent, to: c.actors[m.to].name, class: m.class, kind: m.typ})
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
	c.appended(m)
	if c.actors[m.to].stopped {
		c.left = append(c.left, m)
		return
	}
	c.pending = append(c.pending, m)
}

func (c *config) release(n int) {
	if a := &c.actors[n]; len(a.held) > 0 {
		m := a.held[0]
		a.held = slices.Delete(a.held, 0, 1)
		c.arrive(m)
	}
}

// final prints the actors and what was not delivered. Whether the receiver of such a message had stopped before it came (a dead
// letter) or after makes no difference here, since no model says that the two depend on each other.
func (c *config) final() string {
	var parts []string
	for _, a := range c.actors {
		parts = append(parts, fmt.Sprintf("%s=%d %v %v", a.path, a.state, a.stopped, a.waits))
	}
	for _, m := range slices.Concat(c.pending, c.left) {
		parts = append(parts, fmt.Sprintf("left %s>%s %d %d %d", c.actors[m.from].path, c.actors[m.to].path, m.class, m.typ, m.value))
	}
	slices.Sort(parts)
	return strings.Join(parts, "; ")
}
