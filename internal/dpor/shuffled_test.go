package dpor

import (
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// shuffled prefers the steps of a state in an order that is as good as random but for the seed. What is explored first
// decides what sleeps, what is guessed and what is seen from which side.
type shuffled uint64

func (s shuffled) Rank(_ *trace.Trace, enabled []trace.Step) []int {
	ranks := make([]int, len(enabled))
	for i := range ranks {
		ranks[i] = i
	}
	slices.SortFunc(ranks, func(a, b int) int {
		if x, y := enabled[a].ID.With(uint64(s)), enabled[b].ID.With(uint64(s)); x.Less(y) {
			return -1
		}
		return 1
	})
	return ranks
}

// Programs with choices, stops and faults, which optimal got wrong in some orders. Each says what was wrong.
func TestInAnyOrder(t *testing.T) {
	call := func(when int) toy.Op { return toy.Op{Kind: toy.Call, To: 1, Message: 3, When: when} }
	kinds := func(ps ...toy.Program) []toy.Behaviour {
		var all []toy.Behaviour
		for _, p := range ps {
			all = append(all, p.Kinds...)
		}
		return all
	}
	for _, tt := range []struct {
		why     string
		model   trace.Model
		faults  string
		classes int
		program toy.Program
	}{
		{"a fault that a step cannot suffer where it sleeps kept it awake there, for ever", trace.MailboxSerial, "drop,crash-losing", 112,
			program([]int{0, 0}, []toy.Op{send(0, 0), send(0, 1)}, []toy.Op{send(3, 1), {Kind: toy.Spawn, Message: 2, When: -1}}, nil, []toy.Op{call(-1)},
				[]toy.Op{{Kind: toy.Quit, When: -1}})},
		{"a fault was taken to follow where a step may suffer it, which was left out as it would be met elsewhere", trace.Causal, "crash", 121,
			program([]int{0, 0, 0}, []toy.Op{send(0, 2), send(0, 1)}, []toy.Op{choose(3), call(0), send(3, 2)}, nil, nil)},
		{"what follows a step without a fault was to follow it with the last one too", trace.Bag, "crash", 44,
			toy.Program{Actors: []int{1, 0, 1}, Driver: []toy.Op{send(0, 0), send(0, 1), send(0, 2)},
				Kinds: kinds(program(nil, nil), program(nil, nil, []toy.Op{choose(2), {Kind: toy.Kill, To: 1, Message: 1, When: 0}}))}},
	} {
		faults, err := trace.ParseFaults(tt.faults)
		if err != nil {
			t.Fatal(err)
		}
		k := toy.NewCase(tt.why, &tt.program, explore.Conditions{Model: tt.model, Faults: faults}, 20000)
		if k.Want.Classes != tt.classes {
			t.Errorf("%s: the twin has %d classes, want %d", tt.why, k.Want.Classes, tt.classes)
		}
		for seed := range shuffled(4) {
			if _, err := toy.CompareOn([]toy.Case{k}, func() explore.Strategy { return NewOptimal(seed) }, toy.Exact); err != nil {
				t.Errorf("order %d: %v", seed, err)
			}
		}
	}
}

// Whichever of a stop and the message that passes it is taken first, the other order is found, also where several
// system messages are passed, and where the handler goes on after a call.
func TestPassingInAnyOrder(t *testing.T) {
	kill := func(to int) toy.Op { return toy.Op{Kind: toy.Kill, To: to, When: -1} }
	quiet, calling := []toy.Op{}, []toy.Op{{Kind: toy.Call, To: 1, Message: 0, When: -1}}
	for _, tt := range []struct{ driver, handler []toy.Op }{
		{[]toy.Op{send(0, 0), kill(0), send(1, 0)}, quiet},
		{[]toy.Op{send(0, 0), kill(0), send(1, 0)}, calling},
		{[]toy.Op{kill(0), send(0, 0), kill(0), send(1, 0)}, quiet},
		{[]toy.Op{send(0, 1), kill(0), send(0, 0), kill(1), send(1, 1)}, quiet},
	} {
		p := program([]int{0, 0}, tt.driver, nil, tt.handler)
		k := toy.NewCase("passing", &p, explore.Conditions{Model: trace.Mailbox}, 20000)
		for seed := range shuffled(8) {
			if _, err := toy.CompareOn([]toy.Case{k}, func() explore.Strategy { return NewSource(seed) }, toy.Cover); err != nil {
				t.Errorf("source, order %d: %v", seed, err)
			}
			if _, err := toy.CompareOn([]toy.Case{k}, func() explore.Strategy { return NewOptimal(seed) }, toy.Exact); err != nil {
				t.Errorf("optimal, order %d: %v", seed, err)
			}
		}
	}
}

// What a step does under a value that was left out is not known, but that it is a step of its actor: else it was
// inserted behind another step of that actor, and a class was executed twice. A part of a sequence that suffers the
// last fault is met by the same step that sleeps with it: else a race was taken for met by what is dropped later, and a
// class was lost.
func TestValuesThatAreLeftOut(t *testing.T) {
	counts := toy.Program{Actors: []int{0, 0}, Driver: []toy.Op{send(0, 0), send(0, 1), send(1, 0), send(0, 1)}, Kinds: []toy.Behaviour{
		{{Mul: 1, Add: 1, Refuse: -1, Fail: -1}, {Mul: 1, Add: 1, Refuse: -1, Fail: -1, Ops: []toy.Op{{Kind: toy.Choose, To: 3, When: 1}}}}}}
	stops := toy.Program{Actors: []int{0, 0, 0}, Driver: []toy.Op{send(0, 0), send(0, 1)}, Kinds: []toy.Behaviour{
		{{Mul: 1, Add: 1, Refuse: -1, Fail: -1, Ops: []toy.Op{send(1, 1), {Kind: toy.Choose, To: 2, When: -1}, {Kind: toy.Kill, To: 2, Message: 1, When: 0}, {Kind: toy.Quit, When: -1}}},
			{Mul: 1, Add: 1, Refuse: -1, Fail: -1}}}}
	for _, tt := range []struct {
		program *toy.Program
		c       explore.Conditions
		classes int
	}{
		{&counts, explore.Conditions{Model: trace.Bag}, 8},
		{&stops, explore.Conditions{Model: trace.FIFO, Faults: trace.Faults{Max: 1, Kinds: trace.FaultKindsOf(trace.CrashLosing)}}, 25},
	} {
		k := toy.NewCase("left out", tt.program, tt.c, 20000)
		if k.Want.Classes != tt.classes {
			t.Errorf("the twin has %d classes, want %d", k.Want.Classes, tt.classes)
		}
		if _, err := toy.CompareOn([]toy.Case{k}, newOptimal, toy.Exact); err != nil {
			t.Error(err)
		}
	}
}

// A step that slept where an earlier one was taken is looked at again with what follows it now. Without that a class of
// this program is lost.
func TestSourceLooksAgain(t *testing.T) {
	const seed = 10134
	k := toy.NewCase("slept", toy.Random(seed, toy.Full), explore.Conditions{Model: trace.Bag, Faults: trace.Faults{Max: 1, Kinds: trace.FaultKindsOf(trace.CrashLosing)}}, 20000)
	if k.Want.Classes != 33 {
		t.Errorf("the twin has %d classes, want 33", k.Want.Classes)
	}
	if _, err := toy.CompareOn([]toy.Case{k}, func() explore.Strategy { return NewSource(shuffled(seed)) }, toy.Cover); err != nil {
		t.Error(err)
	}
}

// A race below another one comes later. Without the look for that source begins two executions of this program in vain.
func TestRacesBelowOthersWait(t *testing.T) {
	features := toy.Full
	features.Dense = true
	k := toy.NewCase("below another", toy.Random(10489, features), explore.Conditions{Model: trace.Bag}, 20000)
	c, err := toy.CompareOn([]toy.Case{k}, newSource, toy.Exact)
	if err != nil || c.Executions != 8 || c.Blocked != 0 {
		t.Errorf("%d executions and %d blocked, want 8 and none; %v", c.Executions, c.Blocked, err)
	}
}
