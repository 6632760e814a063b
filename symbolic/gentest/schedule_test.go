package gentest_test

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/symbolic/cases"
	"github.com/rehearse-go/rehearse/symbolic/gentest"
	"github.com/rehearse-go/rehearse/symbolic/tasks"
)

// waiting are handlers that wait, with what their tests are to have, and how many mutants they kill. The large ones run
// with REHEARSE_TOY.
var waiting = []struct {
	name, dir, pattern, run string
	config                  cases.Config
	tests                   int      // at least
	left                    []string // the only reasons to leave tests out
	want                    []string
	mutants                 int // of those that the tests execute, how many have to be killed
	large                   bool
}{
	{name: "queue", large: true, dir: "../../subjects", pattern: "./apet", run: "^(Check.RunCheck|Pruning.RunPruning|Starter.DoSum)$", config: cases.Config{Queue: 2}, tests: 44,
		want: []string{`x.Queue(x.Sender(), SetB{}, SetB{N: 1})`, `x.Order("RunPruning", "SetB", "await RunPruning", "SetB")`,
			`x.Order("DoSum", "#1 Sum", "#1 Sum", "#1 await Sum", "await DoSum")`, `x.Spawns(&Summer{Value: `},
		mutants: 40},
	{name: "lifo", dir: "../../subjects", pattern: "./apet", run: "^Pruning.RunPruning$", config: cases.Config{Queue: 2, Policy: tasks.LIFO}, tests: 15,
		want: []string{"x.AnyOrder()", `"SetB#2"`}},
	{name: "any", large: true, dir: "../../subjects", pattern: "./apet", run: "^Pruning.RunPruning$", config: cases.Config{Queue: 2, Policy: tasks.Any}, tests: 39,
		want: []string{`x.Order("RunPruning", "SetB#2", "SetB", "await RunPruning")`}},
	{name: "answers", large: true, dir: "../tasks/prototest", pattern: "./programs", run: `^(Till|Clerk)\.`, config: cases.Config{Queue: 1}, tests: 200,
		left: []string{"the runtime panics in a state that is only assumed"},
		want: []string{`x.Answers(bank, steptest.DeadLetter{})`, `x.Order("Pay", "answer 1", "reenter Pay")`, `x.Order("Pay", "time", "reenter Pay")`, `x.Order("Pay", "Set", "answer 1", "reenter Pay")`,
			`x.Order("Pay", "answer 1", "await Pay", "answer 2", "await Pay", "Set")`, `x.Queue(nil, Set2`},
		mutants: 20},
	{name: "children", large: true, dir: "../tasks/prototest", pattern: "./programs", run: `^Boss\.(Add|Deep|Self)$`, tests: 16,
		want: []string{`x.Order("Add", "#1 *actor.Started", "#1 Work", "reenter Add")`, `x.Spawns(&Worker{Base: 6})`, `x.Sends(x.Self(), Result{N: 11})`,
			`x.Loses("int")`},
		mutants: 15},
	{name: "hypothetical", large: true, dir: "../tasks/prototest", pattern: "./programs", run: `^Till\.Pay$`, config: cases.Config{Queue: 1, Policy: tasks.Priority}, tests: 100,
		left: []string{"the runtime panics in a state that is only assumed"},
		want: []string{"// Hypothetical: the mailboxes of protoactor-go are fifo, with system messages first. This is the policy priority."}},
	{name: "types without a name", dir: ".", pattern: "./testdata/waits", run: `^Gate\.`, config: cases.Config{Queue: 1}, tests: 5,
		want: []string{`x.Order("struct {}", "Open", "await struct {}")`, `x.Handle(g, [0]struct{}{})`}},
	{name: "receive timeout", large: true, dir: "../../examples", pattern: "./timeout", run: `^order\.`, tests: 15,
		left: []string{"the runtime panics in a state that is only assumed"}, want: []string{"x.ReceiveTimeout(", "x.Handle(o, &actor.ReceiveTimeout{})"},
		mutants: 5},
}

// TestWaiting: tests of handlers that wait follow the order of the case, pass each time, and fail on mutants.
func TestWaiting(t *testing.T) {
	for _, tt := range waiting {
		if tt.large && os.Getenv("REHEARSE_TOY") == "" {
			continue
		}
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			q, packages := made(t, tt.dir, tt.pattern, tt.run, gentest.Options{Config: tt.config})
			s := confirmed(t, packages)
			if s.confirmed < tt.tests || s.unconfirmed > 0 {
				t.Errorf("%+v: want %d confirmed, and none that is not", s, tt.tests)
			}
			var source strings.Builder
			for _, x := range packages[0].Tests {
				if x.Why != "" && !slices.Contains(tt.left, x.Why) {
					t.Errorf("%s %s is left out: %s", x.Target.Name, x.Name, x.Why)
				}
				source.WriteString(strings.Join(x.Lines, "\n"))
			}
			for _, want := range tt.want {
				if !strings.Contains(source.String(), want) {
					t.Errorf("no test has %s", want)
				}
			}
			if tt.mutants > 0 {
				killedOf(t, watched(t, q, packages[0]), tt.mutants)
			}
		})
	}
}

// killedOf runs the tests on the mutants that they execute: on a quarter of them, with REHEARSE_TOY on all.
func killedOf(t *testing.T, w *trial, want int) {
	t.Helper()
	killed, numbers := 0, slices.Sorted(maps.Keys(w.reached))
	if os.Getenv("REHEARSE_TOY") == "" {
		numbers, want = numbers[:(len(numbers)+3)/4], want/4
	}
	for _, n := range numbers {
		if w.kills(n) {
			killed++
		} else {
			t.Logf("survives: %+v", w.mutants.list[n-1])
		}
	}
	t.Logf("%d of %d mutants killed", killed, len(numbers))
	if killed < want {
		t.Errorf("%d of %d mutants are killed: want %d", killed, len(numbers), want)
	}
}
