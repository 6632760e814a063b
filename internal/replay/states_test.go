package replay_test

import (
	"fmt"
	"maps"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/replay"
	"github.com/rehearse-go/rehearse/internal/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// One actor that counts: before its n-th message its state is n-1, at the end the number of messages.
func TestStatesBefore(t *testing.T) {
	count := toy.Op{Kind: toy.Send, When: -1}
	p := &toy.Program{Kinds: []toy.Behaviour{{{Mul: 1, Add: 1, Refuse: -1, Fail: -1}}}, Actors: []int{0}, Driver: []toy.Op{count, count, count}}
	for _, o := range []explore.Options{toy.Options(trace.Bag), {Conditions: explore.Conditions{Model: trace.Bag}}} {
		for event, want := range map[int]string{1: "0", 2: "1", 3: "2", 4: "3", 99: "3"} {
			got, err := replay.StatesBefore(toy.NewSystem(p), o, nil, event, func(_ *trace.Trace, v any) string { return fmt.Sprint(v) })
			if err != nil {
				t.Fatal(err)
			}
			if !maps.Equal(got, map[int32]string{0: "0", 1: want}) {
				t.Errorf("before event %d: %v, want %s", event, got, want)
			}
		}
	}
}

// A violation that cuts the execution does not hide the states before it; actors that have stopped are left out.
func TestStatesBeforeViolation(t *testing.T) {
	failures, err := toy.Failures(trace.Bag, 50, 5)
	if err != nil {
		t.Fatal(err)
	}
	for i := range failures {
		f := &failures[i]
		got, err := replay.StatesBefore(toy.NewSystem(f.Program), toy.Options(f.Model), f.Trace.Schedule(), f.Violation.Event,
			func(_ *trace.Trace, v any) string { return fmt.Sprint(v) })
		if err != nil || len(got) == 0 || got[0] != "0" {
			t.Fatalf("%v, %v\n%v", got, err, f)
		}
	}
	if _, err := replay.StatesBefore(&failingSystem{}, explore.Options{}, nil, 1, nil); err == nil {
		t.Error("an operating problem is swallowed")
	}
}
