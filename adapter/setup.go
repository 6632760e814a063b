package adapter

import (
	"fmt"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// This file runs set-up, of which nothing is explored: the oldest message is delivered, and time passes when there is
// none while the function waits. There may be several set-ups. What the test function does before each of them belongs
// to it.

// setUps runs them.
type setUps struct {
	*execution
	cast         *cast
	recorder     *recorder
	declarations *declarations
	clock        *clock
	releases     *releases
	stepper      *stepper

	setUp chan struct{} // closed when the present one is over
	held  bool          // the test function waits for that
	parts int           // of the driver that are over: the test function before each SetUp
}

// reset makes ready for another execution.
func (u *setUps) reset() { u.setUp, u.held, u.parts = nil, false, 0 }

// SetUp runs f and then delivers everything unexplored. It is called by the test function. explore.Host.
func (u *setUps) SetUp(f func()) {
	if u.isOver() { // since the set-up before this one, which was not in vain: what it has found is told
		unwind()
	}
	if !u.nothingExplored() {
		u.Refuse(explore.ErrSetUp) // a mistake in the test, not in the program: no finding
	}
	u.mu.Lock()
	u.phase = settingUp
	u.setUp, u.held = make(chan struct{}), true
	u.clock.stepTaken()
	u.pool.ReleaseAll(func(m int32) { u.releases.undeliverable(m) })
	u.inSetUp.Store(true)
	u.mu.Unlock()
	u.sys.beat()
	func() {
		defer func() { u.inSetUp.Store(false) }()
		f()
	}()
	// The loop goes on elsewhere while this goroutine waits; it closes the channel when nothing is left to deliver. Nobody
	// else can wake the driver meanwhile, so it does not count as blocked.
	u.mu.Lock()
	u.cast.setBusy(0, false)
	u.mu.Unlock()
	<-u.setUp
}

// nothingExplored reports whether the test function runs, and was all that ran beside set-ups.
func (u *setUps) nothingExplored() bool {
	if u.phase != exploring || u.act != actTest && u.act != actWake {
		return false
	}
	for i := u.tr.Explored; i < len(u.tr.Events); i++ {
		if u.tr.Events[i].Step.Kind != trace.Start {
			return false
		}
	}
	return true
}

// nextSetUp decides on the next action of set-up: the oldest message, and the rest of the test function after the last.
func (u *setUps) nextSetUp() {
	m := u.pool.Oldest(u.cast)
	if limit := u.MaxSteps(); m >= 0 && len(u.tr.Events) > limit {
		u.Fail(fmt.Errorf("set-up never quiesces: %d messages were delivered and %s is next; "+
			"set-up must only do what comes to an end (move the rest after t.SetUp), or raise MaxSteps",
			limit, u.tr.StepName(u.tr.DeliveryOf(m))))
		return
	}
	switch {
	case u.sys.timed && !u.clock.nudged:
		u.clock.nudge()
	case m >= 0:
		u.clock.stepTaken()
		u.stepper.deliver(u.tr.DeliveryOf(m), true)
	case u.inSetUp.Load() && u.clock.mayPass():
		u.clock.nudged = false
		u.clock.letTimePass(u.clock.step(), true, u.clock.rest())
	case u.inSetUp.Load():
		u.Fail(u.setUpHangs())
	default:
		u.endSetUp()
	}
}

// endSetUp lets the test function go on, explored.
func (u *setUps) endSetUp() {
	u.declarations.beginsExploring()
	u.phase = exploring
	u.tr.Explored = len(u.tr.Events)
	u.pool.Rest()
	u.recorder.begin(u.nextPart(), true)
	u.act, u.held = actWake, false
	u.clock.stepTaken()
}

// nextPart is the start of the next part of the test function. Number 2 is what it does at the end.
func (u *setUps) nextPart() trace.Step {
	u.parts++
	if u.parts > 1 {
		return trace.StartStep(u.parts + 1)
	}
	return trace.StartStep(1)
}
