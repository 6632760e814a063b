package steptest_test

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/anthdm/hollywood/actor"

	"github.com/rehearse-go/rehearse/adapter/hollywood/steptest"
	"github.com/rehearse-go/rehearse/internal/tests/failing"
)

// TestMain silences the framework, which logs to the default logger.
func TestMain(m *testing.M) {
	slog.SetDefault(slog.New(slog.NewTextHandler(io.Discard, nil)))
	os.Exit(m.Run())
}

type withdraw struct{ amount int }

type refused struct{ balance int }

type account struct {
	balance int
	audit   *actor.PID
}

func (a *account) Receive(c *actor.Context) {
	m, ok := c.Message().(withdraw)
	switch {
	case !ok:
	case a.balance < m.amount:
		c.Respond(refused{a.balance})
	default:
		a.balance -= m.amount
		if a.audit == nil {
			a.audit = c.SpawnChildFunc(func(*actor.Context) {}, "audit")
		}
		c.Send(a.audit, m)
	}
}

// keeper keeps engines.
type keeper struct{ engine, other *actor.Engine }

func (k *keeper) Receive(c *actor.Context) {
	if p, ok := c.Message().(*actor.PID); ok {
		k.engine.Send(p, 1)
		k.engine.Stop(p)
		k.other = c.Engine()
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

func TestExpectations(t *testing.T) {
	type do = steptest.Func
	for _, tt := range []struct {
		name string
		want string // "": passes
		test func(x *steptest.Test)
	}{
		{"sleeps", "", func(x *steptest.Test) {
			x.Handle(do(func(c *actor.Context) {
				c.Respond(1)
				time.Sleep(time.Second)
				c.Respond(2)
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
		{"another state", "a.balance is 10, want 9", func(x *steptest.Test) {
			a := &account{balance: 10}
			x.Handle(a, withdraw{30})
			x.Sends(x.Sender(), refused{10})
			x.Equal("a", a, &account{balance: 9})
		}},
		{"another message", "sent to the peer sender: the message.balance is 10, want 11", func(x *steptest.Test) {
			x.Handle(&account{balance: 10}, withdraw{30})
			x.Sends(x.Sender(), refused{11})
		}},
		{"created actors", "", func(x *steptest.Test) {
			a := &account{balance: 10}
			x.Handle(a, withdraw{3})
			x.SpawnsAny("audit")
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
			x.Handle(do(func(c *actor.Context) {
				made := func() actor.Receiver { return &account{balance: 4} }
				c.SpawnChild(made, "child")
				c.Engine().Spawn(made, "other", actor.WithID("1"))
				c.Engine().SpawnFunc(func(*actor.Context) {}, "third", actor.WithID("1"))
			}), 1)
			x.SpawnsAny("steptest_test.account")
			x.SpawnedAs("child")
			x.Spawns(&account{balance: 4})
			x.SpawnedAs("other/1")
			x.SpawnsAny("third/1")
		}},
		{"a created actor of another kind", "an actor of type steptest_test.account is created, want steptest_test.child", func(x *steptest.Test) {
			x.Handle(do(func(c *actor.Context) { c.SpawnChild(func() actor.Receiver { return &account{} }, "child") }), 1)
			x.SpawnsAny("steptest_test.child")
		}},
		{"an actor that nobody expects", "the handler also creates an actor of type audit", func(x *steptest.Test) {
			x.Handle(&account{balance: 10}, withdraw{3})
			x.Sends(x.Spawned(1), withdraw{3})
		}},
		{"what a new actor does when it starts", "", func(x *steptest.Test) {
			p := x.Peer("p")
			x.Handle(do(func(c *actor.Context) {
				c.SpawnChildFunc(func(c *actor.Context) {
					if _, ok := c.Message().(actor.Started); ok {
						c.Send(p, "here")
					}
				}, "child")
			}), 1)
			x.SpawnsAny("child")
			x.Sends(p, "here")
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
		{"nothing more", "the handler sends nothing more, want a message of int(1) to the peer sender", func(x *steptest.Test) {
			x.Handle(do(func(*actor.Context) {}), 1)
			x.Sends(x.Sender(), 1)
		}},
		{"panics", "", func(x *steptest.Test) { x.Handle(do(func(*actor.Context) { panic("so") }), 1); x.Panics("so") }},
		{"to nobody", "", func(x *steptest.Test) { x.Handle(do(func(c *actor.Context) { c.Send(nil, 1) }), 1) }},
		{"from nobody", "", func(x *steptest.Test) {
			x.FromNobody()
			x.Handle(do(func(c *actor.Context) {
				if c.Sender() != nil {
					panic(c.Sender())
				}
				c.Respond(1)
			}), 1)
		}},
		{"from itself", "", func(x *steptest.Test) {
			x.From(x.Self())
			x.Handle(do(func(c *actor.Context) { c.Send(c.Sender(), 2) }), 1)
			x.Sends(x.Self(), 2)
		}},
		{"waits for an answer", "", func(x *steptest.Test) {
			p, got := x.Peer("p"), any(nil)
			x.Answers(p, 42)
			x.Handle(do(func(c *actor.Context) { got, _ = c.Request(p, "ask", time.Second).Result() }), 1)
			x.Sends(p, "ask")
			x.Equal("got", got, 42)
		}},
		{"waits for no answer", "", func(x *steptest.Test) {
			p, text := x.Peer("p"), ""
			x.Answers(p, steptest.Nothing{})
			x.Handle(do(func(c *actor.Context) {
				_, err := c.Engine().Request(p, "ask", time.Second).Result()
				text = err.Error()
			}), 1)
			x.Sends(p, "ask")
			x.Equal("text", text, "context deadline exceeded")
		}},
		{"stops", "", func(x *steptest.Test) {
			p := x.Peer("p")
			x.Handle(do(func(c *actor.Context) {
				c.Engine().Stop(p)
				c.Engine().Poison(p)
				c.Engine().Poison(c.PID())
			}), 1)
			x.Stops(p)
			x.Stops(p)
			x.Stops(x.Self())
		}},
		{"waits for the end of an actor", "", func(x *steptest.Test) {
			p := x.Peer("p")
			x.Handle(do(func(c *actor.Context) {
				<-c.Engine().Stop(p).Done()
				c.Respond("gone")
			}), 1)
			x.Stops(p)
			x.Sends(x.Sender(), "gone")
		}},
		{"acts by an engine of its own", "", func(x *steptest.Test) {
			p := x.Peer("p")
			e := x.Engine()
			a := &keeper{engine: e}
			x.Handle(a, p)
			x.Sends(p, 1)
			x.Stops(p)
			x.Equal("a", a, &keeper{engine: x.Engine(), other: x.Engine()})
		}},
		{"has no engine", "a.engine is <nil>", func(x *steptest.Test) {
			a := &keeper{}
			x.Handle(a, 1)
			x.Equal("a", a, &keeper{engine: x.Engine()})
		}},
		{"passes on", "", func(x *steptest.Test) {
			x.Handle(do(func(c *actor.Context) { c.Forward(c.Sender()) }), 1)
			x.Sends(x.Sender(), 1)
		}},
		{"messages before", "", func(x *steptest.Test) {
			x.Before(3, 4)
			got := []string{}
			x.Handle(do(func(c *actor.Context) {
				got = append(got, fmt.Sprintf("%T", c.Message()))
				c.Send(c.PID(), "later")
			}), true)
			x.Sends(x.Self(), "later")
			x.Equal("got", got, []string{"actor.Initialized", "actor.Started", "int", "int", "bool"})
		}},
		{"messages before of nobody", "", func(x *steptest.Test) {
			x.FromNobody()
			x.Before(3)
			got := []string{}
			x.Handle(do(func(c *actor.Context) { got = append(got, fmt.Sprintf("%T", c.Message())) }), true)
			x.Equal("got", got, []string{"actor.Initialized", "actor.Started", "int", "bool"})
		}},
		{"Started as the message", "", func(x *steptest.Test) {
			n := 0
			x.Handle(do(func(c *actor.Context) { n++ }), actor.Started{})
			x.Equal("n", n, 1)
		}},
		{"answers of who is no peer", "which is no peer: make it by Peer", func(x *steptest.Test) { x.Answers(x.Self(), 1) }},
		{"a peer too late", "steptest: Peer after Handle", func(x *steptest.Test) {
			x.Handle(do(func(*actor.Context) {}), 1)
			x.Peer("late")
		}},
	} {
		if got := said(tt.test); tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
			t.Errorf("%s: says %q, want %q", tt.name, got, tt.want)
		}
	}
}
