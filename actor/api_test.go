package actor_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/trace"
)

func TestSendOrder(t *testing.T) {
	mayLog(t, func(_ *explore.T, ctx *actor.Context) {
		a := ctx.Spawn(actor.Func(logger))
		ctx.Send(a, hello{1})
		ctx.Send(a, hello{2})
	}, want{bag, []string{"1 2", "2 1"}}, want{fifo, []string{"1 2"}}, want{causal, []string{"1 2"}},
		want{mailbox, []string{"1 2"}}, want{serial, []string{"1 2"}})
}

// TestParallelHandlers is the program of the delivery models' own argument: what only parallel handlers can do takes
// the splitting of a handler's sends.
func TestParallelHandlers(t *testing.T) {
	relay := func(first, second actor.Ref, m, n int) actor.Func {
		return func(ctx *actor.Context, _ any) {
			ctx.Send(first, hello{m})
			ctx.Send(second, hello{n})
		}
	}
	p := func(_ *explore.T, ctx *actor.Context) {
		c := ctx.SpawnNamed("C", actor.Func(func(ctx *actor.Context, msg any) { ctx.T().Logf("C%d", msg.(hello).N) }))
		d := ctx.SpawnNamed("D", actor.Func(func(ctx *actor.Context, msg any) { ctx.T().Logf("D%d", msg.(hello).N) }))
		ctx.Send(ctx.Spawn(relay(c, d, 1, 2)), ping{})
		ctx.Send(ctx.Spawn(relay(d, c, 3, 4)), ping{})
	}
	both := func(c explore.Conditions) bool { // C: m1, m4 together with D: m3, m2
		for _, log := range explored(t, p, c).logs {
			if before(log, "C1", "C4") && before(log, "D3", "D2") {
				return true
			}
		}
		return false
	}
	if !both(mailbox) {
		t.Error("mailbox misses the interleaving of parallel handlers")
	}
	if both(serial) {
		t.Error("mailbox-serial has the interleaving of parallel handlers")
	}
}

func before(log, a, b string) bool { return strings.Index(log, a) < strings.Index(log, b) }

func TestSenderSelfName(t *testing.T) {
	mayLog(t, func(t *explore.T, ctx *actor.Context) {
		echo := ctx.SpawnNamed("echo", actor.Func(func(ctx *actor.Context, _ any) {
			ctx.T().Log(ctx.Name(ctx.Sender()), ctx.Name(ctx.Self()), ctx.Sender())
			ctx.Reply(pong{})
		}))
		ctx.Spawn(&asker{to: echo})
		ctx.T().Log(ctx.Sender())
	}, want{bag, []string{"nobody asker echo actor 2 pong"}}, want{mailbox, []string{"nobody asker echo actor 2 pong"}})
}

// asker sends ping from its start hook and logs what comes back.
type asker struct{ to actor.Ref }

func (a *asker) Start(ctx *actor.Context) { ctx.Send(a.to, ping{}) }

func (a *asker) Receive(ctx *actor.Context, msg any) {
	if _, ok := msg.(pong); ok {
		ctx.T().Log("pong")
	}
}

// gate accepts hellos only once it is open.
type gate struct{ open bool }

func (g *gate) Accepts(msg any) bool { _, is := msg.(hello); return !is || g.open }

func (g *gate) Receive(ctx *actor.Context, msg any) {
	if _, opens := msg.(ping); opens {
		g.open = true
		ctx.T().Log("open")
		return
	}
	logger(ctx, msg)
}

func TestAccepts(t *testing.T) {
	mayLog(t, func(_ *explore.T, ctx *actor.Context) {
		g := ctx.Spawn(&gate{})
		ctx.Send(g, hello{1})
		ctx.Send(g, ping{})
	}, want{bag, []string{"open 1"}}, want{mailbox, []string{"open 1"}}, want{serial, []string{"open 1"}})
}

func TestBecome(t *testing.T) {
	p := func(_ *explore.T, ctx *actor.Context) {
		loud := actor.Func(func(ctx *actor.Context, msg any) {
			ctx.T().Log("loud")
			ctx.Unbecome()
			ctx.Unbecome() // nothing left to go back to
		})
		a := ctx.Spawn(actor.Func(func(ctx *actor.Context, msg any) {
			ctx.T().Log("quiet")
			ctx.Become(loud)
		}))
		for range 3 {
			ctx.Send(a, ping{})
		}
	}
	mayLog(t, p, want{bag, []string{"quiet loud quiet"}}, want{mailbox, []string{"quiet loud quiet"}})
	changes := 0
	exploredBy(t, actor.New(p), search.NewNaive(),
		explore.Options{Budget: explore.Budget{Executions: 1}, Check: counting(func(e *trace.Event) {
			if e.Changes {
				changes++
			}
		})})
	if changes != 3 {
		t.Errorf("%d events changed behaviours, want 3", changes)
	}
}

// counting is a Checker that looks at every event.
type counting func(*trace.Event)

func (f counting) Step(x explore.Execution, e int32) []trace.Violation {
	f(&x.Trace().Events[e])
	return nil
}
func (counting) End(explore.Execution, bool, []trace.Incident) []trace.Violation { return nil }

func TestStopAndWatch(t *testing.T) {
	p := func(_ *explore.T, ctx *actor.Context) {
		victim := ctx.SpawnNamed("victim", actor.Func(func(ctx *actor.Context, msg any) {
			ctx.Stop()
			ctx.Reply(hello{1}) // a handler that stops its actor still runs to its end
		}))
		w := ctx.SpawnNamed("watcher", actor.Func(func(ctx *actor.Context, msg any) {
			switch msg := msg.(type) {
			case ping:
				ctx.Watch(victim)
				ctx.Send(victim, ping{})
			case actor.Terminated:
				ctx.T().Log(ctx.Name(msg.Who), msg.Who == ctx.Sender())
			default:
				logger(ctx, msg)
			}
		}))
		ctx.Send(w, ping{})
	}
	after := "1 victim true"
	mayLog(t, p, want{bag, []string{after, "victim true 1"}}, want{fifo, []string{after}}, want{causal, []string{after}},
		want{mailbox, []string{after}}, want{serial, []string{after}})
}

func TestWatchOfAStoppedActor(t *testing.T) {
	mayLog(t, func(t *explore.T, ctx *actor.Context) {
		var victim actor.Ref
		t.SetUp(func() {
			victim = ctx.SpawnNamed("victim", actor.Func(func(ctx *actor.Context, msg any) { ctx.Stop() }))
			ctx.Send(victim, ping{})
		})
		ctx.Watch(victim)
		ctx.StopActor(victim) // no dead letter: it has what it asks for
		t.Log(ctx.Receive(func(any) bool { return true }))
	}, want{bag, []string{"{actor 1}"}}, want{mailbox, []string{"{actor 1}"}})
}

func TestStopOfOthersComesFirst(t *testing.T) {
	p := func(t *explore.T, ctx *actor.Context) {
		a := ctx.Spawn(actor.Func(logger))
		ctx.Send(a, hello{1})
		ctx.StopActor(a)
		t.AtEnd(func() { t.Log("end") })
	}
	for _, c := range []explore.Conditions{bag, mailbox} {
		h := explored(t, p, c)
		// A pending system message precedes user messages in every model. Under mailbox the hello is released before.
		if c.Model == trace.Bag && fmt.Sprint(h.logs) != "[end]" || c.Model == trace.Mailbox &&
			fmt.Sprint(h.logs) != "[1 end end]" {
			t.Errorf("%v: %q", c.Model, h.logs)
		}
	}
}

func TestStopEndsABlockedHandler(t *testing.T) {
	blocked := func(block func(ctx *actor.Context)) actor.Func {
		return func(ctx *actor.Context, msg any) {
			defer ctx.T().Log("deferred")
			defer ctx.Send(ctx.Sender(), hello{}) // goes nowhere
			defer func() { recover() }()          // does not keep it alive
			ctx.Reply(pong{})
			block(ctx)
		}
	}
	for _, b := range []actor.Func{
		blocked(func(ctx *actor.Context) { ctx.Receive(func(any) bool { return false }) }),
		blocked(func(ctx *actor.Context) { ctx.AwaitUntil(func() bool { return false }) }),
	} {
		mayLog(t, func(t *explore.T, ctx *actor.Context) {
			a := ctx.Spawn(b)
			ctx.Send(a, ping{})
			ctx.Receive(func(any) bool { return true })
			ctx.Watch(a)
			ctx.StopActor(a)
			ctx.Receive(func(any) bool { return true })
			t.Log("stopped")
		}, want{bag, []string{"deferred stopped"}}, want{fifo, []string{"deferred stopped"}},
			want{mailbox, []string{"deferred stopped"}})
	}
}

func TestStashKeepsOrder(t *testing.T) {
	mayLog(t, func(_ *explore.T, ctx *actor.Context) {
		a := ctx.Spawn(&stasher{})
		ctx.Send(a, hello{1})
		ctx.Send(a, hello{2})
		ctx.Send(a, ping{})
		ctx.Send(a, hello{3})
	}, want{mailbox, []string{"stash stash open 1 2 3"}}, want{serial, []string{"stash stash open 1 2 3"}},
		want{fifo, []string{"stash stash open 1 2 3"}}, want{causal, []string{"stash stash open 1 2 3"}})
}

func TestStashOfACall(t *testing.T) {
	mayLog(t, func(t *explore.T, ctx *actor.Context) {
		a := ctx.Spawn(&stasher{replies: true})
		b := ctx.Spawn(actor.Func(func(ctx *actor.Context, msg any) { ctx.Send(a, ping{}) }))
		ctx.Send(b, ping{})
		v, err := ctx.Call(a, hello{1})
		t.Log(v, err)
	}, want{bag, []string{"stash open 1 {1} <nil>", "open 1 {1} <nil>"}},
		want{mailbox, []string{"stash open 1 {1} <nil>", "open 1 {1} <nil>"}})
}

// stasher puts hellos aside until ping.
type stasher struct{ open, replies bool }

func (s *stasher) Receive(ctx *actor.Context, msg any) {
	switch {
	case msg == ping{}:
		s.open = true
		ctx.T().Log("open")
		ctx.UnstashAll()
	case !s.open:
		ctx.T().Log("stash")
		ctx.Stash()
	default:
		logger(ctx, msg)
		if s.replies {
			ctx.Reply(msg)
		}
	}
}

func TestChoose(t *testing.T) {
	p := func(t *explore.T, ctx *actor.Context) {
		t.SetUp(func() { t.Log(ctx.Choose(5)) })
		a := ctx.Spawn(actor.Func(func(ctx *actor.Context, msg any) {
			x := ctx.Choose(2)
			y := ctx.T().Choose(2)
			ctx.T().Log(x, y)
		}))
		ctx.Send(a, ping{})
	}
	all := []string{"0 0 0", "0 0 1", "0 1 0", "0 1 1"}
	mayLog(t, p, want{bag, all}, want{mailbox, all})
}

func TestCopyOnSend(t *testing.T) {
	type box struct {
		items []int
		again *box
		err   error
	}
	errSentinel := errors.New("sentinel")
	p := func(t *explore.T, ctx *actor.Context) {
		a := ctx.Spawn(actor.Func(func(ctx *actor.Context, msg any) {
			b := msg.(*box)
			ctx.T().Log(b.items[0], b.again == b, b.err == errSentinel)
		}))
		b := &box{items: []int{1}, err: errSentinel}
		b.again = b
		ctx.Send(a, b)
		b.items[0] = 2
	}
	mayLog(t, p, want{bag, []string{"1 true true"}}, want{mailbox, []string{"1 true true"}},
		want{explore.Conditions{Model: trace.Bag}, []string{"2 true true"}})
}

func TestStartHook(t *testing.T) {
	var child actor.Behavior = &asker{}
	p := func(t *explore.T, ctx *actor.Context) {
		server := ctx.SpawnNamed("server", actor.Func(func(ctx *actor.Context, msg any) {
			ctx.T().Log(ctx.Name(ctx.Sender()))
			if _, ok := msg.(ping); ok {
				ctx.Reply(pong{})
			}
		}))
		child.(*asker).to = server
		ctx.Spawn(child)
		ctx.Send(server, hello{})
	}
	mayLog(t, p, want{bag, []string{"asker Driver pong", "asker pong Driver", "Driver asker pong"}},
		want{mailbox, []string{"asker Driver pong", "asker pong Driver"}},
		want{causal, []string{"asker Driver pong", "asker pong Driver"}})
}

func TestCallTimeout(t *testing.T) {
	// The server answers in time, or late, or both are on their way: with asynchronous timers either may win.
	p := func(t *explore.T, ctx *actor.Context) {
		s := ctx.Spawn(actor.Func(func(ctx *actor.Context, msg any) { ctx.Reply(1) }))
		v, err := ctx.CallTimeout(s, ping{}, time.Second)
		t.Log(v, err)
	}
	mayLog(t, p, want{bag, []string{"1 <nil>"}}, want{mailbox, []string{"1 <nil>"}})
	for _, c := range []explore.Conditions{async(bag), async(fifo), async(mailbox), async(serial)} {
		h := explored(t, p, c)
		if fmt.Sprint(h.logs) != fmt.Sprint([]string{"1 <nil>", "<nil> " + actor.ErrTimeout.Error()}) {
			t.Errorf("%v: got %q", c.Model, h.logs)
		}
		// A reply to a call that was given up is a dead letter.
		if len(h.violations) != 1 || !strings.HasPrefix(h.violations[0], "dead-letter") {
			t.Errorf("%v: got %q, want a dead letter", c.Model, h.violations)
		}
	}
}

func TestInvariantsSeeStates(t *testing.T) {
	c := &check.Checker{Invariants: []check.Invariant{{Name: "few", Holds: func(s check.State) error {
		var err error
		s.Actors(func(name, typ string, value any) bool {
			if w := value.(*waiter); w.seen > 1 {
				err = fmt.Errorf("%s has seen %d", name, w.seen)
			}
			return true
		})
		return err
	}}}}
	h := exploredBy(t, actor.New(func(t *explore.T, ctx *actor.Context) {
		a := ctx.Spawn(&waiter{})
		ctx.Send(a, hello{1})
		ctx.Send(a, hello{2})
	}), search.NewNaive(), explore.Options{Check: c})
	if len(h.texts) != 2 || h.texts[0] != "invariant few does not hold: waiter has seen 2" {
		t.Errorf("got %q", h.texts)
	}
}

// The test function finds actors by the names that reports have. Handlers do not.
func TestActorByName(t *testing.T) {
	mayLog(t, func(_ *explore.T, ctx *actor.Context) {
		ctx.Spawn(actor.Func(logger))
		ctx.SpawnNamed("clerk", actor.Func(logger))
		ctx.SpawnNamed("clerk", actor.Func(logger))
		if ctx.Name(ctx.Actor("clerk#2")) != "clerk#2" || ctx.Actor("clerk#2") == ctx.Actor("clerk#1") {
			panic("another one")
		}
		ctx.Send(ctx.Actor("clerk#1"), hello{1})
	}, want{bag, []string{"1"}})
	for _, p := range []program{
		func(_ *explore.T, ctx *actor.Context) { ctx.Actor("clerk") },
		func(_ *explore.T, ctx *actor.Context) {
			ctx.Send(ctx.SpawnNamed("clerk", actor.Func(func(ctx *actor.Context, _ any) { ctx.Actor("clerk") })), hello{1})
		},
	} {
		h := explored(t, p, bag)
		if len(h.violations) != 1 || !strings.HasPrefix(h.violations[0], "panic: ") {
			t.Errorf("found %q: %q", h.violations, h.texts)
		}
	}
}
