package adapter

import (
	"bytes"
	"cmp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/chance"
	numbers "github.com/rehearse-go/rehearse/internal/draws"
	"github.com/rehearse-go/rehearse/internal/goroutine"
	"github.com/rehearse-go/rehearse/trace"
)

// This file makes what Go chooses in a step a choice of the exploration, where each draw has a number
// (internal/draws). The driver is asked for the draws that are known before the code of the step runs. Where the code
// then draws something new, the execution begins anew, and this time the driver is asked.
//
// A part of a step is open from before its code runs until nothing of the bubble moves any more. So it has the draws
// of the goroutines that a handler starts, and those of timers belong to the advance that fires them. The goroutines
// of the control loop are out of control, but for the time in which they run code of the program; so is whoever holds
// a lock of the adapter's.
//
//	invariants: I1 no part is open while the driver is asked
//	            I2 what a step does is recorded in the event of its last draw
//	            I3 a worker is out of control unless it is in perform
//	checked by: protoactor/numbered_test.go

// numbered is what an execution knows of draws with numbers.
type numbered struct {
	layerTwo bool // they have some,
	numbers  bool // and they count: not while probing
	checks   ofChecks
	anew     bool // something new was drawn: the execution is to begin anew
	steps    int  // since then

	began int32         // where draws are recorded afterwards: the event in which the open part began,
	had   trace.Extent  // what it had done by then,
	at    time.Duration // and when that was
}

// beginNumbers is called before each execution.
func (r *Runtime) beginNumbers() {
	r.numbered = numbered{layerTwo: numbers.Numbered(&r.cond)}
	r.numbers = r.layerTwo && !r.sys.probing
	if r.numbers {
		r.sys.explorer.Passes = r.sys.passes
		r.sys.explorer.Reset(&r.cond)
	}
}

// openDraws asks for what is known to be drawn by the code that is about to run, and has Go choose by the answers. It
// reports false where the driver wants no more.
func (r *Runtime) openDraws() bool {
	if !r.numbers || r.phase == over {
		return true
	}
	x := &r.sys.explorer
	if r.phase == ending {
		r.openChecks()
		return true
	}
	x.Open(&r.tr)
	if r.act == actAdvance && r.limit == nudge {
		x.Differ() // its event is mostly taken back, and then has the identity of the next advance
	}
	for r.asksDraws() {
		steps := x.Next(&r.tr, r.open)
		if steps == nil {
			break
		}
		c, ok := r.d.Choose(steps)
		if !ok {
			r.stopped = true
			return false
		}
		r.goOn(steps[c.Index])
		x.Take(steps[c.Index])
	}
	id := trace.ID{}
	if r.open >= 0 {
		id = r.tr.Events[r.opened].Step.ID
	}
	if x.Sampled() && r.open >= 0 {
		r.began, r.had, r.at = r.open, r.tr.Extent(r.open), r.used
	}
	x.Run(id)
	return true
}

// runsCode reports whether the action runs code of the program, or lets it run.
func (r *Runtime) runsCode() bool { return r.act != actSend && r.act != actNothing }

// goOn records what the code does from here on in an event of its own, since something was chosen.
func (r *Runtime) goOn(s trace.Step) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.open = r.tr.Begin(s)
	r.tr.Events[r.open].Time = r.used
}

// asksDraws reports whether the driver is asked for the draws of the present part. What hangs on a future that is
// resolved comes in the middle of an event, in which it is not asked.
func (r *Runtime) asksDraws() bool {
	if r.phase != exploring || r.anew || r.open < 0 || r.act == actResolve || r.cond.Draws == 0 && !r.cond.Sampled {
		return false
	}
	_, ok := r.d.(explore.Redoer)
	return ok
}

// closeDraws ends the part that is open, if one is, and looks at what was drawn in it.
func (r *Runtime) closeDraws() {
	x := &r.sys.explorer
	switch {
	case !r.numbers || !x.Running():
		return
	case r.anew || r.phase == over:
		x.Drop()
		return
	case r.phase == ending:
		r.closeChecks()
		return
	}
	asks := r.asksDraws() && !r.stopped && !(r.act == actAdvance && r.futile)
	r.anew = x.Close(&r.tr, asks)
	r.mu.Lock()
	defer r.mu.Unlock()
	if x.Sampled() && asks {
		r.recordDraws()
	}
	r.sys.drawn = r.sys.drawn || x.Leaves()
	r.tr.Uncontrolled = cmp.Or(r.tr.Uncontrolled, x.Contradiction())
}

// Numbers is explore.Numberer.
func (*System) Numbers() {}

// Drew is explore.Numberer.
func (s *System) Drew() bool { return s.explorer.Drew() }

// passes reports whether a draw is a point in code of the framework's or the standard library's, at which it makes no
// difference to the program whether another goroutine goes on: such code looks after itself. A message that is being
// sent is a point of the program's (Point). So is one of whose callers too few are known to tell.
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
func (r *Runtime) recordDraws() {
	r.sys.explorer.Recorded(&r.tr, func(value int) trace.Step {
		s := r.tr.DrawStep(r.open, value)
		r.open = r.tr.Begin(s)
		r.tr.Events[r.open].Time = r.at
		return s
	})
	if r.open == r.began {
		return
	}
	r.tr.Hand(r.began, r.open, r.had)
	before, after := &r.tr.Events[r.began], &r.tr.Events[r.open]
	before.Completed, after.Completed = after.Completed, before.Completed
	r.lates.hand(r.began, r.open)
}

// divideDraws ends the part that is open before the program chooses a value. It reports whether one was. Where the
// execution begins anew, the code that chooses ends here.
func (r *Runtime) divideDraws() (open bool) {
	if !r.numbers || !r.sys.explorer.Running() {
		return false
	}
	r.closeDraws()
	if r.anew && onPerform() {
		panic(refused{})
	}
	return true
}

// onPerform reports whether this is the goroutine of a handler, which may be unwound.
func onPerform() bool {
	stack := make([]byte, 1<<16)
	return bytes.Contains(stack[:runtime.Stack(stack, false)], []byte("adapter.(*Runtime).perform("))
}

// leaveOut leaves out the code of the open event, since the driver wants no more.
func (r *Runtime) leaveOut() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.act == actWake {
		r.woken = false // it is, in the end
	}
	r.tr.Events[r.open].Completed = true
	r.act = actNothing
}

// unjudged is how many more steps an execution takes at most that is to begin anew.
const unjudged = 10_000

// goOnUnjudged ends an execution that is to begin anew. Where somebody waits for an answer it first goes on, in the
// default order: whoever is told that there is none may panic, and on a goroutine of the program's own that ends the
// process.
func (r *Runtime) goOnUnjudged() {
	waits := func(c *Call) bool { return !c.done && !c.over() }
	if r.steps++; r.phase == exploring && (r.steps > unjudged || !slices.ContainsFunc(r.calls, waits)) {
		r.phase = ending
	}
}

// choose has the driver choose a step, or takes the default where the execution is to begin anew.
func (r *Runtime) choose(enabled []trace.Step) (explore.Choice, bool) {
	if r.anew {
		return explore.Choice{Index: trace.First(enabled)}, true
	}
	return r.d.Choose(enabled)
}

// redo reports whether the execution that is over is to begin anew, which the driver is told then.
func (r *Runtime) redo() bool {
	if d, ok := r.d.(explore.Redoer); ok && r.anew && r.err == nil {
		d.Redo(-1)
		return true
	}
	return false
}
