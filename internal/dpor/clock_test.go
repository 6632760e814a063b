package dpor

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/causal"
	"github.com/rehearse-go/rehearse/internal/delivery"
	"github.com/rehearse-go/rehearse/internal/reverse"
	naive "github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// This file: programs in which the clock is a choice, as on frameworks with asynchronous timers. It may advance
// at any point, some times in an execution, to the next deadline, whose timers send. After an advance in vain a step
// comes first.

// clockwork is such a program, and its execution. An actor acts when it gets its first message.
type clockwork struct {
	acts   []act // by actor
	begins []int // actors that get a message from the test function
	most   int   // advances
	sees   bool  // the clock may advance only while a timer is set, else also in vain

	tr       trace.Trace
	pool     delivery.Pool
	model    trace.Model
	types    [2]*trace.Type
	now      int
	advances int
	vain     bool
	set      []deadline
	acted    []bool
}

// act is what an actor does with its first message, and with the timeout of its timer.
type act struct {
	sends []int // to these actors
	timer int   // after so much time, 0: none
	late  []int // what it sends then

	cancels bool // with its second message, its timer
}

type deadline struct{ owner, at int }

func (*clockwork) DefaultModel() trace.Model   { return trace.Bag }
func (c *clockwork) Trace() *trace.Trace       { return &c.tr }
func (*clockwork) State(int32) any             { return nil }
func (*clockwork) Status(int32) explore.Status { return explore.Status{} }
func (c *clockwork) Pending(f func(int32))     { c.pool.Each(f) }
func (c *clockwork) Accepts(_, _ int32) bool   { return true }
func (c *clockwork) WouldAccept(e, _ int32) (ok, known bool) {
	return c.tr.Events[e].Step.Kind != trace.Send, true
}
func (c *clockwork) begin(s trace.Step) (e int32) {
	e = c.tr.Begin(s)
	c.tr.Events[e].Completed = true
	return e
}

// Execute is explore.System.
func (c *clockwork) Execute(cond explore.Conditions, d explore.Driver) error {
	c.tr.Reset()
	c.model = cond.Model
	c.pool.Reset(cond.Model, &c.tr)
	c.now, c.advances, c.vain, c.set, c.acted = 0, 0, false, c.set[:0], make([]bool, len(c.acts)+1)
	c.types = [2]*trace.Type{c.tr.TypeNamed("M"), c.tr.TypeNamed("tick")}
	c.tr.AddDriver()
	d.Begin(c)
	start := c.begin(trace.StartStep(0))
	c.tr.Events[start].Auto = true
	for range c.acts {
		c.tr.AddActor(c.tr.TypeNamed("A"), "", 0, start)
	}
	c.send(0, start, c.begins)
	for d.Observe(int32(len(c.tr.Events) - 1)) {
		enabled := c.pool.Enabled(nil, c)
		if !c.vain && c.advances < c.most && (!c.sees || len(c.set) > 0) {
			enabled = append(enabled, trace.AdvanceStep(c.advances))
		}
		if len(enabled) == 0 {
			break
		}
		choice, ok := d.Choose(enabled)
		if !ok {
			break
		}
		c.take(enabled[choice.Index], choice.First)
	}
	d.Finish()
	return nil
}

func (c *clockwork) send(by, event int32, to []int) {
	for _, a := range to {
		c.pool.Send(c.tr.AddMessage(c.types[0], trace.User, by, int32(a), event, nil))
	}
}

func (c *clockwork) take(s trace.Step, first trace.ID) {
	switch s.Kind {
	case trace.Advance:
		c.advance(c.begin(s))
		return
	case trace.Send:
		m, _, _ := c.pool.Release(s.Actor, first)
		e := c.begin(c.tr.ReleaseOf(m))
		c.tr.Events[e].Released = m
	default:
		e := c.begin(s)
		c.pool.Deliver(s.Message)
		does := &c.acts[s.Actor-1]
		switch msg := &c.tr.Messages[s.Message]; {
		case msg.Type == c.types[1]:
			c.send(s.Actor, e, does.late)
		case !c.acted[s.Actor]:
			c.acted[s.Actor] = true
			c.send(s.Actor, e, does.sends)
			if does.timer > 0 {
				c.set = append(c.set, deadline{int(s.Actor), c.now + does.timer})
			}
		case does.cancels:
			c.set = slices.DeleteFunc(c.set, func(d deadline) bool { return d.owner == int(s.Actor) })
		}
	}
	c.tr.Events[len(c.tr.Events)-1].Time = time.Duration(c.now)
	c.vain = false
}

// advance lets time pass until the next deadline, if there is one.
func (c *clockwork) advance(e int32) {
	c.advances++
	slices.SortFunc(c.set, func(a, b deadline) int { return 100*(a.at-b.at) + a.owner - b.owner })
	if c.vain = len(c.set) == 0; !c.vain {
		c.now = c.set[0].at
	}
	c.tr.Events[e].Time = time.Duration(c.now)
	for len(c.set) > 0 && c.set[0].at == c.now {
		owner := int32(c.set[0].owner)
		m := c.tr.AddMessage(c.types[1], trace.Timeout, owner, owner, e, nil)
		c.tr.Messages[m].AtOnce = true
		c.pool.Post(m)
		c.set = c.set[1:]
	}
}

// options are those of all explorations.
func (*clockwork) options(model trace.Model) explore.Options {
	return explore.Options{Conditions: explore.Conditions{Model: model, Timers: trace.Async},
		Budget: explore.Budget{Executions: 400}}
}

// explored gives how often each class was executed, and how the exploration ended.
func (c *clockwork) explored(t *testing.T, model trace.Model, s explore.Strategy) (map[trace.ID]int, explore.Outcome) {
	t.Helper()
	classes, executions := map[trace.ID]int{}, 0
	o := c.options(model)
	o.After = func(n *explore.Counters, tr *trace.Trace) {
		if n.Executions > executions {
			order := causal.For(o.Conditions)
			order.Extend(tr, len(tr.Events))
			classes[order.Key()]++
			executions = n.Executions
		}
	}
	out, err := explore.Run(c, s, o)
	if err != nil {
		t.Fatalf("%s under %s: %v", s.Name(), model, err)
	}
	return classes, out
}

// randomClockwork makes the program of a seed.
func randomClockwork(seed uint64) *clockwork {
	r := rand.New(rand.NewPCG(seed, 0x636c6f636b))
	actors := 2 + r.IntN(2)
	some := func(least, most int) (all []int) {
		for range least + r.IntN(1+most-least) {
			all = append(all, 1+r.IntN(actors))
		}
		return all
	}
	c := &clockwork{begins: some(1, 2), most: 1 + r.IntN(3), sees: seed%2 == 0}
	for range actors {
		c.acts = append(c.acts, act{sends: some(0, 2), timer: r.IntN(3), late: some(0, 1), cancels: r.IntN(2) == 0})
	}
	return c
}

// TestClockAsChoice: where the clock may advance at any point source and optimal execute the classes that naive does,
// optimal each once. Reverse does too, or says that it does not answer.
func TestClockAsChoice(t *testing.T) {
	compared, blocked := 0, 0
	seeds := []uint64{416, 426} // in any order several steps cancel the timers
	for seed := range uint64(toy.Scale(t, 120)) {
		seeds = append(seeds, seed) // 8, 26: several steps set timers
	}
	for _, seed := range seeds {
		c := randomClockwork(seed)
		for _, model := range toy.Models {
			want, all := c.explored(t, model, naive.NewNaive())
			if !all.Complete || len(want) < 2 {
				continue // too large
			}
			compared++
			source, _ := c.explored(t, model, NewSource(nil))
			optimal, out := c.explored(t, model, NewOptimal(nil))
			once := func(n, _ int) bool { return n == 1 }
			if !maps.EqualFunc(optimal, want, once) {
				t.Errorf("seed %d under %s: %d classes; optimal has %d, or others, in %d executions", seed, model, len(want),
					len(optimal), out.Executions)
			}
			blocked += out.Blocked
			if any := func(int, int) bool { return true }; !maps.EqualFunc(source, want, any) {
				t.Errorf("seed %d under %s: %d classes; source has %d, or others", seed, model, len(want), len(source))
			}
			if got, out := c.explored(t, model, reverse.New()); out.Complete && !maps.EqualFunc(got, want, once) {
				t.Errorf("seed %d under %s: reverse does not say that it does not answer", seed, model)
			}
		}
	}
	if t.Log(compared, "programs,", blocked, "executions of optimal began in vain"); compared < 50 {
		t.Error("the comparison says little")
	}
}
