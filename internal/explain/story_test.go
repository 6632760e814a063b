package explain

import (
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/replay"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// on makes a handler after which the state is state*mul + add + the state of the sender.
func on(mul, add int, ops ...toy.Op) toy.Handler {
	return toy.Handler{Mul: mul, Add: add, Refuse: -1, Fail: -1, Ops: ops}
}

func fails(h toy.Handler, state int) toy.Handler {
	h.Fail = state
	return h
}

func send(to, message int) toy.Op { return toy.Op{Kind: toy.Send, To: to, Message: message, When: -1} }
func call(to, message int) toy.Op { return toy.Op{Kind: toy.Call, To: to, Message: message, When: -1} }

// Each story is a small program with one way to go wrong; the text is the whole explanation.
func TestStories(t *testing.T) {
	quit := toy.Op{Kind: toy.Quit, When: -1}
	for _, c := range []struct {
		name  string
		model trace.Model
		p     toy.Program
		want  string
	}{
		{"the second message was not handled when the first failed", trace.Bag, toy.Program{
			Kinds:  []toy.Behaviour{{on(1, 1), fails(on(1, 2), 2)}},
			Actors: []int{0}, Driver: []toy.Op{send(0, 0), send(0, 1)}},
			"M1 from Driver before M0 from Driver at K0 breaks; the other way round it passes."},
		{"the second message is three sends away when the first fails", trace.Bag, toy.Program{
			Kinds: []toy.Behaviour{{on(1, 1), fails(on(1, 2), 2)}, {on(1, 0, send(2, 0)), on(1, 0)},
				{on(1, 0, send(3, 0)), on(1, 0)}, {on(1, 0, send(0, 0)), on(1, 0)}},
			Actors: []int{0, 1, 2, 3}, Driver: []toy.Op{send(1, 0), send(0, 1)}},
			"M1 from Driver before M0 from K3 at K0 breaks; the other way round it passes."},
		{"every order fails, each in its way", trace.Bag, toy.Program{
			Kinds:  []toy.Behaviour{{fails(on(1, 1), 1), fails(on(1, 2), 2)}},
			Actors: []int{0}, Driver: []toy.Op{send(0, 0), send(0, 1)}},
			"No single swap was found after which it passes, and no two together: 1 pair was swapped in 3 replays. With " +
				"M0 from Driver before M1 from Driver at K0 the other way round this does not happen, but something else goes " +
				"wrong: state is 2. The default order does not give it, but something else: state is 2."},
		{"the second message was never sent", trace.Bag, toy.Program{
			Kinds:  []toy.Behaviour{{on(1, 1), fails(on(1, 2), 2)}, {on(1, 0, send(0, 0)), on(1, 0)}},
			Actors: []int{0, 1}, Driver: []toy.Op{send(1, 0), send(0, 1)}},
			"M1 from Driver before M0 from K1 at K0 breaks; the other way round it passes."},
		{"mailboxes: the order of the sends decides", trace.Mailbox, toy.Program{
			Kinds:  []toy.Behaviour{{on(1, 1), fails(on(1, 2), 2)}, {on(1, 0, send(0, 0)), on(1, 0, send(0, 1))}},
			Actors: []int{0, 1, 1}, Driver: []toy.Op{send(1, 0), send(2, 1)}},
			"M1 from K1#2 before M0 from K1#1 at K0 breaks; the other way round it passes."},
		{"mailboxes, one handler at a time", trace.MailboxSerial, toy.Program{
			Kinds:  []toy.Behaviour{{on(1, 1), fails(on(1, 2), 2)}, {on(1, 0, send(0, 0)), on(1, 0, send(0, 1))}},
			Actors: []int{0, 1, 1}, Driver: []toy.Op{send(1, 0), send(2, 1)}},
			"M1 from K1#2 before M0 from K1#1 at K0 breaks; the other way round it passes."},
		{"two actors call each other", trace.Mailbox, toy.Program{
			Kinds:  []toy.Behaviour{{on(1, 0, call(1, 1)), on(1, 0)}, {on(1, 0, call(0, 1)), on(1, 0)}},
			Actors: []int{0, 1}, Driver: []toy.Op{send(0, 0), send(1, 0)}},
			"M0 from Driver before M1 from K0 at K1 breaks; the other way round it passes."},
		{"a dead letter", trace.Bag, toy.Program{
			Kinds:  []toy.Behaviour{{on(1, 0), on(1, 0, quit)}, {on(1, 0, send(0, 0)), on(1, 0)}},
			Actors: []int{0, 1}, Driver: []toy.Op{send(0, 1), send(1, 0)}},
			"M1 from Driver at K0 before M0 from Driver at K1 breaks; the other way round it passes."},
		{"every order fails", trace.Bag, toy.Program{
			Kinds:  []toy.Behaviour{{fails(on(1, 1), 1)}},
			Actors: []int{0}, Driver: []toy.Op{send(0, 0)}},
			"No single swap was found: no two deliveries at one actor could be swapped. The default order gives it as well: " +
				"it may not depend on the order at all."},
	} {
		t.Run(c.name, func(t *testing.T) {
			run := replay.NewRunner(toy.NewSystem(&c.p), toy.Options(c.model))
			failing, v := firstFailure(t, &c.p, c.model)
			x, err := Culprit(run, failing, v, "")
			if err != nil {
				t.Fatal(err)
			}
			if x.Text != c.want {
				for e := range failing.Events {
					t.Log(e, failing.StepName(failing.Events[e].Step))
				}
				t.Errorf("got  %s\nwant %s", x.Text, c.want)
			}
			if x.Replays > 60 {
				t.Errorf("%d replays for so small a program", x.Replays)
			}
		})
	}
}

func firstFailure(t *testing.T, p *toy.Program, model trace.Model) (tr *trace.Trace, v trace.Violation) {
	t.Helper()
	o := toy.Options(model)
	o.Budget.Executions = 1000
	o.Found = func(f explore.Found) bool {
		tr, v = f.Trace.Clone(), f.Violations[0]
		return false
	}
	if _, err := explore.Run(toy.NewSystem(p), sample.NewRandom(1), o); err != nil {
		t.Fatal(err)
	}
	if tr == nil {
		t.Fatal("no execution fails")
	}
	return tr, v
}
