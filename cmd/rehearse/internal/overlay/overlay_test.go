package overlay

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// installed is the Go that runs this test.
func installed(t *testing.T) Go {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT", "GOVERSION", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return Go{lines[0], lines[1], lines[2]}
}

// copied is an installation that has the files to patch and nothing else.
func copied(t *testing.T, g Go, root string) Go {
	t.Helper()
	for _, e := range edits {
		text, err := os.ReadFile(filepath.Join(g.Root, "src", e.file))
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(root, "src", e.file)
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, text, 0o444); err != nil {
			t.Fatal(err)
		}
	}
	return Go{root, g.Version, g.ModCache}
}

// replaced reads what an overlay replaces.
func replaced(t *testing.T, file string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var o struct{ Replace map[string]string }
	if err := json.Unmarshal(text, &o); err != nil {
		t.Fatal(err)
	}
	return o.Replace
}

// An overlay is made once, and replaces files of the installation, of which none is written.
func TestMake(t *testing.T) {
	g := copied(t, installed(t), t.TempDir())
	cache := t.TempDir()
	m, err := Make(g, cache)
	if err != nil {
		t.Fatal(err)
	}
	if m.Root != g.Root {
		t.Errorf("GOROOT %s, want %s", m.Root, g.Root)
	}
	for from, to := range replaced(t, m.File) {
		if _, err := os.Stat(to); err != nil {
			t.Error(err)
		}
		if !strings.HasPrefix(from, filepath.Join(g.Root, "src")) {
			t.Errorf("%s is replaced", from)
		}
	}
	before, err := os.Stat(m.File)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Make(g, cache)
	if err != nil || again != m {
		t.Errorf("made again: %+v, %v", again, err)
	}
	if after, err := os.Stat(m.File); err != nil || !os.SameFile(before, after) {
		t.Errorf("it was written again (%v)", err)
	}
	left, err := os.ReadDir(cache)
	if err != nil || len(left) != 1 {
		t.Errorf("in the cache: %v, %v", left, err)
	}
}

// An installation that nobody may write is left as it is. The superuser may write everything, so what is there is
// compared.
func TestReadOnly(t *testing.T) {
	g := copied(t, installed(t), t.TempDir())
	listed := func(mode fs.FileMode) (all []string) {
		err := filepath.WalkDir(g.Root, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if d.IsDir() {
				if err := os.Chmod(path, mode); err != nil {
					return err
				}
			}
			info, err := os.Stat(path)
			all = append(all, fmt.Sprint(path, info.Mode(), info.Size(), info.ModTime()))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	before := listed(0o555)
	defer listed(0o777) // so that it can be removed
	m, err := Make(g, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for from, to := range replaced(t, m.File) {
		if strings.HasPrefix(to, g.Root) {
			t.Errorf("%s is replaced by %s", from, to)
		}
	}
	if after := listed(0o555); !slices.Equal(before, after) {
		t.Errorf("the installation was\n%s\nand is\n%s", before, after)
	}
}

// A toolchain in the module cache is reached by a link, since the go command allows no overlays there.
func TestBelowModuleCache(t *testing.T) {
	mod := t.TempDir()
	g := copied(t, installed(t), filepath.Join(mod, "golang.org", "toolchain@v0.0.1"))
	g.ModCache = mod
	cache := t.TempDir()
	m, err := Make(g, cache)
	if err != nil {
		t.Fatal(err)
	}
	if at, err := os.Readlink(m.Root); err != nil || at != g.Root {
		t.Errorf("%s leads to %s, %v; want %s", m.Root, at, err, g.Root)
	}
	for from := range replaced(t, m.File) {
		if !strings.HasPrefix(from, m.Root) {
			t.Errorf("%s is replaced: it is not below the link", from)
		}
	}
	if again, err := Make(g, cache); err != nil || again != m {
		t.Errorf("made again: %+v, %v", again, err)
	}
}

// A function that differs from the one that was tested is refused, also where the patch would fit.
func TestMakeRefuses(t *testing.T) {
	for want, change := range map[string][2]string{
		": schedule in runtime/proc.go has 0 places to patch, want 1": {"findRunnable() // blocks",
			"findRunnable2() // blocks"},
		": the functions to patch are not those that were tested (hash ": {"throw(\"schedule: holding locks\")",
			"throw(\"schedule\")"},
	} {
		g := copied(t, installed(t), t.TempDir())
		file := filepath.Join(g.Root, "src/runtime/proc.go")
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		os.Remove(file)
		if err := os.WriteFile(file, []byte(strings.Replace(string(text), change[0], change[1], 1)), 0o666); err != nil {
			t.Fatal(err)
		}
		cache := t.TempDir()
		if _, err := Make(g, cache); err == nil || !strings.HasPrefix(err.Error(), g.Version+want) {
			t.Errorf("%q: %v, want %s", change[1], err, want)
		}
		if left, err := os.ReadDir(cache); err != nil || len(left) > 0 {
			t.Errorf("in the cache: %v, %v", left, err)
		}
	}
	if _, err := Make(Go{"/", "go1.24.1", ""}, t.TempDir()); err == nil ||
		!strings.HasPrefix(err.Error(), "go1.24.1: not known") {
		t.Errorf("another version: %v", err)
	}
}

// all is whether everything is tried. SUBTLE: go test runs a package again for another value only of a variable that
// was read while its tests ran.
func all() bool { return os.Getenv("REHEARSE_TOY") != "" }

// more is whether even that is tried which takes over ten seconds.
func more() bool { return all() && os.Getenv("REHEARSE_TOY") != "1" }

// compiled builds the tests of a package with an overlay.
func compiled(t *testing.T, pkg string, flags ...string) (binary string) {
	t.Helper()
	m, err := Make(installed(t), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	binary = filepath.Join(t.TempDir(), "overlaid.test")
	build := exec.Command("go", append([]string{"test", "-c", "-vet=off", "-ldflags=-s", "-overlay=" + m.File, "-o",
		binary}, append(flags, pkg)...)...)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return binary
}

// drawing builds the programs of package choosers, and gives what executes them.
func drawing(t *testing.T, flags ...string) func(words ...string) string {
	t.Helper()
	return chooser(t, compiled(t, "github.com/rehearse-go/rehearse/internal/tests/choosers", flags...))
}

// chooser gives what executes the programs of package choosers.
func chooser(t *testing.T, binary string) func(words ...string) string {
	return func(words ...string) string {
		cmd := exec.Command(binary)
		cmd.Env = append(os.Environ(), "DRAWING="+strings.Join(words, ","))
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v\n%s", words, err, out)
		}
		return string(out)
	}
}

// oneOutcome matches a line of package choosers for programs that came out alike in all executions.
var oneOutcome = regexp.MustCompile(`(?m)^drawn: ([^:]+): 1 outcomes \[.*\]$`)

// repeated are the programs, without those that race by intent.
var repeated = []string{"map of 5", "map of 20", "map of 3000", "select", "numbers", "mutex lost update", "mutexes",
	"equal timers", "spinning", "channels"}

// racing are the others.
var racing = []string{"gosched", "waitgroup append", "atomic lost update", "goroutine after that"}

// sameOutcome executes programs many times under one seed.
func sameOutcome(t *testing.T, run func(...string) string, runs string, programs ...string) {
	t.Helper()
	out := run(append([]string{"seed", runs}, programs...)...)
	if n := len(oneOutcome.FindAllString(out, -1)); n != len(programs) {
		t.Errorf("%d of %d programs had one outcome:\n%s", n, len(programs), out)
	}
}

// TestDrawing builds a test with the overlay, and has it execute programs whose outcome Go chooses.
func TestDrawing(t *testing.T) {
	run := drawing(t)
	runs := "200"
	if all() {
		runs = "10000"
	}
	sameOutcome(t, run, runs, append(repeated, racing...)...)

	// All orders of maps, of more than 8 entries too, are those of another process.
	if a, b := run("seeds", "20", "map of 20"), run("seeds", "20", "map of 20"); a != b {
		t.Errorf("two processes:\n%s%s", a, b)
	}
	for value, want := range []string{
		`place: named map: map in github.com/rehearse-go/rehearse/internal/tests/choosers.named, key "landlord"`,
		`place: named map: map in github.com/rehearse-go/rehearse/internal/tests/choosers.named, key "staff"`,
		`place: named map: map in github.com/rehearse-go/rehearse/internal/tests/choosers.named, key "a name that is longer th…"`,
		`place: map of 5: map in github.com/rehearse-go/rehearse/internal/tests/choosers.Ranged, key 3`,
	} {
		if out := run("places", fmt.Sprint(value), "named map", "map of 5"); !strings.Contains(out, want+"\n") {
			t.Errorf("value %d: want %s:\n%s", value, want, out)
		}
	}
	// Goroutines that the standard library starts are named by the program.
	for _, want := range []string{
		"place: joined: goroutine in github.com/rehearse-go/rehearse/internal/tests/choosers.joined,",
		"place: goroutine after that: goroutine in github.com/rehearse-go/rehearse/internal/tests/choosers.after.func1,",
	} {
		if out := run("places", "0", "joined", "goroutine after that"); !strings.Contains(out, want) {
			t.Errorf("want %s:\n%s", want, out)
		}
	}
	enumerated(t, run, "enumerate", 1, countsOfPoints[1])
	enumerated(t, run, "enumerate", 0, countsOfPoints[0])
	enumerated(t, run, "sparse", -1, sparse)
	if all() {
		enumerated(t, run, "enumerate", -1, countsOfPoints[-1][:1])
	}
	if more() {
		enumerated(t, run, "enumerate", -1, countsOfPoints[-1])
	}
}

// countsOfPoints are the numbers of executions that there are of programs, by how often goroutines may be preempted;
// below 0 any number of times.
var countsOfPoints = map[int][]string{
	0: {
		"gosched: 6 executions, 6 outcomes, at most 3 draws",
		"waitgroup append: 6 executions, 6 outcomes, at most 2 draws",
		"atomic lost update: 2 executions, 1 outcomes, at most 1 draws",
	},
	1: {
		"map of 5: 5 executions, 5 outcomes, at most 1 draws",
		"select: 6 executions, 6 outcomes, at most 2 draws",
		"equal timers: 12 executions, 6 outcomes, at most 3 draws",
		"goroutine after that: 42 executions, 6 outcomes, at most 6 draws",
		"gosched: 90 executions, 6 outcomes, at most 8 draws",
		"waitgroup append: 86 executions, 6 outcomes, at most 9 draws",
		"atomic lost update: 21 executions, 2 outcomes, at most 8 draws",
		"mutex lost update: 25 executions, 2 outcomes, at most 10 draws",
	},
	-1: {
		"gosched: 3727 executions, 6 outcomes, at most 16 draws",
		"waitgroup append: 35822 executions, 6 outcomes, at most 22 draws",
		"atomic lost update: 28697 executions, 2 outcomes, at most 22 draws",
	},
}

// sparse are those without a bound, where no point lies in a WaitGroup, and who was preempted may go on at once.
var sparse = []string{
	"gosched: 91 executions, 6 outcomes, at most 7 draws",
	"waitgroup append: 183 executions, 6 outcomes, at most 8 draws",
	"atomic lost update: 1322 executions, 2 outcomes, at most 13 draws",
}

// enumerated holds the lists of draws of programs to what is known of them. The numbers are those of Go 1.25 and 1.26.
func enumerated(t *testing.T, run func(...string) string, how string, points int, want []string) {
	t.Helper()
	words := []string{how, fmt.Sprint(points)}
	for _, w := range want {
		name, _, _ := strings.Cut(w, ":")
		words = append(words, name)
	}
	out := run(words...)
	for _, w := range want {
		if !strings.Contains(out, "drawn: "+w+"\n") {
			t.Errorf("%s, %d preemptions: want %s:\n%s", how, points, w, out)
		}
	}
}

// With the race detector's runtime one seed has one outcome too.
func TestDrawingRace(t *testing.T) {
	if !more() {
		return // it compiles the standard library once more
	}
	if _, err := exec.LookPath("cc"); err != nil {
		return // the race detector needs a C compiler; .ci/run says so
	}
	sameOutcome(t, drawing(t, "-race"), "2000", repeated...)
}

// What tests of native actors say of draws holds for those of the runtime, too.
func TestActors(t *testing.T) {
	if !all() {
		return // it compiles much
	}
	out, err := exec.Command(compiled(t, "github.com/rehearse-go/rehearse/actor"),
		"-test.run=Draws|TestAHandlerThatNeverReturns", "-test.v").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: TestDrawsBelongToSteps") ||
		!strings.Contains(string(out), "--- PASS: TestAHandlerThatNeverReturns") {
		t.Errorf("%v\n%s", err, out)
	}
}

// Stock mailboxes of protoactor-go, with goroutines whose order is drawn, come to the orders that are explored under
// the mailbox model.
func TestStockMailboxes(t *testing.T) {
	if !all() {
		return // it compiles much
	}
	cmd := exec.Command(compiled(t, "github.com/rehearse-go/rehearse/adapter/protoactor/freerun"),
		"-test.run=TestDrawnOrders", "-test.v")
	cmd.Env = append(os.Environ(), "REHEARSE_TOY=") // the small sample
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "programs:8 ") {
		t.Errorf("%v\n%s", err, out)
	}
}

// The same holds for protoactor-go, of which tests speak of draws of the runtime, and of hidden choices.
func TestProtoactor(t *testing.T) {
	if !more() {
		return // it compiles much
	}
	out, err := exec.Command(compiled(t, "github.com/rehearse-go/rehearse/adapter/protoactor"),
		"-test.run=Overlaid|HiddenChoices", "-test.v").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "atomic: lost in 1000 replays of 1,000") {
		t.Errorf("%v\n%s", err, out)
	}
}
