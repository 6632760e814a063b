package toysys

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// play is what the generated program does: it executes all orders of each system, and says which places were reached.
const play = `
type system struct {
	make    func() *actor.System
	reached func() (places []int)
	clear   func()
}

type result struct {
	System, Model int
	Async         bool
	Places        []int
	Complete      bool
	Executions    int
}

func main() {
	e := json.NewEncoder(os.Stdout)
	for i, s := range systems {
		for _, async := range []bool{false, true} {
			for m, model := range []trace.Model{trace.Bag, trace.FIFO, trace.Causal, trace.Mailbox, trace.MailboxSerial} {
				s.clear()
				o := explore.Options{Conditions: explore.Conditions{Model: model, Horizon: time.Hour, Blocked: math.MaxInt64},
					Budget: explore.Budget{Executions: BUDGET}, MaxSteps: 1000}
				if async {
					o.Conditions.Timers = trace.Async
				}
				out, err := explore.Run(s.make(), search.NewNaive(), o)
				if err != nil {
					panic(fmt.Sprint(i, model, async, err))
				}
				if err := e.Encode(result{i, m, async, s.reached(), out.Complete, out.Executions}); err != nil {
					panic(err)
				}
			}
		}
	}
}

func places(b []bool) (list []int) {
	for i, r := range b {
		if r {
			list = append(list, i)
		}
	}
	return list
}
`

// result is what a program says of a system.
type result struct {
	System, Model int
	Async         bool
	Places        []int
	Complete      bool
	Executions    int
}

// played compiles and executes systems under all models.
func played(t *testing.T, systems []*System, budget int) []result {
	t.Helper()
	t.Setenv("GOWORK", "off")
	dir := t.TempDir()
	root, err := filepath.Abs("../../..")
	if err == nil {
		err = Module(dir, root, systems, true)
	}
	if err != nil {
		t.Fatal(err)
	}
	var imports, table strings.Builder
	for i := range systems {
		fmt.Fprintf(&imports, "\t\"github.com/rehearse-go/rehearse/toys/s%d\"\n", i)
		fmt.Fprintf(&table, "\t{s%[1]d.System, func() []int { return places(s%[1]d.Reached[:]) }, func() { clear(s%[1]d.Reached[:]) }},\n", i)
	}
	text := "package main\n\nimport (\n\t\"encoding/json\"\n\t\"fmt\"\n\t\"math\"\n\t\"os\"\n\t\"time\"\n\n\t\"github.com/rehearse-go/rehearse/actor\"\n" +
		"\t\"github.com/rehearse-go/rehearse/explore\"\n\t\"github.com/rehearse-go/rehearse/internal/search\"\n\t\"github.com/rehearse-go/rehearse/trace\"\n" + imports.String() +
		")\n" + strings.ReplaceAll(play, "BUDGET", fmt.Sprint(budget)) + "\nvar systems = []system{\n" + table.String() + "}\n"
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("go", "build", "-C", dir, "-ldflags=-w -s", "-o", "m", ".").CombinedOutput(); err != nil {
		t.Fatalf("the systems do not compile: %v\n%s", err, out)
	}
	cmd := exec.CommandContext(t.Context(), filepath.Join(dir, "m"))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("the systems: %v", err)
	}
	var list []result
	for d := json.NewDecoder(strings.NewReader(string(out))); d.More(); {
		var r result
		if err := d.Decode(&r); err != nil {
			t.Fatal(err)
		}
		list = append(list, r)
	}
	return list
}

// TestPlayed holds the twin to the real thing: which places are reached by the driver's own messages, in any order.
// REHEARSE_TOY=n executes n times 30 systems.
func TestPlayed(t *testing.T) {
	n := 6
	if times, _ := strconv.Atoi(os.Getenv("REHEARSE_TOY")); times > 0 {
		n = 30 * times
	}
	var systems []*System
	for seed := uint64(0); len(systems) < n; seed++ {
		s := Random(seed)
		ends := true
		for _, m := range Models {
			r := s.Reach(Bounds{Model: m, Fixed: true, Runs: 12, States: 300, Async: true})
			ends = ends && !r.Over && !r.Cut && len(r.Runs) > 3
		}
		if ends {
			systems = append(systems, s)
		}
	}
	complete, differ := 0, 0
	for _, r := range played(t, systems, 3000) {
		s := systems[r.System]
		want := s.Reach(Bounds{Model: Models[r.Model], Async: r.Async, Fixed: true, Runs: 100})
		if r.Complete {
			complete++
		}
		if more, less := compare(want, r); len(more) > 0 || len(less) > 0 {
			differ++
			t.Errorf("seed %d, %v, async %v (%d executions, complete %v): only the twin reaches %v, only the program %v", s.Seed, Models[r.Model], r.Async, r.Executions, r.Complete, less, more)
			if differ == 1 {
				t.Logf("%s", s.Source("toy"))
				for _, l := range less {
					t.Logf("%d: %s", l, strings.Join(want.Ways[l], "\n   "))
				}
			}
		}
	}
	t.Logf("%d of %d systems and conditions executed completely", complete, 10*len(systems))
}

// compare gives the places that only the program reaches, and those that only the twin does.
func compare(want *Reached, r result) (more, less []int) {
	for _, l := range r.Places {
		if _, ok := want.Runs[l]; !ok {
			more = append(more, l)
		}
	}
	for l := range want.Runs {
		if r.Complete && !slices.Contains(r.Places, l) {
			less = append(less, l)
		}
	}
	slices.Sort(less)
	return more, less
}
