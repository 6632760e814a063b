package tap

import (
	"slices"
)

// This file: channels that keep the order of their messages.

// inOrder reports whether what one actor has sent to another is received in the order in which it was sent.
//
// Differs: the print has a bag; the paper's tool has lists for pairs of actors (section 6), and this is what they come
// to. What was sent before and is not received is looked at in the end (delivered), and before where that is certain
// (inVain).
func (e *Engine) inOrder(d *configuration, m match) bool {
	if !e.config.FIFO || m.ev.kind != "send" {
		return true
	}
	for _, o := range d.matched {
		if o.ev == m.ev || o.req.answer || m.req.answer || o.ev.kind != "send" || o.ev.actor != m.ev.actor ||
			o.req.actor != m.req.actor {
			continue
		}
		if (o.ev.nth < m.ev.nth) != (o.req.nth < m.req.nth) {
			return false
		}
	}
	return true
}

// delivered adds, for what was received, that nothing that was sent before on the same way is left behind.
func (e *Engine) delivered(d *configuration) {
	if !e.config.FIFO {
		return
	}
	for _, m := range d.matched {
		for _, ev := range d.pending {
			if ev.to == nil || ev.kind != "send" || m.ev.kind != "send" || ev.actor != m.ev.actor || ev.nth < m.ev.nth {
				continue
			}
			first, second := e.now(d, ev, ev.to)("", wordSort), e.now(d, m.ev, m.ev.to)("", wordSort)
			same := e.equal(first, second)
			if same != nil {
				same = e.store.Not(same)
			}
			d.require("to whom a message goes", same)
		}
	}
}

// inVain reports whether what was sent cannot come right any more. That is so if something that was sent before a
// message that was received goes to an actor that has left alpha. It is also so if the last that an actor has done is
// of no use. Then nothing that it has sent was received, nor can be behind what was sent before and has been received.
//
// Differs: the print knows nothing of the kind. What is left out has no feasible continuation, or one that needs fewer
// messages.
func (e *Engine) inVain(d *configuration) bool {
	if !e.config.FIFO || e.config.Literal {
		return false
	}
	for _, ev := range d.pending {
		if ev.to != nil && slices.ContainsFunc(d.matched, func(m match) bool {
			return m.ev.actor == ev.actor && m.ev.nth < ev.nth && !present(d, m.req.actor) && e.sameWay(d, m.ev, ev)
		}) {
			return true
		}
	}
	return slices.ContainsFunc(d.actors,
		func(a *actor) bool { return a.id != 1 && len(a.runs) > 0 && e.spare(d, a.runs[0].msg) })
}

// spare reports whether all that a run has done is to send messages that can be received no more.
func (e *Engine) spare(d *configuration, run string) bool {
	if slices.ContainsFunc(d.matched, func(m match) bool { return m.ev.run == run }) ||
		slices.ContainsFunc(d.made, func(a *actor) bool { return a.from.run == run }) {
		return false
	}
	any := false
	for _, ev := range d.pending {
		if ev.run != run {
			continue
		}
		if ev.to == nil || !slices.ContainsFunc(d.matched,
			func(m match) bool { return m.ev.actor == ev.actor && m.ev.nth > ev.nth && e.sameWay(d, m.ev, ev) }) {
			return false
		}
		any = true
	}
	return any
}

func present(d *configuration, id int) bool {
	return slices.ContainsFunc(d.actors, func(a *actor) bool { return a.id == id })
}

// sameWay reports whether two messages of one actor certainly go to the same one, in the order in which they were sent.
func (e *Engine) sameWay(d *configuration, x, y *event) bool {
	if x.kind != "send" || y.kind != "send" {
		return false
	}
	to := e.now(d, x, x.to)("", wordSort)
	return to != nil && to == e.now(d, y, y.to)("", wordSort)
}
