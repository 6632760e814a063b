package agree

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/causal"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/strategies"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/subjects"
	"github.com/rehearse-go/rehearse/trace"
)

// This file: explorations are pinned step by step. Counts alone do not show that a strategy executes other classes, or
// the same in another order, or that an identity changed which schedules on disk hold.
//
// A line of testdata/pins/<model>.txt is one exploration: how many executions, blocked ones and classes, how it ended,
// and a digest of
//
//	steps      the identities of the steps of each execution, in order
//	schedules  what would be saved of each, names for people included
//	traces     all that the records hold
//	classes    the set of class identities
//	found      the set of violations
//
// If only traces differ, an effect is recorded differently. If classes is all that stays, executions come in another
// order.

var update = flag.Bool("update", false,
	"write testdata/pins anew; then look at what has moved, and say why in the commit")

// pinned are the strategies, with how many executions of each are recorded. A limit is part of the line.
var pinned = []struct {
	name  string
	limit int
}{{"naive", 120}, {"source", 120}, {"optimal", 120}, {"reverse", 120}, {"auto", 60}, {"cover", 25}}

func TestPins(t *testing.T) {
	for _, model := range toy.Models {
		t.Run(model.String(), func(t *testing.T) {
			var b strings.Builder
			for _, p := range pinnedPrograms(model) {
				for _, s := range pinned {
					line, err := pin(p.Program, s.name, s.limit)
					if err != nil {
						t.Fatalf("%s, %s: %v", p.name, s.name, err)
					}
					fmt.Fprintf(&b, "%-16s %-8s %s\n", p.name, s.name, line)
				}
			}
			comparePins(t, filepath.Join("testdata", "pins", model.String()+".txt"), b.String())
		})
	}
}

// comparePins says which lines moved.
func comparePins(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v: go test ./internal/tests/agree -run TestPins -update writes it", err)
	}
	want := slices.Collect(strings.Lines(string(text)))
	moved := 0
	for i, line := range slices.Collect(strings.Lines(got)) {
		if i < len(want) && line == want[i] {
			continue
		}
		if moved++; moved <= 10 {
			was := "nothing\n"
			if i < len(want) {
				was = want[i]
			}
			t.Errorf("%s:%d\nis  %swas %s", file, i+1, line, was)
		}
	}
	if moved > 0 || strings.Count(got, "\n") != len(want) {
		t.Errorf("%d of %d explorations moved. If that is meant: go test ./internal/tests/agree -run 'TestPins/^%s$' -update",
			moved, len(want), strings.TrimSuffix(filepath.Base(file), ".txt"))
	}
}

type named struct {
	name string
	Program
}

// pinnedPrograms are random toys and random native programs, each with everything, and a few of the papers' programs.
func pinnedPrograms(model trace.Model) []named {
	var all []named
	add := func(name string, p Program) { all = append(all, named{name, p}) }
	toys := func(name string, f toy.Features, n uint64, cond func(seed uint64) explore.Conditions) {
		for seed := range n {
			p := toy.Random(seed, f)
			c := cond(seed)
			c.Model, c.Effects = model, p.Effects()
			add(fmt.Sprintf("%s-%d", name, seed), Program{System: toy.NewSystem(p), Conditions: c})
		}
	}
	modes := func(seed uint64) explore.Conditions { return explore.Conditions{Timers: trace.TimerMode(seed % 2)} }
	toys("toy", toy.Full, 16, modes)
	toys("dense", toy.Features{Senders: true, Stop: true, Choices: true, Dense: true}, 8, modes)
	toys("effects", toy.Features{Effects: true, Senders: true, Calls: true}, 6,
		func(uint64) explore.Conditions { return explore.Conditions{} })
	toys("faults", toy.All, 8, func(seed uint64) explore.Conditions {
		return explore.Conditions{Faults: trace.Faults{Max: 1, Kinds: trace.FaultKindsOf(trace.Drop,
			[]trace.FaultKind{trace.Duplicate, trace.Crash, trace.CrashLosing, trace.Restart}[seed%4])}}
	})
	for seed := range uint64(24) {
		p, _ := wildProgram(seed)
		p.Conditions.Model = model
		add(fmt.Sprintf("wild-%d", seed), p)
	}
	for name, sys := range map[string]*actor.System{"server": subjects.Server(false), "pi": subjects.Pi(3),
		"fib": subjects.Fib(5), "quicksort": subjects.Quicksort(4),
		"pipesort": subjects.Pipesort(3), "chameneos": subjects.Chameneos(1), "shortpath": subjects.ShortpathTriangle(),
		"registry": subjects.Registry()} {
		add(name, Program{System: sys,
			Conditions: explore.Conditions{Model: model, Horizon: time.Minute, Copy: true, Blocked: 5 * time.Second}})
	}
	slices.SortStableFunc(all[len(all)-8:], func(a, b named) int { return strings.Compare(a.name, b.name) })
	return all
}

// pin explores the program twice, without and with checks, which end executions early, and gives its line.
func pin(p Program, name string, limit int) (string, error) {
	var steps, schedules, traces digest
	keys := map[trace.ID]bool{}
	executions := 0
	out, refused, err := pinRun(&p, name,
		explore.Options{Budget: explore.Budget{Executions: limit}, After: func(c *explore.Counters, tr *trace.Trace) {
			steps.steps(tr)
			traces.trace(tr)
			for _, f := range tr.Schedule() {
				schedules.text(fmt.Sprintf("%v", f))
			}
			if c.Executions > executions {
				executions = c.Executions
				o := causal.For(p.Conditions)
				o.Extend(tr, len(tr.Events))
				keys[o.Key()] = true
			}
		}})
	if err != nil || refused != nil {
		return fmt.Sprintf("refused %v", refused), err
	}
	violations := map[string]bool{}
	checked, _, err := pinRun(&p, name, explore.Options{Budget: explore.Budget{Executions: limit}, Check: &check.Checker{},
		Found: func(f explore.Found) bool {
			for i := range f.Violations {
				violations[f.Violations[i].Key()] = true
			}
			return true
		}})
	var classes, found digest
	for _, k := range slices.SortedFunc(maps.Keys(keys), func(a, b trace.ID) int {
		if a.Less(b) {
			return -1
		}
		return 1
	}) {
		classes.id(k)
	}
	for _, v := range slices.Sorted(maps.Keys(violations)) {
		found.text(v)
	}
	return fmt.Sprintf("%d executions %d blocked %d classes complete %v doubted %v; steps %s schedules %s traces %s "+
		"classes %s; checked %d %d %v found %d %s",
		out.Executions, out.Blocked, len(keys), out.Complete, out.PassedOver != "", steps, schedules, traces, classes,
		checked.Executions, checked.Blocked, checked.Complete, len(violations), found), err
}

// pinRun runs a fresh strategy; refused says why it does not fit.
func pinRun(p *Program, name string, o explore.Options) (out explore.Outcome, refused, err error) {
	s, err := strategies.New(name, 1, o.Budget.Executions)
	if err != nil {
		return out, nil, err
	}
	if err := explore.BindTo(s, explore.Env{Conditions: p.Conditions}); err != nil {
		return out, err, nil
	}
	o.Conditions = p.Conditions
	out, err = explore.Run(p.System, s, o)
	if err != nil && errors.Is(err, explore.ReportOf(s).Err) {
		return out, err, nil
	}
	return out, nil, err
}

// digest is a running hash.
type digest struct{ trace.ID }

func (d digest) String() string { return d.ID.String()[:8] }

func (d *digest) id(x trace.ID) { d.ID = d.WithID(x) }

func (d *digest) text(s string) { d.ID = d.With(trace.HashString(s)) }

func (d *digest) numbers(list ...int64) {
	d.ID = d.With(uint64(len(list)))
	for _, n := range list {
		d.ID = d.With(uint64(n))
	}
}

func (d *digest) list(list []int32) {
	d.ID = d.With(uint64(len(list)))
	for _, n := range list {
		d.ID = d.With(uint64(n))
	}
}

func (d *digest) steps(tr *trace.Trace) {
	d.numbers(int64(tr.Explored), int64(len(tr.Events)))
	for i := range tr.Events {
		d.id(tr.Events[i].Step.ID)
	}
}

// trace adds the whole record but for messages' values, which are for people, and stacks, which name places of the
// machine.
func (d *digest) trace(tr *trace.Trace) {
	d.numbers(int64(tr.Explored), int64(len(tr.Actors)), int64(len(tr.Messages)), int64(len(tr.Events)))
	d.text(tr.Uncontrolled + tr.Beyond)
	for i := range tr.Actors {
		a := &tr.Actors[i]
		d.id(a.ID)
		d.text(a.Type.Name + " " + a.Name)
		d.numbers(int64(a.Parent), int64(a.Creator))
	}
	for i := range tr.Messages {
		m := &tr.Messages[i]
		d.id(m.ID)
		d.text(m.Type.Name)
		d.numbers(int64(m.Kind), int64(m.Sender), int64(m.Receiver), int64(m.SentBy), int64(m.Index), int64(m.Depth),
			int64(m.Renews), bit(m.AtOnce), bit(m.EndsCall))
	}
	for i := range tr.Events {
		d.event(&tr.Events[i])
	}
}

func (d *digest) event(e *trace.Event) {
	s := &e.Step
	d.id(s.ID)
	d.numbers(int64(s.Kind), int64(s.Actor), int64(s.Message), int64(s.Depth), int64(s.Value), int64(e.Released),
		int64(e.Registered),
		bit(e.Changes), bit(e.Effect != nil), bit(e.Completed), bit(e.Auto), int64(e.Time))
	for _, list := range [][]int32{e.Sent, e.Created, e.Stopped, e.Cancelled, e.Due} {
		d.list(list)
	}
	for _, touch := range e.Touched {
		d.id(touch.Object)
		d.numbers(bit(touch.Write))
	}
	for _, in := range e.Incidents {
		d.numbers(int64(in.Kind), int64(in.Actor), int64(in.Message), bit(in.Injected))
		d.text(in.Type + " " + in.Site)
	}
}

func bit(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
