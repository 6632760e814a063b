package rehearse_test

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/subjects"
)

// dividedSamples are the samples that are divided below, with a program each.
var dividedSamples = map[string]func() rehearse.System{
	"random":               func() rehearse.System { return several(4, "") },
	"pos":                  func() rehearse.System { return subjects.Pi(4) },
	"surw/first":           func() rehearse.System { return several(4, "") },
	"pct/3/first":          func() rehearse.System { return several(4, "") },
	"delay/2/random/first": func() rehearse.System { return several(4, "") },
}

// sampledBy gives what a sample counts and finds, which must never be called complete.
func sampledBy(t *testing.T, name, budget string, workers int) string {
	t.Helper()
	r, err := rehearse.Explore(rehearse.Config{Strategy: name, Budget: budget, Workers: workers, KeepGoing: true},
		dividedSamples[name]())
	if err != nil {
		t.Fatal(err)
	}
	if r.Complete || r.Reason != "budget" || !strings.HasPrefix(r.String(), "budget reached: ") ||
		!strings.Contains(r.String(), ", sampled (strategy "+name) {
		t.Errorf("%s with %d workers: %s", name, workers, r)
	}
	return everything(&r) + fmt.Sprintf(", %d deliveries", r.Deliveries)
}

// TestSamplesByWorkers: two processes make the executions of one, and exactly as many as the budget has. What was kept
// in a file goes on with those that are missing for a larger budget, none of them twice.
func TestSamplesByWorkers(t *testing.T) {
	names := []string{"random", "surw/first"}
	if os.Getenv("REHEARSE_TOY") != "" {
		names = []string{"random", "pos", "surw/first", "pct/3/first", "delay/2/random/first"}
	}
	for _, name := range names {
		few, many := sampledBy(t, name, "40x", 1), sampledBy(t, name, "90x", 1)
		if got := sampledBy(t, name, "90x", 2); got != many {
			t.Errorf("%s by two workers: %s\nwant %s", name, got, many)
		}
		t.Setenv("REHEARSE_RESUME", t.TempDir())
		for _, budget := range []struct {
			text, want string
			workers    int
		}{{"40x", few, 2}, {"90x", many, 2}, {"90x", many, 1}} {
			if got := sampledBy(t, name, budget.text, budget.workers); got != budget.want {
				t.Errorf("%s with a file and budget %s: %s\nwant %s", name, budget.text, got, budget.want)
			}
		}
		t.Setenv("REHEARSE_RESUME", "")
	}
}

// What others have covered is told to who covers. It changes schedules, and neither their number nor what is found.
func TestSharedCover(t *testing.T) {
	t.Setenv("REHEARSE_RESUME", t.TempDir())
	for _, executions := range []int{200, 500} {
		r, err := rehearse.Explore(rehearse.Config{Strategy: "cover/shared", Budget: fmt.Sprint(executions, "x"), Workers: 2,
			KeepGoing: true}, several(4, ""))
		if err != nil || r.Executions != executions || r.Reason != "budget" || r.Complete || len(r.Findings) != 2 {
			t.Errorf("%s, %d findings, %v", r, len(r.Findings), err)
		}
	}
}

// A sample without a number of executions has no end of its own: the time ends it.
func TestSampleForATime(t *testing.T) {
	r, err := rehearse.Explore(rehearse.Config{Strategy: "random", Budget: "200ms", Workers: 2}, subjects.Pi(4))
	if err != nil || r.Reason != "budget" || r.Complete || r.Executions == 0 {
		t.Errorf("%s, %v", r, err)
	}
}

// burning is a program in which some orders kill the process, or are counted instead.
func burning(burns func()) rehearse.System {
	return actor.New(func(t *rehearse.T, ctx *actor.Context) {
		order := ""
		l := ctx.SpawnNamed("ledger", actor.Func(func(_ *actor.Context, msg any) {
			if order += fmt.Sprint(msg); order == "21" {
				burns()
			}
		}))
		for i := range 3 {
			ctx.Send(l, i)
		}
	})
}

// TestDeadlySample: an execution of a sample that kills its process is a finding, and all others are made.
func TestDeadlySample(t *testing.T) {
	cfg := rehearse.Config{Strategy: "random", Budget: "8x", Recheck: -1, KeepGoing: true}
	dies := 0
	if _, err := rehearse.Explore(cfg, burning(func() { dies++ })); err != nil {
		t.Fatal(err)
	}
	cfg.Workers = 2
	r, err := rehearse.Explore(cfg, burning(func() {
		var mu sync.Mutex
		mu.Unlock() // a fatal error of the runtime: no recover catches it
	}))
	if err != nil || dies == 0 || r.Executions != 8-dies || r.Reason != "budget" || r.Complete || len(r.Findings) != 1 {
		t.Errorf("%d executions die, %s, %d findings, %v", dies, r, len(r.Findings), err)
	}
}
