package rehearse_test

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/internal/gotest"
	"github.com/rehearse-go/rehearse/internal/parallel"
	"github.com/rehearse-go/rehearse/subjects"
)

// everything is what must be the same whoever explores: counts and violations. What a beginning costs that is executed
// once more, reverse counts as deliveries, because it may lead elsewhere in the end; naive does not. Of source the
// classes are the same: which executions of a class it begins in vain depends on what it knows of other branches.
func everything(r *rehearse.Result) string {
	var keys []string
	for i := range r.Findings {
		keys = append(keys, r.Findings[i].Violation.Key())
	}
	slices.Sort(keys)
	deliveries := r.Deliveries
	if r.Strategy != "naive" {
		deliveries = 0
	}
	executions, blocked := r.Executions, r.Blocked
	if r.Strategy == "source" {
		executions, blocked = 0, 0
	}
	return fmt.Sprintf("complete %v%s, %d executions, %d blocked, %d classes, %d deliveries, depth %d, %q, %d warnings",
		r.Complete, r.Within, executions, blocked, r.Classes, deliveries, r.Depth, keys, len(r.Warnings))
}

// ledger fails in several ways, depending on the order of its messages.
type ledger struct {
	Balance int
	Order   string
	Deadly  string // the order that kills the process, "" if none does
}

func (l *ledger) Receive(_ *actor.Context, msg any) {
	switch m := msg.(type) {
	case deposit:
		l.Balance += m.Amount
		l.Order += "d"
	case withdraw:
		l.Balance -= m.Amount
		l.Order += strconv.Itoa(m.Amount)
	}
	switch {
	case l.Deadly != "" && l.Order == l.Deadly:
		fmt.Println("the ledger burns")
		var mu sync.Mutex
		mu.Unlock() // a fatal error of the runtime: no recover catches it
	case l.Balance < -5:
		l.ruined()
	case l.Balance == -4:
		l.overdrawn()
	}
}

func (*ledger) ruined()    { panic("ruined") }
func (*ledger) overdrawn() { panic("overdrawn") }

// several has violations: the deposit and the withdrawals of so many clients race.
func several(clients int, deadly string) rehearse.System {
	return actor.New(func(t *rehearse.T, ctx *actor.Context) {
		l := ctx.SpawnNamed("ledger", &ledger{Deadly: deadly})
		for i := range clients {
			from := ctx.SpawnNamed("client", actor.Func(func(ctx *actor.Context, msg any) { ctx.Send(l, msg) }))
			if i == 0 {
				ctx.Send(from, deposit{2})
			} else {
				ctx.Send(from, withdraw{i})
			}
		}
	})
}

// shared are explorations that are divided in the tests below.
var shared = map[string]func() rehearse.System{
	"naive pi":          func() rehearse.System { return subjects.Pi(3) },
	"naive leader":      func() rehearse.System { return subjects.Leader(3) },
	"naive several":     func() rehearse.System { return several(4, "") },
	"reverse fib":       func() rehearse.System { return subjects.Fib(7) },
	"reverse shortpath": func() rehearse.System { return subjects.ShortpathB() },
	"reverse pipesort":  func() rehearse.System { return subjects.Pipesort(4) },
	"reverse several":   func() rehearse.System { return several(4, "") },
	"reverse/2 fib":     func() rehearse.System { return subjects.Fib(6) },
	"source fib":        func() rehearse.System { return subjects.Fib(6) },
	"source pipesort":   func() rehearse.System { return subjects.Pipesort(4) },
	"source several":    func() rehearse.System { return several(4, "") },
	"optimal fib":       func() rehearse.System { return subjects.Fib(6) },
	"optimal pipesort":  func() rehearse.System { return subjects.Pipesort(4) },
	"optimal several":   func() rehearse.System { return several(4, "") },
}

func strategyOf(name string) string { s, _, _ := strings.Cut(name, " "); return s }

// sampled gives every fifth name, with REHEARSE_TOY=1 every second one, which takes half a minute, and with more all.
func sampled(names []string) []string {
	step := 5
	switch os.Getenv("REHEARSE_TOY") {
	case "":
	case "1":
		step = 2
	default:
		step = 1
	}
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Index(names, name)%step != 0 })
}

// TestWorkers: one, two and three processes count and find the same, and so does one that keeps the exploration in a
// file.
func TestWorkers(t *testing.T) {
	names := sampled(slices.Sorted(maps.Keys(shared)))
	if testing.Short() { // as killed
		names = names[:2]
	}
	for _, name := range names {
		cfg := rehearse.Config{Strategy: strategyOf(name), Budget: "unlimited"}
		want := explored(t, cfg, shared[name]())
		for cfg.Workers = 2; cfg.Workers <= 3; cfg.Workers++ {
			if got := explored(t, cfg, shared[name]()); got != want {
				t.Errorf("%s by %d workers: %s\nwant %s", name, cfg.Workers, got, want)
			}
		}
		t.Setenv("REHEARSE_RESUME", t.TempDir())
		cfg.Workers = 1
		for range 2 { // the second time from the file alone
			if got := explored(t, cfg, shared[name]()); got != want {
				t.Errorf("%s with a file: %s\nwant %s", name, got, want)
			}
		}
		t.Setenv("REHEARSE_RESUME", "")
	}
}

func explored(t *testing.T, cfg rehearse.Config, sys rehearse.System) string {
	t.Helper()
	r, err := rehearse.Explore(cfg, sys)
	if err != nil {
		t.Fatal(err)
	}
	return everything(&r)
}

// large are explorations that take long enough to be killed in the middle.
var large = map[string]func() rehearse.System{
	"naive several": func() rehearse.System { return several(5, "") },
	"reverse pi":    func() rehearse.System { return subjects.Pi(7) },
	"source pi":     func() rehearse.System { return subjects.Pi(7) },
	"optimal pi":    func() rehearse.System { return subjects.Pi(7) },
}

// TestExplorer explores in a process of its own, which the tests below kill.
func TestExplorer(t *testing.T) {
	mode, name, _ := strings.Cut(os.Getenv("REHEARSE_TEST_EXPLORER"), ":")
	if mode == "deadly" {
		t.TempDir() // in each process, and not all of them live to remove theirs
	}
	switch mode {
	case "large":
		fmt.Println("RESULT " + explored(t,
			rehearse.Config{Strategy: strategyOf(name), Budget: "unlimited", Workers: 2}, large[name]()))
	case "deadly":
		r, err := rehearse.Explore(rehearse.Config{Strategy: "naive", Budget: "unlimited", Workers: 2}, several(3, name))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Println("RESULT " + everything(&r))
		for i := range r.Findings {
			f := &r.Findings[i]
			fmt.Println(f.Violation.Kind, f.Violation.Text, f.Diagram, f.Logs, f.Note)
		}
	case "check":
		rehearse.Check(t, rehearse.Config{}, several(2, ""))
		r := rehearse.Check(t, rehearse.Config{Strategy: "naive", Budget: "unlimited", Workers: 2}, several(3, ""))
		fmt.Println("RESULT " + everything(&r))
	case "back":
		t.Run("here", func(t *testing.T) {
			t.Setenv(parallel.ElsewhereVariable, "")
			t.Setenv(parallel.Variable, "")
			if _, err := rehearse.Explore(rehearse.Config{Strategy: "source"}, several(2, "")); err != nil {
				t.Error(err)
			}
		})
		fmt.Println("RESULT " + explored(t, rehearse.Config{Strategy: "naive"}, several(2, "")))
	case "named":
		fmt.Println("RESULT " + explored(t, rehearse.Config{Strategy: name}, several(2, "")))
	case "bug", "refused":
		rehearse.Check(t, rehearse.Config{Strategy: name, Budget: "1000x", Workers: 2}, several(5, ""))
	}
}

// explorer starts TestExplorer. It has a temporary folder, which the caller may set, and what is left there is removed
// with the test.
func explorer(t *testing.T, mode string, env ...string) (*exec.Cmd, *strings.Builder) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	cmd := exec.Command(exe, "-test.run=^TestExplorer$", "-test.v")
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "REHEARSE_TEST_EXPLORER="+mode, "XDG_CACHE_HOME="+dir, "HOME="+dir,
		"TMPDIR="+t.TempDir()), env...)
	out := &strings.Builder{}
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, out
}

func resultLine(out string) string {
	_, rest, _ := strings.Cut(out, "RESULT ")
	line, _, _ := strings.Cut(rest, "\n")
	return line
}

// TestDeadlyExecution: what kills its process is a finding with its schedule, and the rest goes on.
func TestDeadlyExecution(t *testing.T) {
	temporary := t.TempDir()
	cmd, b := explorer(t, "deadly:21", "TMPDIR="+temporary)
	err := cmd.Wait()
	out := b.String()
	if err != nil {
		t.Fatalf("%v:\n%s", err, out)
	}
	for _, want := range []string{"complete false", "fatal: : : ", "fatal two worker processes died",
		"it died in the last of these steps",
		"withdraw from client#3 to ledger", "fatal error: sync: unlock of unlocked mutex"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in:\n%s", want, out)
		}
	}
	empty(t, temporary)
}

// TestCheckWithWorkers: an earlier Check of the test is not explored again, and its saved schedules are not replayed,
// by a worker; a finding of a worker is told and saved like any other.
func TestCheckWithWorkers(t *testing.T) {
	cmd, b := explorer(t, "check")
	if err := cmd.Wait(); err != nil || !strings.Contains(b.String(), "RESULT complete true") ||
		strings.Count(b.String(), "rehearse: complete") != 2 {
		t.Errorf("%v:\n%s", err, b)
	}
	cmd, b = explorer(t, "bug:naive")
	err := cmd.Wait()
	for _, want := range []string{"panicked on withdraw", "saved:  testdata/rehearse/TestExplorer/"} {
		if err == nil || !strings.Contains(b.String(), want) {
			t.Errorf("%v, want %q:\n%s", err, want, b)
		}
	}
	for _, name := range []string{"pct/3", "auto", "reverse/iterative"} {
		cmd, b = explorer(t, "refused:"+name)
		if err := cmd.Wait(); err == nil || !strings.Contains(b.String(), "workers 2: strategy "+name+" cannot be divided") {
			t.Errorf("%v:\n%s", err, b)
		}
	}
}

// TestWorkersPassOver: what a reduction passes over is not complete, whoever executes it.
func TestWorkersPassOver(t *testing.T) {
	for _, workers := range []int{1, 2} {
		cfg := rehearse.Config{Strategy: "reverse", Budget: "unlimited", Workers: workers}
		if r, err := rehearse.Explore(cfg, subjects.Fib(4)); err != nil || !r.Complete || r.PassedOver != "" {
			t.Errorf("%d workers: %v, %v, passed over %q, want a complete result", workers, r, err, r.PassedOver)
		}
		cfg.Invariants = []rehearse.Invariant{{Name: "true", Holds: func(rehearse.State) error { return nil }}}
		if r, err := rehearse.Explore(cfg, subjects.Fib(4)); err != nil || r.Complete ||
			!strings.Contains(r.PassedOver, "invariants") {
			t.Errorf("%d workers, with an invariant: %v, %v, passed over %q, want an incomplete result that says why", workers,
				r, err, r.PassedOver)
		}
	}
}

// TestWorkersWithEffects: what is declared counts for all processes, and for a file that is gone on with.
func TestWorkersWithEffects(t *testing.T) {
	for _, s := range subjects.SelectedTests() {
		if s.Name != "RegSim(6,1)" {
			continue
		}
		cfg := rehearse.Config{Strategy: "reverse", Budget: "unlimited", Effects: s.Effects}
		want := explored(t, cfg, s.System())
		if !strings.HasPrefix(want, "complete true, 720 executions, 0 blocked, 720 classes") {
			t.Fatal(want)
		}
		cfg.Workers = 2
		if got := explored(t, cfg, s.System()); got != want {
			t.Errorf("by 2 workers: %s\nwant %s", got, want)
		}
		t.Setenv("REHEARSE_RESUME", t.TempDir())
		cfg.Workers = 1
		for range 2 {
			if got := explored(t, cfg, s.System()); got != want {
				t.Errorf("with a file: %s\nwant %s", got, want)
			}
		}
		return
	}
	t.Error("the program is not there")
}

// TestBudgetOfWorkers: the budget is that of all together, and the result says how much there is.
func TestBudgetOfWorkers(t *testing.T) {
	r, err := rehearse.Explore(rehearse.Config{Strategy: "naive", Budget: "777x", Workers: 3}, subjects.Pi(4))
	if err != nil || r.Executions != 777 || r.Reason != "budget" || r.Complete {
		t.Errorf("%s, %v", r, err)
	}
	if e := r.Estimate; !(e.Low > 777 && e.Low < e.Total && e.Total < e.High) ||
		!strings.Contains(r.String(), " 777 executions, ") || !strings.Contains(r.String(), "of an estimated ") {
		t.Errorf("%s, estimated %v", r, e)
	}
}

// TestSpeedOfWorkers measures what a second worker brings: docs/performance.md has the numbers.
func TestSpeedOfWorkers(t *testing.T) {
	rounds, _ := strconv.Atoi(os.Getenv("REHEARSE_TEST_SPEED"))
	for i := range 2 * rounds {
		var times, cpu []time.Duration
		var results []string
		strategy, program := []string{"optimal", "reverse"}[i%2], subjects.Pi(9)
		for workers := 1; workers <= 2; workers++ {
			began, used := time.Now(), gotest.ProcessorTimeWithChildren()
			results = append(results,
				explored(t, rehearse.Config{Strategy: strategy, Budget: "unlimited", Workers: workers}, program))
			times, cpu = append(times, time.Since(began)), append(cpu, gotest.ProcessorTimeWithChildren()-used)
		}
		if results[0] != results[1] {
			t.Errorf("one worker: %s\ntwo: %s", results[0], results[1])
		}
		t.Logf("%s: one worker %.1f s, two %.1f s: %.2f times as fast; processor time %.1f s and %.1f s",
			strategy, times[0].Seconds(), times[1].Seconds(), times[0].Seconds()/times[1].Seconds(),
			cpu[0].Seconds(), cpu[1].Seconds())
	}
}

// empty fails the test if anything is left in a folder.
func empty(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) > 0 {
		t.Errorf("in the temporary folder are left %v, %v", entries, err)
	}
}
