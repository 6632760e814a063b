package adapter

import (
	"cmp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/goroutine"
	"github.com/rehearse-go/rehearse/trace"
)

// This file makes what Go chooses in a step a choice of the exploration, where each draw has a number
// (internal/chance). The driver is asked for the draws that are known before the code of the step runs. Where the code
// then draws something new, the execution begins anew, and this time the driver is asked.
//
// A part of a step is open from before its code runs until nothing of the bubble moves any more. So it has the draws of
// the goroutines that a handler starts, and those of timers belong to the advance that fires them. The goroutines of
// the control loop are out of control, but for the time in which they run code of the program. So is whoever holds a
// lock of the adapter's.
//
//	invariants: I1 no part is open while the driver is asked
//	            I2 what a step does is recorded in the event of its last draw
//	            I3 a worker is out of control unless it is in perform
//	checked by: protoactor/numbered_test.go

// drawing has Go choose alike in an execution, and draws with numbers be choices of it.
type drawing struct {
	*execution
	cast         *cast
	recorder     *recorder
	accesses     *accesses
	declarations *declarations
	clock        *clock

	checks ofChecks
	anew   bool // something new was drawn: the execution is to begin anew
	steps  int  // since then

	began int32         // where draws are recorded afterwards: the event in which the open part began,
	had   trace.Extent  // what it had done by then,
	at    time.Duration // and when that was
}

// reset makes ready for another execution.
func (w *drawing) reset() {
	w.checks, w.anew, w.steps, w.began, w.had, w.at = ofChecks{}, false, 0, 0, trace.Extent{}, 0
	if w.draws == layerTwo {
		w.sys.explorer.Passes = w.sys.passes
		w.sys.explorer.Reset(&w.cond, 0)
	}
}

// openDraws asks for what is known to be drawn by the code that is about to run, and has Go choose by the answers. It
// reports false where the driver wants no more.
func (w *drawing) openDraws() bool {
	if w.draws != layerTwo || w.isOver() {
		return true
	}
	x := &w.sys.explorer
	if w.phase == concluding {
		w.openChecks()
		return true
	}
	x.Open(&w.tr)
	if w.act == actAdvance && w.clock.limit == nudge {
		x.Differ() // its event is mostly taken back, and then has the identity of the next advance
	}
	for w.asksDraws() {
		steps := x.Next(&w.tr, w.open)
		if steps == nil {
			break
		}
		c, ok := w.d.Choose(steps)
		if !ok {
			w.stopped = true
			return false
		}
		w.recorder.goOn(steps[c.Index])
		x.Take(steps[c.Index])
	}
	id := trace.ID{}
	if w.open >= 0 {
		id = w.tr.Events[w.opened].Step.ID
	}
	if x.Sampled() && w.open >= 0 {
		w.began, w.had, w.at = w.open, w.tr.Extent(w.open), w.used
	}
	x.Run(id)
	return true
}

// asksDraws reports whether the driver is asked for the draws of the present part. What hangs on a future that is
// resolved comes in the middle of an event, in which it is not asked.
func (w *drawing) asksDraws() bool {
	if w.phase != exploring || w.anew || w.open < 0 || w.act == actResolve || w.cond.Draws == 0 && !w.cond.Sampled {
		return false
	}
	_, ok := w.d.(explore.Redoer)
	return ok
}

// closeDraws ends the part that is open, if one is, and looks at what was drawn in it.
func (w *drawing) closeDraws() {
	x := &w.sys.explorer
	switch {
	case w.draws != layerTwo || !x.Running() || w.left.Load():
		return
	case w.anew || w.isOver():
		x.Drop()
		return
	case w.phase == concluding:
		w.closeChecks()
		return
	}
	asks := w.asksDraws() && !w.stopped && !(w.act == actAdvance && w.clock.futile)
	w.anew = x.Close(&w.tr, asks)
	w.mu.Lock()
	defer w.mu.Unlock()
	if x.Sampled() && asks {
		w.recordDraws()
	}
	w.sys.drawn = w.sys.drawn || x.Leaves()
	w.tr.Uncontrolled = cmp.Or(w.tr.Uncontrolled, x.Contradiction())
}

// Numbers is explore.Numberer.
func (*System) Numbers() {}

// Drew is explore.Numberer.
func (s *System) Drew() bool { return s.explorer.Drew() }

// passes reports whether a draw is a point in code of the framework's or the standard library's. Another goroutine may
// go on there, and the program does not see it: such code looks after itself. A message that is being sent is a point
// of the program's (Point). So is one of whose callers too few are known to tell.
func (s *System) passes(d *chance.Draw) (passes bool) {
	if d.Kind != chance.Point {
		return false
	}
	passes = d.Site[len(d.Site)-1] == 0 // else what follows may have been left out
	d.Frames(func(f runtime.Frame) bool {
		passes = true
		switch {
		case s.serves(f.Function):
			return true // its caller decides
		case strings.HasSuffix(f.Function, pointOf):
			passes = false
		case !goroutine.IsRehearse(f.Function) && s.framework.Owner(f.Function) == "":
			passes = false
		}
		return false
	})
	return passes
}

// serves reports whether a function is of a package that works for its caller.
func (s *System) serves(function string) bool {
	f, ok := s.framework.(interface{ Serves(string) bool })
	return strings.HasPrefix(function, "context.") || ok && f.Serves(function)
}

// recordDraws records what was drawn in the part that is over, as if it had been asked for before the code ran. It is
// called with the lock.
func (w *drawing) recordDraws() {
	w.sys.explorer.Recorded(&w.tr, func(value int) trace.Step {
		s := w.tr.DrawStep(w.open, value)
		w.open = w.tr.Begin(s)
		w.tr.Events[w.open].Time = w.at
		return s
	})
	if w.open == w.began {
		return
	}
	w.tr.Hand(w.began, w.open, w.had)
	before, after := &w.tr.Events[w.began], &w.tr.Events[w.open]
	before.Completed, after.Completed = after.Completed, before.Completed
	w.accesses.lates.hand(w.began, w.open)
}

// divideDraws ends the part that is open before the program chooses a value. It reports whether one was. Where the
// execution begins anew, the code that chooses ends here.
func (w *drawing) divideDraws() (open bool) {
	if w.draws != layerTwo || !w.sys.explorer.Running() {
		return false
	}
	w.closeDraws()
	if w.anew && onPerform() {
		panic(refused{})
	}
	return true
}

// unjudged is how many more steps an execution takes at most that is to begin anew.
const unjudged = 10_000

// goOnUnjudged ends an execution that is to begin anew. Where somebody waits for an answer it first goes on, in the
// default order. Whoever is told that there is none may panic, and on a goroutine of the program's own that ends the
// process.
func (w *drawing) goOnUnjudged() {
	waits := func(c *Call) bool { return !c.done && !c.over() }
	if w.steps++; w.phase == exploring && (w.steps > unjudged || !slices.ContainsFunc(w.cast.calls, waits)) {
		w.phase = concluding
	}
}

// choose has the driver choose a step, or takes the default where the execution is to begin anew.
func (w *drawing) choose(enabled []trace.Step) (trace.Step, explore.Choice, bool) {
	if w.anew {
		return enabled[trace.First(enabled)], explore.Choice{}, true
	}
	c, ok := w.d.Choose(enabled)
	if !ok {
		return trace.Step{}, c, false
	}
	return enabled[c.Index], c, true
}

// chooseOf is choose where steps are not listed.
func (w *drawing) chooseOf(o *offer) (trace.Step, explore.Choice, bool) {
	if w.anew {
		return o.First(), explore.Choice{}, true
	}
	return w.d.(explore.OfferTaker).ChooseOf(o)
}

// redo reports whether the execution that is over is to begin anew, which the driver is told then.
func (w *drawing) redo() bool {
	if d, ok := w.d.(explore.Redoer); ok && w.anew && w.err == nil {
		d.Redo(-1)
		return true
	}
	return false
}

// Choose lets the exploration pick a value in [0, n); in set-up it is 0. explore.Host.
func (w *drawing) Choose(n int) int {
	if w.phase != exploring || n == 1 || w.stopped || w.declarations.choosesDeclared() {
		return 0
	}
	open := w.divideDraws()
	if w.stopped || w.anew {
		return 0
	}
	steps := make([]trace.Step, n)
	for v := range n {
		steps[v] = w.tr.ChoiceStep(w.opened, w.recorder.choices, v)
	}
	w.recorder.choices++
	var c explore.Choice
	var ok bool
	chance.Aside(func() { c, ok = w.d.Choose(steps) })
	if !ok {
		w.stopped = true
		return 0
	}
	// SUBTLE: what the handler does from here on is an effect of the choice. The strategy has looked at the event before
	// already.
	w.recorder.goOn(steps[c.Index])
	if open {
		w.openDraws()
	}
	return int(steps[c.Index].Value)
}
