package toy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// Enumeration is the result of the dumb twin.
type Enumeration struct {
	Executions int
	Classes    int            // of equivalent executions; see ClassKey for the definition
	Finals     map[string]int // executions by final state
	Violations map[string]int // executions by the key of a violation that happens in them
	Over       bool           // there are more executions than the limit
	// Ambiguous tells of two equivalent executions that end differently, "" if there are none: then independent steps do
	// not commute, and the definition of classes is wrong.
	Ambiguous string
}

// Enumerate executes every choice of every state by plain recursion over copied configurations: no pool, no trace, no
// loop, no identities. It follows the table of delivery models as literally as it can. It gives up after limit
// executions.
func Enumerate(p *Program, cond explore.Conditions, limit int) Enumeration {
	out := &enumerator{limit: limit, classes: map[string]string{}}
	out.Finals, out.Violations = map[string]int{}, map[string]int{}
	c := &config{p: p, model: cond.Model, async: cond.Timers == trace.Async, faults: cond.Faults,
		heeds: len(cond.Effects) > 0 && !cond.Faults.On(), names: map[cause]int{}, choosing: -1, mortal: -1,
		actors: []twinActor{{kind: -1, caller: -1, timer: -1}}}
	c.begin(c.actors[0].name, c.name(cause{}))
	for _, k := range p.Actors {
		c.spawn(0, k)
	}
	c.actors[0].ops = p.Driver
	c.whole = c.step
	c.run(0)
	c.settle()
	c.explore(out, 0)
	out.Classes = len(out.classes)
	return out.Enumeration
}

type enumerator struct {
	Enumeration
	limit   int
	classes map[string]string // by key: how its executions end
	spares  []*config         // by depth
}

// spare gives memory for a configuration at this depth. Only one is needed at a time.
func (e *enumerator) spare(depth int) *config {
	if depth == len(e.spares) {
		e.spares = append(e.spares, &config{})
	}
	return e.spares[depth]
}

type twinActor struct {
	kind           int
	state          registers
	at             int // its present register
	path           string
	name           int
	children       int
	stopped, waits bool
	left           bool // it has stopped, and others find that it has
	ops            []Op
	caller, sender int
	calls, request int
	answered       int // the last of its calls that was answered
	timer          int // number of the timeout of the timer set last, -1 if none
	held           []twinMessage
	seen           []int // numbers of the messages whose sends it knows of; kept under causal only
}

type twinMessage struct {
	name     int
	number   int // in the order of sending
	from, to int
	kind     trace.MessageKind
	typ      int
	value    int
	call     bool
	past     []int

	callNumber int  // of a call and its answer: among the caller's calls
	copy       bool // a fault made it
	seen       bool // a system message under mailbox: its receiver has looked for one since it arrived
}

type twinTimer struct {
	timeout  twinMessage
	deadline int
	due      bool // the mailbox models: it may fire
	// asynchronous time, mailbox: the number of what its actor had captured last when it set it, -1 if nothing
	behind int
	step   int // the name of the step that set it, of its first part
}

// config is a state of the program; pending is in the order of arrival.
type config struct {
	p        *Program
	model    trace.Model
	async    bool
	actors   []twinActor
	pending  []twinMessage
	timers   []twinTimer   // set; neither cancelled nor fired
	dead     []twinMessage // dead letters
	failed   []string      // keys of the violations so far
	sent     int           // messages and timeouts
	now      int
	advances int
	choosing int // the actor that chooses a value, -1 if none
	values   int

	faults   trace.Faults
	injected int
	taken    twinMessage   // by its receiver, which may crash at it
	begins   bool          // taken is set
	whole    int           // the name of the current step's first part
	mortal   int           // the actor that has handled a message in the current step, -1 if none
	reached  []twinMessage // what the current step put before receivers
	question []mishap      // one of which may happen now; empty: nothing is asked

	names map[cause]int // shared by all configurations
	step  int           // the name of the current step
	heeds bool          // declared effects count
	done  []cause       // what the current step sent and spawned
	log   []entry
}

// copyTo makes d equal to c, in d's own memory.
func (c *config) copyTo(d *config) {
	old := *d
	*d = *c
	d.pending = append(old.pending[:0], c.pending...)
	d.timers = append(old.timers[:0], c.timers...)
	d.dead = append(old.dead[:0], c.dead...)
	d.failed = append(old.failed[:0], c.failed...)
	d.done = append(old.done[:0], c.done...)
	d.reached = append(old.reached[:0], c.reached...)
	d.question = append(old.question[:0], c.question...)
	d.log = append(old.log[:0], c.log...)
	d.actors = old.actors[:0]
	for i := range c.actors {
		a := c.actors[i]
		if a.held = nil; i < len(old.actors) {
			a.held = old.actors[i].held[:0]
		}
		a.held = append(a.held, c.actors[i].held...)
		d.actors = append(d.actors, a)
	}
}

// explore takes every possible step, each in a copy. depth is the number of steps before.
func (c *config) explore(out *enumerator, depth int) {
	last := true
	try := func(who int, step func(d *config)) {
		last = false
		if !out.Over {
			d := out.spare(depth)
			c.copyTo(d)
			step(d)
			d.look(who)
			d.settle()
			d.explore(out, depth+1)
		}
	}
	if c.begins {
		try(c.taken.to, func(d *config) { d.handle(d.taken) })
		try(c.taken.to, func(d *config) { d.suffer(mishap{kind: trace.CrashLosing, message: d.taken, actor: d.taken.to}) })
		return
	}
	if len(c.question) > 0 {
		try(-1, func(d *config) { d.question = d.question[:0] })
		for _, f := range c.question {
			try(-1, func(d *config) { d.suffer(f) })
		}
		return
	}
	if c.choosing >= 0 {
		for v := range c.values {
			try(c.choosing, func(d *config) { d.choose(v) })
		}
		return
	}
	c.tryEach(try)
	if last && len(c.timers) > 0 {
		try(-1, (*config).advance)
	}
	if last {
		c.end(out)
	}
}

// tryEach takes the steps that need no clock to move on: releases, deliveries, timers that are due.
func (c *config) tryEach(try func(who int, step func(d *config))) {
	for a := range c.actors {
		if len(c.actors[a].held) > 0 {
			try(a, func(d *config) { d.release(a) })
		}
	}
	for i := range c.pending {
		if c.enabled(i) {
			try(c.pending[i].to, func(d *config) { d.deliver(i) })
		}
	}
	for i := range c.timers {
		if c.timers[i].due {
			try(-1, func(d *config) { d.fire(i) })
		}
	}
}

// end counts an execution.
func (c *config) end(out *enumerator) {
	final := c.final()
	out.Executions++
	out.Over = out.Executions > out.limit
	out.Finals[final]++
	slices.Sort(c.failed)
	c.failed = slices.Compact(c.failed)
	for _, v := range c.failed {
		out.Violations[v]++
	}
	key, outcome := c.class(), final+"; "+strings.Join(c.failed, "; ")
	if before, known := out.classes[key]; known && before != outcome {
		out.Ambiguous = fmt.Sprintf("%s\nand\n%s", before, outcome)
	}
	out.classes[key] = outcome
}

func (c *config) accepts(m twinMessage) bool {
	a := &c.actors[m.to]
	switch {
	case len(a.held) > 0:
		return false
	case m.kind == trace.Answer:
		return a.waits && a.calls == m.callNumber
	case a.stopped || a.waits:
		return false
	case m.kind == trace.System:
		return true
	}
	h := c.p.Kinds[a.kind][m.typ]
	return a.state[h.Register] != h.Refuse
}

// exempt reports whether no order rule speaks of m.
func (c *config) exempt(m twinMessage) bool {
	return m.kind == trace.Answer || m.kind == trace.Timeout && !c.model.Queues()
}

func (c *config) enabled(i int) bool {
	m := c.pending[i]
	if !c.accepts(m) {
		return false
	}
	if c.exempt(m) {
		return true
	}
	for j, o := range c.pending {
		if o.to != m.to || j == i || c.exempt(o) {
			continue
		}
		if o.kind == trace.System && (j < i || m.kind != trace.System) {
			if m.kind == trace.System || o.seen || c.model != trace.Mailbox {
				return false
			}
			continue // it came after the last look
		}
		if m.kind == trace.System {
			continue
		}
		switch c.model {
		case trace.FIFO:
			if o.from == m.from && o.number < m.number {
				return false
			}
		case trace.Causal:
			if slices.Contains(m.past, o.number) {
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

// final prints the actors and what was not delivered.
func (c *config) final() string {
	parts := make([]string, 0, len(c.actors)+len(c.pending)+len(c.dead))
	for _, a := range c.actors {
		parts = append(parts, finalActor(a.path, a.state, a.stopped, a.waits))
	}
	for how, ms := range [][]twinMessage{c.pending, c.dead} {
		for _, m := range ms {
			parts = append(parts, finalMessage(how == 1, c.actors[m.from].path, c.actors[m.to].path, m.kind, m.typ, m.value))
		}
	}
	slices.Sort(parts)
	return strings.Join(parts, "; ")
}

// know gives what an actor knows of, with more numbers, as a new slice.
func know(seen []int, numbers ...int) []int {
	all := slices.Concat(seen, numbers)
	slices.Sort(all)
	return slices.Compact(all)
}
