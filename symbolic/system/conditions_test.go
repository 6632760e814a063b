package system

import (
	"testing"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/trace"
)

var conditionsShared = rehearse.Config{Model: rehearse.Causal, Timers: rehearse.Async}

var conditionsAlias = conditionsShared

// The functions that conditions are read from. None of them is executed.

func conditionsLiteral(t *testing.T) {
	rehearse.Check(t, rehearse.Config{Model: rehearse.FIFO}, twinPair())
}

func conditionsVariable(t *testing.T) { rehearse.Check(t, conditionsAlias, twinPair()) }

func conditionsLocal(t *testing.T) {
	c := rehearse.Config{Model: trace.Mailbox, Timers: rehearse.Quiescent}
	rehearse.Check(t, c, twinPair())
}

func conditionsAssigned(t *testing.T) {
	c := rehearse.Config{Model: rehearse.FIFO}
	c.Model = rehearse.Bag
	rehearse.Check(t, c, twinPair())
}

func conditionsComputed(t *testing.T) {
	for _, model := range []rehearse.Model{rehearse.FIFO, rehearse.Causal} {
		rehearse.Check(t, rehearse.Config{Model: model, Timers: rehearse.Async}, twinPair())
	}
}

var _ = []func(*testing.T){conditionsLiteral, conditionsVariable, conditionsLocal, conditionsAssigned, conditionsComputed}

func TestConditions(t *testing.T) {
	p := program(t, ".", ".")
	for name, want := range map[string]Driver{
		"conditionsLiteral":  {Model: trace.FIFO},
		"conditionsVariable": {Model: trace.Causal, Async: true},
		"conditionsLocal":    {Model: trace.Mailbox},
		"conditionsAssigned": {},
		"conditionsComputed": {Async: true},
		"twinPair":           {},
	} {
		ds := p.DriversOf(function(t, p, name))
		if len(ds) != 1 || ds[0].Model != want.Model || ds[0].Async != want.Async {
			t.Errorf("%s: %+v, want model %v, async %v", name, ds[0], want.Model, want.Async)
		}
	}
	if got := (&Driver{Model: trace.FIFO, Proto: true}).OwnModel(); got != trace.FIFO {
		t.Errorf("model of a driver whose Config says fifo: %v", got)
	}
}

// Helpers of tests hand over variables of theirs.
func TestConditionsOfExamples(t *testing.T) {
	p := program(t, "../../examples", "./...")
	for name, want := range map[string]Driver{"TestTimeout": {Async: true}, "TestTimeoutQuiescent": {}, "TestThreadRingSchedule": {Model: trace.FIFO}, "TestOverdraft": {}} {
		if d := p.DriversOf(function(t, p, name))[0]; d.Model != want.Model || d.Async != want.Async {
			t.Errorf("%s: model %v, async %v, want %v, %v", name, d.Model, d.Async, want.Model, want.Async)
		}
	}
}
