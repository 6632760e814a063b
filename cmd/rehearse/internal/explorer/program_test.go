package explorer

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/actor"
)

// The programs that are shown in these tests are tests of this binary.

type deposit struct{ Amount int }
type withdraw struct{ Amount int }
type account struct{ Balance int }

func (a *account) Receive(ctx *actor.Context, msg any) {
	switch m := msg.(type) {
	case deposit:
		a.Balance += m.Amount
	case withdraw:
		a.Balance -= m.Amount
		if a.Balance < 0 {
			ctx.T().Errorf("overdrawn: balance %d", a.Balance)
		}
	}
}

var overdrawn = &rehearse.Expectation{Kind: rehearse.Assertion}

func TestBank(t *testing.T) {
	rehearse.Check(t, rehearse.Config{Strategy: "naive", Expect: overdrawn}, actor.New(
		func(t *rehearse.T, ctx *actor.Context) {
			a := ctx.SpawnNamed("account", &account{})
			ctx.Send(a, deposit{100})
			ctx.Send(a, withdraw{80})
			ctx.Send(a, withdraw{10})
		}))
}

type hostile struct{ Text string }

var hostileTexts = []string{"<script>alert(1)</script>", strings.Repeat("long ", 1<<18), "\xff\xfe\x00\x1b[31m",
	"\u202e</pre>\u2028 right to left"}

func TestHostileProgram(t *testing.T) {
	rehearse.Check(t, rehearse.Config{Strategy: "naive"}, actor.New(func(t *rehearse.T, ctx *actor.Context) {
		a := ctx.SpawnNamed("<img src=x onerror=alert(1)>", &hostile{})
		for _, text := range hostileTexts {
			ctx.Send(a, hostile{text})
		}
	}))
}

func (h *hostile) Receive(_ *actor.Context, msg any) { h.Text = msg.(hostile).Text }

type dies struct{}
type hangs struct{}

// deadly does what it is told, once somebody has told it to be ready.
type deadly struct{ Ready bool }

func (d *deadly) Receive(_ *actor.Context, msg any) {
	_, isReady := msg.(deposit)
	d.Ready = d.Ready || isReady
	switch msg.(type) {
	case dies:
		if d.Ready {
			println("last words")
			os.Exit(7)
		}
	case hangs:
		for d.Ready {
		}
	}
}

func TestDeadlyProgram(t *testing.T) {
	if os.Getenv("REHEARSE_EXPLORER") == "" {
		return // to explore it would be the end of this process
	}
	rehearse.Check(t, rehearse.Config{Strategy: "naive", Blocked: time.Second}, actor.New(
		func(t *rehearse.T, ctx *actor.Context) {
			a := ctx.SpawnNamed("deadly", &deadly{})
			ctx.Send(a, dies{})
			ctx.Send(a, hangs{})
			ctx.Send(a, deposit{1})
		}))
}

// TestSleeps does not come to its Check while somebody shows it.
func TestSleeps(t *testing.T) {
	if os.Getenv("REHEARSE_EXPLORER") != "" {
		time.Sleep(time.Minute)
	}
}

// TestTwoChecks has two, of which either can be shown.
func TestTwoChecks(t *testing.T) {
	for _, name := range []string{"first", "second"} {
		rehearse.Check(t, rehearse.Config{Strategy: "naive"}, actor.New(func(t *rehearse.T, ctx *actor.Context) {
			ctx.Send(ctx.SpawnNamed(name, &account{}), deposit{1})
		}))
	}
}

// testSource is this binary.
type testSource struct {
	dir, test string
	number    int
	digest    string
	env       string // a setting, "" for none
	broken    string // what the compiler says, "" if it builds
}

func (s *testSource) Build() (*Program, error) {
	if s.broken != "" {
		return nil, &BuildError{s.broken}
	}
	return &Program{Binary: os.Args[0], Dir: s.dir, Test: s.test, Pattern: "^" + s.test + "$", Ordinal: s.number,
		Digest: s.digest, Env: append(os.Environ(), s.env)}, nil
}

func (s *testSource) Digest() (string, error) { return s.digest, nil }
