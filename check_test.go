package rehearse

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/internal/record"
	"github.com/rehearse-go/rehearse/trace"
)

func TestCheckFindsSavesAndReplays(t *testing.T) {
	folder(t)
	f, r := try(t, Config{}, bank(false), nil)
	files := schedules(t)
	if !f.failed || len(r.Findings) != 1 || len(files) != 1 || r.Reason != "found" {
		t.Fatalf("want one finding, saved: %d findings, files %v, reason %s\n%s", len(r.Findings), files, r.Reason, f.text())
	}
	hash := strings.TrimSuffix(filepath.Base(files[0]), ".schedule")
	// what went wrong, and where
	contains(t, f.text(), "rehearse: panic: account panicked on withdraw from spender: overdrawn (fake_test.go:",
		"of strategy auto (", "seed ", "model bag, timers quiescent", "forced step",
		"withdraw from spender before deposit from saver at account breaks; the other way round it passes.",
		"(A)", "(B)", "actors before the failing step:", "account  &account{Balance:0",
		"stack of the panic:", "(*account).Receive",
		"saved:  "+filepath.ToSlash(files[0]), "replay: "+command()+" -run '^TestX$/^"+hash+"$' example.com/bank")
	if strings.Contains(f.text(), "rehearse/actor.(*") {
		t.Errorf("the stack shows frames that are ours:\n%s", f.text())
	}
	for _, line := range strings.Split(r.Findings[0].Diagram, "\n") {
		if n := len([]rune(line)); n > 100 {
			t.Errorf("a line of the diagram has %d columns: %s", n, line)
		}
	}

	// The next run replays the file first, as a subtest, and does not go on.
	f, r = try(t, Config{}, bank(false), nil)
	if !f.failed || r.Executions != 0 || r.Saved != 1 || len(f.out.subtests) != 1 || f.out.subtests[0] != hash+":fail" {
		t.Errorf("want the saved schedule to fail as a subtest and nothing else: %+v, subtests %v", r, f.out.subtests)
	}
	contains(t, f.text(), "found by a saved schedule", "withdraw from spender before deposit from saver",
		"replay: "+command()+" -run '^TestX$/^"+hash)

	// After the fix it passes, and the exploration goes on.
	f, r = try(t, Config{}, bank(true), nil)
	if f.failed || !r.Complete || r.Saved != 1 || len(f.out.subtests) != 1 || f.out.subtests[0] != hash {
		t.Errorf("the fix is in: %+v\n%s", r, f.text())
	}
}

func TestCheckIsQuietOnSuccess(t *testing.T) {
	folder(t)
	f, r := try(t, Config{Strategy: "naive", Recheck: -1}, bank(true), nil)
	// The interleavings of a chain of two deliveries and one of three: 5!/(2! 3!).
	if f.failed || len(f.out.logs) != 1 || !r.Complete {
		t.Fatalf("want one line: %q\n%s", f.out.logs, f.text())
	}
	contains(t, f.log(), "rehearse: complete: 10 executions, ", "strategy naive, budget 1000x",
		"model bag, timers quiescent")
	if strings.Contains(f.log(), "sampled") || strings.Contains(f.log(), "bounded") {
		t.Errorf("complete is complete: %s", f.log())
	}
	if f.out.attrs["rehearse.seed"] != fmt.Sprint(r.Seed) || f.out.attrs["rehearse.outcome"] != "complete" {
		t.Errorf("attributes %v", f.out.attrs)
	}
	f, _ = try(t, Config{Strategy: "random", Budget: "20x"}, bank(true), nil)
	contains(t, f.log(), "budget reached: 20 executions, ", ", sampled (strategy random, budget 20x, seed ")
	f, _ = try(t, Config{Strategy: "default"}, bank(true), nil)
	contains(t, f.log(), "strategy done: 1 execution, ", ", sampled")
}

func TestSeedIsFixed(t *testing.T) {
	folder(t)
	_, a := try(t, Config{Budget: "5x"}, bank(true), nil)
	_, b := try(t, Config{Budget: "5x"}, bank(true), nil)
	_, c := try(t, Config{Budget: "5x", Seed: 7}, bank(true), nil)
	_, d := try(t, Config{Budget: "5x", Seed: 7}, bank(true), env{"REHEARSE_SEED": "8"})
	if a.Seed != b.Seed || a.Seed == 0 || c.Seed != 7 || d.Seed != 8 {
		t.Errorf("seeds %d %d %d %d", a.Seed, b.Seed, c.Seed, d.Seed)
	}
}

func TestShortBudget(t *testing.T) {
	folder(t)
	f := newFake(t, fake{short: true})
	if r := f.check(Config{Strategy: "random"}, bank(true), nil); r.Executions != 100 {
		t.Errorf("%d executions under -short, want 100", r.Executions)
	}
	if r := f.check(Config{Strategy: "random", Budget: "7x"}, bank(true), nil); r.Executions != 7 {
		t.Errorf("%d executions, want 7: what the test asks for holds under -short", r.Executions)
	}
}

func TestExpect(t *testing.T) {
	folder(t)
	known := &Expectation{Kind: Panic, Actor: "account", Message: "withdraw", Text: "overdrawn"}
	f, r := try(t, Config{Expect: known}, bank(false), nil)
	if f.failed || len(r.Findings) != 1 || !r.Findings[0].Expected || len(schedules(t)) != 0 {
		t.Errorf("the known bug was found: %+v, saved %v\n%s", r, schedules(t), f.text())
	}
	contains(t, f.log(), "found as expected", "breaks; the other way round it passes")

	f, _ = try(t, Config{Expect: known}, bank(true), nil)
	contains(t, f.text(), "the expected violation (panic of account on withdraw with \"overdrawn\") was not found: "+
		"complete", "remove Config.Expect")

	short := newFake(t, fake{short: true})
	if short.check(Config{Expect: known, Strategy: "random"}, bank(true), nil); short.failed {
		t.Errorf("under -short a known bug need not be found:\n%s", short.text())
	}
	for name, e := range map[string]*Expectation{"kind": {Kind: Deadlock}, "actor": {Kind: Panic, Actor: "client"},
		"message": {Kind: Panic, Message: "deposit"}, "text": {Kind: Panic, Text: "no such thing"}} {
		if f, _ := try(t, Config{Expect: e}, bank(false), env{"REHEARSE_SAVE": "off"}); !f.failed ||
			!strings.Contains(f.text(), "overdrawn") {
			t.Errorf("%s: another violation than the expected one is to fail:\n%s", name, f.text())
		}
	}
	if len(schedules(t)) != 0 {
		t.Errorf("REHEARSE_SAVE=off saved %v", schedules(t))
	}
}

// Whoever compares runs by the keys of findings sees the same one, whether the test expects it or not.
func TestExpectKeepsKey(t *testing.T) {
	folder(t)
	var keys []string
	for _, e := range []*Expectation{nil, {Kind: Panic, Text: "overdrawn"}, {Kind: Panic}} {
		file := filepath.Join(t.TempDir(), "records")
		try(t, Config{Expect: e}, bank(false), env{"REHEARSE_SAVE": "off", "REHEARSE_REPORT": file})
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var rec record.Record
		if err := json.Unmarshal(data, &rec); err != nil || len(rec.Findings) != 1 {
			t.Fatalf("%v in %s", err, data)
		}
		keys = append(keys, rec.Findings[0].Key)
	}
	if keys[0] == "" || keys[1] != keys[0] || keys[2] != keys[0] {
		t.Errorf("keys %q", keys)
	}
}

// The known bug does not hide another violation of its execution, in the exploration or in a saved schedule.
func TestExpectDoesNotHide(t *testing.T) {
	folder(t)
	gone := false
	cfg := Config{Expect: &Expectation{Kind: Panic, Text: "overdrawn"},
		Invariants: []Invariant{{Name: "solvent", Holds: func(State) error {
			if gone {
				return errors.New("money is gone")
			}
			return nil
		}}}}
	both := actor.New(func(_ *T, ctx *actor.Context) {
		gone = false
		ctx.Send(ctx.SpawnNamed("account", actor.Func(func(*actor.Context, any) { gone = true; panic("overdrawn") })),
			withdraw{20})
	})
	f, r := try(t, cfg, both, nil)
	if !f.failed || len(r.Findings) != 2 || !r.Findings[0].Expected || r.Findings[1].Expected || len(schedules(t)) != 1 {
		t.Errorf("want the known bug and the other one: %+v, saved %v", r.Findings, schedules(t))
	}
	contains(t, f.log(), "found as expected", "overdrawn")
	contains(t, f.text(), "invariant solvent does not hold: money is gone")
	f, r = try(t, cfg, both, nil)
	if !f.failed || r.Saved != 1 {
		t.Errorf("the saved schedule has another violation than the known one: %+v", r)
	}
	contains(t, f.text(), "money is gone")
}

func TestBadConfig(t *testing.T) {
	folder(t)
	for name, c := range map[string]struct {
		cfg  Config
		env  env
		want string
	}{
		"budget": {cfg: Config{Budget: "many"},
			want: `rehearse: Config.Budget: budget "many": want a number of executions such as 1000x, a time such as 30s, or unlimited`},
		"strategy": {cfg: Config{Strategy: "clever"},
			want: `rehearse: Config.Strategy: unknown strategy "clever": want one of auto, default, random, delays`},
		"horizon":     {cfg: Config{Horizon: -1}, want: "Config.Horizon: is negative"},
		"steps":       {cfg: Config{MaxSteps: -1}, want: "Config.MaxSteps: is negative"},
		"blocked":     {cfg: Config{Blocked: -1}, want: "Config.Blocked: is negative"},
		"model":       {cfg: Config{Model: 77}, want: "Config.Model: 77 is no delivery model"},
		"timers":      {cfg: Config{Timers: 9}, want: "Config.Timers: 9 is no timer mode"},
		"environment": {cfg: Config{Environment: 5}, want: "Config.Environment: 5 is neither"},
		"level": {cfg: Config{Checks: Levels{Panic: 7}},
			want: "Config.Checks: kind 1 has level 7: want a kind such as Deadlock"},
		"invariant": {cfg: Config{Invariants: []Invariant{{Name: "x"}}},
			want: "Config.Invariants[0]: want a Name and a function Holds"},
		"expect": {cfg: Config{Expect: &Expectation{}}, want: "Config.Expect: want a Kind"},
		"variable": {env: env{"REHEARSE_BUDGET": "x"},
			want: `rehearse: environment variable REHEARSE_BUDGET: budget "x": want`},
	} {
		f, _ := try(t, c.cfg, bank(true), c.env)
		if len(f.out.fatals) != 1 || !strings.Contains(f.out.fatals[0], c.want) {
			t.Errorf("%s: %q, want %q", name, f.text(), c.want)
		}
	}
}

// Effects of handlers are not believed where nobody checks them.
func TestUncheckedEffects(t *testing.T) {
	cfg := Config{Strategy: "optimal", Model: Bag, Effects: trace.Effects{{Actor: "x", Message: "y"}}}
	unchecked := struct{ System }{bank(true)} // which hides what else it can do
	if _, err := Explore(cfg, unchecked); err == nil ||
		!strings.Contains(err.Error(), "nobody holds the actors of this system to them") {
		t.Errorf("error %v", err)
	}
	cfg.Model = Mailbox // where they mean nothing
	if _, err := Explore(cfg, unchecked); err != nil {
		t.Error(err)
	}
}

// What a strategy refuses before anything was executed is not said of an execution.
func TestRefusedBeforeAnExecution(t *testing.T) {
	folder(t)
	_, err := Explore(Config{Strategy: "dcute", Model: Mailbox}, bank(true))
	if err == nil || !strings.Contains(err.Error(), "strategy dcute does not fit the delivery model mailbox") ||
		strings.Contains(err.Error(), "in execution") {
		t.Errorf("%v", err)
	}
}

// loops sends itself a message for every message.
type loops struct{}

func (*loops) Receive(ctx *actor.Context, msg any) { ctx.Send(ctx.Self(), msg) }

func TestBadPrograms(t *testing.T) {
	folder(t)
	for name, c := range map[string]struct {
		cfg  Config
		sys  System
		want []string
	}{
		"no message": {sys: actor.New(func(t *T, ctx *actor.Context) { ctx.Spawn(&loops{}) }),
			want: []string{"rehearse: the test sent no message and set no timer: there is nothing to explore; send to an " +
				"actor in the test function"}},
		"only set-up": {sys: actor.New(func(t *T, ctx *actor.Context) {
			t.SetUp(func() { ctx.Send(ctx.Spawn(&account{}), deposit{1}) })
		}), want: []string{"there is nothing to explore", "what SetUp sends is delivered before"}},
		"set-up never quiesces": {cfg: Config{MaxSteps: 500}, sys: actor.New(func(t *T, ctx *actor.Context) {
			t.SetUp(func() { ctx.Send(ctx.Spawn(&loops{}), "again") })
		}), want: []string{"rehearse: ", "500", "(in execution 1 of strategy auto, seed "}},
		"flood": {cfg: Config{MaxSteps: 500},
			sys: actor.New(func(t *T, ctx *actor.Context) { ctx.Send(ctx.Spawn(&loops{}), "again") }),
			want: []string{"livelock: more than 500 steps and still going: next is string from loops to loops; raise MaxSteps",
				"an execution of 501 steps is too long to swap its deliveries", "the default order does it"}},
		"panic with a non-error": {sys: actor.New(func(t *T, ctx *actor.Context) {
			ctx.Send(ctx.Spawn(actor.Func(func(*actor.Context, any) { panic(struct{ Code int }{42}) })), 1)
		}), want: []string{"panicked on int from Driver: {42} (check_test.go:"}},
		"final": {cfg: Config{Final: func(State) error { return errors.New("books do not balance") }}, sys: bank(true),
			want: []string{"environment: the final state is not allowed: books do not balance"}},
		"final panics": {cfg: Config{Final: func(State) error { panic("no books") }}, sys: bank(true),
			want: []string{"assertion: Config.Final itself panicked: no books (check_test.go:", "stack of the panic:",
				"the default order does it"}},
		"invariant panics": {cfg: Config{Invariants: []Invariant{{Name: "solvent", Holds: func(s State) error {
			s.Actors(func(_, _ string, v any) bool { return v.(*client).Account == actor.Ref{} })
			return nil
		}}}}, sys: bank(true), want: []string{"assertion: invariant solvent itself panicked: interface conversion: ",
			"(check_test.go:"}},
		"invariant": {cfg: Config{Invariants: []Invariant{{Name: "solvent", Holds: func(s State) (err error) {
			s.Actors(func(name, _ string, v any) bool {
				if a, ok := v.(*account); ok && a.Balance < 0 {
					err = fmt.Errorf("%s has %d", name, a.Balance)
				}
				return true
			})
			return err
		}}}}, sys: bank(true), want: []string{"invariant solvent does not hold: account has -20",
			"withdraw from spender before deposit from saver"}},
	} {
		t.Run(name, func(t *testing.T) {
			f, _ := try(t, c.cfg, c.sys, env{"REHEARSE_SAVE": "off"})
			if !f.failed {
				t.Error("the test is to fail")
			}
			contains(t, f.text(), c.want...)
		})
	}
}

// counter is state that one execution leaves to the next.
var counter int

func TestDivergence(t *testing.T) {
	folder(t)
	leaky := actor.New(func(t *T, ctx *actor.Context) {
		counter++
		a := ctx.SpawnNamed("account", &account{})
		for range counter {
			ctx.Send(a, deposit{1})
		}
	})
	f, r := try(t, Config{}, leaky, nil)
	if !f.failed || len(r.Findings) != 1 || r.Findings[0].Violation.Kind != Divergence || r.Complete {
		t.Fatalf("want a divergence: %+v\n%s", r, f.text())
	}
	contains(t, f.text(), "divergence: the same schedule was executed twice and step",
		"First suspect: package-level state",
		"first time", "second time", "REHEARSE_SEED=", "REHEARSE_STRATEGY=auto")
	if len(schedules(t)) != 0 {
		t.Errorf("a schedule that does not lead anywhere was saved: %v", schedules(t))
	}
}

// A violation that does not come back is a divergence, never a finding with a schedule.
func TestFindingThatCannotBeRepeated(t *testing.T) {
	folder(t)
	n := 0
	once := actor.New(func(t *T, ctx *actor.Context) {
		n++
		ctx.Send(ctx.SpawnNamed("account", &account{tolerant: n != 3}), withdraw{1})
		ctx.Send(ctx.SpawnNamed("other", &account{}), deposit{1})
	})
	f, r := try(t, Config{Recheck: -1, Strategy: "random"}, once, nil)
	if len(r.Findings) != 1 || r.Findings[0].Violation.Kind != Divergence {
		t.Fatalf("want a divergence: %+v\n%s", r, f.text())
	}
	contains(t, f.text(), "a finding could not be repeated (panic: account panicked")
}

func TestTimeouts(t *testing.T) {
	folder(t)
	f := newFake(t, fake{deadline: time.Now().Add(-time.Second)})
	r := f.check(Config{}, bank(false), nil)
	if f.failed || r.Executions != 0 || r.Reason != "stopped" {
		t.Errorf("no time is left: %+v\n%s", r, f.text())
	}
	contains(t, f.log(), "stopped before -timeout, at a quarter of what was left: 0 executions")
	_, r = try(t, Config{Budget: "1ns"}, bank(true), env{"REHEARSE_BUDGET": "5ms", "REHEARSE_STRATEGY": "random"})
	if r.Reason != "budget" || r.Executions == 0 || r.Complete {
		t.Errorf("want the budget of 5 ms to be reached: %+v", r)
	}
}

func TestWarnings(t *testing.T) {
	folder(t)
	f, r := try(t, Config{Checks: Levels{Panic: Warning, DeadLetter: Off, OrphanDead: Off}}, bank(false), nil)
	if f.failed || len(r.Warnings) != 1 {
		t.Errorf("want one warning, however often it happens: %+v\n%s", r.Warnings, f.text())
	}
	contains(t, f.log(), "rehearse: warning: panic: account panicked")
	if f, r := try(t, Config{Checks: Levels{Panic: Off, DeadLetter: Off, OrphanDead: Off}}, bank(false), nil); f.failed ||
		len(r.Warnings) != 0 {
		t.Errorf("the check is off: %+v", r.Warnings)
	}
	flood := actor.New(func(t *T, ctx *actor.Context) { ctx.Send(ctx.Spawn(&loops{}), "again") })
	f, r = try(t, Config{MaxSteps: 50, Budget: "3x", Checks: Levels{Livelock: Warning}}, flood, nil)
	if f.failed || !r.Bounded || r.Complete || len(r.Warnings) != 1 {
		t.Errorf("want a warning and no claim to be complete: %+v", r)
	}
	contains(t, f.log(), "bounded")
}
