package adapter

import (
	"runtime"
	"testing/synctest"

	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/goroutine"
	"github.com/rehearse-go/rehearse/trace"
)

// This file has the control loop: it closes the event that is over, decides what comes next in the present phase, and
// carries that out. The goroutines that it runs on: workers.go.

// leaveOut leaves out the code of the open event, since the driver wants no more.
func (r *Runtime) leaveOut() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.act == actWake {
		r.setUps.held = true // until the end
	}
	r.tr.Events[r.open].Completed = true
	r.act = actNothing
}

// bubble is the root function of the bubble: the first worker.
func (r *Runtime) bubble() {
	growStack()
	chance.Leave()
	r.workers.wake = make(chan struct{}, 1)
	r.sys.seesTimers = goroutine.FindTimers()
	r.goroutines.started.Started() // those before do not count
	if r.draws != layerOne {
		r.ending.stand()
	}
	r.t = r.d.Begin(r)
	r.t.Bind(r)
	r.recorder.begin(trace.StartStep(0), true)
	r.act = actTest
	first := newWorker()
	r.workers.control.Store(first)
	if r.sys.Mode == TakeOver {
		r.workers.arm()
	}
	if r.run(first) {
		r.loop(first)
	}
	for r.workers.lieDown(first) && r.wait(first) {
	}
	r.ending.linger()
}

// work is the life of any other worker.
func (r *Runtime) work(w *worker) {
	growStack()
	chance.Leave()
	for r.wait(w) && r.workers.lieDown(w) {
	}
}

// growStack makes room for what handlers need at once, while there is little to move: growing bit by bit took a fifth
// of the time of a short execution.
//
//go:noinline
func growStack() {
	var room [8 << 10]byte
	room[len(room)-1] = 1
	runtime.KeepAlive(&room)
}

// wait waits for control, and runs the loop as long as it can; false: the execution is over.
func (r *Runtime) wait(w *worker) bool {
	if !r.workers.turn(w) {
		return false
	}
	r.drawing.closeDraws()
	r.workers.arm()
	r.loop(w)
	return true
}

// loop is the control loop: close the open event, decide, act; until another worker is in control or the end.
func (r *Runtime) loop(w *worker) {
	for {
		if r.left.Load() {
			<-never
		}
		r.drawing.closeDraws()
		if r.open < 0 || !r.complete() {
			r.decide()
		}
		r.publish()
		if r.act == actNone {
			r.timers.pins.Remove()
			r.workers.leave()
			return
		}
		if !r.run(w) {
			return
		}
	}
}

// never has an execution stand still that Execute has given up, where its handler comes to an end after all: what it
// would do is another exploration's. It is of no bubble, so that no time passes in that of the execution either.
var never = make(chan struct{})

// run carries the action out. false: this worker is no longer in control, or has to lie down so that everybody else can
// run until nothing moves.
func (r *Runtime) run(w *worker) bool {
	r.goroutines.begin()
	r.sys.beat()
	r.timers.pin()
	r.drawing.sow()
	if r.runsCode() && !r.drawing.openDraws() {
		r.leaveOut()
	}
	chance.Leave() // as whoever ends a part, and begins one, is under control
	r.goroutines.living = runtime.NumGoroutine()
	switch {
	case r.act == actSend || r.act == actNothing:
		return true
	case r.act == actAdvance || r.act == actPeek:
		nothing := r.clock.pass()
		if !nothing && r.sys.Mode == Wait {
			synctest.Wait()
		}
		return nothing || r.sys.Mode == Wait
	case r.sys.Mode == Wait:
		r.performBeside()
		return true
	}
	blocked := r.cast.blocked
	r.handlers.perform()
	if r.workers.control.Load() != w {
		return false
	}
	if n := r.goroutines.more(); n > 0 {
		r.goroutines.noteOutliving(n)
		return false
	}
	r.goroutines.noteAlone()
	return blocked == 0 && r.act != actWake
}

// performBeside carries the action out on a goroutine of its own.
func (r *Runtime) performBeside() {
	r.goroutines.living++ // that goroutine
	waited := false
	goroutine.Go(func() {
		r.handlers.perform()
		if waited { // it was blocked, and ends in a later step
			return
		}
		if r.goroutines.more() <= 0 {
			r.goroutines.noteAlone()
		}
		r.mu.Lock()
		r.goroutines.living-- // before handlers go on that it has woken
		r.mu.Unlock()
	})
	synctest.Wait()
	waited = true
}

// decide picks the next action; actNone ends the execution.
func (r *Runtime) decide() {
	r.act = actNone
	if r.err != nil {
		r.phase = over
	}
	switch r.phase {
	case settingUp:
		r.setUps.nextSetUp()
	case exploring:
		r.nextChosen()
	case concluding:
		r.ending.nextEnding()
	}
	if r.act == actNone || r.err != nil && r.phase != over {
		r.phase = over
		r.act = actNone
		r.ending.nextRelease()
	}
}

// nextChosen decides on the next action of the exploration.
func (r *Runtime) nextChosen() {
	if r.injector.pending() {
		r.injector.bringAbout()
		return
	}
	if r.sys.timed && !r.clock.nudged {
		// Deadlines that are set in different steps must not tie, or the order of their timers would be random.
		r.clock.nudge()
		return
	}
	timers := r.clock.mayPass()
	async := r.clock.offersAdvance()
	o := r.stepper.list(timers && async)
	if o.Len() == 0 {
		if timers && !async {
			r.clock.letTimePass(r.clock.step(), true, r.clock.rest())
		} else {
			r.nothingLeft()
		}
		return
	}
	s, c, ok := r.stepper.choose(o)
	if !ok {
		r.ending.finish()
		r.ending.nextEnding()
		return
	}
	r.clock.stepTaken()
	r.first = c.First
	r.stepper.take(s)
}

// nothingLeft ends the exploration of this execution.
func (r *Runtime) nothingLeft() {
	if r.inSetUp.Load() {
		r.Fail(r.setUps.setUpHangs())
		return
	}
	if !r.drawing.anew {
		r.ending.cause = ranOut
	}
	r.ending.finish()
	r.ending.nextEnding()
}

// complete closes the open event: who blocked, who stopped, what is released; and shows it to the driver. It reports
// whether there is more to do in the event: what was released resolves a future.
func (r *Runtime) complete() (more bool) {
	if f, ok := r.sys.framework.(Attentive); ok {
		f.StepEnds(r)
	}
	r.mu.Lock()
	first, event := r.opened, r.open
	if r.clock.tookNothing() { // it never happened
		r.goroutines.countStarted()
		r.tr.Events = r.tr.Events[:event]
		r.sys.explorer.Back(int(event))
		r.open = -1
		r.mu.Unlock()
		return false
	}
	if r.act == actAdvance {
		r.clock.noteAdvance()
	}
	r.recorder.noteBlocked()
	if r.act == actResolve {
		r.releases.resolved()
	} else {
		r.timers.noteDeadlines()
		r.timers.lookAtTimers()
		r.ends.noteAllGone()
		r.recorder.noteChange(event)
		r.declarations.judgeEffect(event)
		r.releases.noteFutures()
		if r.releases.release(event) {
			r.mu.Unlock()
			return true
		}
	}
	r.goroutines.countStarted()
	r.open = -1
	r.mu.Unlock()
	if r.drawing.anew {
		r.drawing.goOnUnjudged()
	} else if r.phase == exploring || r.phase == settingUp {
		if !r.observe(first, event) || r.stopped {
			r.ending.finish()
		} else if r.phase == exploring {
			r.injector.askAfter(first)
		}
	}
	return false
}
