package toysys

import "slices"

// This file has panics of handlers, start hooks, and messages that are put aside.

// panics reports whether a statement does.
func (t *twin) panics(w *world, f *frame, s *Stmt) bool {
	switch n := t.eval(w, f, s.N); s.Op {
	case Index:
		return n < 0 || n > 2
	case Divide:
		return n == 0
	}
	return !w.actors[f.actor].inst[f.inst].made
}

// breaks is a panic: the actor stops when its handler is over, which it is, and the calls to it fail.
func (t *twin) breaks(w *world, f *frame) {
	f.stack = nil
	w.actors[f.actor].stopping = true
	for i := range w.calls {
		if c := &w.calls[i]; c.callee == f.actor+1 && !c.replied && c.state == open {
			t.answer(w, f, i+1, item{typ: -1})
		}
	}
}

// hook runs the start hook of an actor that a handler has created, in the handler's step.
func (t *twin) hook(w *world, by *frame, child int) {
	h := t.sys.Kinds[w.actors[child].inst[0].kind].Hook
	if len(h) == 0 {
		return
	}
	t.run(w, &frame{actor: child, runner: by.runner, msg: item{from: -1}, vars: make([]int, t.vars),
		stack: []place{{h, 0}}})
	t.settle(w, child, by.runner)
}

// unstash puts messages before all others of the actor, in the order in which it took them.
func (t *twin) unstash(w *world, a *actor) {
	for i := range a.stash {
		a.stash[i].class, a.stash[i].timer = user, 0
	}
	w.pending = slices.Concat(a.stash, w.pending)
	a.stash = nil
}
