package adapter

import (
	"errors"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// This file ends executions: the driver judges the end, and what still waits is let go, so that its goroutines end with
// the bubble.

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

	cause     cause
	stage     stage
	stuck     bool          // handlers were blocked when the judging began, perhaps the test function: this is its end
	lingers   time.Duration // how long it waits for what the framework started
	abandoned bool          // the execution is over, and waiting code was let go
	given     int           // calls looked at by the final release
	giving    *Call
	place     place
}

// cause is why an execution ended.
type cause uint8

const (
	cut    cause = iota // the driver wanted no more, or something went wrong
	ranOut              // nothing more could happen
	wedged              // and its handlers wait for ever for locks
)

// stage is how far an execution has come with its end.
type stage uint8

const (
	notJudged stage = iota
	judging         // the driver was asked to judge the end
	judged          // and has done so
	peeked          // and it was looked beyond the horizon
)

// reset makes ready for another execution.
func (n *ending) reset() {
	n.cause, n.stage, n.stuck = cut, notJudged, false
	n.lingers, n.abandoned, n.given, n.place = 0, false, 0, place{}
}

// finish ends the exploration of this execution.
func (n *ending) finish() {
	n.declarations.looksForStrangers()
	n.accesses.concludeLate()
	n.phase = concluding
	n.clock.tried = false
}

// nextEnding lets the driver judge the end, and delivers what its final assertions ask for, in the default order, until
// they are done. None of this is part of what was explored.
func (n *ending) nextEnding() {
	switch {
	case n.stage == notJudged:
		n.stage, n.stuck = judging, n.cast.blocked > 0
		n.act, n.running = actFinish, 0
		return
	case n.stage >= judged:
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
		n.clock.letTimePass(n.clock.step(), true, n.cond.Horizon)
		return
	}
	n.Fail(errors.New("a function given to AtEnd or Cleanup is blocked for ever: " +
		"it may only wait for what the actors of this execution still do"))
}

// nextRelease lets the handlers that are still blocked go, one call at a time, so that their goroutines end with the
// bubble.
func (n *ending) nextRelease() {
	n.open = -1
	if n.stuck {
		n.abandon(actNone) // who sleeps wakes by itself: linger
	}
	if n.cause != cut && n.stage != peeked && n.err == nil {
		n.stage, n.phase = peeked, peeking
		n.act, n.clock.limit = actPeek, farHorizons*n.cond.Horizon
		if n.timers.knownTimers() > 0 {
			n.timers.beyond("a request or an actor that waits for longer")
			n.abandon(actPeek)
		}
		n.timers.noteBeyond()
		return
	}
	if f, ok := n.sys.framework.(Closing); ok {
		f.Closes()
	}
	if n.setUps.held {
		n.setUps.held = false
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

// abandon lets waiting code go on by an action, so that its goroutine ends: what it does then is nothing that the
// program does.
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

// judgeEnd has the driver judge the end, unless the execution begins anew: then what the program has opened is closed,
// and nothing else.
func (n *ending) judgeEnd() {
	if n.drawing.anew {
		n.t.RunCleanups()
		return
	}
	n.d.Finish()
}

// Linger says that the framework started something of its own for a dead letter, which ends after d. The execution
// waits for it at its end, and it is no stray of the handler.
func (n *ending) Linger(d time.Duration) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.lingers, n.recorder.dead = max(n.lingers, d), true
	n.recorder.announced++
}

// linger waits for what Linger announced, for handlers that sleep, and for timers that the framework keeps on
// goroutines: these end at their next tick. No time passes in the bubble once its root is gone.
func (n *ending) linger() {
	if _, keeps := n.sys.framework.(Keeping); keeps || n.cast.blocked > 0 {
		n.abandon(actNone)
		n.lingers = max(n.lingers, farHorizons*n.cond.Horizon)
	}
	if n.lingers > 0 && n.err == nil {
		time.Sleep(n.lingers)
	}
}
