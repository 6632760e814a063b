package delivery

import (
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/trace"
)

// TestUnknownActors: an actor that nothing has come to is like one before which nothing is.
func TestUnknownActors(t *testing.T) {
	for _, model := range []trace.Model{trace.Bag, trace.FIFO, trace.Causal, trace.Mailbox, trace.MailboxSerial} {
		w := newWritten()
		m := w.send(trace.User)
		var p Pool
		p.Reset(model, &w.Trace)
		p.Stop(0) // that one is known, and it is the last
		p.Touch(1)
		p.Look(1)
		if p.Holds(1) || p.Overdue(1) || p.Waits(m) || p.Follows(m, m) || p.Knows(1, m) || p.Last(1) != -1 {
			t.Errorf("%v: something is known of an actor that nothing has come to", model)
		}
		if m, ordered, dead := p.Release(1, trace.ID{}); m != -1 || !ordered || dead {
			t.Errorf("%v: nothing is released as %d, ordered %v, dead %v", model, m, ordered, dead)
		}
	}
}

// TestReset: an actor is as new, whatever there was: it is listed, it had stopped, it was at rest, it waits for a
// release, and changes were remembered.
func TestReset(t *testing.T) {
	for _, before := range []func(p *Pool){
		func(p *Pool) { p.Post(0); p.Deliver(0) },
		func(p *Pool) { p.Stop(1) },
		func(p *Pool) { p.Rest() },
		func(p *Pool) { p.SendIn(0, 2) },
		func(p *Pool) { p.Remember(); p.Post(0) },
	} {
		w := newWritten()
		user, system := w.send(trace.User), w.send(trace.System)
		w.AddMessage(w.TypeNamed("M"), trace.User, 1, 0, 0, nil) // which actor 1 sends in its start hook
		var p Pool
		p.Reset(trace.Mailbox, &w.Trace)
		before(&p)
		p.Reset(trace.Mailbox, &w.Trace)
		if n := p.Mark(); n != 0 {
			t.Errorf("%d changes are remembered", n)
		}
		p.Post(user)
		p.Post(system)
		var got []int32
		for _, s := range p.Enabled(nil, all{}) {
			got = append(got, s.Message)
		}
		if slices.Sort(got); !slices.Equal(got, []int32{user, system}) {
			t.Errorf("enabled are %v, want %d and %d", got, user, system)
		}
		if n := p.Mark(); n != 0 {
			t.Errorf("%d changes are remembered, and nobody wants them", n)
		}
	}
}

// asked is a host whose actors are steady and accept everything. It counts what it is asked.
type asked struct{ times int }

func (a *asked) Steady(int32) bool { return true }

func (a *asked) Accepts(int32, int32) bool { a.times++; return true }

// TestSteadyActorsAreNotAsked: what a steady actor may take is worked out once, and without a question where its
// messages have no order or one alone.
func TestSteadyActorsAreNotAsked(t *testing.T) {
	for _, tt := range []struct {
		model    trace.Model
		messages int
		asks     bool
	}{
		{trace.Bag, 3, false}, {trace.FIFO, 1, false}, {trace.FIFO, 2, true},
		{trace.Causal, 1, false}, {trace.Causal, 2, true},
		{trace.Mailbox, 3, false}, {trace.MailboxSerial, 3, false},
	} {
		w := newWritten()
		var p Pool
		var host asked
		p.Trust(&host)
		p.Reset(tt.model, &w.Trace)
		for range tt.messages {
			p.Post(w.send(trace.User))
		}
		first := p.Enabled(nil, &host)
		if host.times > 0 != tt.asks {
			t.Errorf("%v, %d messages: asked %d times", tt.model, tt.messages, host.times)
		}
		before := host.times
		if again := p.Enabled(nil, &host); host.times != before || !slices.Equal(again, first) {
			t.Errorf("%v, %d messages: asked %d times more, %d steps in the place of %d", tt.model, tt.messages,
				host.times-before, len(again), len(first))
		}
		if p.Touch(1); len(p.Enabled(nil, &host)) != len(first) || host.times > before != tt.asks {
			t.Errorf("%v, %d messages: asked %d times when it was touched", tt.model, tt.messages, host.times-before)
		}
	}
}

// shut is a host of closed actors, which take replies alone.
type shut struct{ asked }

func (*shut) Closed(int32) bool { return true }

// TestClosedActorsAreNotAsked: however many messages wait, none is looked at before the actor takes some again.
func TestClosedActorsAreNotAsked(t *testing.T) {
	for _, model := range []trace.Model{trace.Bag, trace.FIFO, trace.Causal, trace.Mailbox, trace.MailboxSerial} {
		w := newWritten()
		var p Pool
		var host shut
		p.Skip(&host)
		p.Reset(model, &w.Trace)
		for range 100 {
			p.Post(w.send(trace.User))
		}
		answer := w.send(trace.Answer)
		p.Post(answer)
		if got := p.Enabled(nil, &host); len(got) != 1 || got[0].Message != answer || host.times > 2 {
			t.Errorf("%v: asked %d times, enabled %v", model, host.times, got)
		}
	}
}
