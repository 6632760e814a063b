package adapter

import (
	"fmt"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// This file runs set-up, of which nothing is explored: the oldest message is delivered, and time passes when there is none while the
// function waits. There may be several set-ups. What the test function does before each of them belongs to it.

// SetUp runs f and then delivers everything unexplored. It is called by the test function. explore.Host.
func (r *Runtime) SetUp(f func()) {
	if r.phase == over { // since the set-up before this one, which was not in vain: what it has found is told
		unwind()
	}
	if !r.nothingExplored() {
		r.Refuse(explore.ErrSetUp) // a mistake in the test, not in the program: no finding
	}
	r.mu.Lock()
	r.phase = settingUp
	r.setUp, r.woken, r.tried, r.nudged = make(chan struct{}), false, false, false
	r.pool.ReleaseAll(func(m int32) { r.undeliverable(m) })
	r.inSetUp.Store(true)
	r.mu.Unlock()
	r.sys.beat()
	func() {
		defer func() { r.inSetUp.Store(false) }()
		f()
	}()
	// The loop goes on elsewhere while this goroutine waits; it closes the channel when nothing is left to deliver. Nobody
	// else can wake the driver meanwhile, so it does not count as blocked.
	r.mu.Lock()
	r.setBusy(0, false)
	r.mu.Unlock()
	<-r.setUp
}

// nothingExplored reports whether the test function runs, and was all that ran beside set-ups.
func (r *Runtime) nothingExplored() bool {
	if r.phase != exploring || r.act != actTest && r.act != actWake {
		return false
	}
	for i := r.tr.Explored; i < len(r.tr.Events); i++ {
		if r.tr.Events[i].Step.Kind != trace.Start {
			return false
		}
	}
	return true
}

// nextSetUp decides on the next action of set-up: the oldest message, and the rest of the test function after the last.
func (r *Runtime) nextSetUp() {
	m := r.pool.Oldest(r)
	if limit := r.MaxSteps(); m >= 0 && len(r.tr.Events) > limit {
		r.Fail(fmt.Errorf("set-up never quiesces: %d messages were delivered and %s is next; "+
			"set-up must only do what comes to an end (move the rest after t.SetUp), or raise MaxSteps",
			limit, r.tr.StepName(r.tr.DeliveryOf(m))))
		return
	}
	switch {
	case r.sys.timed && !r.nudged:
		r.nudge()
	case m >= 0:
		r.tried, r.nudged = false, false
		r.deliver(r.tr.DeliveryOf(m), true)
	case r.inSetUp.Load() && !r.tried && r.used < r.cond.Horizon:
		r.nudged = false
		r.letTimePass(trace.AdvanceStep(r.advance), true, r.rest())
	case r.inSetUp.Load():
		r.Fail(r.setUpHangs())
	default:
		r.endSetUp()
	}
}

// endSetUp lets the test function go on, explored.
func (r *Runtime) endSetUp() {
	r.beginsExploring()
	r.phase = exploring
	r.tr.Explored = len(r.tr.Events)
	r.pool.Rest()
	r.begin(r.nextPart(), true)
	r.act, r.woken = actWake, true
	r.tried, r.nudged = false, false
}

// nextPart is the start of the next part of the test function. Number 2 is what it does at the end.
func (r *Runtime) nextPart() trace.Step {
	r.parts++
	if r.parts > 1 {
		return trace.StartStep(r.parts + 1)
	}
	return trace.StartStep(1)
}
