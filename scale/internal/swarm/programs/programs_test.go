// Package programs is what swarms explore in tests: a test binary like that of a user, which links no broker.
package programs

import (
	"fmt"
	"os"
	"strconv"
	"syscall"
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
	"endless": {"random", "unlimited", func() rehearse.System { return subjects.Pi(4) }},
	"hangs":   {"reverse", "unlimited", hangs},
	"fells":   {"reverse", "unlimited", fells},
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

// hangs stops its process once, as a machine that hangs does: the file says whether it did.
func hangs() rehearse.System {
	n := 0
	return actor.New(func(_ *rehearse.T, ctx *actor.Context) {
		if n++; n == 50 && os.Getenv("REHEARSE_TEST_HANG") != "" {
			if f, err := os.OpenFile(os.Getenv("REHEARSE_TEST_HANG"), os.O_CREATE|os.O_EXCL, 0o600); err == nil {
				f.Close()
				_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
			}
		}
		for range 7 {
			a := ctx.SpawnNamed("a", actor.Func(func(*actor.Context, any) {}))
			ctx.Send(a, 1)
			ctx.Send(a, 2)
		}
	})
}

// fells takes its machine down in one of 120 orders: its process, and the worker that has started that. The file has a
// byte for each time, and after so many it is harmless.
func fells() rehearse.System {
	file := os.Getenv("REHEARSE_TEST_FELLS")
	most, _ := strconv.Atoi(os.Getenv("REHEARSE_TEST_FELLS_MOST"))
	return actor.New(func(_ *rehearse.T, ctx *actor.Context) {
		order := ""
		a := ctx.SpawnNamed("a", actor.Func(func(_ *actor.Context, msg any) {
			if order += msg.(string); order != "dbeac" || file == "" {
				return
			}
			if before, _ := os.ReadFile(file); len(before) < most {
				_ = os.WriteFile(file, append(before, '.'), 0o600)
				_ = syscall.Kill(os.Getppid(), syscall.SIGKILL)
				_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			}
		}))
		for _, name := range []string{"a", "b", "c", "d", "e"} {
			from := ctx.SpawnNamed("from", actor.Func(func(ctx *actor.Context, msg any) { ctx.Send(a, msg) }))
			ctx.Send(from, name)
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
