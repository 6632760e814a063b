package steptest_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tochemey/goakt/v4/actor"

	"github.com/rehearse-go/rehearse/adapter/goakt/steptest"
	"github.com/rehearse-go/rehearse/internal/tests/failing"
)

type withdraw struct{ amount int }

type refused struct{ balance int }

type account struct {
	balance int
	audit   *actor.PID
	system  actor.ActorSystem
	limits  map[string]int
}

func (a *account) PreStart(*actor.Context) error {
	a.limits = map[string]int{}
	return nil
}

func (a *account) PostStop(*actor.Context) error { return nil }

func (a *account) Receive(c *actor.ReceiveContext) {
	m, ok := c.Message().(withdraw)
	switch {
	case !ok:
	case a.balance < m.amount:
		c.Response(refused{a.balance})
	default:
		a.balance -= m.amount
		if a.audit == nil {
			a.audit = c.Spawn("audit", steptest.Func(func(*actor.ReceiveContext) {}))
		}
		c.Tell(a.audit, m)
	}
}

// A unit test of a handler: from a state, with a message, it answers, and leaves the state as it was.
func ExampleNew() {
	_ = func(t *testing.T) { // TestAccountRefuses
		x := steptest.New(t)
		a := &account{balance: 10}
		x.Asks()
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

type (
	do = steptest.Func
	rx = *actor.ReceiveContext
)

type trial struct {
	name string
	want string // "": passes
	test func(x *steptest.Test)
}

func run(t *testing.T, trials []trial) {
	t.Helper()
	for _, tt := range trials {
		if got := said(tt.test); tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
			t.Errorf("%s: says %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestMessages(t *testing.T) {
	run(t, []trial{
		{"sleeps", "", func(x *steptest.Test) {
			x.Handle(do(func(c rx) {
				c.Tell(c.Sender(), 1)
				time.Sleep(time.Second)
				c.Tell(c.Sender(), 2)
			}), 0)
			x.Sends(x.Sender(), 1)
			x.Sends(x.Sender(), 2)
		}},
		{"answers", "", func(x *steptest.Test) {
			a := &account{balance: 10}
			x.Asks()
			x.Handle(a, withdraw{30})
			x.Sends(x.Sender(), refused{10})
			x.Equal("a", a, &account{balance: 10})
		}},
		{"answers between messages", "", func(x *steptest.Test) {
			p := x.Peer("p")
			x.Asks()
			x.Handle(do(func(c rx) {
				c.Tell(p, 1)
				c.Response(2)
				c.Tell(p, 3)
				c.Response(4) // too late: one has been given
			}), 0)
			x.Sends(p, 1)
			x.Sends(x.Sender(), 2)
			x.Sends(p, 3)
		}},
		{"answers nobody who asks", "", func(x *steptest.Test) { x.Handle(&account{}, withdraw{30}) }},
		{"another state", "a.balance is 10, want 9", func(x *steptest.Test) {
			a := &account{balance: 10}
			x.Handle(a, withdraw{30})
			x.Equal("a", a, &account{balance: 9})
		}},
		{"another message", "sent to the peer sender: the message.balance is 10, want 11", func(x *steptest.Test) {
			x.Asks()
			x.Handle(&account{balance: 10}, withdraw{30})
			x.Sends(x.Sender(), refused{11})
		}},
		{"to a peer", "", func(x *steptest.Test) {
			audit := x.Peer("audit")
			a := &account{balance: 10, audit: audit}
			x.Handle(a, withdraw{3})
			x.Sends(audit, withdraw{3})
			x.Equal("a", a, &account{balance: 7, audit: audit})
		}},
		{"by name", "", func(x *steptest.Test) {
			p := x.Peer("p")
			var found *actor.PID
			x.Handle(do(func(c rx) {
				c.SendAsync("p", 1)
				found, _ = c.ActorSystem().ActorOf(context.Background(), "p")
			}), 1)
			x.Sends(p, 1)
			x.Equal("found", found, p)
		}},
		{"unexpected", "the handler also sends the message steptest_test.withdraw({amount:3}) to the peer audit",
			func(x *steptest.Test) { x.Handle(&account{balance: 10, audit: x.Peer("audit")}, withdraw{3}) }},
		{"nothing more", "the handler sends nothing more, want a message of int(1) to the peer sender",
			func(x *steptest.Test) {
				x.Handle(do(func(rx) {}), 1)
				x.Sends(x.Sender(), 1)
			}},
		{"from nobody", "", func(x *steptest.Test) {
			x.FromNobody()
			x.Handle(do(func(c rx) {
				if !c.Sender().Equals(c.ActorSystem().NoSender()) {
					panic(c.Sender())
				}
			}), 1)
		}},
		{"from itself", "", func(x *steptest.Test) {
			x.From(x.Self())
			x.Handle(do(func(c rx) { c.Tell(c.Sender(), 2) }), 1)
			x.Sends(x.Self(), 2)
		}},
		{"passes on", "", func(x *steptest.Test) {
			x.Handle(do(func(c rx) { c.Forward(c.Sender()) }), 1)
			x.Sends(x.Sender(), 1)
		}},
		{"waits for an answer", "", func(x *steptest.Test) {
			p, got := x.Peer("p"), any(nil)
			x.Answers(p, 42)
			x.Handle(do(func(c rx) { got = c.Ask(p, "ask", time.Second) }), 1)
			x.Sends(p, "ask")
			x.Equal("got", got, 42)
		}},
		{"waits for no answer", "", func(x *steptest.Test) {
			p, text := x.Peer("p"), ""
			x.Answers(p, steptest.Nothing{})
			x.Handle(do(func(c rx) {
				_, err := c.Self().Ask(context.Background(), p, "ask", time.Second)
				text = err.Error()
			}), 1)
			x.Sends(p, "ask")
			x.Equal("text", text, "request timed out")
		}},
	})
}

func TestActors(t *testing.T) {
	run(t, []trial{
		{"created actors", "", func(x *steptest.Test) {
			a := &account{balance: 10}
			x.Handle(a, withdraw{3})
			x.SpawnsAny("steptest.Func")
			x.SpawnedAs("audit")
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
		{"what PreStart of a new actor does", "", func(x *steptest.Test) {
			x.Handle(do(func(c rx) { c.Spawn("new", &account{balance: 4}) }), 1)
			x.Spawns(&account{balance: 4, limits: map[string]int{}})
		}},
		{"an actor that nobody expects", "the handler also creates an actor of type steptest.Func",
			func(x *steptest.Test) {
				x.Handle(&account{balance: 10}, withdraw{3})
				x.Sends(x.Spawned(1), withdraw{3})
			}},
		{"stops", "", func(x *steptest.Test) {
			p := x.Peer("p")
			x.Handle(do(func(c rx) {
				c.Stop(p)
				c.Tell(c.Sender(), "gone")
				c.Shutdown()
			}), 1)
			x.Stops(p)
			x.Sends(x.Sender(), "gone")
			x.Ends()
		}},
		{"stops, and nobody expects that", "the actor also stops",
			func(x *steptest.Test) { x.Handle(do(func(c rx) { c.Shutdown() }), 1) }},
		{"another behaviour", "", func(x *steptest.Test) {
			x.Handle(do(func(c rx) { c.Become(func(rx) {}) }), 1)
			x.Becomes()
		}},
		{"a system of its own", "", func(x *steptest.Test) {
			a := &account{system: x.System()}
			name := ""
			x.Handle(do(func(c rx) {
				name = a.system.Name()
				a.system = c.ActorSystem()
			}), 1)
			x.Equal("name", name, "steptest")
			x.Equal("a", a, &account{system: x.System()})
		}},
		{"has no system", "a.system is <nil>", func(x *steptest.Test) {
			a := &account{}
			x.Handle(a, 1)
			x.Equal("a", a, &account{system: x.System()})
		}},
	})
}

func TestFailures(t *testing.T) {
	run(t, []trial{
		{"panics", "", func(x *steptest.Test) { x.Handle(do(func(rx) { panic("so") }), 1); x.Panics("so") }},
		{"an error", "", func(x *steptest.Test) { x.Handle(do(func(c rx) { c.Err(fmt.Errorf("so")) }), 1) }},
		{"to nobody", "", func(x *steptest.Test) {
			x.Handle(do(func(c rx) { c.Tell(nil, 1) }), 1)
			x.Panics("nil pointer dereference")
		}},
		{"PreStart fails", "PreStart of the actor fails: so", func(x *steptest.Test) {
			x.Before()
			x.Handle(reluctant{}, 1)
		}},
		{"answers of who is no peer", "that is no peer: make it by Peer",
			func(x *steptest.Test) { x.Answers(x.Self(), 1) }},
		{"a peer too late", "steptest: Peer after Handle", func(x *steptest.Test) {
			x.Handle(do(func(rx) {}), 1)
			x.Peer("late")
		}},
	})
}

// reluctant is an actor whose PreStart fails.
type reluctant struct{ do }

func (reluctant) PreStart(*actor.Context) error { return fmt.Errorf("so") }

// noting notes what it gets.
type noting struct{ got []string }

func (n *noting) PreStart(*actor.Context) error { n.got = append(n.got, "PreStart"); return nil }

func (n *noting) Receive(c *actor.ReceiveContext) {
	n.got = append(n.got, fmt.Sprintf("%T", c.Message()))
	c.Tell(c.Self(), "later")
}

func (n *noting) PostStop(*actor.Context) error { return nil }

func TestBefore(t *testing.T) {
	run(t, []trial{
		{"messages before", "", func(x *steptest.Test) {
			x.Before(3, 4)
			n := &noting{}
			x.Handle(n, true)
			x.Sends(x.Self(), "later")
			x.Equal("got", n.got, []string{"PreStart", "*actor.PostStart", "int", "int", "bool"})
		}},
		{"messages before of nobody", "", func(x *steptest.Test) {
			x.FromNobody()
			x.Before(3)
			n := &noting{}
			x.Handle(n, true)
			x.Sends(x.Self(), "later")
			x.Equal("got", n.got, []string{"PreStart", "*actor.PostStart", "int", "bool"})
		}},
		{"PostStart as the message", "", func(x *steptest.Test) {
			n := &noting{}
			x.Handle(n, new(actor.PostStart))
			x.Sends(x.Self(), "later")
			x.Equal("got", n.got, []string{"*actor.PostStart"})
		}},
	})
}
