package adapter

import (
	"errors"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// This file decides what happens next, in each phase of an execution.

// decide picks the next action; actNone ends the execution.
func (r *Runtime) decide() {
	r.act = actNone
	if r.err != nil {
		r.phase = over
	}
	switch r.phase {
	case settingUp:
		r.nextSetUp()
	case exploring:
		r.nextChosen()
	case ending:
		r.nextEnding()
	}
	if r.act == actNone || r.err != nil && r.phase != over {
		r.phase = over
		r.act = actNone
		r.nextRelease()
	}
}

// nextRelease lets the handlers that are still blocked go, one call at a time, so that their goroutines end with the bubble.
func (r *Runtime) nextRelease() {
	r.open = -1
	if r.stuck {
		r.abandon(actNone) // who sleeps wakes by itself, since the bubble's clock goes on
	}
	if r.natural && !r.peeked && r.err == nil {
		r.peeked, r.peeking = true, true
		r.act, r.limit = actPeek, farHorizons*r.cond.Horizon
		if r.knownTimers() > 0 {
			r.beyond("a request or an actor that waits for longer")
			r.abandon(actPeek)
		}
		r.noteBeyond()
		return
	}
	r.peeking = false
	if r.setUp != nil && !r.woken {
		r.woken = true
		r.abandon(actWake)
		return
	}
	for r.given < len(r.calls) {
		c := r.calls[r.given]
		r.given++
		if !c.done && r.given < 100_000 {
			r.giving = c
			r.abandon(actGiveUp)
			return
		}
	}
}

// abandon lets waiting code go on by an action, so that its goroutine ends: what it does then is nothing that the program does.
func (r *Runtime) abandon(by act) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.act, r.abandoned = by, true
}

// Abandoned is explore.Abandoner.
func (r *Runtime) Abandoned(t *explore.T) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.abandoned && r.t == t
}

// MaxSteps bounds what the loop does not: set-up, the sends of one step, how deep actors are nested.
func (r *Runtime) MaxSteps() int {
	if r.cond.MaxSteps > 0 {
		return r.cond.MaxSteps
	}
	return 100_000
}

// nextChosen decides on the next action of the exploration.
func (r *Runtime) nextChosen() {
	if r.inject.Kind == trace.Fault {
		r.bringAbout()
		return
	}
	if r.sys.timed && !r.nudged {
		// Deadlines that are set in different steps must not tie, or the order of their timers would be random.
		r.nudge()
		return
	}
	r.enabled = r.pool.Enabled(r.enabled[:0], r)
	timers := !r.tried && r.used < r.cond.Horizon
	async := r.offersAdvance()
	if timers && async {
		r.enabled = append(r.enabled, trace.AdvanceStep(r.advance))
	}
	if len(r.enabled) == 0 {
		if timers && !async {
			r.letTimePass(trace.AdvanceStep(r.advance), true, r.rest())
		} else {
			if r.inSetUp.Load() {
				r.Fail(r.setUpHangs())
				return
			}
			r.natural = !r.anew
			r.finish()
			r.nextEnding()
		}
		return
	}
	c, ok := r.choose(r.enabled)
	if !ok {
		r.finish()
		r.nextEnding()
		return
	}
	r.tried, r.nudged = false, false
	r.first = c.First
	r.take(r.enabled[c.Index])
}

func (r *Runtime) take(s trace.Step) {
	switch s.Kind {
	case trace.Advance:
		r.letTimePass(s, false, r.rest())
	case trace.Send:
		r.begin(s, false)
		r.act = actSend
	default:
		r.deliver(s, false)
	}
}

// deliver begins the event that handles a message.
func (r *Runtime) deliver(s trace.Step, auto bool) {
	r.begin(s, auto)
	r.pool.Deliver(s.Message)
	r.message = s.Message
	r.act = actHandle
	if r.tr.Messages[s.Message].Class == trace.Answer {
		r.act = actAnswer
		return
	}
	r.declare(s.Message)
	if !auto && r.phase == exploring && !r.anew {
		r.askBefore()
	}
}

func (r *Runtime) begin(s trace.Step, auto bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.beginLocked(s, auto)
}

func (r *Runtime) beginLocked(s trace.Step, auto bool) {
	r.open = r.tr.Begin(s)
	r.opened = r.open
	e := &r.tr.Events[r.open]
	e.Auto = auto
	e.Time = r.used
	r.running = s.Actor
	if r.recalls {
		r.recall(r.open, s.Actor)
	}
	r.choices, r.sent, r.asked = 0, 0, 0
	r.dead, r.announced, r.stray, r.told = false, 0, 0, false
	r.close = looksClosely(r.execution, int(r.open))
}

// finish ends the exploration of this execution.
func (r *Runtime) finish() {
	r.looksForStrangers()
	r.concludeLate()
	r.phase = ending
	r.tried = false
}

// nextEnding lets the driver judge the end, and delivers what its final assertions ask for, in the default order, until they are
// done. None of this is part of what was explored.
func (r *Runtime) nextEnding() {
	switch {
	case !r.judging:
		r.judging, r.stuck = true, r.blocked > 0
		r.act, r.running = actFinish, 0
		return
	case r.finished:
		return
	}
	r.enabled = r.pool.Enabled(r.enabled[:0], r)
	if i := trace.First(r.enabled); i >= 0 {
		r.first = trace.ID{}
		r.take(r.enabled[i])
		r.tr.Events[r.open].Auto = true
		r.tried = false
		return
	}
	if !r.tried {
		r.letTimePass(trace.AdvanceStep(r.advance), true, r.cond.Horizon)
		return
	}
	r.Fail(errors.New("a function given to AtEnd or Cleanup is blocked for ever: " +
		"it may only wait for what the actors of this execution still do"))
}
