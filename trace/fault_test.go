package trace

import (
	"strings"
	"testing"
)

func TestParseFaults(t *testing.T) {
	for s, want := range map[string]Faults{
		"":                      {},
		"off":                   {},
		"drop":                  {1, FaultKindsOf(Drop)},
		"duplicate,drop:3":      {3, FaultKindsOf(Drop, Duplicate)},
		" crash , crash-losing": {1, FaultKindsOf(Crash, CrashLosing)},
		"all:2":                 {2, FaultKindsOf(Drop, Duplicate, CrashLosing, Crash, Restart)},
	} {
		got, err := ParseFaults(s)
		if err != nil || got != want {
			t.Errorf("%q: got %v, %v, want %v", s, got, err, want)
		}
		if again, err := ParseFaults(got.String()); err != nil || again != got {
			t.Errorf("%q: written as %q, read as %v, %v", s, got, again, err)
		}
	}
	for s, want := range map[string]string{
		"dorp":    `faults "dorp": "dorp" is no kind of fault: want off, all, or some of drop, duplicate, crash-losing, crash, restart`,
		"none":    `"none" is no kind of fault`,
		"drop,":   `"" is no kind of fault`,
		"drop:0":  `want a whole number from 1 behind the colon, not "0"`,
		"drop:":   `want a whole number from 1 behind the colon, not ""`,
		"drop:x2": `not "x2"`,
	} {
		if _, err := ParseFaults(s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %s", s, err, want)
		}
	}
}

// Nothing is what the default order takes, and every fault of a step has an identity of its own that does not depend on
// the order of the sends.
func TestFaultSteps(t *testing.T) {
	var tr Trace
	tr.AddDriver()
	tr.Begin(StartStep(0))
	a := tr.AddActor(tr.TypeNamed("x.A"), "", 0, 0)
	one := tr.AddMessage(tr.TypeNamed("x.One"), User, 0, a, 0, nil)
	two := tr.AddMessage(tr.TypeNamed("x.Two"), User, 0, a, 0, nil)
	steps := []Step{tr.FaultStep(0, Drop, two), tr.FaultStep(0, Drop, one), tr.FaultStep(0, Duplicate, one),
		tr.FaultStep(0, Crash, -1), tr.FaultStep(0, NoFault, -1)}
	if i := First(steps); !steps[i].Nothing() {
		t.Errorf("the default order takes %s", tr.StepName(steps[i]))
	}
	seen := map[ID]bool{}
	for _, s := range steps {
		if seen[s.ID] {
			t.Errorf("%s has the identity of another", tr.StepName(s))
		}
		seen[s.ID] = true
		if f := tr.Force(s, -1); f.FaultName() != tr.StepName(s) {
			t.Errorf("the names are %q and %q", f.FaultName(), tr.StepName(s))
		}
	}
	e := tr.Begin(tr.FaultStep(0, Duplicate, one))
	copied := tr.AddMessage(tr.Messages[one].Type, User, 0, a, e, nil)
	if !tr.Copy(copied) || tr.Copy(one) || tr.Parent(e) != 0 || tr.Enablers()[e] != 0 {
		t.Errorf("copy %v, %v, parent %d, enabler %d", tr.Copy(copied), tr.Copy(one), tr.Parent(e), tr.Enablers()[e])
	}
	if tr.Messages[copied].Depth <= tr.Messages[one].Depth {
		t.Error("by default the copy is not handled last")
	}
}
