package rehearse

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/actor"
)

// fake stands in for a testing.T, so that Checks that fail can be looked at.
type fake struct {
	name     string
	pattern  string
	short    bool
	deadline time.Time
	out      *outcomes
	failed   bool
	cleanups []func()
}

// outcomes is what a fake and its subtests were told.
type outcomes struct {
	logs, errors, fatals []string
	attrs                map[string]string
	subtests             []string // names, with ":fail" where it failed
}

// fatal is what Fatal panics with.
type fatal struct{}

func (f *fake) Helper()         {}
func (f *fake) Name() string    { return f.name }
func (f *fake) Log(args ...any) { f.out.logs = append(f.out.logs, fmt.Sprint(args...)) }
func (f *fake) Error(args ...any) {
	f.failed = true
	f.out.errors = append(f.out.errors, fmt.Sprint(args...))
}
func (f *fake) Attr(k, v string)            { f.out.attrs[k] = v }
func (f *fake) Cleanup(c func())            { f.cleanups = append(f.cleanups, c) }
func (f *fake) Deadline() (time.Time, bool) { return f.deadline, !f.deadline.IsZero() }
func (f *fake) Verbose() bool               { return false }
func (f *fake) Short() bool                 { return f.short }
func (f *fake) Pattern() string             { return f.pattern }

func (f *fake) Fatal(args ...any) {
	f.failed = true
	f.out.fatals = append(f.out.fatals, fmt.Sprint(args...))
	panic(fatal{})
}

func (f *fake) Run(name string, g func(tester)) bool {
	sub := &fake{name: f.name + "/" + name, pattern: f.pattern, short: f.short, out: f.out}
	guard(func() { g(sub) })
	if sub.failed {
		f.failed = true
		name += ":fail"
	}
	f.out.subtests = append(f.out.subtests, name)
	return !sub.failed
}

func guard(g func()) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(fatal); !ok {
				panic(r)
			}
		}
	}()
	g()
}

// text is all that was reported as a failure.
func (f *fake) text() string {
	return strings.Join(f.out.errors, "\n") + "\n" + strings.Join(f.out.fatals, "\n")
}

func (f *fake) log() string { return strings.Join(f.out.logs, "\n") }

// env is a set of variables.
type env map[string]string

func (e env) get(name string) string { return e[name] }

// folder makes the test run in an empty folder with a journal of its own.
func folder(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("XDG_CACHE_HOME", dir+"/cache")
	t.Setenv("HOME", dir)
}

// newFake makes a fake named TestX.
func newFake(t *testing.T, f fake) *fake {
	f.name = "TestX"
	t.Cleanup(func() { f.end() })
	return &f
}

// try runs one Check of a test named TestX.
func try(t *testing.T, cfg Config, sys System, e env) (*fake, Result) {
	t.Helper()
	f := newFake(t, fake{})
	r := f.check(cfg, sys, e)
	f.end()
	return f, r
}

func (f *fake) check(cfg Config, sys System, e env) (r Result) {
	if f.out == nil {
		f.out = &outcomes{attrs: map[string]string{}}
	}
	guard(func() { r = runCheck(f, "example.com/bank", cfg, sys, e.get) })
	return r
}

func (f *fake) end() {
	for _, c := range f.cleanups {
		c()
	}
	f.cleanups = nil
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

// The program of most tests: an account that must not be overdrawn, and two clients that cause it if the deposit is
// late.

type deposit struct{ Amount int }
type withdraw struct{ Amount int }

type account struct {
	Balance  int
	tolerant bool
}

func (a *account) Receive(_ *actor.Context, msg any) {
	switch m := msg.(type) {
	case deposit:
		a.Balance += m.Amount
	case withdraw:
		if m.Amount > a.Balance && !a.tolerant {
			panic("overdrawn")
		}
		a.Balance -= m.Amount
	}
}

type client struct{ Account actor.Ref }

func (c *client) Receive(ctx *actor.Context, msg any) { ctx.Send(c.Account, msg) }

// bank has the bug unless it is fixed. The spender's message takes a way of more steps than the saver's, so the default
// order passes.
func bank(fixed bool) System {
	return actor.New(func(t *T, ctx *actor.Context) {
		a := ctx.SpawnNamed("account", &account{tolerant: fixed})
		spender := ctx.SpawnNamed("spender", &client{a})
		ctx.Send(ctx.SpawnNamed("saver", &client{a}), deposit{50})
		ctx.Send(ctx.SpawnNamed("teller", &client{spender}), withdraw{20})
	})
}
