package trace

import (
	"slices"
	"testing"
)

// The first delivery is step 1. What is part of a step has its number.
func TestStepNumber(t *testing.T) {
	var tr Trace
	tr.AddDriver()
	e := tr.Begin(StartStep(0))
	m := tr.AddMessage(tr.TypeNamed("x.M"), User, 0, 0, e, nil)
	tr.Begin(tr.DeliveryOf(m)) // set-up
	tr.Explored = 2
	e = tr.Begin(StartStep(1))
	first := tr.AddMessage(tr.TypeNamed("x.First"), User, 0, 0, e, nil)
	second := tr.AddMessage(tr.TypeNamed("x.Second"), User, 0, 0, e, nil)
	tr.Begin(tr.ReleaseOf(first))
	e = tr.Begin(tr.DeliveryOf(first))
	tr.Begin(tr.DrawStep(e, 1))
	tr.Begin(tr.ReleaseOf(second))
	tr.Begin(AdvanceStep(0))
	tr.Begin(tr.DeliveryOf(second))
	var got []int
	for e := range tr.Events {
		got = append(got, tr.StepNumber(e))
	}
	if want := []int{0, 0, 0, 0, 1, 1, 1, 2, 3}; !slices.Equal(got, want) {
		t.Errorf("numbers are %v, want %v", got, want)
	}
	if n := tr.StepNumber(1 << 20); n != 3 {
		t.Errorf("what is known at the end is at step %d, want 3", n)
	}
}
