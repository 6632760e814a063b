package steptest_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/actor/steptest"
)

type (
	collect struct{}
	put     struct{ n int }
	ask     struct{ n int }
)

// basket waits until there is something in it, and gives its actor of its own the sum to double.
type basket struct{ n int }

func (b *basket) Receive(ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case put:
		b.n += msg.n
	case collect:
		ctx.AwaitUntil(func() bool { return b.n > 0 })
		twice := ctx.Spawn(&doubler{})
		r, _ := ctx.Call(twice, ask{b.n})
		ctx.Reply(r)
	}
}

type doubler struct{ asked int }

func (d *doubler) Receive(ctx *actor.Context, msg any) {
	d.asked++
	ctx.Reply(2 * msg.(ask).n)
}

func TestOrder(t *testing.T) {
	expect := func(x *steptest.Test, n int) {
		x.Spawns(&doubler{asked: 1})
		x.Sends(x.Spawned(1), ask{n})
		x.Sends(x.Self(), 2*n)
		x.Sends(x.Sender(), 2*n)
	}
	for _, tt := range []struct {
		name string
		want string // "": passes
		test func(x *steptest.Test)
	}{
		{"waits", "", func(x *steptest.Test) {
			b := &basket{}
			x.Queue(x.Sender(), put{0}, put{3})
			x.Order("collect", "put", "put", "await collect", "#1 ask", "await collect")
			x.Handle(b, collect{})
			expect(x, 3)
			x.Equal("b", b, &basket{n: 3})
		}},
		{"in another order", "", func(x *steptest.Test) {
			x.Queue(x.Peer("p"), put{1}, put{3})
			x.AnyOrder()
			x.Order("collect", "put#2", "await collect", "#1 ask", "await collect", "put")
			x.Handle(&basket{}, collect{})
			expect(x, 3)
		}},
		{"not as they come", `step 2, "put#2", is not possible: there is steptest_test.put`, func(x *steptest.Test) {
			x.Queue(x.Sender(), put{1}, put{3})
			x.Order("collect", "put#2", "await collect")
			x.Handle(&basket{}, collect{})
		}},
		{"too early", `step 2, "await collect", is not possible: nothing can happen`, func(x *steptest.Test) {
			x.Order("collect", "await collect")
			x.Handle(&basket{}, collect{})
			x.Waits()
		}},
		{"too short", "it ends before the program does: there is await", func(x *steptest.Test) {
			x.Queue(x.Sender(), put{1})
			x.Order("collect", "put")
			x.Handle(&basket{}, collect{})
			x.Waits()
		}},
		{"another message first", `step 1, "put", is not possible: there is steptest_test.collect`, func(x *steptest.Test) {
			x.Order("put")
			x.Handle(&basket{}, collect{})
		}},
		{"a created actor is in another state", "the actor that is created.asked is 1, want 0", func(x *steptest.Test) {
			x.Order("collect", "#1 ask", "await collect")
			x.Handle(&basket{n: 2}, collect{})
			x.Spawns(&doubler{})
			x.SendsAny(x.Spawned(1))
			x.SendsAny(x.Self())
			x.SendsAny(x.Sender())
		}},
		{"what it does is expected", "the handler also sends the answer int(4) to itself", func(x *steptest.Test) {
			x.Order("collect", "#1 ask", "await collect")
			x.Handle(&basket{n: 2}, collect{})
			x.SpawnsAny("")
			x.SendsAny(x.Spawned(1))
		}},
		{"a type without a name", `step 1, "struct {}", is not possible: there is steptest_test.collect`,
			func(x *steptest.Test) {
				x.Order("struct {}")
				x.Handle(&basket{}, collect{})
			}},
		{"no type", `the step "await" of an order: want the type of a message`, func(x *steptest.Test) { x.Order("await") }},
		{"no step", `the step "#0 put" of an order`, func(x *steptest.Test) { x.Order("#0 put") }},
		{"no step of native actors", `the step "reenter put" of an order is none of native actors`,
			func(x *steptest.Test) { x.Order("reenter put") }},
		{"queue of nobody", "which is no peer", func(x *steptest.Test) { x.Queue(x.Self(), put{1}) }},
		{"with messages before", "Order with Before", func(x *steptest.Test) {
			x.Before(put{1})
			x.Order("collect")
			x.Handle(&basket{}, collect{})
		}},
	} {
		if got := said(tt.test); tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
			t.Errorf("%s: says %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestErrors: what a peer does in place of an answer.
func TestErrors(t *testing.T) {
	for _, tt := range []struct {
		answer any
		want   error
	}{{steptest.Broken{}, &actor.StoppedError{}}, {steptest.Nothing{}, actor.ErrTimeout}} {
		var got error
		text := said(func(x *steptest.Test) {
			p := x.Peer("p")
			x.Answers(p, tt.answer)
			x.Handle(&do{f: func(_ *do, ctx *actor.Context, _ any) { _, got = ctx.CallTimeout(p, 1, 5) }}, 0)
			x.Sends(p, 1)
		})
		var stopped *actor.StoppedError
		if text != "" || !errors.Is(got, tt.want) && !(errors.As(tt.want, &stopped) && errors.As(got, &stopped)) {
			t.Errorf("%T: says %q, and the caller gets %v, want %v", tt.answer, text, got, tt.want)
		}
	}
}
