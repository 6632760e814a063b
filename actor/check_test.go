package actor_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/trace"
)

// TestChecks triggers every check on native actors. key is the violation's key, text part of what people read.
func TestChecks(t *testing.T) {
	one := func(f actor.Func) program {
		return func(_ *explore.T, ctx *actor.Context) { ctx.Send(ctx.SpawnNamed("A", f), ping{}) }
	}
	for _, tt := range []struct {
		name      string
		p         program
		o         explore.Options
		check     check.Checker
		key, text string
	}{
		{name: "panic", p: one(func(*actor.Context, any) { panic("oh no") }),
			key: "panic: A: actor_test.ping: " + here + "TestChecks.func2", text: "A panicked on ping from Driver: oh no"},
		{name: "panic with a value that is no error", p: one(func(*actor.Context, any) { panic(struct{ Code int }{7}) }),
			key: "panic: A: actor_test.ping: " + here + "TestChecks.func3", text: "A panicked on ping from Driver: {7}"},
		{name: "panic of the test function", p: func(*explore.T, *actor.Context) { panic(errors.New("boom")) },
			key: "panic: Driver: : " + here + "TestChecks.func4", text: "boom"},
		{name: "panic in a start hook",
			p:   func(_ *explore.T, ctx *actor.Context) { ctx.Spawn(&starter{func(*actor.Context) { panic("early") }}) },
			key: "panic: actor_test.starter: : " + here + "TestChecks.func5.1", text: "early"},
		{name: "assertion", p: one(func(ctx *actor.Context, _ any) { ctx.T().Error("wrong", 1) }),
			key: "assertion: A: actor_test.ping: " + here + "TestChecks.func6", text: "wrong 1"},
		{name: "assertion that ends the execution", p: one(func(ctx *actor.Context, _ any) { ctx.T().Fatalf("fatal %d", 2) }),
			key: "assertion: A: actor_test.ping: " + here + "TestChecks.func7", text: "fatal 2"},
		{name: "assertion at the end", p: func(t *explore.T, _ *actor.Context) { t.AtEnd(func() { t.Error("late") }) },
			key: "assertion: Driver: : " + here + "TestChecks.func8.1", text: "late"},
		{name: "invariant", p: one(func(*actor.Context, any) {}),
			check: check.Checker{Invariants: []check.Invariant{{Name: "never",
				Holds: func(check.State) error { return errors.New("nope") }}}},
			key: "assertion: Driver: : invariant never", text: "nope"},
		{name: "deadlock in a cycle of calls", p: cycle,
			key:  "deadlock: B awaits reply to pong; C awaits reply to pong",
			text: "in a cycle of calls: B waits for reply to pong from C; C waits for reply to pong from B"},
		{name: "deadlock for ever",
			p:   one(func(ctx *actor.Context, _ any) { ctx.Receive(func(msg any) bool { return msg == pong{} }) }),
			key: "deadlock: A awaits a message that matches", text: "blocked for ever: A waits for a message that matches"},
		{name: "task that never resumes",
			p:   one(func(ctx *actor.Context, _ any) { ctx.AwaitUntil(func() bool { return false }) }),
			key: "deadlock: A awaits a condition", text: "blocked for ever: A waits for a condition"},
		{name: "orphan of a stopped actor", p: func(_ *explore.T, ctx *actor.Context) {
			a := ctx.SpawnNamed("A", actor.Func(func(ctx *actor.Context, _ any) { ctx.Stop() }))
			ctx.Send(a, ping{})
			ctx.Send(a, ping{})
		}, check: check.Checker{Levels: check.Levels{trace.OrphanDead: check.Error, trace.DeadLetter: check.Off}},
			key: "orphan-dead: A: actor_test.ping: ", text: "was never handled: A had stopped"},
		{name: "orphan", p: func(_ *explore.T, ctx *actor.Context) { ctx.Send(ctx.Spawn(&gate{}), hello{}) },
			key: "orphan: actor_test.gate: actor_test.hello: ", text: "gate refused it to the end"},
		{name: "orphan in a stash", p: one(func(ctx *actor.Context, _ any) { ctx.Stash() }),
			key: "orphan: A: actor_test.ping: ", text: "was never taken"},
		{name: "dead letter to nobody", p: func(_ *explore.T, ctx *actor.Context) { ctx.Send(actor.Ref{}, ping{}) },
			key: "dead-letter: Driver: actor_test.ping: ", text: "ping was sent to nobody: the reference is empty"},
		{name: "dead letter to a stopped actor", p: func(t *explore.T, ctx *actor.Context) {
			var a actor.Ref
			t.SetUp(func() {
				a = ctx.SpawnNamed("A", actor.Func(func(ctx *actor.Context, _ any) { ctx.Stop() }))
				ctx.Send(a, pong{})
			})
			ctx.Send(a, ping{})
		}, key: "dead-letter: Driver: actor_test.ping: ", text: "ping from Driver was sent to nobody: A had stopped"},
		{name: "dead letter to the test", p: one(func(ctx *actor.Context, _ any) { ctx.Reply(pong{}) }),
			key: "dead-letter: A: actor_test.pong: ", text: "the test function had ended"},
		{name: "second reply", p: func(_ *explore.T, ctx *actor.Context) {
			ctx.Call(ctx.SpawnNamed("A", actor.Func(func(ctx *actor.Context, _ any) { ctx.Reply(pong{}); ctx.Reply(hello{}) })),
				ping{})
		}, key: "dead-letter: A: actor_test.hello: ", text: "the call was answered before"},
		{name: "environment empty", p: func(_ *explore.T, ctx *actor.Context) { ctx.SpawnNamed("A", actor.Func(logger)) },
			check: check.Checker{Ends: check.Empty}, key: "environment: A: : ", text: "A has not stopped"},
		{name: "unhandled", p: one(func(ctx *actor.Context, _ any) { ctx.Unhandled() }),
			key: "unhandled: A: actor_test.ping: ", text: "A has no handler for ping from Driver"},
		{name: "livelock", p: one(func(ctx *actor.Context, _ any) { ctx.Send(ctx.Self(), ping{}) }),
			o:   explore.Options{MaxSteps: 10},
			key: "livelock: A: actor_test.ping: ", text: "more than 10 steps and still going: next is "},
		{name: "blocking start hook", p: func(_ *explore.T, ctx *actor.Context) {
			ctx.Spawn(&starter{func(ctx *actor.Context) { ctx.Call(ctx.Self(), ping{}) }})
		}, key: "panic: actor_test.starter: : github.com/rehearse-go/rehearse/actor.(*Context).blocks",
			text: "must not block"},
		{name: "Context of another actor", p: func(_ *explore.T, driver *actor.Context) {
			driver.Send(driver.SpawnNamed("A", actor.Func(func(*actor.Context, any) { driver.Send(actor.Ref{}, ping{}) })),
				ping{})
		}, key: "panic: A: actor_test.ping: github.com/rehearse-go/rehearse/actor.(*Context).acts",
			text: "let each actor use the Context"},
	} {
		for _, m := range []trace.Model{trace.Bag, trace.Mailbox} {
			tt.o.Conditions.Model = m
			tt.o.Check = &tt.check
			h := exploredBy(t, actor.New(tt.p), search.NewNaive(), tt.o)
			if !slices.Equal(h.violations, []string{tt.key}) {
				t.Errorf("%s under %v: found %q, want %q", tt.name, m, h.violations, tt.key)
			} else if !strings.Contains(h.texts[0], tt.text) {
				t.Errorf("%s under %v: text %q, want %q in it", tt.name, m, h.texts[0], tt.text)
			}
		}
	}
}

const here = "github.com/rehearse-go/rehearse/actor_test."

type starter struct{ start func(*actor.Context) }

func (s *starter) Start(ctx *actor.Context)  { s.start(ctx) }
func (*starter) Receive(*actor.Context, any) {}

// cycle has two actors call each other.
func cycle(t *explore.T, ctx *actor.Context) {
	other := map[actor.Ref]actor.Ref{}
	caller := actor.Func(func(ctx *actor.Context, msg any) {
		if msg == (ping{}) {
			ctx.Call(other[ctx.Self()], pong{})
			return
		}
		ctx.Reply(nil)
	})
	b, c := ctx.SpawnNamed("B", caller), ctx.SpawnNamed("C", caller)
	other[b], other[c] = c, b
	ctx.Send(b, ping{})
	ctx.Send(c, ping{})
}

// TestAPanicFailsPendingCalls: those of the message being handled and of messages still before the actor.
func TestAPanicFailsPendingCalls(t *testing.T) {
	for _, c := range []explore.Conditions{bag, mailbox} {
		o := explore.Options{Conditions: c,
			Check: &check.Checker{Levels: check.Levels{trace.Panic: check.Off, trace.DeadLetter: check.Off}}}
		h := exploredBy(t, actor.New(func(t *explore.T, ctx *actor.Context) {
			a := ctx.SpawnNamed("A", actor.Func(func(*actor.Context, any) { panic("oh no") }))
			asked := ctx.Ask(a, ping{})
			_, err := ctx.Call(a, ping{})
			var stopped *actor.StoppedError
			t.Log(errors.As(err, &stopped), err)
			_, err = ctx.Await(asked)
			t.Log(err)
		}), search.NewNaive(), o)
		const text = "actor: A stopped by a panic before it replied: oh no"
		if !slices.Equal(h.logs, []string{"true " + text + " " + text}) || len(h.violations) > 0 {
			t.Errorf("%v: %q, found %q", c.Model, h.logs, h.violations)
		}
	}
}

// A SetUp that comes too late, or from somebody else, is a mistake in the test: an error, no finding.
func TestMisuseOfSetUp(t *testing.T) {
	nothing := func() {}
	for name, p := range map[string]program{
		"nested":         func(t *explore.T, ctx *actor.Context) { t.SetUp(func() { t.SetUp(nothing) }) },
		"after a choice": func(t *explore.T, ctx *actor.Context) { ctx.Choose(2); t.SetUp(nothing) },
		"after a request": func(t *explore.T, ctx *actor.Context) {
			ctx.Call(ctx.Spawn(actor.Func(answers)), ping{})
			t.SetUp(nothing)
		},
		"after a request behind another": func(t *explore.T, ctx *actor.Context) {
			t.SetUp(nothing)
			ctx.Call(ctx.Spawn(actor.Func(answers)), ping{})
			t.SetUp(nothing)
		},
		"by a handler": func(t *explore.T, ctx *actor.Context) {
			ctx.Send(ctx.Spawn(actor.Func(func(ctx *actor.Context, _ any) { ctx.T().SetUp(nothing) })), ping{})
		},
		"by AtEnd": func(t *explore.T, ctx *actor.Context) {
			t.AtEnd(func() { t.SetUp(nothing) })
			ctx.Send(ctx.Spawn(actor.Func(logger)), ping{})
		},
	} {
		for _, m := range []trace.Model{trace.Bag, trace.Mailbox} {
			_, err := explore.Run(actor.New(p), search.NewNaive(), explore.Options{Conditions: explore.Conditions{Model: m}})
			if err == nil || !strings.Contains(err.Error(), explore.ErrSetUp.Error()) {
				t.Errorf("%s, %s: error %v", name, m, err)
			}
		}
	}
}

func TestSetUpErrors(t *testing.T) {
	for _, tt := range []struct {
		p     program
		wants []string
	}{
		{func(t *explore.T, ctx *actor.Context) {
			t.SetUp(func() {
				ctx.Send(ctx.SpawnNamed("A", actor.Func(func(ctx *actor.Context, _ any) { ctx.Send(ctx.Self(), ping{}) })), ping{})
			})
		}, []string{"set-up never quiesces", "50 messages", "ping from A to A", "move what starts", "raise MaxSteps"}},
		{func(t *explore.T, ctx *actor.Context) {
			t.SetUp(func() { ctx.Call(ctx.SpawnNamed("A", actor.Func(func(*actor.Context, any) {})), ping{}) })
		}, []string{"set-up is stuck", "reply to ping"}},
	} {
		for _, m := range []trace.Model{trace.Bag, trace.Mailbox} {
			_, err := explore.Run(actor.New(tt.p), search.NewNaive(),
				explore.Options{Conditions: explore.Conditions{Model: m, MaxSteps: 50}})
			for _, w := range tt.wants {
				if err == nil || !strings.Contains(err.Error(), w) {
					t.Errorf("%v: error %v, want %q in it", m, err, w)
				}
			}
		}
	}
}

func TestAPanicInSetUpIsAFinding(t *testing.T) {
	h := explored(t, func(t *explore.T, ctx *actor.Context) { t.SetUp(func() { panic("in set-up") }) }, bag)
	if len(h.texts) != 1 || !strings.Contains(h.texts[0], "in set-up") {
		t.Errorf("found %q", h.texts)
	}
}

// TestFailuresLead: what the program says is wrong comes before a dead letter of the same step, which often follows
// from it, however they were in the handler.
func TestFailuresLead(t *testing.T) {
	sys := actor.New(func(_ *explore.T, ctx *actor.Context) {
		ctx.Send(ctx.SpawnNamed("A", actor.Func(func(ctx *actor.Context, _ any) {
			ctx.Send(actor.Ref{}, pong{})
			ctx.T().Error("nobody is known")
		})), ping{})
	})
	h := exploredBy(t, sys, search.NewNaive(), explore.Options{Check: &check.Checker{}})
	if len(h.texts) != 2 || !strings.Contains(h.texts[0], "nobody is known") || !strings.Contains(h.texts[1], "to nobody") {
		t.Errorf("found in this order: %q", h.texts)
	}
}
