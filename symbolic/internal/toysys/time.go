package toysys

import "slices"

// setTimer sets a timer and gives its index plus one. Quiescent timers fire when nothing else can happen; asynchronous
// ones at any point, under mailbox once all is released that their owner has sent before.
func (t *twin) setTimer(w *world, m item, delay int) int {
	m.num, m.timer = w.number(), len(w.timers)+1
	x := timer{owner: m.from, deadline: w.now + delay, step: w.step, item: m}
	w.timers = append(w.timers, x)
	i := len(w.timers) - 1
	if !t.async {
		return i + 1
	}
	if held := w.actors[m.from].held; len(held) > 0 {
		w.timers[i].behind = held[len(held)-1].num
	} else {
		t.fallsDue(w, i)
	}
	return i + 1
}

// fallsDue lets a timer fire from now on. Without mailboxes its message is pending at once.
func (t *twin) fallsDue(w *world, i int) {
	x := &w.timers[i]
	if t.queues() {
		x.state = due
		return
	}
	x.state = fired
	m := x.item
	if a := &w.actors[x.owner]; t.model == causalModel {
		m.past = a.seen
		a.seen = join(a.seen, []int{m.num})
	}
	t.arrive(w, m)
}

// cancel ends a timer of which the message has not been taken. A message that is in a mailbox stays there.
func (t *twin) cancel(w *world, i int) {
	x := &w.timers[i]
	switch {
	case x.state == over:
		return
	case x.state == fired && t.queues():
		return
	case x.state == fired:
		w.pending = slices.DeleteFunc(w.pending, func(m item) bool { return m.timer == i+1 })
	}
	x.state = over
}

// isLate reports whether a handler that is about to cancel its timer waits before, until all is released that it has
// sent. The timer may fire between what it has done in its step and the cancel.
func (t *twin) isLate(w *world, f *frame) bool {
	i := w.actors[f.actor].inst[f.inst].timer
	if !t.async || t.model != boxModel || i == 0 || w.timers[i-1].state == over {
		return false
	}
	return len(w.actors[f.actor].held) > 0 || w.timers[i-1].step == w.step
}

// takeTurn has a handler wait for an answer to itself.
func (t *twin) takeTurn(w *world, f *frame) {
	w.calls = append(w.calls, call{caller: f.actor, replied: true})
	f.wait = len(w.calls)
	a := &w.actors[f.actor]
	a.held = append(a.held, item{class: answer, from: f.actor, to: f.actor, call: f.wait, num: w.number()})
	a.blocked = f
}
