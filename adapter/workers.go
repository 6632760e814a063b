package adapter

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"testing/synctest"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// The control loop can run on any of a few goroutines of the bubble, the workers.
//
// Take-over: the worker in control runs handlers inline, as plain calls, while another worker, the waiter, sits in
// synctest.Wait. If a handler blocks, nothing in the bubble moves any more, Wait returns, and the waiter is in control:
// it goes on with the loop, and a third worker waits. When the blocked handler ends, its worker finds that it is no
// longer in control and lies down as idle. A worker in control that wants everybody else to run until nothing moves
// (settle) simply lies down as well.
//
// Waiting (mode Wait): every handler gets a goroutine, and the one worker calls synctest.Wait after each. It is the
// reference: simpler, six times slower a step, and tests compare the traces.
//
//	invariants: I1 at most one goroutine is in synctest.Wait
//	            I2 only the worker in control touches the loop's state while nothing else of the bubble runs

// Mode is how handlers are run.
type Mode uint8

// The two modes.
const (
	TakeOver Mode = iota
	Wait
)

// workers is the state of the control loop's goroutines.
type workers struct {
	control  atomic.Pointer[worker]
	waiter   *worker
	idle     []*worker
	passing  bool          // time is allowed to pass: the waiter must not take control
	parked   bool          // the waiter knows
	wake     chan struct{} // something happened while time passed
	quit     bool
	judging  bool // the driver was asked to judge the end
	finished bool // and has done so
}

// worker is one goroutine that the loop can run on.
type worker struct {
	up chan struct{} // tells an idle worker to wait
}

func newWorker() *worker { return &worker{up: make(chan struct{}, 1)} }

// bubble is the root function of the bubble: the first worker.
func (r *Runtime) bubble() {
	growStack()
	r.wake = make(chan struct{}, 1)
	r.t = r.d.Begin(r)
	r.t.Bind(r)
	r.begin(trace.StartStep(0), true)
	r.act = actTest
	first := newWorker()
	r.control.Store(first)
	if r.sys.Mode == TakeOver {
		r.arm()
	}
	if r.run(first) {
		r.loop(first)
	}
	for r.lieDown(first) {
		if !r.wait(first) {
			return
		}
	}
}

// work is the life of any other worker.
func (r *Runtime) work(w *worker) {
	growStack()
	for r.wait(w) && r.lieDown(w) {
	}
}

// growStack makes room for what handlers need at once, while there is little to move: growing bit by bit took a fifth of the
// time of a short execution.
//
//go:noinline
func growStack() {
	var room [8 << 10]byte
	room[len(room)-1] = 1
	runtime.KeepAlive(&room)
}

// wait sits in synctest.Wait, then controls the loop as long as it can; false: the execution is over.
func (r *Runtime) wait(w *worker) bool {
	for {
		synctest.Wait()
		if !r.passing {
			break
		}
		// The worker in control lets time pass, which it cannot while somebody waits; it will say when to go on.
		r.parked = true
		<-w.up
	}
	if r.quit {
		return false
	}
	r.control.Store(w)
	r.arm()
	r.loop(w)
	return true
}

// arm makes somebody wait.
func (r *Runtime) arm() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if n := len(r.idle); n > 0 {
		r.waiter = r.idle[n-1]
		r.idle = r.idle[:n-1]
		r.waiter.up <- struct{}{}
		return
	}
	r.waiter = newWorker()
	go r.work(r.waiter)
}

// lieDown makes w idle until it is to wait again; false: the execution is over.
func (r *Runtime) lieDown(w *worker) bool {
	r.mu.Lock()
	if r.quit {
		r.mu.Unlock()
		return false
	}
	r.idle = append(r.idle, w)
	r.mu.Unlock()
	<-w.up
	return !r.quit
}

// leave sends all workers home.
func (r *Runtime) leave() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.quit = true
	for _, w := range r.idle {
		w.up <- struct{}{}
	}
}

// loop is the control loop: close the open event, decide, act; until another worker is in control or the end.
func (r *Runtime) loop(w *worker) {
	for {
		if r.open >= 0 {
			r.complete()
		}
		r.decide()
		if r.act == actNone {
			r.leave()
			return
		}
		if !r.run(w) {
			return
		}
	}
}

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
	if r.setUp != nil && !r.woken {
		r.woken = true
		r.act = actWake
		return
	}
	for r.given < len(r.calls) {
		c := r.calls[r.given]
		r.given++
		if !c.done && r.given < 100_000 {
			r.giving = c
			r.act = actGiveUp
			return
		}
	}
}

// run carries the action out. false: this worker is no longer in control, or has to lie down so that everybody else can
// run until nothing moves.
func (r *Runtime) run(w *worker) bool {
	r.sys.beat()
	switch {
	case r.act == actSend:
		return true
	case r.act == actAdvance:
		return r.pass() || r.sys.Mode == Wait
	case r.sys.Mode == Wait:
		go r.perform()
		synctest.Wait()
		return true
	}
	blocked, goroutines := r.blocked, runtime.NumGoroutine()
	r.perform()
	if r.control.Load() != w {
		return false
	}
	if n := runtime.NumGoroutine() - goroutines; n > 0 {
		r.strays(n)
		return false
	}
	return blocked == 0 && r.act != actWake
}

// strays notes that a handler started goroutines: one is an order that is not ours, several have an order among each
// other that nobody controls. A dead letter starts one in some frameworks.
func (r *Runtime) strays(n int) {
	if r.act != actHandle || r.dead {
		return
	}
	name := r.tr.ActorName(r.running)
	if n == 1 {
		if r.tr.Uncontrolled == "" {
			r.tr.Uncontrolled = name + " starts a goroutine in its handler"
		}
		return
	}
	r.Report(trace.Incident{Kind: trace.Divergence, Message: -1, Site: "goroutines in a handler", Text: fmt.Sprintf(
		"%s started %d goroutines while it handled %s: the order in which they run is the Go scheduler's choice, not ours; "+
			"make them actors, or let the handler do the work itself", name, n, r.tr.MessageName(r.message))})
}

// doing says what runs, for the error that it does not end. The watchdog has seen the beat before it.
func (r *Runtime) doing() string {
	if r.mu.TryLock() {
		defer r.mu.Unlock()
	}
	switch r.act {
	case actHandle:
		return r.tr.StepName(r.tr.DeliveryOf(r.message))
	case actTest, actWake:
		return "the test function"
	case actFinish:
		return "an invariant, final check or clean-up"
	}
	return "the program"
}

// perform runs the code of the action on this goroutine, to its end.
func (r *Runtime) perform() {
	a, m, act := r.running, r.message, r.act
	switch act {
	case actAnswer:
		r.complement(m)
		return
	case actWake:
		r.actors[0].busy = true
		close(r.setUp)
		return
	case actGiveUp:
		r.giving.done = true
		r.giving.giveUp()
		return
	}
	s := &r.actors[a]
	s.busy, s.gid, s.calls = true, 0, s.calls[:0]
	if r.blocked > 0 {
		s.gid = goid()
	}
	normal := false
	defer func() { r.ended(a, m, act, normal, recover()) }()
	switch act {
	case actTest:
		r.sys.Test(r.t)
	case actFinish:
		r.d.Finish()
		r.finished = true
	default:
		s.Handle(r.tr.Messages[m].Class, r.payload[m])
	}
	normal = true
}

// ended closes a handler: on whichever goroutine it ends, long after it was blocked perhaps.
func (r *Runtime) ended(a, m int32, act act, normal bool, reason any) {
	if !normal {
		r.escaped(a, m, act, reason)
	}
	r.handled(a)
	if !normal && reason == nil {
		// SUBTLE: this goroutine may be the root of the bubble, and the testing package dies when that one exits. It stays here;
		// Execute sees a bubble that is blocked for ever, and has the error.
		select {}
	}
}

// handled marks that an actor's handler is over.
func (r *Runtime) handled(a int32) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := &r.actors[a]
	if s.blocked {
		s.blocked = false
		r.blocked--
	}
	s.busy = false
	if r.open >= 0 && r.running == a {
		r.tr.Events[r.open].Completed = true
	}
	r.signal()
}

// escaped deals with what escaped a handler.
func (r *Runtime) escaped(a, m int32, act act, reason any) {
	switch {
	case reason == nil:
		r.Fail(fmt.Errorf("%s ended its goroutine (runtime.Goexit) in the middle of a step: inside an execution use the "+
			"rehearse.T that the test function gets; FailNow, Fatal and Skip of the outer testing.T end the goroutine that runs everything", r.tr.ActorName(a)))
	case r.phase == over || explore.IsFailNow(reason):
	case act == actFinish:
		in := explore.PanicIncident(reason)
		r.Fail(fmt.Errorf("an invariant, final check or clean-up panicked: %s\n%s", in.Text, in.Stack))
	default:
		r.Report(explore.PanicIncident(reason))
		if act == actHandle {
			r.supervise(a, m, reason)
		}
	}
	if act == actFinish {
		r.finished = true
	}
}

// supervise hands a panic to the framework. A supervision that panics itself is one more finding.
func (r *Runtime) supervise(a, m int32, reason any) {
	defer func() {
		if p := recover(); p != nil {
			r.Report(explore.PanicIncident(p))
		}
	}()
	r.actors[a].Failed(reason, r.payload[m])
}

// complement hands a reply to the call that waits for it.
func (r *Runtime) complement(m int32) {
	ans := r.payload[m].(*answer)
	r.mu.Lock()
	s := &r.actors[ans.call.owner]
	waiting := s.busy
	if s.blocked {
		s.blocked = false
		r.blocked--
	}
	late := ans.call.done
	ans.call.done = true
	r.tr.Events[r.open].Completed = !waiting
	r.mu.Unlock()
	late = late || ans.call.over()
	ans.deliver()
	if late {
		r.DeadLetter(r.tr.Messages[m].Value)
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

// pass lets time pass until something happens or the limit is reached. true: nothing did, and this worker is in control.
func (r *Runtime) pass() bool {
	r.passing, r.parked = true, false
	before := time.Now()
	limit := time.NewTimer(r.limit)
	happened := false
	select {
	case <-r.wake:
		happened = true
	case <-limit.C:
	}
	limit.Stop()
	r.passing = false
	if r.parked {
		r.waiter.up <- struct{}{}
	}
	r.futile = !happened
	if !happened {
		r.tried = r.tried || r.limit > 1
		return true
	}
	r.used += time.Since(before)
	r.tr.Events[r.open].Time = r.used
	r.sys.timed = true
	r.tried = false
	if r.sys.Mode == Wait {
		synctest.Wait()
	}
	return false
}
