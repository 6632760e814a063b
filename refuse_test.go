package rehearse

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/internal/goroutine"
)

// What cannot be explored is refused with what is wrong and what to do.
func TestNoSystem(t *testing.T) {
	folder(t)
	var none *actor.System
	for _, sys := range []System{nil, none} {
		f, _ := try(t, Config{}, sys, env{})
		contains(t, f.text(), "rehearse: there is no program to explore: the System is nil; want what actor.New gives")
		if _, err := Explore(Config{}, sys); err == nil || !strings.Contains(err.Error(), "the System is nil") {
			t.Errorf("Explore gives %v", err)
		}
	}
}

func TestNoFunction(t *testing.T) {
	folder(t)
	for name, program := range map[string]func(*T){
		"SetUp":   func(t *T) { t.SetUp(nil) },
		"AtEnd":   func(t *T) { t.AtEnd(nil) },
		"Cleanup": func(t *T) { t.Cleanup(nil) },
	} {
		f, _ := try(t, Config{}, actor.New(func(t *T, _ *actor.Context) { program(t) }), env{})
		contains(t, f.text(), "rehearse: "+name+" got no function: it is nil")
	}
	defer func() {
		if r, _ := recover().(string); !strings.Contains(r, "actor.New got no test function") {
			t.Errorf("recovered %q", r)
		}
	}()
	actor.New(nil)
}

func TestMistypedVariable(t *testing.T) {
	folder(t)
	t.Setenv("REHEARSE_BUGDET", "5x")
	f, _ := try(t, Config{}, bank(true), env{})
	contains(t, f.text(), "environment variable REHEARSE_BUGDET is not known: did you mean REHEARSE_BUDGET?")
	if _, err := Explore(Config{}, bank(true)); err == nil || !strings.Contains(err.Error(), "REHEARSE_BUDGET?") {
		t.Errorf("Explore gives %v", err)
	}
}

// Who hangs is named.
func TestHanging(t *testing.T) {
	folder(t)
	hangs, restore := goroutine.Hang()
	defer restore()
	never := func() { hangs(); <-make(chan int) }
	for want, program := range map[string]func(*T){
		"SetUp does not end: no progress for 50ms": func(t *T) { t.SetUp(never) },
		"the test function does not end":           func(*T) { never() },
		"final check or clean-up (AtEnd, Cleanup)": func(t *T) { t.AtEnd(never) },
	} {
		f, _ := try(t, Config{Blocked: 50 * time.Millisecond}, keeps(program), env{})
		contains(t, f.text(), want, "chan receive")
	}
}

// A mistyped path makes no folder, and is told of before anything is executed.
func TestMistypedPaths(t *testing.T) {
	folder(t)
	executed := false
	program := keeps(func(*T) { executed = true })
	for want, c := range map[string]struct {
		cfg Config
		env env
	}{
		"coverage profile: cvoer/c.out: there is no folder cvoer: make it, or correct the path": {Config{CoverProfile: "cvoer/c.out"}, nil},
		"resume: sub/kept: there is no folder sub": {Config{Strategy: "naive"},
			env{"REHEARSE_RESUME": "sub/kept"}},
		"REHEARSE_REPORT: sub/r.jsonl: there is no folder sub": {Config{}, env{"REHEARSE_REPORT": "sub/r.jsonl"}},
		"REHEARSE_REPLAY: open sub/x.schedule":                 {Config{}, env{"REHEARSE_REPLAY": "sub/x.schedule"}},
	} {
		f, _ := try(t, c.cfg, program, c.env)
		contains(t, f.text(), want)
	}
	for _, dir := range []string{"cvoer", "sub"} {
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("the folder %s was made", dir)
		}
	}
	if executed {
		t.Error("the program was executed")
	}
}

// A schedule that was named is followed, or it is said which step could not be taken, and why.
func TestStaleScheduleThatWasNamed(t *testing.T) {
	folder(t)
	f, r := try(t, Config{}, bank(false), env{})
	if !f.failed || r.Findings[0].File == "" {
		t.Fatal(f.text())
	}
	gone := actor.New(func(t *T, ctx *actor.Context) {
		ctx.Send(ctx.SpawnNamed("saver", &client{ctx.SpawnNamed("account", &account{})}), deposit{50})
	})
	f, _ = try(t, Config{}, gone, env{"REHEARSE_REPLAY": r.Findings[0].File})
	contains(t, f.text(), "could not be followed; what happened instead passes:", "step 1 (", "is no longer enabled: ",
		"never sent withdraw", "REHEARSE_SAVE=prune")
}

// A corpus that cannot be kept is an error: who asked for it relies on it.
func TestCorpusThatCannotBeKept(t *testing.T) {
	folder(t)
	if err := os.MkdirAll("testdata/rehearse/TestX", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("nowhere/corpus", "testdata/rehearse/TestX/corpus"); err != nil {
		t.Fatal(err)
	}
	f, _ := try(t, Config{Corpus: true}, bank(true), env{})
	contains(t, f.text(), "corpus: what the executions show is not kept whole: ")
	contains(t, f.log(), "complete: 37 executions")
}

// Timers that could fire earlier are hinted at, once, where all else is well.
func TestHintAtTimers(t *testing.T) {
	folder(t)
	program := func(d time.Duration) System {
		return actor.New(func(t *T, ctx *actor.Context) {
			a := ctx.Spawn(actor.Func(func(ctx *actor.Context, msg any) {
				if _, ok := msg.(deposit); ok && d > 0 {
					ctx.After(d, withdraw{})
				}
			}))
			ctx.Send(a, deposit{})
			ctx.Send(a, deposit{})
		})
	}
	const hint = "-timers async lets them fire at any point"
	for _, c := range []struct {
		program System
		cfg     Config
		want    int
	}{
		{program(time.Second), Config{}, 1},
		{program(time.Second), Config{Timers: Async}, 0},
		{program(0), Config{}, 0},
	} {
		f, r := try(t, c.cfg, c.program, env{})
		if got := strings.Count(f.log(), hint); got != c.want || strings.Count(r.String(), hint) != c.want || f.failed {
			t.Errorf("%d hints, want %d: %s %s", got, c.want, f.log(), f.text())
		}
	}
}
