package actor_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/subjects"
	"github.com/rehearse-go/rehearse/trace"
)

// shuttle goes back to any earlier point of the last execution, and on from there: the same way again, or another one.
type shuttle struct {
	r          *rand.Rand
	executions int
	x          explore.Execution
	path       []trace.ID
	keep       int // choices of path to repeat
	depth      int
	resumed    int               // executions that went on from the middle
	short      int               // those that went on from before the point that was asked for
	seen       map[string]string // by choices: all that can be seen at that point
	end        string
	errors     []string
}

func (*shuttle) Name() string               { return "shuttle" }
func (*shuttle) Complete() bool             { return false }
func (s *shuttle) Open(x explore.Execution) { s.x = x }
func (s *shuttle) SharedPrefix() int        { return s.keep }
func (s *shuttle) Learn(*trace.Trace, bool) {}
func (s *shuttle) Resume(n int) {
	s.depth = n
	s.resumed++
	if n < s.keep {
		s.short++
	}
}

func (s *shuttle) Start() bool {
	s.executions--
	s.keep, s.depth = s.r.IntN(len(s.path)+1), 0
	if s.keep == len(s.path) && s.keep > 0 {
		s.keep--
	}
	return s.executions >= 0
}

func (s *shuttle) Choose(_ *trace.Trace, enabled []trace.Step) explore.Choice {
	i := s.depth
	s.depth++
	at := fmt.Sprint(s.path[:i])
	now := record(s.x, enabled)
	if then, known := s.seen[at]; !known {
		s.seen[at] = now
	} else if then != now {
		s.errors = append(s.errors, fmt.Sprintf("after %d choices:\n%s", i, difference(then, now)))
		return explore.Choice{Index: -1}
	}
	if i < s.keep || i < len(s.path) && s.r.IntN(3) > 0 {
		if k := trace.Find(enabled, s.path[i]); k >= 0 {
			return explore.Choice{Index: k}
		}
	}
	k := s.r.IntN(len(enabled))
	s.path = append(s.path[:i], enabled[k].ID)
	return explore.Choice{Index: k}
}

// Close keeps what is there at the end.
func (s *shuttle) Close() { s.end = record(s.x, nil) }

// difference gives the first line in which two texts differ.
func difference(a, b string) string {
	as, bs := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(as), len(bs)) {
		if as[i] != bs[i] {
			return fmt.Sprintf("line %d was\n%s\nand is\n%s", i, as[i], bs[i])
		}
	}
	return fmt.Sprintf("%d and %d lines", len(as), len(bs))
}

// shuttled executes a program with a shuttle, with and without undo. Both must see the same at the same points.
func shuttled(t *testing.T, name string, sys *actor.System, c explore.Conditions, seed uint64,
	executions int) (resumed, short int) {
	t.Helper()
	seen := map[string]string{}
	var traces [2][]string
	var outs [2]explore.Outcome
	for i, rerun := range []bool{false, true} {
		s := &shuttle{r: rand.New(rand.NewPCG(seed, 3)), executions: executions, seen: seen}
		// Errors of the program are no errors here: the executions go on after them.
		o := explore.Options{Conditions: c, Rerun: rerun, MaxSteps: 60,
			Check: &check.Checker{Levels: check.Levels{trace.Panic: check.Off,
				trace.Assertion: check.Off, trace.DeadLetter: check.Off, trace.Deadlock: check.Off, trace.Orphan: check.Off}},
			After: func(_ *explore.Counters, tr *trace.Trace) {
				traces[i] = append(traces[i], recordTrace(tr)+s.end)
				s.end = ""
			}}
		var err error
		if outs[i], err = explore.Run(sys, s, o); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(s.errors) > 0 {
			t.Fatalf("%s, rerun %v: %s", name, rerun, s.errors[0])
		}
		if !rerun {
			resumed, short = s.resumed, s.short
		} else if s.resumed > 0 {
			t.Fatalf("%s: went on from the middle although it was to run again", name)
		}
	}
	outs[0].Replayed, outs[1].Replayed, outs[0].Deliveries, outs[1].Deliveries = 0, 0, 0, 0
	if outs[0] != outs[1] {
		t.Errorf("%s: with undo %+v, without %+v", name, outs[0], outs[1])
	}
	for i := range traces[1] {
		if traces[0][i] != traces[1][i] {
			t.Fatalf("%s: execution %d with and without undo: %s", name, i, difference(traces[1][i], traces[0][i]))
		}
	}
	return resumed, short
}

var allModels = []explore.Conditions{bag, fifo, causal, mailbox, serial}

// TestUndoRedo: whatever a program does, and wherever one goes back to, everything is as it was there.
// With REHEARSE_TOY on fifteen times as many programs.
func TestUndoRedo(t *testing.T) {
	executions, seeds := 12, uint64(1)
	if testing.Short() { // as TestRedo
		executions = 6
	}
	if os.Getenv("REHEARSE_TOY") != "" {
		seeds = 15
	}
	for what, ops := range map[string][]string{
		"all":     nil,
		"futures": {"ask", "await", "await", "data", "stop"},
		"watches": {"watch", "stop"},
		"waiting": {"call", "callTimeout", "receive", "awaitUntil", "reply", "data", "send", "panic"},
		"ends":    {"watch", "stop", "stopActor", "spawn", "become", "unbecome", "send", "spread", "stash", "unstash"},
		"time":    {"after", "cancel", "callTimeout", "data", "send", "stop", "choose"},
	} {
		for _, c := range allModels {
			for _, c := range []explore.Conditions{c, async(c)} {
				all := 0
				for seed := range seeds {
					n, _ := shuttled(t, fmt.Sprint(what, " ", c.Model, " ", c.Timers, " seed ", seed), gadgets(seed, ops...),
						c, seed, executions)
					all += n
				}
				if all < int(seeds)*executions/2 {
					t.Errorf("%s %v: only %d executions went on from the middle", what, c.Model, all)
				}
			}
		}
	}
}

// Where no handler waits, every execution goes on from the very point that was asked for.
func TestUndoExactly(t *testing.T) {
	for _, c := range allModels {
		for seed := range uint64(8) {
			n, short := shuttled(t, fmt.Sprint(c.Model, " seed ", seed),
				gadgets(seed, "send", "spread", "spawn", "become", "unbecome", "data",
					"stash", "unstash", "watch", "stop", "stopActor", "after", "cancel", "panic", "ask"), c, seed, 10)
			if n != 9 || short > 0 {
				t.Errorf("%v, seed %d: %d of 9 went on from the middle, %d from further back", c.Model, seed, n, short)
			}
		}
	}
}

func subjectsToUndo() map[string]*actor.System {
	return map[string]*actor.System{
		"fib(5)": subjects.Fib(5), "pi(3)": subjects.Pi(3), "quicksort": subjects.QuicksortOf(3, 0, 1, 2),
		"mergesort(4)": subjects.Mergesort(4),
		"pipesort(3)":  subjects.Pipesort(3), "spinsort(4)": subjects.Spinsort(4), "chameneos(2)": subjects.Chameneos(2),
		"shortpath": subjects.ShortpathA(), "leader(3)": subjects.Leader(3), "regsim(3)": subjects.Regsim(3),
		"server":       subjects.Server(true),
		"philosophers": subjects.Philosophers(2), "bank": subjects.Bank(), "registry": subjects.Registry(),
	}
}

func TestUndoSubjects(t *testing.T) {
	models := allModels
	if testing.Short() {
		models = models[:1]
	}
	for name, sys := range subjectsToUndo() {
		for _, c := range models {
			if n, _ := shuttled(t, name+" "+c.Model.String(), sys, c, 1, 15); n < 10 && name != "philosophers" {
				t.Errorf("%s under %v: only %d of 14 executions went on from the middle", name, c.Model, n)
			}
		}
	}
}

// naively gives the executions of the naive search in order, and what it found.
func naively(t *testing.T, sys *actor.System, c explore.Conditions, rerun bool, budget int) (executions, found []string,
	out explore.Outcome) {
	t.Helper()
	o := explore.Options{Conditions: c, Rerun: rerun, Budget: explore.Budget{Executions: budget},
		Check: &check.Checker{}, MaxSteps: 80,
		After: func(_ *explore.Counters, tr *trace.Trace) {
			var b strings.Builder
			for _, e := range tr.Events {
				fmt.Fprint(&b, e.Step.ID, e.Completed, e.Time, len(e.Incidents), " ")
			}
			executions = append(executions, b.String())
		},
		Found: func(f explore.Found) bool {
			for _, v := range f.Violations {
				found = append(found, fmt.Sprint(v.Key(), v.Text, v.Event))
			}
			return true
		}}
	out, err := explore.Run(sys, search.NewNaive(), o)
	if err != nil {
		t.Fatal(err)
	}
	return executions, found, out
}

// TestNaiveWithUndo: the executions, their order, what they find and all counts are those of running from the start.
func TestNaiveWithUndo(t *testing.T) {
	programs := subjectsToUndo()
	seeds := uint64(15)
	if testing.Short() {
		clear(programs)
		seeds = 5
	}
	for seed := range seeds {
		programs[fmt.Sprint("gadgets ", seed)] = gadgets(seed)
	}
	saved := 0
	for name, sys := range programs {
		for _, c := range append(slices.Clone(allModels), async(bag), async(mailbox)) {
			e0, f0, out0 := naively(t, sys, c, true, 150)
			e1, f1, out1 := naively(t, sys, c, false, 150)
			if !slices.Equal(e0, e1) || !slices.Equal(f0, f1) {
				t.Errorf("%s under %v: %d executions with %d findings, with undo %d with %d", name, c.Model, len(e0),
					len(f0), len(e1), len(f1))
			}
			if out1.Replayed > out0.Replayed {
				t.Errorf("%s under %v: %d deliveries were repeated, with undo %d", name, c.Model, out0.Replayed, out1.Replayed)
			}
			saved += out0.Replayed - out1.Replayed
			if out1.Replayed = out0.Replayed; out0 != out1 {
				t.Errorf("%s under %v: got %+v, with undo %+v", name, c.Model, out0, out1)
			}
		}
	}
	if saved == 0 {
		t.Error("undo saved nothing")
	}
}

// A Cleanup has run, a log has been written: then every execution runs from the start.
func TestUndoNotAfterCleanup(t *testing.T) {
	for name, setUp := range map[string]func(*explore.T){"nothing": func(*explore.T) {},
		"cleanup": func(t *explore.T) { t.Cleanup(func() {}) }} {
		starts := 0
		_, _, out := naively(t, actor.New(func(t *explore.T, ctx *actor.Context) {
			starts++
			setUp(t)
			r := ctx.Spawn(&mortal{})
			for range 3 {
				ctx.Send(r, ping{})
			}
		}), bag, false, 0)
		if want := map[string]int{"nothing": 1, "cleanup": out.Executions}[name]; starts != want || out.Executions < 2 {
			t.Errorf("%s: the test function ran %d times for %d executions, want %d", name, starts, out.Executions, want)
		}
	}
}

// hoarder never ends, and its state grows.
type hoarder struct {
	list  []string
	table map[int]*mortal
}

func (h *hoarder) Receive(ctx *actor.Context, msg any) {
	h.list = append(h.list, "more")
	h.table[len(h.list)] = &mortal{len(h.list)}
	ctx.Send(ctx.Self(), msg)
}

// Before each step the whole state is saved: of a state that grows that would be the square of the steps. Past a limit
// nothing is saved.
func TestUndoGrowingState(t *testing.T) {
	const steps, budget = 4000, 4
	sys := actor.New(func(_ *explore.T, ctx *actor.Context) {
		h := ctx.Spawn(&hoarder{table: map[int]*mortal{}})
		ctx.Send(h, ping{})
		ctx.Send(h, pong{})
	})
	found := 0
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	out, err := explore.Run(sys, search.NewNaive(),
		explore.Options{Conditions: bag, MaxSteps: steps, Check: &check.Checker{},
			Budget: explore.Budget{Executions: budget},
			Found: func(f explore.Found) bool {
				if f.Violations[0].Kind == trace.Livelock {
					found++
				}
				return true
			}})
	runtime.ReadMemStats(&after)
	if err != nil || found != budget || !out.Bounded {
		t.Errorf("%d of %d executions are livelocks, bounded %v, error %v", found, budget, out.Bounded, err)
	}
	// What is saved is 40 bytes or more for each step and element: 1.3 GB for the two executions of which steps are
	// remembered.
	if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; mb > 600 {
		t.Errorf("%d MB were allocated", mb)
	}
}
