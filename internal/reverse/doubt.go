package reverse

import (
	"slices"

	"github.com/rehearse-go/rehearse/trace"
)

// This file finds what reverse search cannot answer for. A step that is moved is taken in another state, where it may
// stop another actor, or access what others access. Nobody knows on which steps it depends there before it was
// executed. There may be a child for each set of them that comes before it: the sets Z of docs/decisions/0008. The
// search goes on, but does not call itself complete.
//
//	source:     ours: docs/decisions/0008, "Where it does not answer"
//	invariants: a doubt stays: classes may be missing that only the doubtful class leads to
//	cost:       a look at what is new of each class, until there is a doubt
//	checked by: reverse_test.go: where nothing is doubted the search is exact, and few programs are doubted

const (
	doubtForeign = "steps of different actors depend on each other otherwise than by the messages that they send: one " +
		"stops another actor or sends it a system message, or both use the same object; reverse search may miss classes " +
		"there: use optimal"
	doubtItself = "an actor sends itself a system message, such as one to watch itself, and goes on; that message comes " +
		"before what it would have handled next; reverse search may miss classes there: use optimal"
	doubtPass = "a user message may pass a system message that arrived after its receiver had looked for one, so that " +
		"both may come next; reverse search may execute classes twice there, or miss some: use optimal"
	doubtRefused = "an actor refused a message that it seemed to accept at an earlier time: what a Receive in the " +
		"middle of a handler takes, or a behaviour that saves its own state, cannot be told in advance; reverse search may " +
		"miss classes there: use optimal"
	doubtClock = "the clock may advance at any point, which depends on all steps: reverse search lets it advance only " +
		"where its own order of steps passes, and may miss classes: use optimal"
	doubtTask = "a suspended task may resume, or a reply come for which nobody waits, between the messages of a " +
		"mailbox, in an order that is no order of arrival; reverse search may execute classes twice there: use optimal"
	doubtFault = "under a mailbox model faults may befall a step that also puts messages into mailboxes or cancels a " +
		"timer; what comes before it is another matter with the fault, and reverse search may miss classes or execute some " +
		"twice: use optimal"
	doubtLoss = "a message that is lost or comes twice changes what fifo and causal delivery hold back, which reverse " +
		"search does not foresee: it may miss classes: use optimal"
	doubtAside = "what an actor puts aside and back holds other messages back under fifo and causal delivery, but only " +
		"from then on, which reverse search does not foresee: it may miss classes: use optimal"
	doubtStrays = "a handler whose effects are declared panicked, and so did more than is declared; reverse search may " +
		"miss classes there: use optimal"
	doubtChoice = "a step that chooses a value also sends messages under mailbox-serial, or cancels a timer under a " +
		"mailbox model; what depends on it is another matter under each choice, and reverse search may miss classes there: " +
		"use optimal"
)

// noteDoubts looks for what the search cannot answer for in the class at hand.
func (c *class) noteDoubts() {
	if c.doubt != "" {
		return
	}
	if c.losses && (c.model == trace.FIFO || c.model == trace.Causal) {
		c.doubt = doubtLoss
		return
	}
	if c.model == trace.FIFO || c.model == trace.Causal {
		for m := range c.tr.Messages {
			if c.tr.Messages[m].Renews >= 0 {
				c.doubt = doubtAside
				return
			}
		}
	}
	if c.goesOnAfterItself() {
		c.doubt = doubtItself
		return
	}
	if c.model == trace.Mailbox && c.passes() {
		c.doubt = doubtPass
		return
	}
	for e := c.firstNew(); e < int32(c.order.Len()); e++ {
		if c.declared.on && c.order.Strays(e) {
			c.doubt = doubtStrays
		}
		c.order.EachForeign(e, func(u int32) {
			if c.reversible(u, e) {
				c.doubt = doubtForeign
			}
		})
	}
	if c.queues() {
		c.doubtChoices()
		return
	}
	for _, m := range c.pending {
		at, receiver := c.order.Arrival(m), c.tr.Messages[m].Receiver
		c.order.EachBeforeOnChain(m, func(u, _ int32) bool {
			if c.order.Step(u).Actor != receiver && u != at && (at < 0 || !c.order.Before(u, at)) {
				c.doubt = doubtForeign
			}
			return true
		})
	}
}

// goesOnAfterItself reports whether an actor handled a system message from itself and went on. If the message stops the
// actor, nothing follows that could come before it.
func (c *class) goesOnAfterItself() bool {
	for e := c.tr.Explored; e < len(c.tr.Events); e++ {
		ev := &c.tr.Events[e]
		if ev.Step.Message < 0 || ev.Step.Kind != trace.Deliver {
			continue
		}
		if msg := &c.tr.Messages[ev.Step.Message]; msg.Kind == trace.System && msg.Sender == msg.Receiver &&
			!c.stopsIn(ev, msg.Receiver) {
			return true
		}
	}
	return false
}

// passes reports whether a user message passed a system message, or could have.
func (c *class) passes() bool {
	for e := c.firstNew(); e < int32(c.order.Len()); e++ {
		if c.order.Passing(e, c.accepts) {
			return true
		}
	}
	return slices.ContainsFunc(c.pending, func(m int32) bool { return c.order.CouldPass(m, c.accepts) })
}

// stopsIn reports whether an actor stops in an event, be it that others find that later.
func (c *class) stopsIn(ev *trace.Event, actor int32) bool {
	return slices.Contains(ev.Stopped, actor) ||
		slices.ContainsFunc(ev.Sent, func(m int32) bool {
			return c.tr.Messages[m].Kind == trace.End &&
				c.tr.Messages[m].Receiver == actor
		})
}

// firstNew is the first event that was not there in the class before, all of which was looked at.
func (c *class) firstNew() int32 {
	if c.kept == 0 {
		return 0
	}
	return c.taken[c.kept-1].event
}

// reversible reports whether event e might come right before event u, which it depends on. Its message must have
// arrived, and its actor's step before must be over, both without u. System messages that u sent are passed over, since
// they would not be there yet. (If e is taken before that step as well, that is another class, where all is looked at
// again.)
func (c *class) reversible(u, e int32) bool {
	head := c.order.Head(e)
	needs := func(n int32) bool { return n >= 0 && (n == u || c.order.Before(u, n)) }
	if needs(c.order.Parent(head)) || c.order.Head(u) == head {
		return false
	}
	if c.declared.on {
		return !c.ownAfter(u, head)
	}
	own := c.order.Own(head)
	for own >= 0 && c.order.SystemStep(own) && needs(own) {
		own = c.order.Own(own) // what u sent, and would not be there yet
	}
	return !needs(own)
}

// doubtChoices looks for steps that append to mailboxes or cancel timers and have choices, which might do so under some
// of these alone.
func (c *class) doubtChoices() {
	for i := range c.blocks {
		b := &c.blocks[i]
		if c.order.Step(b.event).Kind == trace.Resume || c.order.FreeReply(b.event) {
			c.doubt = doubtTask
			return
		}
		if b.hi == b.lo+1 {
			continue
		}
		for e := b.event; e < b.end; e++ {
			ev := c.order.Event(e)
			if c.faulty && (len(ev.Cancelled) > 0 || len(ev.Sent) > 0 || ev.Released >= 0) {
				c.doubt = doubtFault
			}
			if len(ev.Cancelled) > 0 || c.model == trace.MailboxSerial && len(ev.Sent) > 0 {
				c.doubt = doubtChoice
			}
		}
	}
}
