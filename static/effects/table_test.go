package effects

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/dpor"
	"github.com/rehearse-go/rehearse/trace"
)

// seen is what all executions of a program show together.
type seen struct {
	executions int
	ends       map[string]bool // states in which executions ended by themselves
	violations map[string]bool
}

// ends is a Checker that also notes final states.
type ends struct {
	check.Checker
	seen *seen
}

func (c *ends) End(x explore.Execution, natural bool, late []trace.Incident) []trace.Violation {
	if natural {
		c.seen.ends[everything(x)] = true
	}
	return c.Checker.End(x, natural, late)
}

// all executes one execution of every class.
func all(t *testing.T, p program, s explore.Strategy, model trace.Model, effects trace.Effects) *seen {
	t.Helper()
	r := &seen{ends: map[string]bool{}, violations: map[string]bool{}}
	out, err := explore.Run(p.make(), s, explore.Options{
		Conditions: explore.Conditions{Model: model, Effects: effects, Horizon: time.Minute, Blocked: 10 * time.Second, Copy: true},
		Check:      &ends{seen: r},
		Found: func(f explore.Found) bool {
			for i := range f.Violations {
				r.violations[f.Violations[i].Key()] = true
			}
			return true
		}})
	if err != nil {
		t.Fatalf("%s under %s: %v", p.name, model, err)
	}
	if !out.Exhausted {
		t.Fatalf("%s under %s: not everything was executed: %s", p.name, model, out.Reason)
	}
	r.executions = out.Executions + out.Blocked
	return r
}

// With facts there are fewer executions, or as many, and they show the same violations and the same final states. -v
// prints the table of docs/effects.md.
func TestSavedBySubjects(t *testing.T) {
	effects := subjectFacts(t).Effects("facts")
	t.Logf("facts of %d pairs of actor and message", len(effects))
	t.Log("| program | bag | with facts | fifo | with facts | final states (bag, fifo) | violations |")
	saved, whole := 0, 0
	for _, p := range programs {
		row := "| " + p.name
		var states []string
		violations := map[string]bool{}
		for _, model := range []trace.Model{trace.Bag, trace.FIFO} {
			without := all(t, p, dpor.NewOptimal(nil), model, nil)
			with := all(t, p, dpor.NewOptimal(nil), model, effects)
			source := all(t, p, dpor.NewSource(nil), model, effects)
			row += fmt.Sprintf(" | %d | %d", without.executions, with.executions)
			for _, x := range []*seen{with, source} {
				compare(t, p.name+" under "+model.String(), x, without)
			}
			if with.executions > without.executions {
				t.Errorf("%s under %s: %d executions with facts, %d without", p.name, model, with.executions, without.executions)
			}
			saved, whole = saved+without.executions-with.executions, whole+without.executions
			states = append(states, fmt.Sprint(len(with.ends)))
			maps.Copy(violations, with.violations)
		}
		t.Logf("%s | %s | %d |", row, strings.Join(states, ", "), len(violations))
	}
	t.Logf("%d of %d executions were saved", saved, whole)
	if saved == 0 {
		t.Error("facts save nothing")
	}
}

// compare says what one set of executions shows and another does not.
func compare(t *testing.T, name string, got, want *seen) {
	t.Helper()
	for _, x := range []struct {
		what      string
		got, want map[string]bool
	}{{"final state", got.ends, want.ends}, {"violation", got.violations, want.violations}} {
		for _, s := range slices.Sorted(maps.Keys(x.want)) {
			if !x.got[s] {
				t.Errorf("%s: with facts a %s is missing:\n%s", name, x.what, s)
			}
		}
		for _, s := range slices.Sorted(maps.Keys(x.got)) {
			if !x.want[s] {
				t.Errorf("%s: with facts there is a %s that is not there without:\n%s", name, x.what, s)
			}
		}
	}
}
