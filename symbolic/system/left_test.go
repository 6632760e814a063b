package system

import (
	"testing"

	"github.com/rehearse-go/rehearse/trace"
)

// A message from outside that nobody is to handle is sent, and its receiver is asked whether it accepts it.
func TestFollowLeft(t *testing.T) {
	p := program(t, "../../examples", "./...")
	s := startOf(t, p, "TestBankFixed")
	plan := &planner{t: t, p: p, start: s}
	plan.step("server", "Withdraw", Source{})
	plan.plan.Model = trace.Bag
	left := Plan{Left: plan.plan.Steps, Model: trace.Bag}
	recv := s.Actors[plan.plan.Steps[0].To.Start].Recv
	accepts := p.load.SSA.LookupMethod(recv, nil, "Accepts")
	w, err := p.Follow(t.Context(), s, left, Goal{Block: accepts.Blocks[0]}, Config{})
	if err != nil {
		t.Fatal(err)
	}
	if len(w.Outside) != 1 || len(w.Order) != 0 {
		t.Errorf("%d messages from outside, order %v: want one message, and no order", len(w.Outside), w.Order)
	}
	if _, err := p.Follow(t.Context(), s, Plan{Model: trace.Bag}, Goal{Block: accepts.Blocks[0]}, Config{}); err == nil {
		t.Error("it is asked without a message")
	}
	left.Left[0].From = event(0, 0)
	if _, err := p.Follow(t.Context(), s, left, Goal{Block: accepts.Blocks[0]}, Config{}); err == nil {
		t.Error("a plan leaves a message of an actor, which only a step can send")
	}
}
