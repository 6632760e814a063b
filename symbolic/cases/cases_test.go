package cases_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/symbolic/cases"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/solve"
	"github.com/rehearse-go/rehearse/symbolic/tasks"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

var dirs = []string{"../../subjects/apet", "../../subjects", "../../examples"}

// corpus is programs whose handlers get cases. Each is read once.
var corpus = map[string]func() (*load.Program, error){}

func init() {
	for _, dir := range append(dirs, "../../examples/bank", "../../examples/lostsub", "../../examples/server") {
		patterns := []string{"."}
		if strings.HasSuffix(dir, "examples") {
			patterns = []string{"./..."}
		}
		corpus[dir] = sync.OnceValues(func() (*load.Program, error) {
			return cases.Load(load.Config{Dir: dir, Patterns: patterns, NoTests: !strings.HasSuffix(dir, "examples")})
		})
	}
}

// prepared prepares a program.
func prepared(t *testing.T, p *load.Program, err error) *cases.Program {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	store := term.NewStore()
	solver, err := solve.New(store, solve.Config{Engine: solve.Embedded})
	if err != nil {
		t.Fatal(err)
	}
	return cases.New(t.Context(), p, store, solver)
}

func read(t *testing.T, dir string) *cases.Program {
	t.Helper()
	p, err := corpus[dir]()
	return prepared(t, p, err)
}

// suite gives the cases of one target.
func suite(t *testing.T, p *cases.Program, name string, c cases.Config) *cases.Suite {
	t.Helper()
	found, err := p.Select("^" + name + "$")
	if err != nil || len(found) != 1 {
		t.Fatalf("%d targets %s, %v: want one", len(found), name, err)
	}
	return of(t, p, found[0], c)
}

// of gives the cases of a target, with time enough on a busy machine.
func of(t *testing.T, p *cases.Program, target *cases.Target, c cases.Config) *cases.Suite {
	t.Helper()
	c.Timeout = 10 * time.Minute
	s, err := p.Suite(t.Context(), target, c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// judged holds the instances of a suite to invariants I1 and I2: each satisfies the conditions of its own case, and of
// none with the same schedule.
func judged(t *testing.T, s *cases.Suite) (instances int) {
	t.Helper()
	names := map[string]bool{}
	for _, c := range s.Cases {
		if names[c.Name] {
			t.Errorf("%s: two cases have the name %s", s.Target.Name, c.Name)
		}
		names[c.Name] = true
		if c.Model == nil {
			continue
		}
		instances++
		eval := c.Model.Evaluator()
		for _, other := range s.Cases {
			same := fmt.Sprint(c.Queued, c.Priorities, c.Steps, c.Answers) == fmt.Sprint(other.Queued, other.Priorities, other.Steps, other.Answers)
			if holds := eval.Holds(other.Conditions()...); holds != (other == c) && (other == c || same && !ordered(c)) {
				t.Errorf("%s: the instance of %q satisfies %q: %v", s.Target.Name, c.Name, other.Name, holds)
			}
		}
	}
	return instances
}

// ordered reports whether a case is for one of several orders of a map, of which no condition tells.
func ordered(c *cases.Case) bool {
	return slices.ContainsFunc(c.Marks, func(m exec.Mark) bool { return m.Kind == exec.Order })
}

func TestBank(t *testing.T) {
	s := suite(t, read(t, "../../examples/bank"), "Server.Withdraw", cases.Config{})
	want := []string{"s.Balance<msg.Amount: panicked panic s.Balance=-1 msg.Amount=0", "s.Balance>=msg.Amount: returned  s.Balance=0 msg.Amount=0"}
	if got := told(s); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// instance writes the values of a case's inputs.
func instance(c *cases.Case) string {
	var list []string
	for _, in := range c.Inputs {
		if in.Aspect == "" {
			list = append(list, fmt.Sprintf("%s=%v", in.Var.Name, c.Model.Eval(in.Var)))
		}
	}
	return strings.Join(list, " ")
}

// TestTasks: handlers that wait go through package tasks, whose published counts hold.
func TestTasks(t *testing.T) {
	p := read(t, "../../subjects/apet")
	s := suite(t, p, "Check.RunCheck", cases.Config{Switches: 4, Policy: tasks.Priority, Await: tasks.Polling})
	if !s.Tasks || len(s.Cases) != 12 || !s.Bounded() {
		t.Errorf("tasks %v, %d cases, bounded %v: want 12 of tasks, and cuts", s.Tasks, len(s.Cases), s.Bounded())
	}
	judged(t, s)
	for _, c := range s.Cases {
		if c.Verdict != cases.Returned || len(c.Steps) == 0 || len(c.Priorities) != 4 {
			t.Errorf("%s: %v through %v by %v", c.Name, c.Verdict, c.Steps, c.Priorities)
		}
	}
	if s = suite(t, p, "Pruning.RunPruning", cases.Config{Queue: 2}); len(s.Cases) != 5 {
		t.Errorf("%d cases with a queue, want 5", len(s.Cases))
	}
	// the handler polls for ever
	s = suite(t, p, "Check.RunCheck", cases.Config{Switches: 4, Policy: tasks.LIFO, Await: tasks.Polling})
	if !s.Tasks || len(s.Cases) != 0 || !s.Bounded() || s.Cuts["more than 4 switches of apet.Check"] == 0 || len(s.Notes) != 0 {
		t.Errorf("tasks %v, %d cases, cuts %v, notes %q: want none, because of the bound", s.Tasks, len(s.Cases), s.Cuts, s.Notes)
	}
	if l := s.Coverage.Left; len(l) == 0 || l[0].Why != "cut: more than 4 switches of apet.Check" {
		t.Errorf("not covered: %v: want that the bound has cut it", l)
	}
	if s = suite(t, p, "Pruning.RunPruning", cases.Config{}); len(s.Cases) != 0 || len(s.Notes) != 1 {
		t.Errorf("%d cases without a queue, notes %q: want none, and that it waits forever", len(s.Cases), s.Notes)
	}
}

// TestSelect: targets by name, and what is said about names that there are not.
func TestSelect(t *testing.T) {
	p := read(t, "../../subjects/apet")
	for pattern, want := range map[string]string{
		"Starter":    "Starter.DoSum Starter.other",
		`Check\.To`:  "Check.ToEven Check.ToOdd",
		"nothing":    `no handler or function has a name that "nothing" matches: there is Check.OddEven, Check.RunCheck,`,
		"dosum":      "there is Starter.DoSum, ",          // the most alike first
		"Receive":    "no handler or function has a name", // the handlers have the names of their messages
		"(":          "is no regular expression",
		"Check.+|(?": "is no regular expression",
	} {
		found, err := p.Select(pattern)
		var names []string
		for _, f := range found {
			names = append(names, f.Name)
		}
		got := strings.Join(names, " ")
		if err != nil {
			got = err.Error()
		}
		if err == nil && got != want || err != nil && !strings.Contains(got, want) {
			t.Errorf("%s: got %q, want %q", pattern, got, want)
		}
	}
}

// overlay reads a package with more files.
func overlay(files map[string]string) (*load.Program, error) {
	contents := map[string][]byte{}
	for name, source := range files {
		file, err := filepath.Abs("../../subjects/apet/" + name)
		if err != nil {
			return nil, err
		}
		contents[file] = []byte(source)
	}
	return cases.Load(load.Config{Dir: "../../subjects/apet", Patterns: []string{"."}, NoTests: true, Overlay: contents})
}

// extended reads the sources of all tests at once.
var extended = sync.OnceValues(func() (*load.Program, error) {
	source, err := os.ReadFile("till_test.go")
	if err != nil {
		return nil, err
	}
	return overlay(map[string]string{"zz.go": shop, "zf.go": functions, "zk.go": keepers(), "zw.go": waiting, "za.go": gates, "zt.go": strings.Replace(string(source), "package cases_test", "package apet", 1)})
})

// more prepares that.
func more(t *testing.T) *cases.Program {
	t.Helper()
	p, err := extended()
	return prepared(t, p, err)
}

func TestDoesNotCompile(t *testing.T) {
	if _, err := overlay(map[string]string{"zz.go": "package apet\n\nfunc zz() int { return \"\" }\n"}); err == nil || !strings.Contains(err.Error(), "zz.go:3") {
		t.Errorf("got %v, want the place", err)
	}
}

const functions = `package apet

import (
	"testing"
	_ "unsafe"
)

//go:linkname outside runtime.outside
func outside(n int) int

func over(n, most uint8) uint8 {
	if n > most {
		panic("over")
	}
	return most - n
}

func endless(n int) int {
	if n == 0 {
		return 0
	}
	return endless(n-1) + 1
}

func shared(a, b *Fund) {
	a.cents = 1
	b.cents = 2
	if a.cents == 2 {
		panic("one fund")
	}
}

func checks(t *testing.T, n int) {
	if n < 7 {
		t.Errorf("%d is less than seven", n)
	}
}
`

// TestFunctions: functions have cases of their own; what cannot be executed is an error, or told.
func TestFunctions(t *testing.T) {
	p := more(t)
	if _, err := p.Select("outside"); err == nil || !strings.Contains(err.Error(), "outside (zf.go:9) has no body in Go") {
		t.Errorf("a function without a body: %v", err)
	}
	want := []string{"most<n: panicked panic n=1 most=0", "most>=n: returned  n=0 most=0"}
	if got := told(suite(t, p, "over", cases.Config{})); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	s := suite(t, p, "endless", cases.Config{})
	if len(s.Cases) != 12 || s.Cuts["calls nested more than 12 deep"] != 1 || !s.Bounded() {
		t.Errorf("%d cases, cuts %v: want 12, and a cut", len(s.Cases), s.Cuts)
	}
	want = []string{"n<7,t==nil: panicked nil dereference n=0", "n<7,t!=nil: failed Error n=0", "n>=7: returned  n=7"}
	if got := told(suite(t, p, "checks", cases.Config{})); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, alias := range []bool{false, true} {
		s := suite(t, p, "shared", cases.Config{Alias: alias})
		if shared := slices.ContainsFunc(s.Cases, func(c *cases.Case) bool { return c.Why == "panic" }); shared != alias {
			t.Errorf("alias %v: two pointers lead to one object: %v", alias, shared)
		}
	}
	if _, err := p.Suite(t.Context(), p.Targets()[0], cases.Config{Loops: -1}); err == nil {
		t.Error("a negative bound is no error")
	}
}

// told writes the cases of a suite, a line each.
func told(s *cases.Suite) (list []string) {
	for _, c := range s.Cases {
		list = append(list, fmt.Sprintf("%s: %v %s %s", c.Name, c.Verdict, c.Why, instance(c)))
	}
	return list
}
