package explore

import "github.com/rehearse-go/rehearse/trace"

// Rewinder is a Driver that goes on, within one Execute, with further executions that begin like the one before, for a
// System that can undo steps. The loop is one where its strategy is a PrefixReuser.
//
// After Finish such a System calls Rewind, undoes what it must, calls Resume, and goes on with Choose as if the choices
// that were kept had just been made. Begin is called once: the execution that continues has the same T and the same
// record.
type Rewinder interface {
	Driver
	// Rewinds reports whether Rewind may be true in this Execute: if not, nothing needs to be remembered.
	Rewinds() bool
	// Rewind closes the execution that is finished and begins the next, which has the first kept choices of the last one.
	// false: Execute is over. The System may also end Execute when it is true: the next execution then runs from the
	// start.
	Rewind() (kept int, ok bool)
	// Resume says that all is again as it was before choice n was asked for, n <= kept. It says that so many handlers, or
	// parts of them between two waits, were run again for it.
	Resume(n, again int)
	// Diverged says in the place of Resume that a handler that was run again did something else than the first time.
	// Execute is over.
	Diverged(in trace.Incident)
}

// tMark is what the functions of the program have told the T before a choice.
type tMark struct {
	ends      int32
	stepCalls int32 // calls of Options.Step
	found     int32 // violations, where the execution goes on after one
	failed    bool
}

func (t *T) mark(stepCalls, found int32) tMark {
	return tMark{int32(len(t.ends)), stepCalls, found, t.failed.Load()}
}

// back forgets what came after the mark.
func (t *T) back(m tMark) {
	clear(t.ends[m.ends:])
	t.ends = t.ends[:m.ends]
	t.take()
	t.failed.Store(m.failed)
	t.ended, t.registers = false, 0
}

// onlyOnce reports whether the execution has to begin with the test function to be another one. A Cleanup has run,
// which may have closed what the beginning opened, and a log has lines of the steps that would be undone.
func (t *T) onlyOnce() bool { return t.cleaned || t.log != nil }

// Rewinds is Rewinder.Rewinds.
func (r *run) Rewinds() bool {
	return r.reuser != nil && !r.o.Rerun && !r.o.LookAll && (r.o.Back != nil || r.o.Before == nil && r.o.Step == nil)
}

// Rewind is Rewinder.Rewind.
func (r *run) Rewind() (kept int, ok bool) {
	if !r.Rewinds() || r.t.onlyOnce() {
		return 0, false
	}
	r.close()
	if r.recheck || len(r.focuses) > 0 || r.o.EndsStop != nil && len(r.ends.kept) > 0 {
		// SUBTLE: what is executed next is something else, from the start. The strategy must not have begun its own by then:
		// nobody would execute that.
		return 0, false
	}
	if r.started = r.wants(); !r.started {
		r.done = true
		return 0, false
	}
	if turnOf(r.strategy) != r.turn {
		return 0, false // which has no part in the last execution
	}
	r.t.over.Store(false) // handlers may run again, and fail again
	return r.reuser.SharedPrefix(), true
}

// Resume is Rewinder.Resume.
func (r *run) Resume(n, again int) {
	found := r.last
	r.open()
	r.out.Replayed += again
	k := r.marks[n]
	r.t.back(k)
	r.found = append(r.found, found[:k.found]...)
	r.crowding.back(n)
	r.steps, r.stepCalls, r.marks, r.path = n, k.stepCalls, r.marks[:n], r.path[:min(n, len(r.path))]
	if r.o.Back != nil {
		r.o.Back(r.tr, int(k.stepCalls))
	}
	if r.observer != nil {
		r.observer.Open(r.x)
	}
	r.reuser.Resume(n)
}

// Diverged is Rewinder.Diverged. What was executed up to there is the finding's execution.
func (r *run) Diverged(in trace.Incident) {
	r.out.Diverged = true
	if r.o.Found != nil && !r.o.Found(r.foundIn(r.tr, divergenceOf(r.tr, &in))) {
		r.stopped, r.started = true, false
	}
}

// open begins an execution, which may be the continuation of another.
func (r *run) open() {
	r.started, r.closed, r.cut, r.left = false, false, false, false
	if r.found != nil {
		r.found = nil
	}
}

// close ends it: the strategy learns, and it is decided whether it is executed a second time.
func (r *run) close() {
	r.closed = true
	r.learn()
	r.decideRepeat()
}

// next reports whether there is another execution from the start.
func (r *run) next() bool {
	return r.started || !r.done && r.wants()
}

var _ Rewinder = (*run)(nil)
