package causal

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// walks calls f for random executions of random programs, under all models and timer modes.
func walks(t *testing.T, f func(cond string, model trace.Model, timers trace.TimerMode, p *toy.Program, tr *trace.Trace)) {
	t.Helper()
	for _, cond := range conditions() {
		for seed := range uint64(80) {
			p := toy.Random(seed, toy.Full)
			explored(t, p, sample.NewRandom(seed), cond, 5, func(tr *trace.Trace) {
				f(cond.Model.String()+" "+cond.Timers.String(), cond.Model, cond.Timers, p, tr)
			})
		}
	}
}

// naive is what the definition of toy.ClassKey says about an event, in sets of actors and messages.
type naive struct {
	steps, boxes, systems, stops, reached, timers map[int32]bool
	advance                                       bool
}

func describe(model trace.Model, e *trace.Event, tr *trace.Trace) naive {
	n := naive{map[int32]bool{}, map[int32]bool{}, map[int32]bool{}, map[int32]bool{}, map[int32]bool{}, map[int32]bool{}, e.Step.Kind == trace.Advance}
	queues := model.Queues()
	if e.Step.Kind == trace.Timer {
		n.timers[e.Step.Message], n.boxes[e.Step.Actor] = true, true
	} else {
		n.steps[e.Step.Actor] = true
	}
	for _, a := range e.Stopped {
		n.stops[a] = true
	}
	n.ofTimers(e, tr)
	arrive := e.Sent
	if model == trace.Mailbox {
		arrive = nil
		if e.Released >= 0 {
			arrive = []int32{e.Released}
		}
	}
	for _, m := range arrive {
		switch msg := &tr.Messages[m]; msg.Kind {
		case trace.System:
			n.systems[msg.Receiver] = true
		case trace.User:
			n.reached[msg.Receiver] = true
			if queues {
				n.boxes[msg.Receiver] = true
			}
		}
	}
	return n
}

// ofTimers notes the timers that the event sets or cancels.
func (n *naive) ofTimers(e *trace.Event, tr *trace.Trace) {
	for _, m := range e.Cancelled {
		n.timers[m] = true
	}
	for m := range tr.Messages {
		touched := slices.ContainsFunc(e.Touched, func(x trace.Touch) bool { return x.Object == tr.Messages[m].ID })
		if touched || tr.Messages[m].Kind == trace.Timeout && slices.Contains(e.Sent, int32(m)) {
			n.timers[int32(m)] = true
		}
	}
}

func meet(x, y map[int32]bool) bool {
	for k := range x {
		if y[k] {
			return true
		}
	}
	return false
}

// dependent is D1 to D6.
func (n *naive) dependent(m *naive) bool {
	return n.advance || m.advance || meet(n.steps, m.steps) || meet(n.boxes, m.boxes) ||
		meet(n.systems, m.steps) || meet(n.steps, m.systems) || meet(n.systems, m.systems) ||
		meet(n.stops, m.reached) || meet(n.reached, m.stops) || meet(n.timers, m.timers)
}

// closure gives happens-before of macro-steps from its definition: all pairs, and then all triples.
func closure(model trace.Model, o *Order, tr *trace.Trace) [][]bool {
	n := len(tr.Events)
	before := make([][]bool, n)
	events := make([]naive, n)
	for e := range n {
		before[e] = make([]bool, n)
		events[e] = describe(model, &tr.Events[e], tr)
	}
	for e := range n {
		for i := range e {
			if hi, he := o.Head(int32(i)), o.Head(int32(e)); hi != he && (events[i].dependent(&events[e]) || sends(tr, i, e)) {
				before[hi][he] = true
			}
		}
	}
	for k := range n {
		for i := range n {
			for e := range n {
				before[i][e] = before[i][e] || before[i][k] && before[k][e]
			}
		}
	}
	return before
}

// sends reports whether event i made the message of event e, or let it arrive.
func sends(tr *trace.Trace, i, e int) bool {
	m := tr.Events[e].Step.Message
	x := &tr.Events[i]
	return m >= 0 && (slices.Contains(x.Sent, m) || x.Released == m || slices.Contains(x.Due, m))
}

// Happens-before is the closure of the definition.
func TestAgainstClosure(t *testing.T) {
	walks(t, func(cond string, model trace.Model, timers trace.TimerMode, p *toy.Program, tr *trace.Trace) {
		o := New(model, timers)
		o.Extend(tr, len(tr.Events))
		want := closure(model, o, tr)
		for e := range int32(o.Len()) {
			for i := range e {
				if o.Head(i) == i && i != o.Head(e) && o.Before(i, e) != want[i][o.Head(e)] {
					t.Fatalf("%s: %s before %s: %t, want %t\n%s", cond, tr.StepName(*o.Step(i)), tr.StepName(*o.Step(e)), o.Before(i, e), want[i][o.Head(e)], p)
				}
			}
		}
	})
}

// The axioms of a happens-before relation, [AAJS14] definition 3.2: an irreflexive partial order within the order of
// execution, which holds the steps of one actor and what a step leads to, and which later events do not change.
func TestAxioms(t *testing.T) {
	walks(t, func(cond string, model trace.Model, timers trace.TimerMode, p *toy.Program, tr *trace.Trace) {
		o := New(model, timers)
		o.Extend(tr, len(tr.Events))
		n := int32(o.Len())
		for e := range n {
			for i := range n {
				if o.Before(i, e) && i >= e {
					t.Fatalf("%s: event %d before event %d\n%s", cond, i, e, p)
				}
				for k := range e {
					if o.Before(i, k) && o.Before(k, e) && !o.Before(i, e) && o.Head(i) != o.Head(e) {
						t.Fatalf("%s: not transitive: %d %d %d\n%s", cond, i, k, e, p)
					}
				}
			}
			if x := o.Parent(e); x >= 0 && !o.Before(x, e) {
				t.Fatalf("%s: the parent of event %d is not before it\n%s", cond, e, p)
			}
			if x := o.Own(e); x >= 0 && !o.Before(x, e) {
				t.Fatalf("%s: the step before of the actor of event %d is not before it\n%s", cond, e, p)
			}
		}
		for cut := range n {
			if o.Head(cut) == cut { // a macro-step is whole or not there
				q := New(model, timers)
				q.Extend(tr, int(cut))
				same(t, cond, o, q, cut)
			}
		}
	})
}

func same(t *testing.T, cond string, o, q *Order, n int32) {
	t.Helper()
	for e := range n {
		for i := range e {
			if o.Before(i, e) != q.Before(i, e) || o.Upto(e).Has(i) != q.Upto(e).Has(i) {
				t.Fatalf("%s: event %d before event %d depends on what comes later", cond, i, e)
			}
		}
		if x, y := o.Footprint(nil, e), q.Footprint(nil, e); !slices.Equal(x, y) || o.Parent(e) != q.Parent(e) || o.Own(e) != q.Own(e) {
			t.Fatalf("%s: event %d is %v, was %v", cond, e, x, y)
		}
	}
}

// What was cut back and extended again, also with the events of other executions between, is as if it was built at
// once.
func TestTruncate(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	orders := map[string]*Order{}
	walks(t, func(cond string, model trace.Model, timers trace.TimerMode, p *toy.Program, tr *trace.Trace) {
		o := orders[cond]
		if o == nil {
			o = New(model, timers)
			orders[cond] = o
		}
		o.Truncate(0)
		for range 6 {
			o.Extend(tr, r.IntN(len(tr.Events))+1)
			o.Truncate(r.IntN(o.Len() + 2))
		}
		o.Extend(tr, len(tr.Events))
		q := New(model, timers)
		q.Extend(tr, len(tr.Events))
		same(t, cond, o, q, int32(o.Len()))
		if o.Key() != q.Key() {
			t.Fatalf("%s: the key is another", cond)
		}
	})
}

// What let a message arrive is the same for happens-before as for the vector clocks that traces are written with.
func TestParentsEnable(t *testing.T) {
	events := 0
	walks(t, func(cond string, model trace.Model, timers trace.TimerMode, p *toy.Program, tr *trace.Trace) {
		o := New(model, timers)
		o.Extend(tr, len(tr.Events))
		enablers := tr.Enablers()
		for e := range int32(o.Len()) {
			at := int32(o.First()) + e
			if x := o.Parent(e); o.Step(e).Kind.Chooses() || x >= 0 && o.Barrier(x) {
				continue // a choice comes after the event before; what an advance made due comes after all before that
			}
			want := max(enablers[at]-int32(o.First()), -1)
			if o.Parent(e) != want {
				t.Fatalf("%s: event %d (%s) has the parent %d, and %d enables it\n%s",
					cond, e, tr.StepName(*o.Step(e)), o.Parent(e), want, p)
			}
			events++
		}
	})
	if events < 10_000 {
		t.Errorf("%d events say little", events)
	}
}
