package adapter

import (
	"fmt"
	"testing/synctest"
	"time"

	"github.com/rehearse-go/rehearse/internal/goroutine"
	"github.com/rehearse-go/rehearse/trace"
)

// This file lets virtual time pass. The bubble's clock moves when every goroutine is blocked and nobody sits in
// synctest.Wait.

// clock lets time pass.
type clock struct {
	*execution
	workers  *workers
	recorder *recorder
	timers   *timers

	advance int           // advances so far
	limit   time.Duration // how long the advance may take
	futile  bool          // nothing came of the last advance
	tried   bool          // since the last step, time was let pass as far as it goes and nothing came of it
	nudged  bool          // it was moved by a nanosecond since the last step
	nudges  int           // how often it was
}

// reset makes ready for another execution.
func (c *clock) reset() {
	c.advance, c.tried, c.nudged, c.nudges = 0, false, false, 0
}

// stepTaken is called when a step is taken that is no passing of time.
func (c *clock) stepTaken() { c.tried, c.nudged = false, false }

// mayPass reports whether time may lead to something before the horizon.
func (c *clock) mayPass() bool { return !c.tried && c.used < c.cond.Horizon }

// step is that of the next advance.
func (c *clock) step() trace.Step { return trace.AdvanceStep(c.advance) }

// tookNothing reports whether nothing came of an advance that nobody was asked for, nor for a draw in it.
func (c *clock) tookNothing() bool {
	return c.act == actAdvance && c.futile && c.tr.Events[c.open].Auto
}

// noteAdvance is called at the end of an event in which time passed.
func (c *clock) noteAdvance() {
	c.advance++
	c.noteOpaque()
}

// letTimePass begins an advance of at most limit.
func (c *clock) letTimePass(s trace.Step, auto bool, limit time.Duration) {
	c.recorder.begin(s, auto)
	c.act, c.limit = actAdvance, limit
}

// nudge is the time that passes after a step.
const nudge = 1

// nudge lets a nanosecond pass after a step.
func (c *clock) nudge() {
	c.nudged = true
	c.nudges++
	c.letTimePass(c.step(), true, nudge)
}

// rest is the time until the horizon, and more than a nudge.
func (c *clock) rest() time.Duration { return max(2, c.cond.Horizon-c.used) }

// pass lets time pass until something happens or the limit is reached. true: nothing did, and this worker is in
// control.
func (c *clock) pass() bool {
	c.mu.Lock() // orders what the loop has written before what timers' goroutines read, for the race detector's eyes too
	c.timers.known = c.timers.knownTimers()
	c.workers.watch = passing
	select {
	case <-c.workers.wake: // SUBTLE: what happened in the last advance may have signalled again after it was noticed
	default:
	}
	c.mu.Unlock()
	c.timers.pins.Release()
	before := time.Now()
	limit := time.NewTimer(c.limit)
	happened := false
	select {
	case <-c.workers.wake:
		happened = true
	case <-limit.C:
		// SUBTLE: timers of the program may be due at this very instant. They run first, or it would be chance whether
		// something happened.
		synctest.Wait()
		select {
		case <-c.workers.wake:
			happened = true
		default:
		}
	}
	limit.Stop()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.workers.stopPassing()
	c.futile = !happened
	if !happened {
		c.tried = c.tried || c.limit > nudge
		return true
	}
	passed := time.Since(before)
	c.used += passed
	c.noteTies(passed)
	for e := c.opened; c.open >= 0 && e <= c.open; e++ { // a random router may have chosen meanwhile
		c.tr.Events[e].Time = c.used
	}
	c.sys.timed = true
	c.tried = false
	return false
}

// noteTies notes whether the order of steps decided when it was that something just happened, or whether it came first.
// Each step takes a nanosecond. So equal delays that were set in different steps end so many nanoseconds apart, and a
// delay of few nanoseconds ends after one step or another. No footprint says so: nothing tells which steps set timers
// of the program's own. Nor need the second ever fire: what the first leads to may stop it.
func (c *clock) noteTies(passed time.Duration) {
	if c.phase != exploring || c.tr.Ties != "" {
		return
	}
	near := passed
	if next := goroutine.NextTimer(); next > 0 {
		near = min(near, time.Duration(next-time.Now().UnixNano()))
	}
	if near <= time.Duration(c.nudges) {
		c.tr.Ties = fmt.Sprintf("timers fired, or sleeps ended, within %s of a step or of each other, or were to, and "+
			"each step takes 1ns: the order of steps decided what "+
			"came first; a strategy that leaves out equivalent orders may miss ends there: use naive, or delays that differ "+
			"by more", near)
	} else if !c.sys.seesTimers {
		c.tr.Ties = "which deadlines are near each other cannot be seen with this version of Go, or on this machine, and " +
			"the order of steps decides what comes first of those that are: use naive"
	}
}

// offersAdvance reports whether under Async time may be let pass now: some timer is set, or may be.
func (c *clock) offersAdvance() bool {
	return c.cond.Timers == trace.Async && (c.sys.opaque || c.sys.probeNow == hurried || c.timers.knownTimers() > 0)
}

// noteOpaque looks whether what fired was none of the timers that are known to be set. From the probe on, advances are
// offered all the time then; not from the middle of an exploration on, whose earlier executions would be other ones.
func (c *clock) noteOpaque() {
	switch {
	case c.phase == settingUp: // where the clock advances only when nothing else can happen
	case c.futile || c.sys.opaque || c.timers.knownTimers() < c.timers.known:
	case c.sys.isProbing():
		c.sys.opaque = true
	case c.cond.Timers == trace.Async:
		c.uncontrolled(setsLate)
	}
}

// farHorizons is how many horizons further peeking looks for timers that were left out and are not known to be set. A
// program that ticks for ever has to end some time.
const farHorizons = 4
