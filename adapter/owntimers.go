package adapter

import (
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/internal/goroutine"
	"github.com/rehearse-go/rehearse/trace"
)

// This file looks for timers of the program's own (time.AfterFunc, a scheduler, contexts with deadlines). Nobody tells when one is set, and by whom it is stopped. But
// it lies in the bubble's heap of timers, also for a while after it was stopped. So with asynchronous timers that heap is looked at when a step is over, and before a
// handler captures what it sends.
//
//   - Where one runs, time may be let pass at each step. This is decided before the first execution.
//   - Under mailbox a handler may have set or stopped one between two sends. That it fires between them is not explored, and the trace says so.
//
// A timer that is set and stopped between two looks is seen too, although another one is set after it (goroutine.Pins). Not so while time passes: where a handler goes on
// then and sets the timer of a call by other means than its context, which looks first, the trace says so.

// ownTimers is what is known of them in an execution.
type ownTimers struct {
	ofCalls map[*time.Timer]bool
	pins    goroutine.Pins
	looks   bool // a look has just been taken, before the timer of a call is set
}

// pin has timers that are stopped in the next step be seen.
func (r *Runtime) pin() {
	if r.anyTime() && r.tr.Omitted == "" && r.sys.seesTimers && r.act != actAdvance && r.act != actPeek {
		r.pins.Hold()
	}
}

// noteCall notes the timer of a call. It may hide one that was stopped before it was set.
func (r *Runtime) noteCall(timer *time.Timer, by int32) {
	r.sys.timed = true
	r.ofCalls[timer] = true
	if r.act == actAdvance && r.anyTime() && !r.looks {
		r.omit(fmt.Sprintf("%s makes a future when time has passed, by other means than the handler's context: a timer of the program's own that it has set and stopped before in the "+
			"same step is not seen, nor that it fires in between; use Context.RequestFuture, or -timers quiescent", r.tr.ActorName(by)))
	}
}

// knows reports whether a timer is none of the program's own.
func (r *Runtime) knows(t goroutine.Timer) bool {
	if r.ofCalls[t.Timer] {
		return true
	}
	known, cached := r.sys.known[t.Code]
	if !cached {
		known = r.sys.framework.Knows(t.Func().Name())
		if r.sys.known == nil {
			r.sys.known = map[uintptr]bool{}
		}
		r.sys.known[t.Code] = known
	}
	return known
}

// lookAtTimers looks for timers of the program's own that fire before the horizon, or have been stopped. A look ends what pins hold.
func (r *Runtime) lookAtTimers() {
	if r.cond.Timers == trace.Quiescent && r.sys.probing && r.sys.seesTimers && !r.sys.Timed() {
		r.noteSet()
	}
	if r.cond.Timers != trace.Async || r.phase != exploring || r.sys.opaque && (!r.anyTime() || r.tr.Omitted != "") {
		return
	}
	if !r.sys.seesTimers {
		r.omit("timers of the program's own cannot be seen with this version of Go, or on this machine: if one is stopped in time it is not known that it was set; use -timers quiescent")
		return
	}
	end := time.Now().Add(max(0, r.cond.Horizon-r.used)).UnixNano()
	goroutine.BubbleTimers(func(t goroutine.Timer) bool {
		if t.When <= end && !r.knows(t) {
			r.noteTimer(t)
		}
		return !r.sys.opaque || r.anyTime() && r.tr.Omitted == ""
	})
	r.pin()
}

// noteSet notes that the program sets a timer of its own: what that does may be seen by nobody, and the result says that it might fire earlier.
func (r *Runtime) noteSet() {
	goroutine.BubbleTimers(func(t goroutine.Timer) bool {
		r.sys.setsOwn = r.sys.setsOwn || t.When > 0 && !r.knows(t)
		return !r.sys.setsOwn
	})
}

// noteTimer notes a timer of the program's own that runs, or was stopped.
func (r *Runtime) noteTimer(t goroutine.Timer) {
	switch {
	case t.When == 0 || r.sys.opaque:
	case r.sys.probing:
		r.sys.opaque = true
	default:
		r.uncontrolled(setsLate)
	}
	if r.anyTime() {
		r.omit(fmt.Sprintf(omitsOwn, "is set by "+ofTimer(t)))
	}
}

// noteBeyond notes a timer of the program's own that runs when all before the horizon have fired.
func (r *Runtime) noteBeyond() {
	goroutine.BubbleTimers(func(t goroutine.Timer) bool {
		if t.When > 0 && !r.knows(t) {
			r.beyond("a timer set by " + ofTimer(t))
		}
		return r.tr.Beyond == ""
	})
}

// setsLate says that executions before did not know of a timer.
const setsLate = "sets a timer in some orders only that shows when it is there, which is not explored at any point"

// omitsOwn is what a result says of a timer of the program's own.
const omitsOwn = "a timer of the program's own (time.AfterFunc, the scheduler) %s, and nobody knows where it was set and is stopped: orders are not explored in which " +
	"it fires while a handler is between a send and setting or stopping it; use SetReceiveTimeout, or -timers quiescent"

// noteOwnTimer notes that a timer of the program's own sends something.
func (r *Runtime) noteOwnTimer(typ *trace.Type, to int32) {
	if r.anyTime() {
		r.omit(fmt.Sprintf(omitsOwn, fmt.Sprintf("sends %s to %s", trace.ShortType(typ.Name), r.tr.ActorName(to))))
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
