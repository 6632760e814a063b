package rehearse

import (
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/tests/chancetest"
)

// TestChild is a test of a user, run in a process of its own by the tests below.
func TestChild(t *testing.T) {
	switch os.Getenv("REHEARSE_TEST_CHILD") {
	case "dies":
		// It dies in the order that is not the default one, in the middle of an execution.
		Check(t, Config{}, deadly(true))
	case "dies in a final check":
		// It dies at two values of many, to which no seed comes by chance.
		fake := new(chancetest.Fake)
		defer chance.SetSource(fake)()
		Check(t, Config{Strategy: "source"}, actor.New(func(t *T, ctx *actor.Context) {
			t.AtEnd(func() {
				if fake.Draw(chance.Select, 30) == 20 && fake.Draw(chance.Map, 30) == 25 {
					os.Exit(3)
				}
			})
			ctx.Send(ctx.SpawnNamed("account", &account{}), deposit{})
		}))
	case "recovers":
		Check(t, Config{}, deadly(false))
	case "dies in set-up", "survives set-up":
		// The first Check saves a schedule without steps; the second dies before there is a step.
		Check(t, Config{}, actor.New(func(_ *T, ctx *actor.Context) {
			ctx.Send(ctx.SpawnNamed("a", actor.Func(func(*actor.Context, any) { panic("always") })), deposit{})
		}))
		Check(t, Config{}, actor.New(func(_ *T, ctx *actor.Context) {
			if os.Getenv("REHEARSE_TEST_CHILD") == "dies in set-up" {
				os.Exit(3)
			}
			ctx.Send(ctx.SpawnNamed("account", &account{}), deposit{})
		}))
	case "chatty":
		Check(t, Config{Strategy: "random"}, chatty(true))
	case "chatty finding":
		Check(t, Config{Strategy: "random"}, chatty(false))
	}
}

func deadly(deadly bool) System {
	return actor.New(func(t *T, ctx *actor.Context) {
		var mu sync.Mutex
		first := ""
		a := ctx.SpawnNamed("account", actor.Func(func(_ *actor.Context, msg any) {
			kind := fmt.Sprintf("%T", msg)
			if first == "" {
				first = kind
			} else if deadly && first == "rehearse.withdraw" {
				mu.Unlock() // a fatal error of the runtime: no recover catches it
			}
		}))
		spender := ctx.SpawnNamed("spender", &client{a})
		ctx.Send(ctx.SpawnNamed("saver", &client{a}), deposit{50})
		ctx.Send(ctx.SpawnNamed("teller", &client{spender}), withdraw{20})
	})
}

func chatty(fixed bool) System {
	return actor.New(func(t *T, ctx *actor.Context) {
		a := ctx.SpawnNamed("account", &account{tolerant: fixed})
		talk := actor.Func(func(ctx *actor.Context, msg any) {
			fmt.Println("stdout says", msg)
			fmt.Fprintln(os.Stderr, "stderr says", msg)
			log.Println("log says", msg)
			t.Log("test says", msg)
			ctx.Send(a, msg)
		})
		ctx.Send(ctx.SpawnNamed("saver", talk), deposit{50})
		ctx.Send(ctx.SpawnNamed("spender", talk), withdraw{20})
	})
}

// child runs TestChild in dir and gives what it printed.
func child(t *testing.T, dir, mode string, flags ...string) (out string, failed bool) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, append([]string{"-test.run=^TestChild$"}, flags...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "REHEARSE_TEST_CHILD="+mode, "XDG_CACHE_HOME="+filepath.Join(dir, "cache"), "HOME="+dir)
	b, err := cmd.CombinedOutput()
	return string(b), err != nil
}

// What Go chooses in a final check that kills the process is named by the next run, is in the file, and kills the
// process again.
func TestDeathInAFinalCheckIsRepeated(t *testing.T) {
	dir := t.TempDir()
	if out, failed := child(t, dir, "dies in a final check"); !failed || strings.Contains(out, "--- FAIL") {
		t.Fatalf("the first run was to die:\n%s", out)
	}
	out, failed := child(t, dir, "dies in a final check")
	files, _ := filepath.Glob(filepath.Join(dir, "testdata/rehearse/TestChild/*.schedule"))
	if !failed || len(files) != 1 {
		t.Fatalf("the second run was to report, saved %v:\n%s", files, out)
	}
	contains(t, out, "fatal: an earlier run of this test died",
		"what Go chose in the final checks was forced, draw by draw: values 20, 25\n")
	if text, err := os.ReadFile(files[0]); err != nil ||
		!strings.Contains(string(text), `"ends":[{"value":20},{"value":25}]`) {
		t.Errorf("the file should force two draws (%v):\n%s", err, text)
	}
	name := strings.TrimSuffix(filepath.Base(files[0]), ".schedule")
	if out, failed := child(t, dir, "dies in a final check", "-test.v", "-test.run=^TestChild$/^"+name+"$"); !failed ||
		strings.Contains(out, "--- FAIL") {
		t.Errorf("the file was to kill the third run:\n%s", out)
	}
}

// A fatal error of the runtime kills the process; the next run names the schedule and saves it, the one after that
// replays it.
func TestDeathIsReportedByTheNextRun(t *testing.T) {
	dir := t.TempDir()
	out, failed := child(t, dir, "dies")
	if !failed || !strings.Contains(out, "fatal error: sync: unlock of unlocked mutex") {
		t.Fatalf("the first run was to die:\n%s", out)
	}
	out, failed = child(t, dir, "dies")
	files, _ := filepath.Glob(filepath.Join(dir, "testdata/rehearse/TestChild/*.schedule"))
	if !failed || len(files) != 1 || strings.Contains(out, "fatal error: ") {
		t.Fatalf("the second run was to report, saved %v:\n%s", files, out)
	}
	name := strings.TrimSuffix(filepath.Base(files[0]), ".schedule")
	contains(t, out, "--- FAIL: TestChild", "process_test.go:",
		"fatal: an earlier run of this test died in the middle of an execution",
		"it died in the last of these steps", "withdraw from spender to account\n", "deposit from saver to account\n",
		"saved:  testdata/rehearse/TestChild/"+name,
		"replay: "+command()+" -run '^TestChild$/^"+name+"$' github.com/rehearse-go/rehearse")
	if i, j := strings.Index(out, "withdraw from spender to account"), strings.Index(out,
		"deposit from saver to account"); i > j {
		t.Errorf("the steps are to come in their order:\n%s", out)
	}

	out, _ = child(t, dir, "dies", "-test.v")
	contains(t, out, "=== RUN   TestChild/"+name, "fatal error: sync: unlock of unlocked mutex")
	if out, failed = child(t, dir, "recovers", "-test.v"); failed {
		t.Errorf("the program was fixed:\n%s", out)
	}
	contains(t, out, "its schedule is saved already and is replayed now", "--- PASS: TestChild/"+name, "complete: ")
}

// A death before the first choice has no schedule, and one that is saved without steps is not taken for it.
func TestDeathInSetUp(t *testing.T) {
	dir := t.TempDir()
	if out, failed := child(t, dir, "dies in set-up"); !failed || strings.Contains(out, "--- FAIL") {
		t.Fatalf("the first run was to die:\n%s", out)
	}
	out, _ := child(t, dir, "survives set-up")
	contains(t, out, "panicked on deposit from Driver: always",
		"died in set-up or before the first choice of an execution", "replay: REHEARSE_STRATEGY=auto ")
	for _, wrong := range []string{"saved already", "last of these steps"} {
		if strings.Contains(out, wrong) {
			t.Errorf("says %q:\n%s", wrong, out)
		}
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "testdata/rehearse/TestChild/*.schedule")); len(files) != 1 {
		t.Errorf("saved %v, want the schedule of the first Check alone", files)
	}
	if out, _ = child(t, dir, "survives set-up"); strings.Contains(out, "died") {
		t.Errorf("told twice:\n%s", out)
	}
}

// What the program prints is kept away while it is explored, and shown with the finding.
func TestLogsOfTheProgram(t *testing.T) {
	dir := t.TempDir()
	out, failed := child(t, dir, "chatty")
	if failed || strings.Contains(out, "says") || out != "PASS\n" {
		t.Errorf("1,000 executions of a logging program are to print nothing:\n%s", out)
	}
	out, failed = child(t, dir, "chatty finding")
	if !failed {
		t.Fatalf("want a finding:\n%s", out)
	}
	for _, who := range []string{"stdout", "stderr", "log", "test"} {
		if n := strings.Count(out, "  | "+who+" says {20}\n"); n != 1 {
			t.Errorf("%s is shown %d times, want once, in the replay of the finding:\n%s", who, n, out)
		}
	}
	// The line that a failure points to is that of Check.
	contains(t, out, "process_test.go:")
	t.Setenv("REHEARSE_LOGS", "1")
	t.Setenv("REHEARSE_BUDGET", "3x")
	if out, _ := child(t, t.TempDir(), "chatty"); strings.Count(out, "stdout says {20}") < 3 {
		t.Errorf("with REHEARSE_LOGS=1 the program prints:\n%s", out)
	}
}

func TestVerbose(t *testing.T) {
	out, _ := child(t, t.TempDir(), "chatty", "-test.v")
	contains(t, out, "=== ATTR  TestChild rehearse.seed ", "rehearse: budget reached: 1,000 executions, 4,000 deliveries",
		"sampled (strategy random")
}
