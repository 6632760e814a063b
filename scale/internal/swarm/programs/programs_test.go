// Package programs is what swarms explore in tests: a test binary like that of a user, which links no broker.
package programs

import (
	"fmt"
	"os"
	"testing"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/subjects"
)

// program is explored by swarms.
type program struct {
	strategy, budget string
	sys              func() rehearse.System
}

var programs = map[string]program{
	"pi6":     {"reverse", "unlimited", func() rehearse.System { return subjects.Pi(6) }},
	"pi8":     {"reverse", "unlimited", func() rehearse.System { return subjects.Pi(8) }},
	"pi9":     {"reverse", "unlimited", func() rehearse.System { return subjects.Pi(9) }},
	"fib6":    {"reverse", "unlimited", func() rehearse.System { return subjects.Fib(6) }},
	"pi4":     {"naive", "unlimited", func() rehearse.System { return subjects.Pi(4) }},
	"sample":  {"random", "30000x", func() rehearse.System { return subjects.Pi(4) }},
	"budget":  {"naive", "20000x", func() rehearse.System { return subjects.Pi(4) }},
	"bug":     {"reverse", "unlimited", func() rehearse.System { return overdrawn(6) }},
	"waits":   {"optimal", "unlimited", func() rehearse.System { return subjects.Pi(4) }},
	"surw":    {"surw/first", "1500x", func() rehearse.System { return subjects.Pi(4) }},
	"leader5": {"naive", "unlimited", func() rehearse.System { return subjects.Leader(5) }},
	"deep":    {"reverse", "unlimited", func() rehearse.System { return deep(250) }},
	"deeper":  {"naive", "unlimited", func() rehearse.System { return deep(250) }},
	"endless": {"random", "unlimited", func() rehearse.System { return subjects.Pi(4) }},
}

type account struct{ balance int }

func (a *account) Receive(_ *actor.Context, msg any) {
	if a.balance += msg.(int); a.balance < 0 {
		panic("overdrawn")
	}
}

// overdrawn has an account of which so many clients take 1 each, before or after it got as much.
func overdrawn(clients int) rehearse.System {
	return actor.New(func(_ *rehearse.T, ctx *actor.Context) {
		a := ctx.SpawnNamed("account", &account{balance: clients - 2})
		for i := range clients {
			from := ctx.SpawnNamed("client", actor.Func(func(ctx *actor.Context, msg any) { ctx.Send(a, msg) }))
			amount := -1
			if i == 0 {
				amount = 1
			}
			ctx.Send(from, amount)
		}
	})
}

// deep has an actor that two others send so many messages to, one after the other. Each of them may come before or
// after those of the other one.
func deep(messages int) rehearse.System {
	return actor.New(func(_ *rehearse.T, ctx *actor.Context) {
		sum := 0
		a := ctx.SpawnNamed("a", actor.Func(func(_ *actor.Context, msg any) { sum = 2*sum + msg.(int) }))
		for k := range 2 {
			from := ctx.SpawnNamed("from", actor.Func(func(ctx *actor.Context, msg any) {
				ctx.Send(a, k)
				if left := msg.(int) - 1; left > 0 {
					ctx.Send(ctx.Self(), left)
				}
			}))
			ctx.Send(from, messages)
		}
	})
}

// everything is what must be the same whoever explores.
func everything(r *rehearse.Result) string {
	return fmt.Sprintf("complete %v, %d executions, %d blocked, %d classes, depth %d, %d findings", r.Complete,
		r.Executions, r.Blocked, r.Classes, r.Depth, len(r.Findings))
}

// TestProgram is what the bundles of these tests run: it explores a program and prints what came of it.
func TestProgram(t *testing.T) {
	p, ok := programs[os.Getenv("REHEARSE_TEST_PROGRAM")]
	if !ok {
		return
	}
	r, err := rehearse.Explore(rehearse.Config{Strategy: p.strategy, Budget: p.budget}, p.sys())
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println("RESULT " + everything(&r))
	fmt.Println(r.String())
	for _, f := range r.Findings {
		fmt.Println("FINDING", &f.Violation, f.Note)
	}
}
