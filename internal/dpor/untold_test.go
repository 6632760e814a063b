package dpor

import (
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/causal"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// untold hides from a strategy what constraints would have said earlier, as a Receive in the middle of a handler does.
func untold(x explore.Execution, accepts causal.Acceptance) causal.Acceptance {
	return func(event, m int32) (bool, bool) {
		ok, known := accepts(event, m)
		tr := x.Trace()
		if class := tr.Messages[m].Kind; tr.Events[event].Step.Kind == trace.Deliver && (class == trace.User || class == trace.Timeout && ok) {
			return false, false
		}
		return ok, known
	}
}

type untoldSource struct{ *Source }

func (u untoldSource) Open(x explore.Execution) {
	u.Source.Open(x)
	u.accepts = untold(x, u.accepts)
}

type untoldOptimal struct{ *Optimal }

func (u untoldOptimal) Open(x explore.Execution) {
	u.Optimal.Open(x)
	u.accepts = untold(x, u.accepts)
}

// Where nobody can tell what an actor would have accepted earlier, reductions try it. What is refused then begins an
// execution in vain, but no class is missed: neither what follows where the step was refused, nor what was left out
// because that step would have led to it.
func TestUntold(t *testing.T) {
	for _, tt := range []struct {
		kinds    string
		features toy.Features
		seed     uint64
		programs int // under each model and timer mode
	}{
		{"off", toy.Features{Constraints: true}, 0, 40}, {"off", toy.Full, 0, 20}, {"drop,crash", toy.Features{Constraints: true, Senders: true}, 0, 15},
		{"drop,crash", toy.Full, 30, 10}, {"duplicate", toy.Full, 95, 10}, {"restart", toy.Full, 5100, 8},
	} {
		faults, err := trace.ParseFaults(tt.kinds)
		if err != nil {
			t.Fatal(err)
		}
		cases, _, err := toy.Cases(toy.CompareOptions{Faults: faults, Features: tt.features, Seed: tt.seed, Programs: tt.programs, Limit: 300})
		if err != nil {
			t.Fatal(err)
		}
		t.Log(len(cases), "programs, faults", tt.kinds)
		s, err := toy.CompareOn(cases, func() explore.Strategy { return untoldSource{NewSource(nil)} }, toy.Cover)
		if err != nil {
			t.Errorf("source: %v", err)
		}
		if o, err := toy.CompareOn(cases, func() explore.Strategy { return untoldOptimal{NewOptimal(nil)} }, toy.Cover); err != nil {
			t.Errorf("optimal: %v", err)
		} else {
			t.Logf("blocked: source %d, optimal %d, of %d classes", s.Blocked, o.Blocked, o.Known)
		}
	}
}

// A step that its receiver refuses right where it would be inserted makes no other sequence needless. Else two classes
// of this program are lost.
func TestWhatIsRefusedIsNotInserted(t *testing.T) {
	features := toy.Full
	features.Dense = true
	faults, err := trace.ParseFaults("drop,duplicate:2")
	if err != nil {
		t.Fatal(err)
	}
	k := toy.NewCase("refused", toy.Random(702518, features), explore.Conditions{Model: trace.Bag, Timers: trace.Async, Faults: faults}, 20000)
	if k.Want.Classes != 8 {
		t.Errorf("the twin has %d classes, want 8", k.Want.Classes)
	}
	if _, err := toy.CompareOn([]toy.Case{k}, func() explore.Strategy { return untoldOptimal{NewOptimal(nil)} }, toy.Cover); err != nil {
		t.Error(err)
	}
}
