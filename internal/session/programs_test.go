package session

import (
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

// prepared is a session of the test TestX in an empty folder, with what the root package takes for defaults.
func prepared(t *testing.T, strategy string, sys explore.System) *Session {
	t.Helper()
	t.Chdir(t.TempDir())
	p := &Plan{Conditions: explore.Conditions{Horizon: time.Minute, MaxSteps: 100_000, Copy: true,
		Blocked: 10 * time.Second},
		Strategy: strategy, Seed: 1, Budget: explore.Budget{Executions: 1000}, Workers: 1, Recheck: 32}
	getenv := func(string) string { return "" }
	if err := p.Prepare(sys, getenv); err != nil {
		t.Fatal(err)
	}
	if err := p.UseFacts(sys); err != nil {
		t.Fatal(err)
	}
	return New(p, sys, ID{Package: "example.com/bank", Test: "TestX"})
}

// contains fails the test for every text that is missing.
func contains(t *testing.T, got string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(got, w) {
			t.Errorf("lacks %q:\n%s", w, got)
		}
	}
}

type again struct{}

// handler is a behaviour that is given itself.
type handler func(ctx *actor.Context, self handler)

func (h handler) Receive(ctx *actor.Context, _ any) { h(ctx, h) }

// begins is a program that sends an actor one message. executed counts its executions from the start.
func begins(h handler, executed *int) explore.System {
	return actor.New(func(_ *explore.T, ctx *actor.Context) {
		*executed++
		ctx.Send(ctx.SpawnNamed("first", h), again{})
	})
}

type deposit struct{ Amount int }
type withdraw struct{ Amount int }

type account struct{ Balance int }

func (a *account) Receive(_ *actor.Context, msg any) {
	switch m := msg.(type) {
	case deposit:
		a.Balance += m.Amount
	case withdraw:
		if m.Amount > a.Balance {
			panic("overdrawn")
		}
		a.Balance -= m.Amount
	}
}

type client struct{ Account actor.Ref }

func (c *client) Receive(ctx *actor.Context, msg any) { ctx.Send(c.Account, msg) }

// bank is overdrawn if the deposit is late. The spender's message takes a way of more steps than the saver's, so the
// default order passes.
func bank() explore.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		a := ctx.SpawnNamed("account", &account{})
		spender := ctx.SpawnNamed("spender", &client{a})
		ctx.Send(ctx.SpawnNamed("saver", &client{a}), deposit{50})
		ctx.Send(ctx.SpawnNamed("teller", &client{spender}), withdraw{20})
	})
}
