package steptest_test

import (
	"strings"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse/adapter/protoactor/steptest"
)

type (
	pay   struct{ n int }
	set   struct{ n int }
	check struct{ n int }
)

// till asks before it pays, and has an actor of its own count.
type till struct {
	bank, count *actor.PID
	balance     int
	paid        bool
}

func (a *till) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case pay:
		ctx.ReenterAfter(ctx.RequestFuture(a.bank, check{msg.n}, time.Second), func(res any, err error) {
			switch {
			case err == actor.ErrTimeout:
				a.balance = -1
			case err == actor.ErrDeadLetter:
				a.balance = -2
			default:
				a.balance -= res.(int)
			}
			ctx.Respond(a.balance)
		})
	case set:
		a.balance = msg.n
		ctx.SetReceiveTimeout(time.Duration(msg.n) * time.Second)
	case check:
		res, err := ctx.RequestFuture(a.bank, msg, time.Second).Result()
		a.paid = err == nil && res == 1
	case bool:
		a.count = ctx.Spawn(actor.PropsFromProducer(func() actor.Actor { return &counter{} }))
		res, _ := ctx.RequestFuture(a.count, 3, time.Second).Result()
		a.balance = res.(int)
	}
}

type counter struct{ n int }

func (c *counter) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case *actor.Started:
		c.n = 10
	case int:
		c.n += msg
		ctx.Respond(c.n)
	}
}

func TestOrder(t *testing.T) {
	reenters := func(x *steptest.Test, answer any, balance int, order ...string) {
		bank := x.Peer("bank")
		if answer != nil {
			x.Answers(bank, answer)
		}
		a := &till{bank: bank, balance: 5}
		x.Order(order...)
		x.Handle(a, pay{2})
		x.Sends(bank, check{2})
		x.Sends(x.Sender(), balance)
		x.Equal("a", a, &till{bank: bank, balance: balance})
	}
	for _, tt := range []struct {
		name string
		want string // "": passes
		test func(x *steptest.Test)
	}{
		{"goes on", "", func(x *steptest.Test) { reenters(x, 2, 3, "pay", "answer 1", "reenter pay") }},
		{"a dead letter", "", func(x *steptest.Test) { reenters(x, steptest.DeadLetter{}, -2, "pay", "answer 1", "reenter pay") }},
		{"a timeout", "", func(x *steptest.Test) { reenters(x, nil, -1, "pay", "time", "reenter pay") }},
		{"a timeout goes without saying", "", func(x *steptest.Test) { reenters(x, steptest.Nothing{}, -1, "pay", "reenter pay") }},
		{"no answer yet", `step 2, "await pay", is not possible: there is reenter`, func(x *steptest.Test) {
			x.Order("pay", "await pay")
			x.Handle(&till{bank: x.Peer("bank")}, pay{2})
		}},
		{"a message between", "", func(x *steptest.Test) {
			x.Queue(nil, set{9})
			bank := x.Peer("bank")
			x.Answers(bank, 2)
			a := &till{bank: bank, balance: 5}
			x.Order("pay", "set", "answer 1", "reenter pay")
			x.Handle(a, pay{2})
			x.Sends(bank, check{2})
			x.Sends(x.Sender(), 7)
			x.ReceiveTimeout(9 * time.Second)
		}},
		{"another receive timeout", "the receive timeout is 9s, want 8s", func(x *steptest.Test) {
			x.Handle(&till{}, set{9})
			x.ReceiveTimeout(8 * time.Second)
		}},
		{"a receive timeout that is not expected", "the actor also has a receive timeout of 9s", func(x *steptest.Test) { x.Handle(&till{}, set{9}) }},
		{"two at once", "", func(x *steptest.Test) {
			bank := x.Peer("bank")
			x.Answers(bank, 1, 2)
			other := x.Peer("other")
			x.Queue(other, pay{3})
			a := &till{bank: bank, balance: 5}
			x.Order("pay", "pay", "answer 2", "reenter pay", "answer 1", "reenter pay")
			x.Handle(a, pay{2})
			x.Sends(bank, check{2})
			x.Sends(bank, check{3})
			x.Sends(other, 3)
			x.Sends(x.Sender(), 2)
		}},
		{"blocks", "", func(x *steptest.Test) {
			bank := x.Peer("bank")
			x.Answers(bank, 1)
			x.Queue(x.Sender(), set{0})
			a := &till{bank: bank}
			x.Order("check", "answer 1", "await check", "set")
			x.Handle(a, check{4})
			x.Sends(bank, check{4})
			x.Equal("a", a, &till{bank: bank, paid: true})
		}},
		{"blocks until the timeout", "", func(x *steptest.Test) {
			bank := x.Peer("bank")
			a := &till{bank: bank, paid: true}
			x.Order("check")
			x.Handle(a, check{4})
			x.Sends(bank, check{4})
			x.Equal("a", a, &till{bank: bank})
		}},
		{"an actor of its own", "", func(x *steptest.Test) {
			a := &till{}
			x.Order("bool", "#1 *actor.Started", "#1 int", "await bool")
			x.Handle(a, true)
			x.Spawns(&counter{n: 13})
			x.Sends(x.Spawned(1), 3)
			x.Sends(x.Self(), 13)
			x.Equal("a", a, &till{count: x.Spawned(1), balance: 13})
		}},
		{"hypothetical", "", func(x *steptest.Test) {
			x.Queue(nil, set{1}, set{2})
			x.AnyOrder()
			a := &till{}
			x.Order("set", "set#3", "set")
			x.Handle(a, set{0})
			x.Equal("a", a, &till{balance: 1})
			x.ReceiveTimeout(time.Second)
		}},
		{"not hypothetical", `step 2, "set#3", is not possible`, func(x *steptest.Test) {
			x.Queue(nil, set{1}, set{2})
			x.Order("set", "set#3", "set")
			x.Handle(&till{}, set{0})
		}},
		{"no answer", `the step "answer 0" of an order`, func(x *steptest.Test) { x.Order("answer 0") }},
	} {
		if got := said(tt.test); tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
			t.Errorf("%s: says %q, want %q", tt.name, got, tt.want)
		}
	}
}
