package dpor

import (
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// Where anything may follow a branch of the wakeup tree a value may be left out, since a step that sleeps leads to it.
// A sequence with that value was taken to be met there, and it was what the other step leads to.
func TestValuesBehindBranches(t *testing.T) {
	crash := trace.Faults{Max: 1, Kinds: trace.FaultKindsOf(trace.Crash)}
	p := toy.Program{Actors: []int{1, 0}, Driver: []toy.Op{send(0, 0), send(0, 1), send(0, 1)},
		Kinds: []toy.Behaviour{program(nil, nil, []toy.Op{send(1, 0)}).Kinds[0], program(nil, nil, []toy.Op{choose(2), {Kind: toy.Send, To: 1, Message: 1, When: 0}}).Kinds[0]}}
	k := toy.NewCase("crash", &p, explore.Conditions{Model: trace.MailboxSerial, Faults: crash}, 20000)
	if _, err := toy.CompareOn([]toy.Case{k}, newOptimal, toy.Exact); err != nil || k.Want.Classes != 21 {
		t.Errorf("%v; the twin has %d classes, want 21", err, k.Want.Classes)
	}
}

// A step is moved with the fault that befell it, which may come after more than the step does: a crash after what was
// sent to the actor. Without that two of these classes are missed.
func TestMovedWithItsFault(t *testing.T) {
	const seed = 10076
	features := toy.Full
	features.Dense = true
	c := explore.Conditions{Model: trace.FIFO, Faults: trace.Faults{Max: 1, Kinds: trace.FaultKindsOf(trace.Crash)}}
	k := toy.NewCase("crash", toy.Random(seed, features), c, 20000)
	if _, err := toy.CompareOn([]toy.Case{k}, func() explore.Strategy { return NewOptimal(shuffled(seed)) }, toy.Cover); err != nil || k.Want.Over {
		t.Errorf("%v; too large: %v", err, k.Want.Over)
	}
}
