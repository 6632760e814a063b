package session

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/byhand"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/trace"
)

// shown is what a session tells of a position.
func shown(t *testing.T, s *Session, r byhand.Request) *byhand.Answer {
	t.Helper()
	a, err := s.answer(&r)
	if err != nil || a.Error != "" || a.View == nil {
		t.Fatalf("%+v: %+v, %v", r, a, err)
	}
	return a
}

// take gives the position behind one, by the step with that name.
func take(t *testing.T, v *byhand.View, name string) string {
	t.Helper()
	for _, o := range v.Enabled {
		if strings.HasPrefix(o.Name, name) {
			return byhand.Position(append(slices.Clone(v.Choices), o.Choice)).String()
		}
	}
	t.Fatalf("no step %s among %+v", name, v.Enabled)
	return ""
}

// The overdraft of the bank is reached by hand, saved, and found again by a replay of the file.
func TestByHandToAViolation(t *testing.T) {
	s := prepared(t, "naive", bank())
	s.Judge.Invariants = []check.Invariant{{Name: "solvent", Holds: func(st check.State) error {
		if text := st.Text("account"); text != "&account{Balance:0}" && text != "" {
			return fmt.Errorf("it is %s", text)
		}
		return nil
	}}}
	v := shown(t, s, byhand.Request{}).View
	for _, name := range []string{"withdraw from Driver to teller", "withdraw from teller to spender"} {
		v = shown(t, s, byhand.Request{Position: take(t, v, name)}).View
		if v.Ended != "" || len(v.Violations) > 0 || !v.Invariants[0].Holds {
			t.Fatalf("after %s: %+v", name, v)
		}
	}
	a := shown(t, s, byhand.Request{Position: take(t, v, "withdraw from spender to account"), Save: true, Picture: true})
	v = a.View
	if len(v.Violations) != 1 || v.Violations[0].Kind != "panic" || v.Violations[0].Step == 0 || v.Question != "" ||
		v.Ended == "" {
		t.Errorf("at the overdraft: %+v", v)
	}
	contains(t, a.Picture, "<svg", "overdrawn")
	if _, err := os.Stat(a.File); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(a.File)
	if err != nil {
		t.Fatal(err)
	}
	back := shown(t, s, byhand.Request{Schedule: string(text)}).View
	if back.Position != v.Position || len(back.Violations) != 1 || len(back.Stale) > 0 {
		t.Errorf("the file leads to %q: %+v; want %q", back.Position, back.Violations, v.Position)
	}
	sched, err := trace.DecodeSchedule(strings.NewReader(string(text)), a.File)
	if err != nil {
		t.Fatal(err)
	}
	f, _, err := s.Replay(sched, func(*trace.Violation) bool { return false })
	if err != nil || f == nil || f.Violation.Kind != trace.Panic {
		t.Errorf("the replay finds %+v, %v", f, err)
	}
}

// Going on by the default order ends where the execution does, and says what changed in the last step.
func TestByHandToTheEnd(t *testing.T) {
	s := prepared(t, "naive", bank())
	v := shown(t, s, byhand.Request{Onward: true}).View
	if !v.Over || v.Ended == "" || len(v.Steps) == 0 || len(v.Before) != len(v.Actors) || v.Left != 0 {
		t.Fatalf("%+v", v)
	}
	changed := 0
	for i := range v.Actors {
		if !slices.Equal(v.Actors[i].Fields, v.Before[i].Fields) {
			changed++
			if v.Actors[i].Name != "account" || v.Actors[i].Fields[0].String() != "Balance: 30" ||
				v.Before[i].Fields[0].String() != "Balance: 50" {
				t.Errorf("%+v was %+v", v.Actors[i], v.Before[i])
			}
		}
	}
	if changed != 1 {
		t.Errorf("%d actors changed", changed)
	}
	beyond := shown(t, s, byhand.Request{Position: v.Position + ".5"}).View
	if beyond.Left != 5 || beyond.Position != v.Position {
		t.Errorf("beyond the end: %q, %d left", beyond.Position, beyond.Left)
	}
}

// What cannot be seen is said: functions, stopped actors, and those in the middle of a step.
func TestByHandUnseen(t *testing.T) {
	s := prepared(t, "naive", actor.New(func(_ *explore.T, ctx *actor.Context) {
		x := 1
		f := ctx.SpawnNamed("function", actor.Func(func(*actor.Context, any) { x++ }))
		ctx.SpawnNamed("asks", actor.Func(func(c *actor.Context, _ any) { c.Call(f, 1) }))
		ctx.Send(ctx.SpawnNamed("gone", actor.Func(func(c *actor.Context, _ any) { c.Stop() })), 2)
	}))
	v := shown(t, s, byhand.Request{Onward: true}).View
	unseen := map[string]string{}
	for _, a := range v.Actors {
		unseen[a.Name] = a.Unseen
	}
	if !strings.Contains(unseen["function"], "cannot be seen") || unseen["gone"] != "it has stopped" {
		t.Errorf("%q", unseen)
	}
}

// A request that makes no sense is answered with what is wrong, and the next one as if nothing had been.
func TestByHandRefuses(t *testing.T) {
	s := prepared(t, "naive", bank())
	for _, x := range []struct {
		r    byhand.Request
		want string
	}{
		{byhand.Request{Position: "what"}, `position: "what" is neither`},
		{byhand.Request{Under: "model=x"}, "unknown delivery model"},
		{byhand.Request{Schedule: "{}"}, "the schedule"},
		{byhand.Request{Path: []string{"zz"}}, "step 1: identity"},
		{byhand.Request{Position: "1.x0123456789ab", Save: true}, "nothing was saved: choice 2"},
	} {
		a, err := s.answer(&x.r)
		if err != nil || a.Dead || !strings.Contains(a.Error, x.want) {
			t.Errorf("%+v: %+v, %v", x.r, a, err)
		}
	}
	if v := shown(t, s, byhand.Request{Under: "model=fifo"}).View; v.Under != "model=fifo" || len(v.Enabled) == 0 {
		t.Errorf("%+v", v)
	}
	lost := shown(t, s, byhand.Request{Position: "1.x0123456789ab"}).View
	if lost.Lost == "" || lost.Position != "1" || lost.Question != "step" {
		t.Errorf("%+v", lost)
	}
}

// An exploration that somebody looks at tells each violation with a schedule that has it, and a tree with as many ends
// as there were executions.
func TestWatched(t *testing.T) {
	s := prepared(t, "naive", bank())
	var news []byhand.News
	if err := s.exploreTelling(func(n byhand.News) error { news = append(news, n); return nil }); err != nil {
		t.Fatal(err)
	}
	last := news[len(news)-1]
	if last.Done == nil || !last.Done.Complete {
		t.Fatalf("the end: %+v", last)
	}
	nodes, leaves, met, minimal := 0, 0, 0, 0
	for _, n := range news {
		nodes, leaves = nodes+len(n.Nodes), leaves+len(n.Leaves)
		for _, f := range n.Found {
			if f.Minimal {
				minimal++
			} else {
				met++
			}
			v := shown(t, s, byhand.Request{Schedule: f.Schedule}).View
			if len(v.Violations) != 1 || v.Violations[0].Key != f.Key {
				t.Errorf("the schedule of %s leads to %+v", f.Key, v.Violations)
			}
		}
	}
	if met != 1 || minimal != 1 || nodes == 0 || leaves < last.Counters.Executions {
		t.Errorf("%d met, %d minimal, %d nodes, %d ends of %d executions", met, minimal, nodes, leaves,
			last.Counters.Executions)
	}
}

// Under mailbox order a release is a part of a step: what goes wrong has the number that the picture and the list have.
func TestByHandNumbers(t *testing.T) {
	s := prepared(t, "naive", actor.New(func(_ *explore.T, ctx *actor.Context) {
		ctx.Send(ctx.SpawnNamed("bad", actor.Func(func(*actor.Context, any) { panic("bad") })), 1)
	}))
	v := shown(t, s, byhand.Request{Under: "model=mailbox", Onward: true}).View
	last := v.Steps[len(v.Steps)-1]
	if len(v.Steps) < 2 || len(v.Violations) != 1 || last.Number != 1 || v.Violations[0].Step != 1 {
		t.Errorf("%+v", v)
	}
}

// An invariant that was not asked is not said to hold: before the first step, in the middle of one, and if nobody wants
// to know.
func TestByHandNotAsked(t *testing.T) {
	s := prepared(t, "naive", actor.New(func(_ *explore.T, ctx *actor.Context) {
		ctx.Send(ctx.SpawnNamed("chooser", actor.Func(func(c *actor.Context, _ any) { c.Choose(2) })), 1)
	}))
	s.Judge.Invariants = []check.Invariant{{Name: "fine", Holds: func(check.State) error { return nil }}}
	for question, r := range map[string]byhand.Request{"choose": {Position: "1"}, "": {Onward: true}} {
		v := shown(t, s, r).View
		if d := v.Invariants[0]; v.Question != question || d.Asked != (question == "") || d.Holds != d.Asked {
			t.Errorf("question %q: %+v", v.Question, d)
		}
	}
	var v byhand.View
	if s.verdicts(&v, &trace.Trace{}, &byHand{}); v.Invariants[0].Asked || v.Invariants[0].Holds {
		t.Errorf("at the beginning: %+v", v)
	}
	s.Judge.Levels = check.Levels{trace.Assertion: check.Off}
	if d := shown(t, s, byhand.Request{Onward: true}).View.Invariants[0]; d.Asked || d.Holds || d.Text == "" {
		t.Errorf("off: %+v", d)
	}
}

// Where a choice cannot be made, it is said also of a request that goes on from there.
func TestByHandLostOnward(t *testing.T) {
	executed := 0
	s := prepared(t, "naive", begins(func(*actor.Context, handler) {}, &executed))
	v := shown(t, s, byhand.Request{Position: "x0123456789ab", Onward: true}).View
	if !strings.Contains(v.Lost, "is not possible here") || v.Question != "step" || len(v.Actors) != 1 {
		t.Errorf("%+v", v)
	}
	executed = 0
	if v := shown(t, s, byhand.Request{Position: "x0123456789ab"}).View; v.Lost == "" || executed != 1 {
		t.Errorf("%d executions: %+v", executed, v)
	}
}
