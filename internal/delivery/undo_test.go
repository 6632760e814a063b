package delivery

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/trace"
)

// choosy accepts all for even actors, which are steady, and some messages for the others, depending on a state that
// changes.
type choosy struct {
	p       *Pool
	tr      *trace.Trace
	state   []int
	stopped []bool
	wide    bool // it is asked for single steps too
}

func (c *choosy) Steady(actor int32) bool { return actor%2 == 0 }

func (c *choosy) Accepts(actor, message int32) bool {
	if c.stopped[actor] {
		return false
	}
	if class := c.tr.Messages[message].Kind; actor%2 == 0 {
		return class == trace.User || class == trace.System || class == trace.Timeout
	}
	return (int(message)+c.state[actor])%4 > 0
}

// seen is all that can be seen of the pool; order is part of it.
func (c *choosy) seen() string {
	steps := c.p.Enabled(nil, c)
	s := fmt.Sprint(steps, c.p.Oldest(c))
	if c.wide {
		s += fmt.Sprint(sameWide(c.p, c, steps))
	}
	c.p.Each(func(m int32) { s += fmt.Sprint(" ", m) })
	for m := range c.tr.Messages {
		s += fmt.Sprint(" ", c.p.Holder(int32(m)))
		for a := range c.tr.Actors {
			if c.p.Knows(int32(a), int32(m)) {
				s += fmt.Sprint("?", a)
			}
		}
		for o := range c.tr.Messages {
			if c.p.model == trace.Causal && c.p.Follows(int32(m), int32(o)) {
				s += fmt.Sprint("<", o)
			}
		}
	}
	return s
}

// holding is what the pool has before each actor and knows of it, without a look that changes it.
func (c *choosy) holding() string {
	s := ""
	for a := c.p.active.first; a >= 0; a = c.p.boxes[a].next {
		s += fmt.Sprint(a, " ")
	}
	for i := range c.p.boxes {
		b := &c.p.boxes[i]
		if b.listed || b.stopped || b.saw || b.owed != 0 || b.n != 0 {
			s += fmt.Sprint(" ", i, b.listed, b.stopped, b.saw, b.owed, b.n, b.queues)
		}
	}
	return s
}

// holds counts what an actor has captured.
func (p *Pool) holds(actor int32) int {
	if int(actor) >= len(p.boxes) {
		return 0
	}
	return len(p.boxes[actor].queues[held])
}

// change does something to the pool.
func (c *choosy) change(r *rand.Rand) {
	p, tr := c.p, c.tr
	send := func(class trace.MessageKind) int32 {
		m := tr.AddMessage(tr.TypeNamed("m"), class, int32(r.IntN(4)), int32(r.IntN(4)), 0, nil)
		tr.Messages[m].Starts = class == trace.System && r.IntN(2) == 0
		return m
	}
	some := func() int32 { return int32(r.IntN(max(1, len(tr.Messages)))) }
	switch r.IntN(10) {
	case 0, 1:
		p.Send(send([]trace.MessageKind{trace.User, trace.User, trace.System, trace.Answer}[r.IntN(4)]))
	case 2:
		p.Post(send([]trace.MessageKind{trace.User, trace.System, trace.Answer, trace.Timeout, trace.Task}[r.IntN(5)]))
	case 3:
		by := int32(r.IntN(4))
		if n := p.holds(by); c.p.model == trace.Mailbox && r.IntN(2) == 0 {
			p.SendNext(by, send(trace.User), r.IntN(n+1))
			return
		}
		p.SendIn(by, send(trace.User))
	case 4, 5, 6:
		if steps := p.Enabled(nil, c); len(steps) > 0 {
			switch s := steps[r.IntN(len(steps))]; s.Kind {
			case trace.Send:
				p.Release(s.Actor, tr.Messages[some()].ID)
			default:
				p.Deliver(s.Message)
				c.state[s.Actor]++
				if r.IntN(6) == 0 && s.Kind == trace.Deliver {
					m := tr.AddMessage(tr.TypeNamed("m"), trace.User, tr.Messages[s.Message].Sender, s.Actor, 0, nil)
					p.Return(m, s.Message)
				}
			}
		}
	case 7:
		if len(tr.Messages) > 0 {
			p.Cancel(some())
		}
	case 8:
		c.state[r.IntN(2)*2+1]++
	case 9:
		if r.IntN(4) == 0 {
			a := r.IntN(4)
			p.Stop(int32(a))
			c.stopped[a] = true
		}
	}
}

// TestBack: whatever happened to the pool, Back makes all that can be seen of it what it was, and what happens then
// is the same too.
func TestBack(t *testing.T) {
	type point struct {
		mark, messages int
		state          []int
		stopped        []bool
		holding, seen  string // seen: "" if nobody looked
	}
	for _, model := range []trace.Model{trace.Bag, trace.FIFO, trace.Causal, trace.Mailbox, trace.MailboxSerial} {
		for seed := range uint64(60) {
			r := rand.New(rand.NewPCG(seed, 5))
			tr := &trace.Trace{}
			tr.AddDriver()
			tr.Begin(trace.StartStep(0))
			for range 3 {
				tr.AddActor(tr.TypeNamed("a"), "", 0, 0)
			}
			p := &Pool{}
			c := &choosy{p: p, tr: tr, state: make([]int, 4), stopped: make([]bool, 4), wide: seed%2 == 0}
			p.Trust(c)
			p.Reset(model, tr)
			p.Remember()
			var points []point
			for step := range 60 {
				if len(points) > 0 && r.IntN(4) == 0 {
					k := r.IntN(len(points))
					to := points[k]
					points = points[:k]
					p.Back(to.mark)
					tr.Cut(1, 4, to.messages)
					tr.Events[0].Sent = tr.Events[0].Sent[:to.messages]
					copy(c.state, to.state)
					copy(c.stopped, to.stopped)
					if now := c.holding(); now != to.holding {
						t.Fatalf("%v, seed %d, step %d: back to point %d:\n%s\nwant\n%s", model, seed, step, k, now, to.holding)
					}
					if now := c.seen(); to.seen != "" && now != to.seen || strings.Contains(now, "wide:") {
						t.Fatalf("%v, seed %d, step %d: back to point %d:\n%s\nwant\n%s", model, seed, step, k, now, to.seen)
					}
				}
				// SUBTLE: what is seen drops boxes that are empty, which is a change too: first look, then mark.
				seen := ""
				if r.IntN(3) > 0 {
					seen = c.seen()
				}
				points = append(points, point{p.Mark(), len(tr.Messages), slices.Clone(c.state), slices.Clone(c.stopped), c.holding(), seen})
				for range 1 + r.IntN(2) {
					c.change(r)
				}
			}
		}
	}
}

// TestInsertAndCut: long lists and short ones are moved alike.
func TestInsertAndCut(t *testing.T) {
	for n := range int32(2*few + 4) {
		var list []int32
		for i := range n {
			list = append(list, i)
		}
		for i := range int(n) + 1 {
			got := slices.Clone(list)
			insert(&got, i, -1)
			if want := slices.Insert(slices.Clone(list), i, -1); !slices.Equal(got, want) {
				t.Fatalf("insert before %d of %d: %v", i, n, got)
			}
			if got = cut(got, i); !slices.Equal(got, list) {
				t.Fatalf("cut %d of %d: %v", i, n+1, got)
			}
		}
	}
}

// Lists of all lengths lose and get back what they should, the first of very many above all.
func TestCutAndInsert(t *testing.T) {
	for _, n := range []int32{1, few, few + 2, many, many + 1, many + 50} {
		rng := rand.New(rand.NewPCG(1, uint64(n)))
		var list, want []int32
		for m := range n {
			list, want = append(list, m), append(want, m)
		}
		for range 200 {
			i := 0
			if rng.IntN(3) == 0 {
				i = rng.IntN(len(list))
			}
			m := list[i]
			list, want = cut(list, i), slices.Delete(want, i, i+1)
			if len(list) == 0 || rng.IntN(3) > 0 {
				insert(&list, i, m)
				want = slices.Insert(want, i, m)
			}
			if !slices.Equal(list, want) {
				t.Fatalf("of %d: %d taken out or put back, and the list is wrong", n, i)
			}
		}
	}
}
