package rehearse

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/internal/goroutine"
	"github.com/rehearse-go/rehearse/internal/record"
)

// twoBugs panics on either message if it comes first.
func twoBugs() System {
	return actor.New(func(t *T, ctx *actor.Context) {
		first := true
		a := ctx.SpawnNamed("account", actor.Func(func(_ *actor.Context, msg any) {
			was := first
			first = false
			switch msg.(type) {
			case deposit:
				if was {
					panic("deposit first")
				}
			case withdraw:
				if was {
					t.Error("withdraw first")
				}
			}
		}))
		b := ctx.SpawnNamed("account2", &account{})
		ctx.Send(a, deposit{1})
		ctx.Send(a, withdraw{1})
		ctx.Send(b, deposit{1})
	})
}

func TestExploreCollectsDistinctViolations(t *testing.T) {
	folder(t)
	r, err := Explore(Config{Strategy: "naive", Seed: 3, Checks: Levels{DeadLetter: Off, OrphanDead: Off}}, twoBugs())
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Findings) != 2 || r.Reason == "found" || r.Seed != 3 || r.Model != Bag {
		t.Fatalf("want two findings and no stop at the first: %+v", r)
	}
	for _, f := range r.Findings {
		if f.Schedule == nil || len(f.Schedule.Steps) > 1 || f.Execution < 1 || f.Diagram == "" ||
			f.Culprit == "" || f.File != "" {
			t.Errorf("finding %s: %+v", f.Violation.Text, f)
		}
	}
	if files, _ := filepath.Glob("testdata/*"); len(files) != 0 {
		t.Errorf("Explore saves nothing: %v", files)
	}
}

// What was found before the program could not be executed any more is in the result, and so is what cannot be replayed.
func TestExploreKeepsFindingsBesideAnError(t *testing.T) {
	folder(t)
	hangs, restore := goroutine.Hang()
	defer restore()
	for name, tt := range map[string]struct {
		stuckFrom int
		errors    []string
	}{
		"while exploring": {stuckFrom: 3, errors: []string{"in execution 3 of strategy naive"}},
		"while one is replayed": {stuckFrom: 7,
			errors: []string{"panic: a panicked on deposit from Driver: bug (", "was found, but replaying it failed: "}},
	} {
		var execution atomic.Int32 // one that hangs is left behind
		r, err := Explore(Config{Strategy: "naive", Blocked: 50 * time.Millisecond, Recheck: -1},
			actor.New(func(_ *T, ctx *actor.Context) {
				if int(execution.Add(1)) >= tt.stuckFrom {
					hangs()
					select {}
				}
				first := ""
				a := ctx.SpawnNamed("a", actor.Func(func(_ *actor.Context, msg any) {
					if kind := fmt.Sprintf("%T", msg); first == "" {
						first = kind
					}
					if first == "rehearse.deposit" {
						panic("bug")
					}
				}))
				ctx.Send(a, deposit{})
				ctx.Send(a, withdraw{})
				ctx.Send(a, loops{})
			}))
		if err == nil || len(r.Findings) != 1 || r.Findings[0].Violation.Kind != Panic || r.Findings[0].Schedule == nil {
			t.Errorf("%s: %v, findings %+v", name, err, r.Findings)
			continue
		}
		contains(t, err.Error(), tt.errors...)
		contains(t, r.Findings[0].Note, "Replaying it failed: the test function does not end: no progress for 50ms")
	}
}

// What FailNow cuts off without a violation was not executed.
func TestFailNowAsAWarningIsNotComplete(t *testing.T) {
	folder(t)
	sys := actor.New(func(t *T, ctx *actor.Context) {
		a := ctx.SpawnNamed("a", actor.Func(func(_ *actor.Context, msg any) {
			if _, ok := msg.(deposit); ok {
				t.Fatal("a warning only")
			}
			panic("bug")
		}))
		ctx.Send(ctx.SpawnNamed("b", &client{a}), withdraw{})
		ctx.Send(a, deposit{})
	})
	for _, level := range []Levels{{Assertion: Warning}, {Assertion: Off}} {
		if r, err := Explore(Config{Strategy: "naive", Checks: level}, sys); err != nil || r.Complete {
			t.Errorf("%v: %v, %v", level, r, err)
		}
	}
	r, err := Explore(Config{Strategy: "naive"}, sys)
	if err != nil || !r.Complete || len(r.Findings) != 2 {
		t.Errorf("as an error: %v, %v, findings %+v", r, err, r.Findings)
	}
}

// What a function of AtEnd registers runs too, after the others.
func TestAtEndNested(t *testing.T) {
	folder(t)
	order := ""
	r, err := Explore(Config{Strategy: "naive", Recheck: -1}, actor.New(func(t *T, ctx *actor.Context) {
		order = ""
		ctx.Send(ctx.SpawnNamed("a", &account{}), deposit{})
		t.AtEnd(func() { order += "1"; t.AtEnd(func() { order += "3"; t.Error("told") }) })
		t.AtEnd(func() { order += "2" })
	}))
	if err != nil || len(r.Findings) != 1 || order != "123" {
		t.Errorf("order %s, findings %+v, error %v", order, r.Findings, err)
	}
}

// A divergence that comes to light when a finding is repeated takes the claim to be complete away.
func TestDivergenceOfAFindingIsNotComplete(t *testing.T) {
	folder(t)
	execution := 0
	r, err := Explore(Config{Strategy: "naive", Recheck: -1}, actor.New(func(t *T, ctx *actor.Context) {
		execution++
		n := execution
		ctx.Send(ctx.SpawnNamed("a", actor.Func(func(*actor.Context, any) {
			if n == 1 {
				panic("only once")
			}
		})), deposit{})
	}))
	if err != nil || len(r.Findings) != 1 || r.Findings[0].Violation.Kind != Divergence || r.Complete || !r.Diverged ||
		r.Reason != "done" {
		t.Errorf("error %v, result %+v", err, r)
	}
	contains(t, r.String(), "strategy done: 1 execution, 1 delivery, sampled (", "the program did not repeat an execution")
}

func TestExploreErrors(t *testing.T) {
	folder(t)
	if _, err := Explore(Config{Budget: "?"}, bank(true)); err == nil ||
		!strings.Contains(err.Error(), "rehearse: Config.Budget: ") {
		t.Errorf("error %v", err)
	}
	if _, err := Explore(Config{}, actor.New(func(*T, *actor.Context) {})); err == nil ||
		!strings.Contains(err.Error(), "there is nothing to explore") {
		t.Errorf("error %v", err)
	}
	t.Setenv("REHEARSE_SEED", "x")
	if _, err := Explore(Config{}, bank(true)); err == nil ||
		!strings.Contains(err.Error(), "environment variable REHEARSE_SEED") {
		t.Errorf("error %v", err)
	}
}

// The command reads what a Check leaves.
func TestReport(t *testing.T) {
	folder(t)
	try(t, Config{}, bank(false), env{"REHEARSE_REPORT": "out.jsonl"})
	try(t, Config{Expect: &Expectation{Kind: Panic}}, bank(false), env{"REHEARSE_REPORT": "out.jsonl"})
	text, err := os.ReadFile("out.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if len(lines) != 2 {
		t.Fatalf("want a line for each Check:\n%s", text)
	}
	var a, b record.Record
	if err := json.Unmarshal([]byte(lines[0]), &a); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(lines[1]), &b); err != nil {
		t.Fatal(err)
	}
	if a.Test != "TestX" || a.Package != "example.com/bank" || len(a.Findings) != 1 || a.Findings[0].Kind != "panic" ||
		a.Findings[0].Forced == 0 ||
		a.Findings[0].Schedule == "" || a.Findings[0].Expected || a.Reason != "found" || a.Budget != "1000x" {
		t.Errorf("record %+v", a)
	}
	if b.Expected != "panic" || b.Saved != 1 || len(b.Findings) == 0 || !b.Findings[0].Expected {
		t.Errorf("record %+v", b)
	}
	f, _ := try(t, Config{}, bank(true), env{"REHEARSE_REPORT": "no/such/folder"})
	contains(t, f.text(), "rehearse: REHEARSE_REPORT: no/such/folder: there is no folder no/such")
}

func TestReplayFile(t *testing.T) {
	folder(t)
	try(t, Config{}, bank(false), nil)
	path := schedules(t)[0]
	f, r := try(t, Config{}, bank(false), env{"REHEARSE_REPLAY": path, "REHEARSE_STATES": "1"})
	if !f.failed || r.Executions != 0 || r.Saved != 1 || len(f.out.subtests) != 0 {
		t.Errorf("want one replay and nothing else: %+v", r)
	}
	contains(t, f.text(), "overdrawn", "replay: REHEARSE_REPLAY='"+path+"' "+command()+" -run '^TestX$' example.com/bank",
		"actors step by step:", "after step 1, ", "account  &account{Balance:0")
	f, _ = try(t, Config{}, bank(true), env{"REHEARSE_REPLAY": path, "REHEARSE_STATES": "1"})
	if f.failed {
		t.Errorf("the fix is in:\n%s", f.text())
	}
	contains(t, f.log(), "rehearse: the schedule passes", "withdraw(20)", "after step 5, ", "account  &account{Balance:30")

	other := newFake(t, fake{})
	other.check(Config{}, bank(true), nil)
	other.check(Config{}, bank(false), env{"REHEARSE_REPLAY": path})
	if other.failed {
		t.Errorf("the file is for the first Check:\n%s", other.text())
	}
	contains(t, other.log(), "nothing done: REHEARSE_REPLAY is for Check 1 of TestX, this is Check 2 of TestX")

	f, _ = try(t, Config{}, bank(true), env{"REHEARSE_REPLAY": "none.schedule"})
	contains(t, f.text(), "rehearse: REHEARSE_REPLAY: open none.schedule",
		"a relative path starts at the package's folder, ")

	// To the command it is a Check that could not run.
	to := filepath.Join(t.TempDir(), "report")
	try(t, Config{}, bank(true), env{"REHEARSE_REPLAY": "none.schedule", "REHEARSE_REPORT": to})
	line, err := os.ReadFile(to)
	if err != nil {
		t.Fatal(err)
	}
	contains(t, string(line), `"reason":"error"`, `"refused":true`)
}

// An order that only a timer beyond the horizon brings about was not executed, and the result does not claim it.
func TestHorizonIsNotComplete(t *testing.T) {
	folder(t)
	late := actor.New(func(_ *T, ctx *actor.Context) {
		ctx.Send(ctx.SpawnNamed("waiter", actor.Func(func(ctx *actor.Context, msg any) {
			if _, ok := msg.(withdraw); ok {
				panic("fired")
			}
			ctx.After(2*time.Minute, withdraw{})
		})), deposit{})
	})
	r, err := Explore(Config{Strategy: "naive"}, late)
	if err != nil || r.Complete || len(r.Findings) > 0 {
		t.Errorf("error %v, result %+v", err, r)
	}
	contains(t, r.String(), "timers beyond the horizon of 1m0s were left out: withdraw for waiter, due at 2m0s")
	if r, err = Explore(Config{Strategy: "naive", Horizon: 3 * time.Minute}, late); err != nil || !r.Complete ||
		len(r.Findings) != 1 {
		t.Errorf("under a longer horizon: error %v, result %+v", err, r)
	}
}

// Two thousand messages wait for one actor. Looking at all of them at each step takes many times the budget, so that
// the time is up when few states were compared; the execution ends all the same, and is the last. (Wherever else the
// time may be up, TestTimeIsUpAnywhere of package agree asks.)
func TestBudgetOfTimeIsKept(t *testing.T) {
	for _, strategy := range []string{"reverse", "stateful"} {
		r, err := Explore(Config{Strategy: strategy, Budget: "200ms", Model: Bag}, actor.New(func(t *T, ctx *actor.Context) {
			a := ctx.SpawnNamed("account", &account{tolerant: true})
			for i := range 2000 {
				ctx.Send(a, withdraw{i})
			}
		}))
		if err != nil || r.Executions != 1 || r.Reason != "budget" || r.Complete || r.States > 1500 {
			t.Errorf("%s: %v, %v", strategy, r, err)
		}
	}
}

// When the time is up before the first execution, Explore says that, and not that the test sent nothing.
func TestExploreWithoutTime(t *testing.T) {
	timeout := flag.Lookup("test.timeout").Value
	before := timeout.String()
	if err := timeout.Set("1ns"); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := timeout.Set(before); err != nil {
			t.Error(err)
		}
	}()
	r, err := Explore(Config{}, twoBugs())
	if err != nil || r.Executions != 0 || r.Complete || !strings.HasPrefix(r.String(), "stopped before -timeout") {
		t.Errorf("%v, %v", r, err)
	}
}
