package agree

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

type add struct{ n int }

// sum adds up, and also into a number that it may share with another actor, which breaks isolation.
type sum struct {
	total int
	last  *int
}

func (s *sum) Receive(_ *actor.Context, msg any) {
	s.total += msg.(add).n
	*s.last = msg.(add).n
}

// program has two actors get a message each. shared: they share memory.
func program(shared bool) *Program {
	end := ""
	return &Program{
		System: actor.New(func(t *explore.T, ctx *actor.Context) {
			one, two := new(int), new(int)
			if shared {
				two = one
			}
			a, b := ctx.Spawn(&sum{last: one}), ctx.Spawn(&sum{last: two})
			ctx.Send(a, add{1})
			ctx.Send(a, add{2})
			ctx.Send(b, add{3})
			t.AtEnd(func() { end = fmt.Sprint(*one, *two) })
		}),
		Conditions: explore.Conditions{Model: trace.Bag, Horizon: time.Minute, Copy: true, Blocked: 5 * time.Second},
		State:      func() string { return end },
	}
}

func TestCompare(t *testing.T) {
	shown, err := program(false).Compare(Reductions...)
	if err != nil {
		t.Fatal(err)
	}
	for i, executions := range []int{6, 2, 2, 2} {
		if s := shown[i]; s.Executions != executions || len(s.Classes) != 2 || strings.Join(s.Ends(), ";") != "1 3;2 3" {
			t.Errorf("want %d executions, 2 classes and their ends: %s", executions, s)
		}
	}
}

// A dependency that no record shows makes executions of one class end differently.
func TestHiddenDependency(t *testing.T) {
	if _, err := program(true).Compare(Reductions...); err == nil ||
		!strings.Contains(err.Error(), "executions of one class end in") {
		t.Errorf("%v, want that a class has two ends", err)
	}
}

// What is left out or done twice is told.
func TestDifferences(t *testing.T) {
	all, err := program(false).Show("naive")
	if err != nil {
		t.Fatal(err)
	}
	some := &Shown{Strategy: "optimal", Outcome: all.Outcome, Classes: map[trace.ID]string{},
		Violations: []string{"panic"}}
	for key, end := range all.Classes {
		some.Classes[key] = end
		break
	}
	text := fmt.Sprint(some.exact(), some.differs(all))
	for _, want := range []string{"6 executions and 0 blocked ones of 1 classes", "misses 1 of the 2 classes of naive",
		"ends in", `finds ["panic"]`} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not told: %s", want, text)
		}
	}
	some.Classes = map[trace.ID]string{{Lo: 1}: ""}
	if err := some.differs(all); err == nil || !strings.Contains(err.Error(), "1 classes that naive does not have") {
		t.Errorf("%v, want that a class is strange", err)
	}
	if s, err := program(false).Show("delay/2"); err != nil || s.Refused != nil || s.exact() == nil {
		t.Errorf("a bounded search passes for a complete one: %v %v", s, err)
	}
}
