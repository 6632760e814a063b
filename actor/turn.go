package actor

import (
	"fmt"

	"github.com/rehearse-go/rehearse/trace"
)

// This file has a handler cancel its timers in the order of the program. Under mailbox a handler runs at its delivery,
// and what it has sent is released step by step afterwards. With asynchronous timers one may fire between what the
// handler has sent, or between the setting of it, and a later Cancel. So the handler waits there until all that it has
// captured is released: for an answer that it captures behind that, to a call of its own. Its next step is the cancel.
//
// Differs: a start hook must not wait. A timer that it cancels late is cancelled at once, and the trace says so.

// takesTurn waits where the timer may fire in a process between what the handler has done before in its step and its
// cancel.
func (cs *calls) takesTurn(c *Context, timer TimerID) {
	m := cs.m
	late := !m.redo.on && m.timers.isLate(&m.timers.all[timer])
	if m.redo.noteEffect(c, noteTurn, bit(late)) == 0 {
		return
	}
	if c.starting {
		cs.noteLateCancel(c, &m.timers.all[timer])
		return
	}
	h := c.blocks("Cancel")
	var i int32
	if m.redo.on {
		i = m.redo.turnAgain()
	} else {
		i = cs.newTurn(h)
	}
	m.redo.noteEffect(c, noteCall, 0)
	h.wait, h.call = waitCall, i
	m.handlers.park(h)
}

// isLate reports whether a timer may fire, or have fired, after something that the running handler has done in its
// step: it has captured something, or has set the timer.
//
// SUBTLE: whether the timer has fired by now does not count. The cancel in its turn finds that out, and this step does
// not depend on the firing.
func (ts *timers) isLate(t *timer) bool {
	m := ts.m
	if m.c.Timers != trace.Async || !m.captures() || t.state == timerGone || t.state == timerBeyond {
		return false
	}
	return m.pool.Holds(m.runner.index) || m.tr.StepOf(m.tr.Messages[t.message].SentBy) == m.tr.StepOf(m.event)
}

// newTurn makes the call and captures its answer.
func (cs *calls) newTurn(h *handler) int32 {
	m := cs.m
	c, i, ty := h.ctx, int32(len(cs.all)), m.tr.TypeNamed("cancel")
	cs.all = append(cs.all, call{index: i, asker: c.index, callee: c.index, caller: h, timer: -1, replied: true,
		request: ty})
	k := &cs.all[i]
	k.answer = cs.recordAnswer(trace.Answer, ty, c, k, nil)
	k.object = m.tr.Messages[k.answer].ID
	m.pool.SendIn(m.runner.index, k.answer)
	return i
}

// turnAgain gives the call that the handler has waited for then.
func (r *redo) turnAgain() int32 {
	m := r.m
	for j, i := range m.tr.Events[r.event].Sent {
		if o := &m.tr.Messages[i]; !r.sent[j] && o.Kind == trace.Answer && o.Sender == r.c.index && o.Receiver == o.Sender {
			r.sent[j] = true
			return m.outbox.extra[i].call - 1
		}
	}
	r.diverges("it waited before it cancelled a timer")
	return -1
}

// noteLateCancel notes that a start hook cancels a timer late.
func (cs *calls) noteLateCancel(c *Context, t *timer) {
	m := cs.m
	if m.redo.on || m.tr.Omitted != "" {
		return
	}
	m.tr.Omitted = fmt.Sprintf("%s cancels its timer for %s at %s in its start hook, after what was sent before in "+
		"the step (%s): that the timer fires between the two is not explored; cancel first, or in a "+
		"handler", m.tr.ActorName(c.index),
		trace.ShortType(m.tr.Messages[t.message].Type.Name), callSite(),
		m.tr.StepName(m.tr.Events[m.tr.StepOf(m.event)].Step))
}
