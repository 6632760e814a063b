package causal

import (
	"testing"

	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// TestKnowledgeIsThatOfDelivery: what sends know of in the order that was kept is what holds messages back under
// Causal.
func TestKnowledgeIsThatOfDelivery(t *testing.T) {
	known := 0
	walks(t, func(cond string, model trace.Model, timers trace.TimerMode, _ *toy.Program, tr *trace.Trace) {
		if model == trace.Causal {
			known += sameKnowledge(t, cond, timers, tr)
		}
	})
	if known < 1000 {
		t.Errorf("messages know of %d others in all: the programs show too little", known)
	}
}

// sameKnowledge compares what user messages know of, and counts it.
func sameKnowledge(t *testing.T, cond string, timers trace.TimerMode, tr *trace.Trace) (known int) {
	t.Helper()
	var k knowledge
	k.build(tr)
	o := New(trace.Causal, timers)
	o.Extend(tr, len(tr.Events))
	for m := range tr.Messages {
		if tr.Messages[m].Kind != trace.User || tr.Messages[m].Renews >= 0 {
			continue
		}
		past := o.cursor().Past(int32(m))
		for i := range int32(len(tr.Messages)) {
			if tr.Messages[i].Kind != trace.User {
				continue
			}
			if got, want := past.Has(i), k.past[m].Has(i); got != want {
				t.Fatalf("%s: message %d knows of %d: %v, and by the other definition %v", cond, m, i, got, want)
			}
			if past.Has(i) {
				known++
			}
		}
	}
	return known
}

// TestKnowledgeOfCopies: who sent a message in the step of another does not know that a fault has doubled it.
func TestKnowledgeOfCopies(t *testing.T) {
	var tr trace.Trace
	tr.AddDriver()
	start := tr.Begin(trace.StartStep(0))
	for range 3 {
		tr.AddActor(tr.TypeNamed("A"), "", 0, start)
	}
	send := func(sender, receiver, event int32) int32 {
		return tr.AddMessage(tr.TypeNamed("M"), trace.User, sender, receiver, event, nil)
	}
	work, later := send(0, 1, start), send(0, 3, start)
	step := tr.Begin(tr.DeliveryOf(work))
	first := send(3, 2, step) // 3 waited in a handler and goes on
	twice := send(3, 2, tr.Begin(tr.FaultStep(step, trace.Duplicate, first)))
	last := send(3, 2, tr.Begin(tr.DeliveryOf(later)))
	for e := range tr.Events {
		tr.Events[e].Completed = true
	}
	sameKnowledge(t, "a copy", trace.Quiescent, &tr)
	var k knowledge
	k.build(&tr)
	if past := &k.past[last]; !past.Has(first) || past.Has(twice) {
		t.Errorf("the last message knows of the first one: %v, want true; of the copy: %v, want false",
			past.Has(first), past.Has(twice))
	}
}

// TestKnowledgeOfRenewed: who has put a message aside and handles it later knows of that message, by its first number.
func TestKnowledgeOfRenewed(t *testing.T) {
	var tr trace.Trace
	tr.AddDriver()
	start := tr.Begin(trace.StartStep(0))
	for range 2 {
		tr.AddActor(tr.TypeNamed("A"), "", 0, start)
	}
	send := func(sender, receiver, event int32) int32 {
		return tr.AddMessage(tr.TypeNamed("M"), trace.User, sender, receiver, event, nil)
	}
	first, aside := send(0, 1, start), send(0, 1, start)
	tr.Begin(tr.DeliveryOf(aside))
	step := tr.Begin(tr.DeliveryOf(first))
	again := send(0, 1, step)
	tr.Messages[again].Renews = aside
	early := send(1, 2, step)
	last := send(1, 2, tr.Begin(tr.DeliveryOf(again)))
	for e := range tr.Events {
		tr.Events[e].Completed = true
	}
	sameKnowledge(t, "put aside", trace.Quiescent, &tr)
	var k knowledge
	k.build(&tr)
	for _, m := range []int32{early, last} {
		if past := &k.past[m]; !past.Has(first) || !past.Has(aside) || past.Has(again) {
			t.Errorf("message %d knows of %d, %d and not of %d: %v, %v, %v", m, first, aside, again,
				past.Has(first), past.Has(aside), !past.Has(again))
		}
	}
}
