package adapter

import (
	"bytes"
	"fmt"
	"runtime"
	"testing/synctest"
	"time"

	"github.com/rehearse-go/rehearse/internal/goroutine"
	"github.com/rehearse-go/rehearse/trace"
)

// This file lets virtual time pass. The bubble's clock moves when every goroutine is blocked and nobody sits in synctest.Wait.

// letTimePass begins an advance of at most limit.
func (r *Runtime) letTimePass(s trace.Step, auto bool, limit time.Duration) {
	r.begin(s, auto)
	r.act, r.limit = actAdvance, limit
}

// nudge is the time that passes after a step.
const nudge = 1

// nudge lets a nanosecond pass after a step.
func (r *Runtime) nudge() {
	r.nudged = true
	r.nudges++
	r.letTimePass(trace.AdvanceStep(r.advance), true, nudge)
}

// rest is the time until the horizon, and more than a nudge.
func (r *Runtime) rest() time.Duration { return max(2, r.cond.Horizon-r.used) }

// pass lets time pass until something happens or the limit is reached. true: nothing did, and this worker is in control.
func (r *Runtime) pass() bool {
	r.mu.Lock() // orders what the loop has written before what timers' goroutines read, for the race detector's eyes too
	r.known = r.knownTimers()
	r.passing, r.parked = true, false
	select {
	case <-r.wake: // SUBTLE: what happened in the last advance may have signalled again after it was noticed
	default:
	}
	r.mu.Unlock()
	r.pins.Release()
	before := time.Now()
	limit := time.NewTimer(r.limit)
	happened := false
	select {
	case <-r.wake:
		happened = true
	case <-limit.C:
		// SUBTLE: timers of the program may be due at this very instant. They run first, or it would be chance whether
		// something happened.
		synctest.Wait()
		select {
		case <-r.wake:
			happened = true
		default:
		}
	}
	limit.Stop()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.passing = false
	if r.parked {
		r.waiter.up <- struct{}{}
	}
	r.futile = !happened
	if !happened {
		r.tried = r.tried || r.limit > nudge
		return true
	}
	passed := time.Since(before)
	r.used += passed
	r.noteTies(passed)
	for e := r.opened; r.open >= 0 && e <= r.open; e++ { // a random router may have chosen meanwhile
		r.tr.Events[e].Time = r.used
	}
	r.sys.timed = true
	r.tried = false
	return false
}

// noteTies notes whether the order of steps decided when it was that something just happened, or whether it came first. Each step takes a
// nanosecond. So equal delays that were set in different steps end so many nanoseconds apart, and a delay of few nanoseconds ends after one
// step or another. No footprint says so: nothing tells which steps set timers of the program's own. Nor need the second ever fire: what the first leads to may stop it.
func (r *Runtime) noteTies(passed time.Duration) {
	if r.phase != exploring || r.tr.Ties != "" {
		return
	}
	near := passed
	if next := goroutine.NextTimer(); next > 0 {
		near = min(near, time.Duration(next-time.Now().UnixNano()))
	}
	if near <= time.Duration(r.nudges) {
		r.tr.Ties = fmt.Sprintf("timers fired, or sleeps ended, within %s of a step or of each other, or were to, and each step takes 1ns: the order of steps decided what "+
			"came first; a strategy that leaves out equivalent orders may miss ends there: use naive, or delays that differ by more", near)
	} else if !r.sys.seesTimers {
		r.tr.Ties = "which deadlines are near each other cannot be seen with this version of Go, or on this machine, and the order of steps decides what comes first of those that are: use naive"
	}
}

// signal says that something happened while time passed.
func (r *Runtime) signal() {
	if r.passing {
		select {
		case r.wake <- struct{}{}:
		default:
		}
	}
}

// knownTimers counts the timers that are known to be set: of calls, of actors, and those that the framework's adapter set.
// Others (time.AfterFunc in a handler, say): owntimers.go.
func (r *Runtime) knownTimers() int {
	n := r.timers
	for _, c := range r.calls {
		if c.timed && !c.done && !c.over() {
			n++
		}
	}
	for a := range r.actors {
		if s := &r.actors[a]; s.Actor != nil && !s.gone && s.Timed() {
			n++
		}
	}
	return n
}

// offersAdvance reports whether under Async time may be let pass now: some timer is set, or may be.
func (r *Runtime) offersAdvance() bool {
	return r.cond.Timers == trace.Async && (r.sys.opaque || r.sys.hurrying || r.knownTimers() > 0)
}

// noteOpaque looks whether what fired was none of the timers that are known to be set. From the probe on, advances are offered all the
// time then; not from the middle of an exploration on, whose earlier executions would be other ones.
func (r *Runtime) noteOpaque() {
	switch {
	case r.phase == settingUp: // where the clock advances only when nothing else can happen
	case r.futile || r.sys.opaque || r.knownTimers() < r.known:
	case r.sys.probing:
		r.sys.opaque = true
	case r.cond.Timers == trace.Async:
		r.uncontrolled(setsLate)
	}
}

// farHorizons is how many horizons further peeking looks for timers that were left out and are not known to be set: a program
// that ticks for ever has to end some time.
const farHorizons = 4

// beyond notes the first message of a timer that the horizon left out.
func (r *Runtime) beyond(name string) {
	if r.tr.Beyond == "" {
		r.tr.Beyond = name
	}
	r.signal()
}

// setter gives the actor that has set the timer whose message to another is being recorded, and what that had captured last when it did; -1 if
// nothing. Of the timeout of a call both are known, and of what the framework's adapter sets. Of a timer of the program's own nothing is known; most are set by the actor that they speak to, so it
// is taken for that, at the end of its handler.
func (r *Runtime) setter(to int32, typ *trace.Type) (actor, last int32) {
	if t := r.fired; t != nil {
		r.fired = nil
		return t.owner, t.behind
	}
	for _, c := range r.calls {
		if c.timed && !c.done && c.Hooked != nil && c.over() && c.Hooked() { // something hangs on it until that was told
			return c.owner, c.behind
		}
	}
	r.noteOwnTimer(typ, to)
	return to, r.pool.Last(to)
}

// driverWoke reports whether, while time passes, the test function goes on that was blocked: this is its goroutine, and no timer's.
func (r *Runtime) driverWoke() bool {
	if !r.actors[0].blocked {
		return false
	}
	stack := make([]byte, 1<<16)
	return bytes.Contains(stack[:runtime.Stack(stack, false)], []byte("adapter.(*Runtime).perform("))
}

// Linger says that the framework started something of its own for a dead letter that ends after d: the execution waits for it at
// its end, and it is no stray of the handler.
func (r *Runtime) Linger(d time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lingers, r.dead = max(r.lingers, d), true
	r.announced++
}

// linger waits for what Linger announced.
func (r *Runtime) linger() {
	if r.lingers > 0 && r.err == nil {
		time.Sleep(r.lingers)
	}
}
