package reach

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// This file compares the Looker with a dumb twin on random programs: actors with random memory, of which some is
// planted in several, that write at random. The twin prints everything that every actor and message leads to before and
// after each step, and compares everything.

// cell is memory. It leads to other cells in each way that there is.
type cell struct {
	n     int
	next  *cell
	byKey map[int]*cell
	list  []*cell
	nums  []int
	any   any
	mu    sync.Mutex
}

// world is an execution of a random program.
type world struct {
	tr      trace.Trace
	states  []*cell
	pending map[int32]bool
	r       *rand.Rand
}

func (w *world) Trace() *trace.Trace                { return &w.tr }
func (w *world) State(a int32) any                  { return w.states[a] }
func (w *world) Status(int32) explore.Status        { return explore.Status{} }
func (w *world) Nature(reflect.Type) explore.Nature { return explore.Plain }
func (w *world) ActorOf(any) (int32, string)        { return -1, "" }
func (w *world) Kept(int32) any                     { return nil }
func (w *world) Settled(int32) bool                 { return true }
func (w *world) Disclosed() (explore.Disclosure, string) {
	return explore.ByValue, ""
}
func (w *world) Attached(int32) any               { return nil }
func (w *world) Arrangement() explore.Arrangement { return nil }
func (w *world) Pending(f func(int32)) {
	for m := range w.tr.Messages {
		if w.pending[int32(m)] {
			f(int32(m))
		}
	}
}

// grow makes cells for one owner.
func (w *world) grow(depth int) *cell {
	c := &cell{n: w.r.IntN(100), nums: make([]int, w.r.IntN(4), 8), byKey: map[int]*cell{}}
	if depth == 0 {
		return c
	}
	for i := range w.r.IntN(3) {
		switch w.r.IntN(4) {
		case 0:
			c.next = w.grow(depth - 1)
		case 1:
			c.byKey[i] = w.grow(depth - 1)
		case 2:
			c.list = append(c.list, w.grow(depth-1))
		case 3:
			c.any = w.grow(depth - 1)
		}
	}
	return c
}

// cells lists what a cell leads to, itself first.
func cells(c *cell) []*cell {
	all := []*cell{c}
	for i := 0; i < len(all); i++ {
		c := all[i]
		next := append([]*cell{c.next}, c.list...)
		for _, k := range slices.Sorted(func(yield func(int) bool) {
			for k := range c.byKey {
				if !yield(k) {
					return
				}
			}
		}) {
			next = append(next, c.byKey[k])
		}
		if x, ok := c.any.(*cell); ok {
			next = append(next, x)
		}
		for _, x := range next {
			if x != nil && !slices.Contains(all, x) {
				all = append(all, x)
			}
		}
	}
	return all
}

func (w *world) any(c *cell) *cell { all := cells(c); return all[w.r.IntN(len(all))] }

// plant has what is below a cell of the one lead to what the other leads to, in a random way.
func (w *world) plant(from, to *cell) {
	a, b := w.any(from), w.any(to)
	switch w.r.IntN(6) {
	case 0:
		a.next = b
	case 1:
		a.byKey[9] = b
	case 2:
		a.list = append(a.list, b)
	case 3:
		a.any = b
	case 4:
		a.byKey = b.byKey
	case 5:
		if n := len(b.nums); n > 0 {
			a.nums = b.nums[w.r.IntN(n):]
		}
	}
}

// write changes something that a cell leads to; not always.
func (w *world) write(c *cell) {
	c = w.any(c)
	c.mu.Lock()
	defer c.mu.Unlock()
	switch w.r.IntN(6) {
	case 0:
		c.n++
	case 1:
		if n := len(c.nums); n > 0 {
			c.nums[w.r.IntN(n)]++
		}
	case 2:
		c.nums = append(c.nums, w.r.IntN(100))
	case 3:
		c.byKey[w.r.IntN(3)] = w.grow(0)
	case 4:
		c.any = w.r.IntN(100)
	}
}

// print writes down all that a cell leads to, with addresses.
func print(c *cell) string {
	var b strings.Builder
	for _, c := range cells(c) {
		fmt.Fprintf(&b, "%p %d %p %v %p %d %v %v\n", c, c.n, c.next, c.list, c.nums, len(c.nums), c.nums, c.any)
		for _, k := range []int{0, 1, 2, 9} {
			fmt.Fprintf(&b, "%d %p ", k, c.byKey[k])
		}
	}
	return b.String()
}

// roots gives the memory of each owner.
func (w *world) roots() map[key]*cell {
	roots := map[key]*cell{}
	for a, c := range w.states {
		if c != nil {
			roots[key{false, int32(a)}] = c
		}
	}
	for m := range w.pending {
		roots[key{true, m}] = w.tr.Messages[m].Value.(*cell)
	}
	return roots
}

func prints(roots map[key]*cell) map[key]string {
	all := map[key]string{}
	for k, c := range roots {
		all[k] = print(c)
	}
	return all
}

func newWorld(seed uint64, shared bool) *world {
	w := &world{r: rand.New(rand.NewPCG(seed, 7)), pending: map[int32]bool{}}
	ty := w.tr.TypeOf(&cell{})
	n := 2 + w.r.IntN(3)
	for a := range n {
		w.tr.Actors = append(w.tr.Actors, trace.Actor{Type: ty, Name: fmt.Sprint("a", a), Parent: -1, Creator: -1})
		w.states = append(w.states, w.grow(3))
	}
	w.tr.Events = append(w.tr.Events, trace.Event{Step: trace.Step{Kind: trace.Start, Message: -1}, Completed: true})
	for i := 0; shared && i < 1+w.r.IntN(3); i++ {
		w.plant(w.states[w.r.IntN(n)], w.states[w.r.IntN(n)])
	}
	return w
}

// step lets an actor handle a message, write, and send; or a message is lost.
func (w *world) step(shared bool) int32 {
	a := int32(w.r.IntN(len(w.states)))
	s := trace.Step{Kind: trace.Start, Actor: a, Message: -1}
	if m := int32(w.r.IntN(len(w.tr.Messages) + 1)); w.pending[m] && w.r.IntN(3) == 0 {
		delete(w.pending, m)
		w.tr.Events = append(w.tr.Events, trace.Event{Step: s, Completed: true})
		return int32(len(w.tr.Events) - 1)
	}
	for m := range w.tr.Messages {
		if m := int32(m); w.pending[m] && w.r.IntN(2) == 0 {
			s = trace.Step{Kind: trace.Deliver, Actor: w.tr.Messages[m].Receiver, Message: m}
			delete(w.pending, m)
			break
		}
	}
	me := w.states[s.Actor]
	if s.Message >= 0 {
		value := w.tr.Messages[s.Message].Value.(*cell)
		w.write(value)
		if w.r.IntN(2) == 0 {
			me.next = value
		}
	}
	for range w.r.IntN(3) {
		w.write(me)
	}
	w.tr.Events = append(w.tr.Events, trace.Event{Step: s, Completed: true})
	if w.r.IntN(2) == 0 {
		value := w.grow(2)
		if shared && w.r.IntN(2) == 0 {
			value = w.any(me)
		}
		m := int32(len(w.tr.Messages))
		w.tr.Messages = append(w.tr.Messages,
			trace.Message{Type: w.tr.TypeOf(value), Value: value, Sender: s.Actor, Receiver: int32(w.r.IntN(len(w.states))),
				SentBy: int32(len(w.tr.Events) - 1), Renews: -1})
		w.pending[m] = true
	}
	return int32(len(w.tr.Events) - 1)
}

// The Looker finds a breach in a step if and only if the twin does, on programs that share memory; on others neither
// does.
func TestTwin(t *testing.T) {
	breaches, l := 0, &Looker{}
	for seed := range uint64(800) {
		shared := seed%4 != 0
		w := newWorld(seed, shared)
		l.Reset(w)
		l.Begin()
		for range 12 {
			roots := w.roots()
			before := prints(roots)
			e := w.step(shared)
			s := w.tr.Events[e].Step
			want := false
			for k, c := range roots {
				// A message that was handled belongs to whoever handled it.
				if k != (key{false, s.Actor}) && k != (key{true, s.Message}) && print(c) != before[k] {
					want = true
				}
			}
			found := l.Step(e)
			if (len(found) > 0) != want {
				t.Fatalf("seed %d, step %d: found %v, the twin says %v", seed, e, found, want)
			}
			if want {
				breaches++
				if !shared {
					t.Fatalf("seed %d: the program shares no memory", seed)
				}
			}
			for _, v := range found {
				if !strings.Contains(v.Text, " are the same memory; ") {
					t.Fatalf("seed %d, step %d: %s", seed, e, v.Text)
				}
			}
		}
	}
	if breaches < 400 {
		t.Errorf("%d breaches: too few", breaches)
	}
}
