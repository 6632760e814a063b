package profile

import (
	"fmt"
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/cover"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// plain keeps whole executions and applies the definitions.
type plain struct {
	model  trace.Model
	traces []*trace.Trace
}

// rec is a receive: its message and its event.
type rec struct{ message, event int32 }

// receives gives those of each actor.
func receives(tr *trace.Trace) map[int32][]rec {
	all := map[int32][]rec{}
	for e := range tr.Events {
		if cover.Asynchronous(tr, e) {
			s := tr.Events[e].Step
			all[s.Actor] = append(all[s.Actor], rec{s.Message, int32(e)})
		}
	}
	return all
}

// profile gives the coverage without the flags that nobody asks for because the standing is known.
func (p *plain) profile() *Profile {
	all := New()
	for _, tr := range p.traces {
		order := cover.NewOrder(tr, p.model)
		for a, rs := range receives(tr) {
			c := all.Of(Test{}, tr.Actors[a].Type.Name)
			for j, y := range rs {
				c.Received[tr.Messages[y.message].Type.Name] = true
				for i, x := range rs[:j] {
					f := Free
					if must, _ := order.Must(x.message, y.message); must {
						f = Forced
					}
					changed := func(r rec) bool { return tr.Events[r.event].Changes }
					if (changed(x) || changed(y)) && !slices.ContainsFunc(rs[i+1:j], changed) {
						f |= Changes
					}
					if p.reversed(tr.Actors[a].ID, tr.Messages[x.message].ID, tr.Messages[y.message].ID) {
						f |= Reversed
					}
					c.see(tr.Messages[x.message].Type.Name, tr.Messages[y.message].Type.Name, f)
				}
			}
		}
	}
	for _, c := range all.Tests[Test{}] {
		for o := range c.Orders {
			if o.First != o.Second {
				c.Orders[o] &^= Reversed
			}
		}
	}
	return all
}

// reversed reports whether some execution has y before x.
func (p *plain) reversed(actor, x, y trace.ID) bool {
	for _, tr := range p.traces {
		for a, rs := range receives(tr) {
			if tr.Actors[a].ID != actor {
				continue
			}
			at := func(id trace.ID) int {
				return slices.IndexFunc(rs, func(r rec) bool { return tr.Messages[r.message].ID == id })
			}
			if i, j := at(x), at(y); i >= 0 && j >= 0 && j < i {
				return true
			}
		}
	}
	return false
}

// executions runs a program and gives copies of some executions, some of whose receives change handlers.
func executions(t testing.TB, seed uint64, model trace.Model, n int) []*trace.Trace {
	t.Helper()
	faults := trace.Faults{}
	if seed%4 == 3 {
		faults, _ = trace.ParseFaults("all:2")
	}
	var all []*trace.Trace
	o := explore.Options{Conditions: explore.Conditions{Model: model, Faults: faults,
		Timers: trace.TimerMode(seed / 8 % 2)}, Budget: explore.Budget{Executions: n}}
	o.After = func(_ *explore.Counters, tr *trace.Trace) {
		tr = tr.Clone()
		for e := range tr.Events {
			tr.Events[e].Changes = tr.Events[e].Step.ID.Lo%3 == 0
		}
		all = append(all, tr)
	}
	if _, err := explore.Run(toy.NewSystem(toy.Random(seed, toy.Full)), sample.NewRandom(seed), o); err != nil {
		t.Fatal(err)
	}
	return all
}

var models = []trace.Model{trace.Bag, trace.FIFO, trace.Causal, trace.Mailbox, trace.MailboxSerial}

// What is collected says of every pair what the definitions say of whole executions.
func TestCollectorFollowsTheDefinitions(t *testing.T) {
	var count Count
	for seed := range uint64(1500) {
		model := models[seed%5]
		p := &plain{model, executions(t, seed, model, 2+int(seed%20))}
		c := NewCollector(model)
		for _, tr := range p.traces {
			c.Observe(tr)
		}
		got, want := New(), p.profile()
		c.AddTo(got, Test{})
		if g, w := fmt.Sprint(got.Classify()), fmt.Sprint(want.Classify()); g != w {
			t.Fatalf("seed %d, %s: collected\n%s\nwant\n%s", seed, model, g, w)
		}
		for name, d := range want.Tests[Test{}] {
			for o, f := range d.Orders {
				if g, ok := got.Tests[Test{}][name].Orders[o]; !ok || g&^f != 0 || g&(Changes|Reversed) != f&(Changes|Reversed) {
					t.Fatalf("seed %d, %s: %v of %s: %v, want %v", seed, model, o, name, g.names(), f.names())
				}
			}
		}
		for _, a := range want.Classify() {
			count.Add(a.Count())
		}
	}
	t.Logf("never, one way, both, impossible: %v", count)
	for s, n := range count {
		if n < 50 {
			t.Errorf("only %d pairs stand at %s", n, Standing(s))
		}
	}
}

// News says whether the file would change, and only then.
func TestNews(t *testing.T) {
	for seed := range uint64(200) {
		c, p := NewCollector(models[seed%5]), New()
		if c.News() {
			t.Fatal("nothing was seen")
		}
		for _, tr := range executions(t, seed, models[seed%5], 12) {
			c.Observe(tr)
			before, news := p.String(), c.News()
			if c.AddTo(p, Test{Name: "T"}); news != (p.String() != before) {
				t.Fatalf("seed %d: news %v:\n%s\n%s", seed, news, before, p)
			}
		}
	}
}

// letters makes an execution in which actors of one type, named by letters, receive what the driver sends them, as in
// "a1", "a2x", "b1": type 1, then 2 at a, and 1 at b. What follows the type tells messages apart that are otherwise the
// same.
func letters(steps ...string) *trace.Trace {
	tr := &trace.Trace{}
	tr.AddDriver()
	start := tr.Begin(trace.StartStep(0))
	actors, messages := map[byte]int32{}, map[string]int32{}
	for _, s := range slices.Sorted(slices.Values(steps)) {
		if _, ok := actors[s[0]]; !ok {
			actors[s[0]] = tr.AddActor(tr.TypeNamed("A"), s[:1], 0, start)
		}
		messages[s] = tr.AddMessage(tr.TypeNamed(s[1:2]), trace.User, 0, actors[s[0]], start, nil)
	}
	tr.Explored = 1
	for _, s := range steps {
		tr.Begin(tr.DeliveryOf(messages[s]))
	}
	return tr
}

// Memory for receives of one type is bounded; what is beyond is not seen, and the rest is.
func TestReversalsAreBounded(t *testing.T) {
	many := func(n int, swap bool) *trace.Trace {
		var steps []string
		for i := range n {
			steps = append(steps, fmt.Sprintf("a1%04d", i))
		}
		if swap {
			steps[n-1], steps[n-2] = steps[n-2], steps[n-1]
		}
		return letters(steps...)
	}
	for n, want := range map[int]bool{groupSize: true, groupSize + 2: false} {
		c := NewCollector(trace.Bag)
		c.Observe(many(n, false))
		c.Observe(many(n, true))
		if got := c.types["A"].orders[0][0]&Reversed != 0; got != want {
			t.Errorf("the last two of %d came in both orders: %v, want %v", n, got, want)
		}
	}
	c := NewCollector(trace.Bag)
	for i := range maxGroups {
		c.group(groupKey{actor: trace.ID{Lo: uint64(i)}})
	}
	c.Observe(letters("a10", "a11"))
	c.Observe(letters("a11", "a10"))
	if len(c.groups) != maxGroups || c.types["A"].orders[0][0] != seen|Free {
		t.Errorf("%d groups, flags %v", len(c.groups), c.types["A"].orders[0][0].names())
	}
}

// What must happen before what is looked for in few executions, however many have open orders.
func TestLooksAreBounded(t *testing.T) {
	c := NewCollector(trace.MailboxSerial)
	tr := letters("a1", "a2")
	for range 5000 {
		c.Observe(tr)
	}
	if c.looked != lookOften+6 { // 128, 256 ... 4096
		t.Errorf("%d looks", c.looked)
	}
}

// 10,000 receives of 7 types at 10 actors, which the driver sends; and the same with a look at what must happen before
// what.
func BenchmarkObserve(b *testing.B) {
	var steps []string
	for i := range 10_000 {
		steps = append(steps, fmt.Sprintf("%c%d%04d", 'a'+i%10, i/10%7, i))
	}
	tr := letters(steps...)
	for _, model := range []trace.Model{trace.Bag, trace.FIFO} {
		c := NewCollector(model)
		c.Observe(tr)
		b.Run(model.String(), func(b *testing.B) {
			for b.Loop() {
				c.Observe(tr)
			}
		})
		b.Run(model.String()+"/look", func(b *testing.B) {
			for b.Loop() {
				c.look(tr)
			}
		})
	}
}
