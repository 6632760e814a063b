package explain

import (
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/internal/replay"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// The result gives the violation asked for, no single step of it can be dropped, it repeats, and it is neither longer
// nor takes more switches of actor than what it was made from (ddmin alone).
func TestMinimiseRandomPrograms(t *testing.T) {
	for _, model := range models {
		t.Run(model.String(), func(t *testing.T) {
			failures, err := toy.Failures(model, 300, 10)
			if err != nil {
				t.Fatal(err)
			}
			before, after, replays, most := 0, 0, 0, 0
			for i := range failures {
				f := &failures[i]
				m := minimiseAndCheck(t, f)
				before += len(f.Trace.Schedule())
				after += len(m.Forced)
				replays += m.Replays
				most = max(most, m.Replays)
			}
			t.Logf("%d schedules: %d steps before, %d after, %d replays, at most %d", len(failures), before, after, replays,
				most)
			if after*4 > before {
				t.Errorf("%d of %d steps are left", after, before)
			}
		})
	}
}

func minimiseAndCheck(t *testing.T, f *toy.Failure) Minimal {
	t.Helper()
	forced := f.Trace.Schedule()
	key := f.Violation.Key()
	m, err := Minimise(f.Run, forced, key)
	if err != nil {
		t.Fatalf("%v\n%v", err, f)
	}
	if m.Bounded || m.Run.With(key) == nil || len(m.Forced) > len(forced) {
		t.Fatalf("bounded %v, violations %v, %d steps from %d\n%v", m.Bounded, m.Run.Violations, len(m.Forced), len(forced),
			f)
	}
	for i := range m.Forced {
		r, err := f.Run(slices.Delete(slices.Clone(m.Forced), i, i+1))
		if err != nil {
			t.Fatal(err)
		}
		if r.With(key) != nil {
			t.Fatalf("step %d of %d can be dropped\n%v", i+1, len(m.Forced), f)
		}
	}
	for range 2 {
		r, err := f.Run(m.Forced)
		if err != nil {
			t.Fatal(err)
		}
		if d := difference(m.Run.Trace, r.Trace); d != "" || len(r.Stale) > 0 || Switches(r.Trace) != m.Switches {
			t.Fatalf("replayed: %q, stale %v, %d switches for %d\n%v", d, r.Stale, Switches(r.Trace), m.Switches, f)
		}
	}
	return m
}

// A violation that every order gives needs no forced step.
func TestMinimiseToNothing(t *testing.T) {
	p := &toy.Program{Kinds: []toy.Behaviour{{{Mul: 1, Add: 1, Refuse: -1, Fail: 1}}}, Actors: []int{0, 0},
		Driver: []toy.Op{{Kind: toy.Send, When: -1}, {Kind: toy.Send, To: 1, When: -1}}}
	run := replay.NewRunner(toy.NewSystem(p), toy.Options(trace.Bag))
	first, err := run(nil)
	if err != nil || len(first.Violations) != 1 {
		t.Fatal(first, err)
	}
	m, err := Minimise(run, first.Trace.Schedule(), first.Violations[0].Key())
	if err != nil || len(m.Forced) != 0 || m.Switches != 1 || m.Bounded {
		t.Errorf("%d steps, %d switches, bounded %v, error %v; want 0, 1", len(m.Forced), m.Switches, m.Bounded, err)
	}
	if m.Replays != 3 {
		t.Errorf("%d replays; want 3: the schedule, nothing, nothing once more", m.Replays)
	}
}

// Moving and swapping never costs a switch, and on the random programs it saves some.
func TestFewerSwitches(t *testing.T) {
	saved := 0
	for _, model := range models {
		failures, err := toy.Failures(model, 200, 10)
		if err != nil {
			t.Fatal(err)
		}
		for i := range failures {
			f := &failures[i]
			m := newMinimiser(f.Run, f.Violation.Key())
			if _, err := m.try(f.Trace.Schedule()); err != nil {
				t.Fatal(err)
			}
			if err := m.ddmin(); err != nil {
				t.Fatal(err)
			}
			before, steps := m.switches, len(m.best)
			if _, err := m.fewerSwitches(); err != nil {
				t.Fatal(err)
			}
			if m.switches > before || len(m.best) != steps || m.switches != Switches(m.bestRun.Trace) {
				t.Errorf("%d switches and %d steps before, %d and %d after\n%v", before, steps, m.switches, len(m.best), f)
			}
			saved += before - m.switches
		}
	}
	if saved == 0 {
		t.Error("no switch was saved on any program")
	}
	t.Logf("%d switches saved", saved)
}

// A schedule that passes, or gives another violation, is refused; the error says which.
func TestMinimiseOther(t *testing.T) {
	f := failing(t, trace.Bag, 0)
	_, err := Minimise(f.Run, f.Trace.Schedule(), "panic: nobody: nothing: nowhere")
	if err == nil || !strings.Contains(err.Error(), "does not give") || !strings.Contains(err.Error(), f.Violation.Key()) {
		t.Errorf("error %v", err)
	}
	foreign := []trace.Forced{{ID: trace.ID{Lo: 1}, Kind: trace.Deliver, Actor: "Nobody", Message: "M", From: "Noone"}}
	_, err = Minimise(f.Run, foreign, "panic: nobody: nothing: nowhere")
	if err == nil || !strings.Contains(err.Error(), "could not be taken") ||
		!strings.Contains(err.Error(), "Noone never sent M") {
		t.Errorf("error %v", err)
	}
}

// Out of replays, the best so far is given, it gives the violation, and it is said that it may not be minimal.
func TestMinimiseBounded(t *testing.T) {
	failures, err := toy.Failures(trace.Mailbox, 100, 10)
	if err != nil {
		t.Fatal(err)
	}
	bounded := 0
	for i := range failures {
		f := &failures[i]
		m := newMinimiser(f.Run, f.Violation.Key())
		m.most = 3
		got, err := minimise(m, f.Trace.Schedule())
		if err != nil || got.Run.With(f.Violation.Key()) == nil || got.Replays > m.most+1 {
			t.Fatalf("%d replays, error %v\n%v", got.Replays, err, f)
		}
		if got.Bounded {
			bounded++
		} else if len(got.Forced) > 2 {
			t.Fatalf("%d steps cannot have been minimised in 3 replays\n%v", len(got.Forced), f)
		}
	}
	if bounded == 0 {
		t.Error("the bound was never reached")
	}
}

// A program that makes a choice of its own is found out by the replay that confirms.
func TestMinimiseUnfaithful(t *testing.T) {
	f := failing(t, trace.Mailbox, 3)
	key, n := f.Violation.Key(), 0
	last := 0
	counting := func(forced []trace.Forced) (*replay.Run, error) { last++; return f.Run(forced) }
	if _, err := Minimise(counting, f.Trace.Schedule(), key); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(*replay.Run){
		"once and not the second time": func(r *replay.Run) { r.Violations = nil },
		"took":                         func(r *replay.Run) { r.Trace.Events = r.Trace.Events[:len(r.Trace.Events)-1] },
		"differed":                     func(r *replay.Run) { r.Trace.Events[1].Completed = !r.Trace.Events[1].Completed },
	} {
		n = 0
		_, err := Minimise(func(forced []trace.Forced) (*replay.Run, error) {
			r, err := f.Run(forced)
			if n++; n == last {
				spoil(r)
			}
			return r, err
		}, f.Trace.Schedule(), key)
		if err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "a choice of its own") {
			t.Errorf("error %v, want one with %q", err, name)
		}
	}
}

func failing(t *testing.T, model trace.Model, i int) toy.Failure {
	t.Helper()
	failures, err := toy.Failures(model, i+1, 10)
	if err != nil {
		t.Fatal(err)
	}
	return failures[i]
}
