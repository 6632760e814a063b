package profile

import (
	"github.com/rehearse-go/rehearse/internal/cover"
	"github.com/rehearse-go/rehearse/trace"
)

// What must happen before what is looked for in few executions: it costs about as much as a short one. Those that show
// an order for the first time; while an order is open, the first lookOften with it, and then the powers of two;
// maxLooks in all. In such an execution a receive is paired with the nearest ones before it and with the last one of
// each type.
const (
	lookOften = 64
	maxLooks  = 1024
	nearest   = 32
)

// seen marks an order of a collector that was seen; in a profile every order was.
const seen Flags = 1 << 7

// Collector makes a profile of executions under one delivery model.
//
//	invariants: I1 what was observed stays: flags are only added
//	cost:       of an execution the number of asynchronous receives times that of message types of their actor; memory
//	            does not grow with executions, but for the number of types and reversals.groups
type Collector struct {
	model  trace.Model
	types  map[string]*actorType
	actors []sequence // of the trace that is being observed
	reversals
	news   bool // since the last call of AddTo
	open   int  // executions with an order that is open
	looked int  // executions in which it was looked for what must happen before what
}

// NewCollector makes a collector that has seen nothing.
func NewCollector(model trace.Model) *Collector {
	return &Collector{model: model, types: map[string]*actorType{}, reversals: reversals{groups: map[groupKey]*group{}}}
}

// actorType is what actors of a type received.
type actorType struct {
	number   map[string]int32 // of message types
	messages []string
	orders   [][]Flags // by first and second; 0: not seen
}

// sequence is the asynchronous receives of an actor in an execution.
type sequence struct {
	of     *actorType // nil: none so far
	past   []receive
	met    []met   // by message type, in the order of their first receives
	since  []int32 // types received since the last one that changed the handlers, that one included; all if none did
	change int32   // type of that one, -1 if none
}

type receive struct{ typ, message int32 }

// met is a message type in a sequence.
type met struct {
	receive // the first
	row
}

// Observe adds an execution, or the beginning of one.
func (c *Collector) Observe(tr *trace.Trace) {
	for len(c.actors) < len(tr.Actors) {
		c.actors = append(c.actors, sequence{})
	}
	for i := range tr.Actors {
		c.actors[i].of = nil
	}
	fresh, open := false, false
	for e := range tr.Events {
		if !cover.Asynchronous(tr, e) {
			continue
		}
		s := &tr.Events[e].Step
		q := &c.actors[s.Actor]
		if q.of == nil {
			q.begin(c.actorType(tr.Actors[s.Actor].Type.Name))
		}
		f, o := c.receive(tr, q, s.Message, tr.Events[e].Changes)
		fresh, open = fresh || f, open || o
	}
	if open {
		c.open++
		if c.looked < maxLooks && (fresh || c.open <= lookOften || c.open&(c.open-1) == 0) {
			c.looked++
			c.look(tr)
		}
	}
}

func (c *Collector) actorType(name string) *actorType {
	t := c.types[name]
	if t == nil {
		t = &actorType{number: map[string]int32{}}
		c.types[name], c.news = t, true
	}
	return t
}

// message gives the number of a message type.
func (t *actorType) message(name string) (n int32, fresh bool) {
	n, ok := t.number[name]
	if ok {
		return n, false
	}
	n = int32(len(t.messages))
	t.number[name] = n
	t.messages = append(t.messages, name)
	for i := range t.orders {
		t.orders[i] = append(t.orders[i], 0)
	}
	t.orders = append(t.orders, make([]Flags, n+1))
	return n, true
}

// open reports whether it is worth knowing if the order is forced. It was seen, always with messages that must come so
// as far as was looked, and never the other way round.
func (t *actorType) open(a, b int32) bool {
	f := t.orders[a][b]
	return f&(seen|Free|Reversed) == seen && (a == b || t.orders[b][a] == 0)
}

func (q *sequence) begin(t *actorType) {
	q.of, q.past, q.met, q.since, q.change = t, q.past[:0], q.met[:0], q.since[:0], -1
}

// receive appends a receive to the sequence, with the orders that it makes with those before. fresh: one is new. open:
// one is.
func (c *Collector) receive(tr *trace.Trace, q *sequence, message int32, changes bool) (fresh, open bool) {
	b, fresh := q.of.message(tr.Messages[message].Type.Name)
	again := false
	for i := range q.met {
		m := &q.met[i]
		f := seen
		if changes && has(q.since, m.typ) || !changes && q.change == m.typ {
			f |= Changes
		}
		if m.typ == b {
			again = true
			if q.of.orders[b][b]&Reversed == 0 && c.reverses(tr, q.of, m, message) {
				f |= Reversed
			}
		}
		was := &q.of.orders[m.typ][b]
		fresh = fresh || f&^*was&(seen|Reversed) != 0
		c.news = c.news || f&^*was != 0
		*was |= f
		open = open || q.of.open(m.typ, b)
	}
	c.news = c.news || fresh
	if changes {
		q.since, q.change = q.since[:0], b
	}
	if !has(q.since, b) {
		q.since = append(q.since, b)
	}
	if !again {
		q.met = append(q.met, met{receive: receive{b, message}})
	}
	q.past = append(q.past, receive{b, message})
	return fresh, open
}

func has(list []int32, n int32) bool {
	for _, x := range list {
		if x == n {
			return true
		}
	}
	return false
}

// look finds out which open orders of the execution were forced.
func (c *Collector) look(tr *trace.Trace) {
	order := cover.NewOrder(tr, c.model)
	var last []int32 // by message type: its last receive
	for i := range tr.Actors {
		q := &c.actors[i]
		if q.of == nil {
			continue
		}
		last = append(last[:0], make([]int32, len(q.of.messages))...)
		for j := range q.past {
			y := &q.past[j]
			for k := max(0, j-nearest); k < j; k++ {
				c.decide(order, q.of, &q.past[k], y)
			}
			for _, k := range last {
				if k > 0 && int(k-1) < j-nearest {
					c.decide(order, q.of, &q.past[k-1], y)
				}
			}
			last[y.typ] = int32(j) + 1
		}
	}
}

// decide notes whether x must come before y, if that is worth knowing.
func (c *Collector) decide(order cover.Order, t *actorType, x, y *receive) {
	if !t.open(x.typ, y.typ) {
		return
	}
	must, known := order.Must(x.message, y.message)
	f := Free
	if must {
		f = Forced
	}
	if was := &t.orders[x.typ][y.typ]; known && *was&f == 0 {
		*was |= f
		c.news = true
	}
}

// News reports whether AddTo would add something that it did not add before.
func (c *Collector) News() bool { return c.news }

// AddTo adds what was collected to the profile of a test.
func (c *Collector) AddTo(p *Profile, t Test) {
	for name, a := range c.types {
		d := p.Of(t, name)
		for _, m := range a.messages {
			d.Received[m] = true
		}
		for i := range a.orders {
			for j, f := range a.orders[i] {
				if f != 0 {
					d.see(a.messages[i], a.messages[j], f&allFlags)
				}
			}
		}
	}
	c.news = false
}
