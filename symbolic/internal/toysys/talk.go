package toysys

import "slices"

// talk executes a statement by which an actor has to do with others, or with its timers.
func (t *twin) talk(w *world, f *frame, s *Stmt) {
	switch s.Op {
	case Tell:
		t.send(w, f.actor, f.runner, t.deref(w, f, s.To),
			item{class: user, typ: s.Type, n: t.eval(w, f, s.N), ref: t.carried(w, f, s)})
	case Forward:
		t.send(w, f.actor, f.runner, t.deref(w, f, s.To), item{class: user, typ: f.msg.typ, n: f.msg.n, ref: f.msg.ref})
	case Reply:
		t.reply(w, f, item{typ: s.Type, n: t.eval(w, f, s.N), ref: t.carried(w, f, s)})
	case StopActor:
		t.send(w, f.actor, f.runner, t.deref(w, f, s.To), item{class: system})
	case Watch:
		t.send(w, f.actor, f.runner, t.deref(w, f, s.To), item{class: system, watch: true})
	case After:
		m := item{class: timeout, typ: s.Type, n: t.eval(w, f, s.N), ref: t.carried(w, f, s), from: f.actor, to: f.actor}
		w.actors[f.actor].inst[f.inst].timer = t.setTimer(w, m, s.Delay)
	case Cancel:
		if i := w.actors[f.actor].inst[f.inst].timer; i > 0 {
			t.cancel(w, i-1)
		}
	}
}

// carried gives the reference that a message carries.
func (t *twin) carried(w *world, f *frame, s *Stmt) int {
	if !t.sys.Types[s.Type].Ref {
		return 0
	}
	return t.deref(w, f, s.R)
}

// send sends a message to a reference. It gives its number, 0 if there is no receiver.
func (t *twin) send(w *world, from, runner, ref int, m item) int {
	if ref == 0 {
		return 0
	}
	m.from, m.to, m.num, m.first = from, ref-1, w.number(), runner == 0 && from != 0
	t.notes(w, from, runner, &m)
	if t.model == boxModel {
		by := &w.actors[runner]
		by.held = append(by.held, m)
		if runner != from {
			w.actors[from].owed++
		}
	} else {
		t.arrive(w, m)
	}
	return m.num
}

// notes notes what a message follows. Who creates an actor knows what its start hook sends, and the hook what the
// creator knows.
func (t *twin) notes(w *world, from, runner int, m *item) {
	if t.model != causalModel {
		return
	}
	by := &w.actors[runner]
	m.past = by.seen
	by.seen = join(by.seen, []int{m.num})
	if from != runner {
		w.actors[from].seen = join(w.actors[from].seen, by.seen)
	}
}

// ask sends a request and waits for the answer.
func (t *twin) ask(w *world, f *frame, s *Stmt) bool {
	c := call{future: s.Op == Await, caller: f.actor, callee: t.deref(w, f, s.To)}
	w.calls = append(w.calls, c)
	f.wait, f.asked = len(w.calls), s
	t.send(w, f.actor, f.runner, t.deref(w, f, s.To),
		item{class: user, typ: s.Type, n: t.eval(w, f, s.N), ref: t.carried(w, f, s), call: f.wait})
	if s.Op == CallTimeout {
		w.calls[f.wait-1].timer = t.setTimer(w, item{class: expiry, from: f.actor, to: f.actor, call: f.wait}, s.Delay)
	}
	t.park(w, f)
	return true
}

// park has a handler wait.
func (t *twin) park(w *world, f *frame) {
	a := &w.actors[f.actor]
	if f.asked != nil && f.asked.Op == Await {
		a.tasks = append(a.tasks, f)
		return
	}
	a.blocked = f
}

// reply answers the request that is handled, or sends to the sender of another message.
func (t *twin) reply(w *world, f *frame, m item) {
	if f.msg.call == 0 || f.msg.class != user {
		m.class = user
		t.send(w, f.actor, f.runner, f.msg.from+1, m)
		return
	}
	t.answer(w, f, f.msg.call, m)
}

// answer answers a call.
func (t *twin) answer(w *world, f *frame, number int, m item) {
	c := &w.calls[number-1]
	if c.replied || t.model != boxModel && c.state != open {
		c.replied = true
		return
	}
	c.replied = true
	m.class, m.call, m.from, m.to = answer, number, f.actor, c.caller
	switch {
	case t.model == boxModel:
		m.num = w.number()
		w.actors[f.runner].held = append(w.actors[f.runner].held, m)
	case c.future:
		t.resolve(w, m)
	default:
		c.state = answered
		t.send(w, f.actor, f.runner, c.caller+1, m)
	}
}

// resolve makes a future ready: the handler that awaits it may go on.
func (t *twin) resolve(w *world, m item) {
	c := &w.calls[m.call-1]
	c.state, c.got = closed, m
	if !slices.ContainsFunc(w.actors[c.caller].tasks, func(f *frame) bool { return f.wait == m.call }) {
		return // its actor has stopped
	}
	next := item{class: task, from: m.from, to: c.caller, call: m.call, num: w.number()}
	if a := &w.actors[m.from]; t.model == causalModel {
		next.past = a.seen
		a.seen = join(a.seen, []int{next.num})
	}
	t.arrive(w, next)
}

// endCall goes on with the handler that waits for an answer, or for its turn.
func (t *twin) endCall(w *world, m item) {
	c := &w.calls[m.call-1]
	if c.got = m; m.class == expiry {
		w.pending = slices.DeleteFunc(w.pending, func(o item) bool { return o.class == answer && o.call == m.call })
	}
	if c.timer > 0 && m.class == answer {
		w.timers[c.timer-1].state = over
		w.pending = slices.DeleteFunc(w.pending, func(o item) bool { return o.class == expiry && o.call == m.call })
	}
	c.state = closed
	f := w.actors[m.to].blocked.clone()
	w.actors[m.to].blocked = nil
	t.resume(w, f)
}

// resume goes on with a handler that has waited.
func (t *twin) resume(w *world, f *frame) {
	got, s := w.calls[f.wait-1].got, f.asked
	f.wait, f.asked = 0, nil
	if s != nil {
		if got.class == answer && got.typ == s.Want {
			f.vars[s.Var] = got.n
			f.enter(s.Then)
		} else {
			f.enter(s.Else)
		}
	}
	t.run(w, f)
}
