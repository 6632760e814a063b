package adapter

import (
	"errors"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// This file ends executions: the driver judges the end, and what still waits is let go, so that its goroutines end with the bubble.

// ending is how far the execution has come with its end.
type ending struct {
	*execution
	workers      *workers
	cast         *cast
	recorder     *recorder
	accesses     *accesses
	timers       *timers
	declarations *declarations
	clock        *clock
	drawing      *drawing
	stepper      *stepper
	setUps       *setUps

	natural   bool          // nothing more could happen; the driver did not end it
	judging   bool          // the driver was asked to judge the end
	stuck     bool          // handlers were blocked then; the test function may be one of them, and judging passes for its end
	finished  bool          // and has done so
	peeked    bool          // beyond the horizon
	lingers   time.Duration // how long it waits for what the framework started
	abandoned bool          // the execution is over, and waiting code was let go
	given     int           // calls looked at by the final release
	giving    *Call
	place     place
	wedged    bool // its handlers wait for ever for locks
}

// reset makes ready for another execution.
func (n *ending) reset() {
	n.natural, n.judging, n.stuck, n.finished, n.peeked = false, false, false, false, false
	n.lingers, n.abandoned, n.given, n.place, n.wedged = 0, false, 0, place{}, false
}

// finish ends the exploration of this execution.
func (n *ending) finish() {
	n.declarations.looksForStrangers()
	n.accesses.concludeLate()
	n.phase = concluding
	n.clock.tried = false
}

// nextEnding lets the driver judge the end, and delivers what its final assertions ask for, in the default order, until they are
// done. None of this is part of what was explored.
func (n *ending) nextEnding() {
	switch {
	case !n.judging:
		n.judging, n.stuck = true, n.cast.blocked > 0
		n.act, n.running = actFinish, 0
		return
	case n.finished:
		return
	}
	n.stepper.enabled = n.pool.Enabled(n.stepper.enabled[:0], n.cast)
	if i := trace.First(n.stepper.enabled); i >= 0 {
		n.first = trace.ID{}
		n.stepper.take(n.stepper.enabled[i])
		n.tr.Events[n.open].Auto = true
		n.clock.tried = false
		return
	}
	if !n.clock.tried {
		n.clock.letTimePass(trace.AdvanceStep(n.clock.advance), true, n.cond.Horizon)
		return
	}
	n.Fail(errors.New("a function given to AtEnd or Cleanup is blocked for ever: " +
		"it may only wait for what the actors of this execution still do"))
}

// nextRelease lets the handlers that are still blocked go, one call at a time, so that their goroutines end with the bubble.
func (n *ending) nextRelease() {
	n.open = -1
	if n.stuck {
		n.abandon(actNone) // who sleeps wakes by itself, since the bubble's clock goes on
	}
	if n.natural && !n.peeked && n.err == nil {
		n.peeked, n.peeking = true, true
		n.act, n.clock.limit = actPeek, farHorizons*n.cond.Horizon
		if n.timers.knownTimers() > 0 {
			n.timers.beyond("a request or an actor that waits for longer")
			n.abandon(actPeek)
		}
		n.timers.noteBeyond()
		return
	}
	n.peeking = false
	if n.setUps.setUp != nil && !n.setUps.woken {
		n.setUps.woken = true
		n.abandon(actWake)
		return
	}
	for n.given < len(n.cast.calls) {
		c := n.cast.calls[n.given]
		n.given++
		if !c.done && n.given < 100_000 {
			n.giving = c
			n.abandon(actGiveUp)
			return
		}
	}
}

// abandon lets waiting code go on by an action, so that its goroutine ends: what it does then is nothing that the program does.
func (n *ending) abandon(by act) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.act, n.abandoned = by, true
}

// Abandoned is explore.Abandoner.
func (n *ending) Abandoned(t *explore.T) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.abandoned && n.t == t
}

// judgeEnd has the driver judge the end, unless the execution begins anew: then what the program has opened is closed, and nothing else.
func (n *ending) judgeEnd() {
	if n.drawing.anew {
		n.t.RunCleanups()
		return
	}
	n.d.Finish()
}

// Linger says that the framework started something of its own for a dead letter that ends after d: the execution waits for it at
// its end, and it is no stray of the handler.
func (n *ending) Linger(d time.Duration) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.lingers, n.recorder.dead = max(n.lingers, d), true
	n.recorder.announced++
}

// linger waits for what Linger announced.
func (n *ending) linger() {
	if n.lingers > 0 && n.err == nil {
		time.Sleep(n.lingers)
	}
}
