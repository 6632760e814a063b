package causal

import (
	"testing"

	"github.com/rehearse-go/rehearse/trace"
)

// called is a record in which actor 1 makes a call, is answered, and then handles a user message. What else reaches
// it comes in between.
type called struct {
	trace.Trace
	asked, answered, next      int32 // events of its steps
	user, answer, tick, system int32 // messages that wait before the last two steps
}

// newCalled has the system message arrive before the actor's first step, or after it.
func newCalled(early bool) *called {
	c := &called{}
	c.AddDriver()
	start := c.Begin(trace.StartStep(0))
	c.AddActor(c.TypeNamed("A"), "", 0, start)
	send := func(class trace.MessageKind) int32 {
		m := c.AddMessage(c.TypeNamed("M"), class, 0, 1, start, nil)
		c.Messages[m].AtOnce = true
		return m
	}
	handle := func(m int32, completed bool) int32 {
		e := c.Begin(c.DeliveryOf(m))
		c.Events[e].Completed = completed
		return e
	}
	first, last, reply := send(trace.User), send(trace.User), send(trace.Answer)
	if early {
		c.system = send(trace.System)
	}
	c.user, c.answer, c.tick = send(trace.User), send(trace.Answer), send(trace.Timeout)
	c.Messages[c.tick].EndsCall = true
	c.asked = handle(first, false)
	if !early {
		start = c.Begin(trace.StartStep(1))
		c.system = send(trace.System)
	}
	c.answered, c.next = handle(reply, true), handle(last, true)
	return c
}

func (c *called) order(model trace.Model) *Order {
	o := New(model, trace.Async)
	o.Extend(&c.Trace, len(c.Events))
	return o
}

// TestAccepts: what the system says of a receiver counts; where it says nothing, one that waits for the answer to a
// call takes nothing else but its timeout.
func TestAccepts(t *testing.T) {
	c := newCalled(false)
	o := c.order(trace.Bag)
	says := func(ok, known bool) Acceptance { return func(_, _ int32) (bool, bool) { return ok, known } }
	for _, tt := range []struct {
		name    string
		next, m int32
		accepts Acceptance
		want    bool
	}{
		{"between handlers", c.next, c.user, nil, true},
		{"between handlers, refused", c.next, c.user, says(false, true), false},
		{"between handlers, nobody knows", c.next, c.user, says(false, false), true},
		{"in a call", c.answered, c.user, nil, false},
		{"in a call, accepted", c.answered, c.user, says(true, true), true},
		{"in a call, nobody knows", c.answered, c.user, says(true, false), false},
		{"in a call, an answer", c.answered, c.answer, nil, true},
		{"in a call, its timeout", c.answered, c.tick, nil, true},
		{"in a call, its timeout, refused", c.answered, c.tick, says(false, true), false},
	} {
		if got := o.Accepts(tt.next, tt.m, tt.accepts); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

// TestWouldTake: a system message that waits comes first in every model, but not before what is exempt, and under
// Mailbox only if its receiver has looked since it arrived.
func TestWouldTake(t *testing.T) {
	for _, model := range []trace.Model{trace.Bag, trace.FIFO, trace.Causal, trace.Mailbox, trace.MailboxSerial} {
		for _, early := range []bool{true, false} {
			c := newCalled(early)
			o := c.order(model)
			taken := func(m int32) Acceptance { return func(_, other int32) (bool, bool) { return other == m, true } }
			passes := model == trace.Mailbox && !early
			for _, tt := range []struct {
				name    string
				next, m int32
				want    bool
			}{
				{"a user message in the call", c.answered, c.user, passes},
				{"a user message after the look behind it", c.next, c.user, false},
				{"an answer", c.next, c.answer, true},
				{"the timeout of a call", c.next, c.tick, true},
				{"the system message", c.next, c.system, true},
			} {
				if got := o.WouldTake(tt.next, tt.next, tt.m, taken(tt.m)); got != tt.want {
					t.Errorf("%v, arrived early %v: %s: %v, want %v", model, early, tt.name, got, tt.want)
				}
			}
			if all := func(_, _ int32) (bool, bool) { return true, true }; o.WouldTake(c.answered, c.answered, c.user, all) {
				t.Errorf("%v, arrived early %v: a user message is taken before an older one that is accepted", model, early)
			}
		}
	}
}
