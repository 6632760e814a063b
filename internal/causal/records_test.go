package causal

import (
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/trace"
)

// Records made by hand, of what random programs have seldom or never.

// begun is a record whose driver has created so many actors.
func begun(actors int) *trace.Trace {
	tr := &trace.Trace{}
	tr.AddDriver()
	start := tr.Begin(trace.StartStep(0))
	for range actors {
		tr.AddActor(tr.TypeNamed("A"), "", 0, start)
	}
	return tr
}

// sent has the last event send a message, which arrives at once.
func sent(tr *trace.Trace, class trace.MessageKind, sender, receiver int32) int32 {
	m := tr.AddMessage(tr.TypeNamed("M"), class, sender, receiver, int32(len(tr.Events)-1), nil)
	tr.Messages[m].AtOnce = true
	return m
}

// handled adds the event of a message's handler.
func handled(tr *trace.Trace, m int32, completed bool) int32 {
	e := tr.Begin(tr.DeliveryOf(m))
	tr.Events[e].Completed = completed
	return e
}

// TestCompleted: an event that runs no part of a handler leaves it as the one before did.
func TestCompleted(t *testing.T) {
	for _, completed := range []bool{true, false} {
		tr := begun(1)
		m := sent(tr, trace.User, 0, 1)
		step := handled(tr, m, completed)
		lost := tr.Begin(tr.FaultStep(step, trace.Drop, m))
		twice := tr.Begin(tr.FaultStep(step, trace.Duplicate, m))
		release := tr.Begin(trace.Step{Kind: trace.Send, Actor: 1, Message: m})
		crash := tr.Begin(tr.FaultStep(step, trace.Crash, -1))
		tr.Events[crash].Completed = true
		o := New(trace.Mailbox, trace.Quiescent)
		o.Extend(tr, len(tr.Events))
		for _, e := range []int32{step, lost, twice, release} {
			if o.Completed(e) != completed {
				t.Errorf("event %d, of a handler that is over: %v, says %v", e, completed, o.Completed(e))
			}
		}
		if !o.Completed(crash) {
			t.Error("a crash leaves a handler")
		}
	}
}

// TestSetUp: a system message that set-up left keeps user messages back, and one that it handled does not.
func TestSetUp(t *testing.T) {
	for _, left := range []bool{true, false} {
		tr := begun(1)
		system, first, second := sent(tr, trace.System, 0, 1), sent(tr, trace.User, 0, 1), sent(tr, trace.User, 0, 1)
		if !left {
			handled(tr, system, true)
		}
		tr.Explored = len(tr.Events)
		tr.Begin(trace.StartStep(1))
		handled(tr, first, true)
		o := New(trace.Bag, trace.Quiescent)
		o.Extend(tr, len(tr.Events))
		if got := o.WouldTake(1, 1, second, nil); got == left {
			t.Errorf("a system message was left %v: the next one would be taken %v", left, got)
		}
	}
}

// TestExtendsAnother: an order goes on with another record that agrees with the one before.
func TestExtendsAnother(t *testing.T) {
	tr := begun(1)
	first := sent(tr, trace.User, 0, 1)
	o := New(trace.Bag, trace.Quiescent)
	pending := func(tr *trace.Trace) (all []int32) {
		o.Extend(tr, len(tr.Events))
		o.Pending(int32(o.Len()), func(m int32) { all = append(all, m) })
		return all
	}
	if got := pending(tr); !slices.Equal(got, []int32{first}) {
		t.Errorf("pending are %v, want %d", got, first)
	}
	grown := tr.Clone()
	grown.Begin(trace.StartStep(1))
	second := sent(grown, trace.User, 0, 1)
	if got := pending(grown); !slices.Equal(got, []int32{first, second}) {
		t.Errorf("pending are %v, want %d and %d", got, first, second)
	}
}

// hooked is a record under Mailbox in which actor 1 creates actor 3, releases what that sent in its start hook, and
// then actors 2 and 3 handle a message. copied: a fault doubles what actor 3 sent, and the copy is released.
func hooked(copied bool) (tr *trace.Trace, release, other, next int32) {
	tr = begun(2)
	work := sent(tr, trace.User, 0, 1)
	step := handled(tr, work, true)
	tr.AddActor(tr.TypeNamed("B"), "", 1, step)
	m := tr.AddMessage(tr.TypeNamed("M"), trace.User, 3, 0, step, nil)
	if copied {
		fault := tr.Begin(tr.FaultStep(step, trace.Duplicate, m))
		m = tr.AddMessage(tr.TypeNamed("M"), trace.User, 3, 0, fault, nil)
	}
	s := tr.ReleaseOf(m)
	s.Actor = 1
	release = tr.Begin(s)
	tr.Events[release].Released = m
	tr.Begin(trace.StartStep(1))
	first, second := sent(tr, trace.User, 0, 2), sent(tr, trace.User, 0, 3)
	return tr, release, handled(tr, first, true), handled(tr, second, true)
}

// TestOwed: an actor takes nothing before what its start hook sent is released. Whether the second one of a doubled
// message is does not matter to its sender.
func TestOwed(t *testing.T) {
	for _, copied := range []bool{false, true} {
		tr, release, other, next := hooked(copied)
		o := New(trace.Mailbox, trace.Quiescent)
		o.Extend(tr, len(tr.Events))
		if o.Before(release, next) == copied || o.Before(release, other) {
			t.Errorf("a copy %v: the release comes first %v, before another's step %v", copied, o.Before(release, next),
				o.Before(release, other))
		}
	}
}

// TestKnowledgeOfHooks: what an actor sends in its start hook is the doing of who creates it, and both know of it.
func TestKnowledgeOfHooks(t *testing.T) {
	tr := begun(2)
	work := sent(tr, trace.User, 0, 1)
	step := handled(tr, work, true)
	tr.AddActor(tr.TypeNamed("B"), "", 1, step)
	born := tr.Actors[len(tr.Actors)-1]
	hook := tr.AddMessage(tr.TypeNamed("M"), trace.User, 3, 2, born.Creator, nil)
	tr.Begin(trace.StartStep(1))
	for _, a := range []int32{1, 3} {
		m := sent(tr, trace.User, 0, a)
		handled(tr, m, true)
		last := tr.AddMessage(tr.TypeNamed("M"), trace.User, a, 2, int32(len(tr.Events)-1), nil)
		var k knowledge
		k.build(tr)
		if !k.past[last].Has(hook) {
			t.Errorf("actor %d does not know what the start hook sent", a)
		}
	}
	sameKnowledge(t, "a start hook", trace.Quiescent, tr)
}

// TestPendingFirings: under the mailbox models a timer that a step cancels could have fired before, also one of set-up.
func TestPendingFirings(t *testing.T) {
	tr := begun(1)
	early := tr.AddMessage(tr.TypeNamed("tick"), trace.Timeout, 1, 1, 0, nil)
	work, over := sent(tr, trace.User, 0, 1), tr.AddMessage(tr.TypeNamed("tick"), trace.Timeout, 1, 1, 0, nil)
	tr.Events[tr.Begin(tr.FiringOf(over))].Released = over
	tr.Explored = len(tr.Events)
	tr.Begin(trace.StartStep(1))
	set := tr.AddMessage(tr.TypeNamed("tick"), trace.Timeout, 1, 1, int32(len(tr.Events)-1), nil)
	fired := tr.AddMessage(tr.TypeNamed("tick"), trace.Timeout, 1, 1, int32(len(tr.Events)-1), nil)
	tr.Events[tr.Begin(tr.FiringOf(fired))].Released = fired
	at := handled(tr, work, true)
	tr.Events[at].Cancelled = []int32{early, set, fired}
	o := New(trace.MailboxSerial, trace.Async)
	o.Extend(tr, len(tr.Events))
	var got []int32
	o.CancelledFirings(at-int32(tr.Explored), func(m int32) { got = append(got, m) })
	if !slices.Equal(got, []int32{early, set}) {
		t.Errorf("could have fired: %v, want %d and %d", got, early, set)
	}
}

// TestSwitchedHandlers: a handler that was declared and switched to other handlers is a step like any other.
func TestSwitchedHandlers(t *testing.T) {
	e := trace.Event{Step: trace.Step{Kind: trace.Deliver}, Completed: true, Effect: &trace.Effect{}}
	o := New(trace.Bag, trace.Quiescent)
	o.effects = trace.Effects{{Actor: "A", Message: "M"}}.Index()
	if o.declared(&e) == nil {
		t.Error("a handler that kept to its declaration does not count")
	}
	o.model = trace.Causal
	sends := trace.Event{Step: e.Step, Completed: true, Effect: &trace.Effect{Sends: true}}
	if o.declared(&sends) != nil {
		t.Error("under causal a handler that sends commutes")
	}
	for name, change := range map[string]func(e *trace.Event){
		"switched":   func(e *trace.Event) { e.Changes = true },
		"registered": func(e *trace.Event) { e.Registered = 1 },
		"waits":      func(e *trace.Event) { e.Completed = false },
		"created":    func(e *trace.Event) { e.Created = []int32{1} },
		"stopped":    func(e *trace.Event) { e.Stopped = []int32{1} },
		"cancelled":  func(e *trace.Event) { e.Cancelled = []int32{1} },
		"a reply":    func(e *trace.Event) { e.Step.Kind = trace.Reply },
	} {
		x := e
		if change(&x); o.declared(&x) != nil {
			t.Errorf("%s: the declaration counts", name)
		}
	}
}
