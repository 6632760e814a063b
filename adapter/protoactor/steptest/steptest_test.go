package steptest_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse/adapter/protoactor/steptest"
	"github.com/rehearse-go/rehearse/internal/tests/failing"
)

type withdraw struct{ amount int }

type refused struct{ balance int }

type account struct {
	balance int
	audit   *actor.PID
}

func (a *account) Receive(ctx actor.Context) {
	m, ok := ctx.Message().(withdraw)
	switch {
	case !ok:
	case a.balance < m.amount:
		ctx.Respond(refused{a.balance})
	default:
		a.balance -= m.amount
		if a.audit == nil {
			a.audit = ctx.Spawn(actor.PropsFromFunc(func(actor.Context) {}))
		}
		ctx.Send(a.audit, m)
	}
}

// A unit test of a handler: from a state, with a message, it answers, and leaves the state as it was.
func ExampleNew() {
	_ = func(t *testing.T) { // TestAccountRefuses
		x := steptest.New(t)
		a := &account{balance: 10}
		x.Handle(a, withdraw{30})
		x.Sends(x.Sender(), refused{10})
		x.Equal("a", a, &account{balance: 10})
	}
	// Output:
}

// said runs a test and gives what it says.
func said(test func(x *steptest.Test)) string {
	return failing.Said(func(t testing.TB) { test(steptest.New(t)) })
}

func nothing(actor.Context) {}

func TestExpectations(t *testing.T) {
	do := func(f func(ctx actor.Context)) actor.Actor { return actor.ReceiveFunc(f) }
	for _, tt := range []struct {
		name string
		want string // "": passes
		test func(x *steptest.Test)
	}{
		{"sleeps", "", func(x *steptest.Test) {
			x.Handle(do(func(ctx actor.Context) {
				ctx.Respond(1)
				time.Sleep(time.Second)
				ctx.Respond(2)
			}), 0)
			x.Sends(x.Sender(), 1)
			x.Sends(x.Sender(), 2)
		}},
		{"answers", "", func(x *steptest.Test) {
			a := &account{balance: 10}
			x.Handle(a, withdraw{30})
			x.Sends(x.Sender(), refused{10})
			x.Equal("a", a, &account{balance: 10})
		}},
		{"created actors", "", func(x *steptest.Test) {
			a := &account{balance: 10}
			x.Handle(a, withdraw{3})
			x.SpawnsAny("")
			x.Sends(x.Spawned(1), withdraw{3})
			x.Equal("a", a, &account{balance: 7, audit: x.Spawned(1)})
		}},
		{"a created actor is no peer", "a.audit is ", func(x *steptest.Test) {
			a := &account{balance: 10}
			x.Handle(a, withdraw{3})
			x.SpawnsAny("")
			x.SendsAny(x.Spawned(1))
			x.Equal("a", a, &account{balance: 7, audit: x.Sender()})
		}},
		{"kinds and names of created actors", "", func(x *steptest.Test) {
			x.Handle(do(func(ctx actor.Context) {
				ctx.Spawn(actor.PropsFromProducer(func() actor.Actor { return &account{} }))
				ctx.SpawnPrefix(actor.PropsFromProducer(func() actor.Actor { return &account{} }), "p")
				if _, err := ctx.SpawnNamed(actor.PropsFromFunc(func(actor.Context) {}), "n"); err != nil {
					panic(err)
				}
				ctx.Spawn(actor.PropsFromFunc(nothing))
			}), 1)
			x.SpawnsAny("steptest_test.account")
			x.SpawnedAs("")
			x.SpawnsAny("")
			x.SpawnedAs("p")
			x.SpawnsAny("n")
			x.SpawnedAs("n")
			x.SpawnsAny("steptest_test.nothing")
		}},
		{"a created actor of another kind", "an actor of type steptest_test.account is created, want steptest_test.child", func(x *steptest.Test) {
			x.Handle(do(func(ctx actor.Context) { ctx.Spawn(actor.PropsFromProducer(func() actor.Actor { return &account{} })) }), 1)
			x.SpawnsAny("steptest_test.child")
		}},
		{"a created actor of another name", `the actor is created with the name "p", want "q"`, func(x *steptest.Test) {
			x.Handle(do(func(ctx actor.Context) { ctx.SpawnPrefix(actor.PropsFromFunc(nothing), "p") }), 1)
			x.SpawnsAny("")
			x.SpawnedAs("q")
		}},
		{"to a peer", "", func(x *steptest.Test) {
			audit := x.Peer("audit")
			a := &account{balance: 10, audit: audit}
			x.Handle(a, withdraw{3})
			x.Sends(audit, withdraw{3})
			x.Equal("a", a, &account{balance: 7, audit: audit})
		}},
		{"unexpected", "the handler also sends the message steptest_test.withdraw({amount:3}) to the peer audit", func(x *steptest.Test) {
			x.Handle(&account{balance: 10, audit: x.Peer("audit")}, withdraw{3})
		}},
		{"panics", "", func(x *steptest.Test) { x.Handle(do(func(actor.Context) { panic("so") }), 1); x.Panics("so") }},
		{"to a nil reference", "", func(x *steptest.Test) {
			x.Handle(do(func(ctx actor.Context) { ctx.Send(nil, 1) }), 1)
			x.Panics("nil pointer")
		}},
		{"from nobody", "", func(x *steptest.Test) {
			x.FromNobody()
			x.Handle(do(func(ctx actor.Context) {
				if ctx.Sender() != nil {
					panic(ctx.Sender())
				}
			}), 1)
		}},
		{"from itself", "", func(x *steptest.Test) {
			x.From(x.Self())
			x.Handle(do(func(ctx actor.Context) { ctx.Send(ctx.Sender(), 2) }), 1)
			x.Sends(x.Self(), 2)
		}},
		{"waits for an answer", "", func(x *steptest.Test) {
			p, got := x.Peer("p"), any(nil)
			x.Answers(p, 42)
			x.Handle(do(func(ctx actor.Context) { got, _ = ctx.RequestFuture(p, "ask", time.Second).Result() }), 1)
			x.Sends(p, "ask")
			x.Equal("got", got, 42)
		}},
		{"stops", "", func(x *steptest.Test) {
			p := x.Peer("p")
			x.Handle(do(func(ctx actor.Context) { ctx.Watch(p); ctx.Stop(p); ctx.Poison(p); ctx.Stop(ctx.Self()) }), 1)
			x.Watches(p)
			x.Stops(p)
			x.Stops(p)
			x.Stops(x.Self())
		}},
		{"messages before", "", func(x *steptest.Test) {
			x.Before(3, 4)
			got := []string{}
			x.Handle(do(func(ctx actor.Context) {
				got = append(got, fmt.Sprintf("%T", ctx.Message()))
				ctx.Send(ctx.Self(), "later")
			}), true)
			x.Sends(x.Self(), "later")
			x.Equal("got", got, []string{"*actor.Started", "int", "int", "bool"})
		}},
		{"messages before of nobody", "", func(x *steptest.Test) {
			x.FromNobody()
			x.Before(3)
			got := []string{}
			x.Handle(do(func(ctx actor.Context) { got = append(got, fmt.Sprintf("%T", ctx.Message())) }), true)
			x.Equal("got", got, []string{"*actor.Started", "int", "bool"})
		}},
		{"answers to messages before", "", func(x *steptest.Test) {
			p, sum := x.Peer("p"), 0
			x.Before(1)
			x.Answers(p, 20, 300)
			x.Handle(do(func(ctx actor.Context) {
				if n, ok := ctx.Message().(int); ok {
					v, _ := ctx.RequestFuture(p, "ask", time.Second).Result()
					sum += n + v.(int)
				}
			}), 2)
			x.Sends(p, "ask")
			x.Equal("sum", sum, 323)
		}},
		{"Started as the message", "", func(x *steptest.Test) {
			n := 0
			x.Handle(do(func(ctx actor.Context) { n++ }), &actor.Started{})
			x.Equal("n", n, 1)
		}},
	} {
		if got := said(tt.test); tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
			t.Errorf("%s: says %q, want %q", tt.name, got, tt.want)
		}
	}
}
