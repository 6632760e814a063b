package toysys

import "slices"

// take makes a move in a copy of the state. run reports whether a handler begins.
func (t *twin) take(from *world, m move) (w *world, run bool) {
	w = from.clone()
	w.step++
	w.begun = w.begun || m.kind != outside
	switch m.kind {
	case deliver:
		msg := w.pending[m.index]
		w.pending = slices.Delete(w.pending, m.index, m.index+1)
		return w, t.receive(w, msg)
	case outside:
		w.left--
		msg := m.item
		msg.num, msg.past = w.number(), w.actors[0].seen
		if t.model == boxModel || t.early() {
			t.arrive(w, msg)
			return w, false
		}
		return w, t.receive(w, msg)
	case release:
		t.release(w, m.actor)
	case fire:
		w.timers[m.index].state = fired
		t.arrive(w, w.timers[m.index].item)
	case advance:
		t.advance(w)
	}
	return w, false
}

func (w *world) number() int {
	w.sent++
	return w.sent
}

// arrive has a message reach its receiver.
func (t *twin) arrive(w *world, m item) {
	a := &w.actors[m.to]
	switch {
	case m.watch && (a.left || m.to == 0): // the driver has returned
		t.arrive(w, t.ended(w, m.to, m.from))
	case !a.stopped || m.watch && !a.left:
		w.pending = append(w.pending, m)
	}
}

// look has an actor see the system messages that wait for it.
func (t *twin) look(w *world, a int) {
	w.actors[a].looked = t.behindSystem(w, a)
}

// receive has the receiver of a message take it. It reports whether that begins a handler.
func (t *twin) receive(w *world, m item) bool {
	a := &w.actors[m.to]
	t.look(w, m.to)
	if t.model == causalModel {
		a.seen = join(join(a.seen, m.past), []int{m.num})
	}
	if t.model == serialModel && m.from != 0 && !m.first && (m.class == user || m.class == timeout) || t.behindOutside(m) {
		a.closed = true
	}
	if m.timer > 0 {
		w.timers[m.timer-1].state = over
	}
	switch m.class {
	case system:
		if m.watch {
			a.watchers = append(a.watchers, m.from)
		} else {
			a.stopping = true
		}
	case answer, expiry:
		t.endCall(w, m)
	case task:
		i := slices.IndexFunc(a.tasks, func(f *frame) bool { return f.wait == m.call })
		f := a.tasks[i].clone()
		a.tasks = slices.Delete(a.tasks, i, i+1)
		t.resume(w, f)
	default:
		f := &frame{actor: m.to, runner: m.to, inst: a.stack[len(a.stack)-1], msg: m, vars: make([]int, t.vars)}
		if h := t.sys.Kinds[a.inst[f.inst].kind].Handlers[m.typ]; len(h) > 0 {
			f.stack = []place{{h, 0}}
		}
		t.run(w, f)
	}
	t.settle(w, m.to, m.to)
	return m.class == user || m.class == timeout
}

// settle is the end of a step of an actor, in a step of runner.
func (t *twin) settle(w *world, i, runner int) {
	a := &w.actors[i]
	if !a.stopping || a.blocked != nil || a.stopped {
		return
	}
	a.stopped, a.tasks = true, nil
	a.stash = nil
	for j := range w.timers {
		if w.timers[j].owner == i {
			t.cancel(w, j)
		}
	}
	w.pending = slices.DeleteFunc(w.pending, func(m item) bool { return m.to == i && !m.watch }) // it takes none of them
	if len(w.actors[runner].held) == 0 {
		t.leaves(w, i)
		return
	}
	w.actors[runner].held = append(w.actors[runner].held, item{class: end, from: i, to: i, num: w.number()})
	if runner != i {
		a.owed++
	}
}

// release has the oldest message that an actor has captured take effect.
func (t *twin) release(w *world, i int) {
	a := &w.actors[i]
	m := a.held[0]
	a.held = a.held[1:]
	if m.from != i {
		w.actors[m.from].owed--
	}
	switch {
	case m.class == answer && w.calls[m.call-1].future:
		t.resolve(w, m)
	case m.class == answer:
		if c := &w.calls[m.call-1]; c.state == open {
			c.state = answered
			t.arrive(w, m)
		}
	case m.class == end:
		t.leaves(w, m.to)
	default:
		t.arrive(w, m)
	}
	for j := range w.timers {
		if x := &w.timers[j]; x.state == set && x.behind == m.num {
			t.fallsDue(w, j)
		}
	}
	t.look(w, i)
}

// advance moves the clock to the next deadline, and lets the timers of that fire.
func (t *twin) advance(w *world) {
	next := -1
	for _, x := range w.timers {
		if x.state == set && (next < 0 || x.deadline < next) {
			next = x.deadline
		}
	}
	w.now = max(w.now, next)
	for j := range w.timers {
		if x := &w.timers[j]; x.state == set && x.deadline == next {
			t.fallsDue(w, j)
		}
	}
	w.done = w.done || t.model == boxModel
	for i := range w.actors {
		if a := &w.actors[i]; a.blocked == nil {
			a.closed = true
		}
	}
}

// join is the union of two sets.
func join(a, b []int) []int {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}
