package delivery

import (
	"testing"

	"github.com/rehearse-go/rehearse/internal/bitset"
	"github.com/rehearse-go/rehearse/trace"
)

// TestLaneOf: R3 to R5 by kind of message, and which steps look.
func TestLaneOf(t *testing.T) {
	for _, tt := range []struct {
		class         trace.MessageKind
		endsCall      bool
		plain, queues Lane
		looks         bool
	}{
		{trace.User, false, User, User, true},
		{trace.System, false, System, System, true},
		{trace.Timeout, false, Exempt, User, true},
		{trace.Timeout, true, Exempt, Exempt, true},
		{trace.Task, false, Exempt, Exempt, true},
		{trace.Answer, false, Exempt, Exempt, false},
	} {
		for _, model := range []trace.Model{trace.Bag, trace.FIFO, trace.Causal, trace.Mailbox, trace.MailboxSerial} {
			want := tt.plain
			if model == trace.Mailbox || model == trace.MailboxSerial {
				want = tt.queues
			}
			msg := trace.Message{Kind: tt.class, EndsCall: tt.endsCall}
			if got := LaneOf(model, &msg); got != want {
				t.Errorf("%v, class %d, ends a call %v: lane %d, want %d", model, tt.class, tt.endsCall, got, want)
			}
			if Looks(&msg) != tt.looks {
				t.Errorf("class %d looks: %v", tt.class, Looks(&msg))
			}
			for _, atOnce := range []bool{true, false} {
				msg.AtOnce = atOnce
				if Captured(model, &msg) != (model == trace.Mailbox && !atOnce) {
					t.Errorf("%v, class %d, at once %v: captured %v", model, tt.class, atOnce, Captured(model, &msg))
				}
			}
		}
	}
}

// TestOrdered: R6 orders user messages of one receiver; under fifo those of one sender, and a message that was put
// aside by when it was sent first.
func TestOrdered(t *testing.T) {
	var tr trace.Trace
	tr.AddDriver()
	event := tr.Begin(trace.StartStep(0))
	for range 2 {
		tr.AddActor(tr.TypeNamed("A"), "", 0, event)
	}
	send := func(class trace.MessageKind, sender, receiver int32) int32 {
		return tr.AddMessage(tr.TypeNamed("M"), class, sender, receiver, event, nil)
	}
	system, first, other := send(trace.System, 0, 1), send(trace.User, 0, 1), send(trace.User, 2, 1)
	elsewhere, second, again := send(trace.User, 0, 2), send(trace.User, 0, 1), send(trace.User, 0, 1)
	tr.Messages[again].Renews = first
	type pair struct{ first, second int32 }
	fifo := map[pair]bool{{first, second}: true, {again, second}: true}
	for x := range again + 1 {
		for y := range again + 1 {
			for _, model := range []trace.Model{trace.Bag, trace.FIFO, trace.Causal, trace.Mailbox, trace.MailboxSerial} {
				want := model == trace.FIFO && fifo[pair{x, y}]
				if model == trace.Causal { // all others but the second one precede it
					users := x != y && x != system && y != system
					want = users && (x == elsewhere) == (y == elsewhere) && x != second
				}
				past := bitset.Set{}.With(system).With(first).With(other).With(elsewhere)
				if got := Ordered(model, &tr, x, y, past); got != want {
					t.Errorf("%v: message %d before %d: %v, want %v", model, x, y, got, want)
				}
			}
		}
	}
}

// TestKnower: what a new actor sends in the step that creates it is told by who takes that step, and so is a copy.
func TestKnower(t *testing.T) {
	var tr trace.Trace
	tr.AddDriver()
	start := tr.Begin(trace.StartStep(0))
	parent := tr.AddActor(tr.TypeNamed("A"), "", 0, start)
	first := tr.AddMessage(tr.TypeNamed("M"), trace.User, parent, 0, start, nil)
	work := tr.AddMessage(tr.TypeNamed("M"), trace.User, 0, parent, start, nil)
	create := tr.Begin(tr.DeliveryOf(work))
	child := tr.AddActor(tr.TypeNamed("A"), "", parent, create)
	send := func(sender, event int32) int32 {
		return tr.AddMessage(tr.TypeNamed("M"), trace.User, sender, 0, event, nil)
	}
	hook, own, drivers := send(child, create), send(parent, create), send(0, create)
	later := tr.Begin(tr.DeliveryOf(send(0, create)))
	after := send(child, later)
	twice := send(child, tr.Begin(tr.FaultStep(create, trace.Duplicate, hook)))
	for m, want := range map[int32]int32{first: 0, hook: parent, own: parent, drivers: 0, after: child, twice: parent} {
		if got := Knower(&tr, m); got != want {
			t.Errorf("message %d is told by %d, want %d", m, got, want)
		}
	}
	for _, tt := range []struct {
		by, m int32
		owes  bool
	}{{parent, hook, true}, {child, hook, false}, {parent, own, false}, {parent, twice, false}} {
		if got := Owes(&tr, tt.by, tt.m); got != tt.owes {
			t.Errorf("the sender of %d waits for its release by %d: %v", tt.m, tt.by, got)
		}
	}
}

// TestPassingComesLate: under Mailbox the default order takes what passes a system message after it.
func TestPassingComesLate(t *testing.T) {
	w := newWritten()
	late, user, deep := w.send(trace.System), w.send(trace.User), w.send(trace.User)
	w.Messages[late].Depth, w.Messages[user].Depth, w.Messages[deep].Depth = 3, 1, 7
	for _, tt := range []struct {
		m    int32
		want int32
	}{{user, 4}, {deep, 7}} {
		var p Pool
		p.Reset(trace.Mailbox, &w.Trace)
		p.Post(late)
		p.Post(tt.m)
		depths := map[int32]int32{}
		for _, s := range p.Enabled(nil, all{}) {
			depths[s.Message] = s.Depth
		}
		if len(depths) != 2 || depths[late] != 3 || depths[tt.m] != tt.want {
			t.Errorf("depths by message are %v, want 3 for %d and %d for %d", depths, late, tt.want, tt.m)
		}
	}
}
