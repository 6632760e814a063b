package adapter

import (
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/internal/goroutine"
	"github.com/rehearse-go/rehearse/trace"
)

// This file looks for timers of the program's own (time.AfterFunc, a scheduler, contexts with deadlines). Nobody tells
// when one is set, and by whom it is stopped. But it lies in the bubble's heap of timers, also for a while after it was
// stopped. So with asynchronous timers that heap is looked at when a step is over, and before a handler captures what
// it sends.
//
//   - Where one runs, time may be let pass at each step. This is decided before the first execution.
//   - Under mailbox a handler may have set or stopped one between two sends. That it fires between them is not
//     explored, and the trace says so.
//
// A timer that is set and stopped between two looks is seen too, although another one is set after it (goroutine.Pins).
// Not so while time passes. A handler that goes on then may set the timer of a call by other means than its context,
// which looks first. Then the trace says so.

// pin has timers that are stopped in the next step be seen.
func (ts *timers) pin() {
	if ts.anyTime() && ts.tr.Omitted == "" && ts.sys.seesTimers && ts.act != actAdvance && ts.act != actPeek {
		ts.pins.Hold()
	}
}

// noteCall notes the timer of a call. It may hide one that was stopped before it was set.
func (ts *timers) noteCall(timer *time.Timer, by int32) {
	ts.sys.timed = true
	ts.ofCalls[timer] = true
	if ts.act == actAdvance && ts.anyTime() && !ts.looks {
		ts.omit(fmt.Sprintf("%s makes a future when time has passed, by other means than the handler's context: a timer "+
			"of the program's own that it has set and stopped before in the "+
			"same step is not seen, nor that it fires in between; use Context.RequestFuture, or -timers quiescent",
			ts.tr.ActorName(by)))
	}
}

// knows reports whether a timer is none of the program's own.
func (ts *timers) knows(t goroutine.Timer) bool {
	if ts.ofCalls[t.Timer] {
		return true
	}
	known, cached := ts.sys.known[t.Code]
	if !cached {
		known = ts.sys.framework.Knows(t.Func().Name())
		if ts.sys.known == nil {
			ts.sys.known = map[uintptr]bool{}
		}
		ts.sys.known[t.Code] = known
	}
	return known
}

// lookAtTimers looks for timers of the program's own that fire before the horizon, or have been stopped. A look ends
// what pins hold.
func (ts *timers) lookAtTimers() {
	if ts.cond.Timers == trace.Quiescent && ts.sys.isProbing() && ts.sys.seesTimers && !ts.sys.Timed() &&
		ts.phase != concluding { // a final check, or a clean-up, is nothing that is explored
		ts.noteSet()
	}
	if ts.cond.Timers != trace.Async || ts.phase != exploring || ts.sys.opaque && (!ts.anyTime() || ts.tr.Omitted != "") {
		return
	}
	if !ts.sys.seesTimers {
		ts.omit("timers of the program's own cannot be seen with this version of Go, or on this machine: if one is " +
			"stopped in time it is not known that it was set; use -timers quiescent")
		return
	}
	end := time.Now().Add(max(0, ts.cond.Horizon-ts.used)).UnixNano()
	goroutine.BubbleTimers(func(t goroutine.Timer) bool {
		if t.When <= end && !ts.knows(t) {
			ts.noteTimer(t)
		}
		return !ts.sys.opaque || ts.anyTime() && ts.tr.Omitted == ""
	})
	ts.pin()
}

// noteSet notes that the program sets a timer of its own: what that does may be seen by nobody, and the result says
// that it might fire earlier.
func (ts *timers) noteSet() {
	goroutine.BubbleTimers(func(t goroutine.Timer) bool {
		ts.sys.setsOwn = ts.sys.setsOwn || t.When > 0 && !ts.knows(t)
		return !ts.sys.setsOwn
	})
}

// noteTimer notes a timer of the program's own that runs, or was stopped.
func (ts *timers) noteTimer(t goroutine.Timer) {
	switch {
	case t.When == 0 || ts.sys.opaque:
	case ts.sys.isProbing():
		ts.sys.opaque = true
	default:
		ts.uncontrolled(setsLate)
	}
	if ts.anyTime() {
		ts.omit(fmt.Sprintf(omitsOwn, "is set by "+ofTimer(t)))
	}
}

// noteBeyond notes a timer of the program's own that runs when all before the horizon have fired.
func (ts *timers) noteBeyond() {
	goroutine.BubbleTimers(func(t goroutine.Timer) bool {
		if t.When > 0 && !ts.knows(t) {
			ts.beyond("a timer set by " + ofTimer(t))
		}
		return ts.tr.Beyond == ""
	})
}

// setsLate says that executions before did not know of a timer.
const setsLate = "sets a timer in some orders only that shows when it is there, which is not explored at any point"

// omitsOwn is what a result says of a timer of the program's own.
const omitsOwn = "a timer of the program's own (time.AfterFunc, the scheduler) %s, and nobody knows where it was " +
	"set and is stopped: orders are not explored in which " +
	"it fires while a handler is between a send and setting or stopping it; use SetReceiveTimeout, or -timers quiescent"

// noteOwnTimer notes that a timer of the program's own sends something.
func (ts *timers) noteOwnTimer(typ *trace.Type, to int32) {
	if ts.anyTime() {
		ts.omit(fmt.Sprintf(omitsOwn, fmt.Sprintf("sends %s to %s", trace.ShortType(typ.Name), ts.tr.ActorName(to))))
	}
}

// ofTimer names the function in which a timer's was written: "scheduler.(*TimerScheduler).SendOnce (timer.go:77)".
func ofTimer(t goroutine.Timer) string {
	f := t.Func()
	name := f.Name()[strings.LastIndexByte(f.Name(), '/')+1:]
	if i := strings.Index(name, ".func"); i > 0 {
		name = name[:i]
	}
	file, line := f.FileLine(t.Code)
	return fmt.Sprintf("%s (%s:%d)", name, path.Base(file), line)
}
