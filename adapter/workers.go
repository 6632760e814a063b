package adapter

import (
	"runtime"
	"sync/atomic"
	"testing/synctest"

	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/goroutine"
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
	stuck    bool // handlers were blocked then; the test function may be one of them, and judging passes for its end
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
	chance.Leave()
	r.wake = make(chan struct{}, 1)
	r.sys.seesTimers = goroutine.FindTimers()
	r.started.Started() // those before do not count
	if r.layerTwo {
		r.place = placeHere()
	}
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
	for r.lieDown(first) && r.wait(first) {
	}
	r.linger()
}

// work is the life of any other worker.
func (r *Runtime) work(w *worker) {
	growStack()
	chance.Leave()
	for r.wait(w) && r.lieDown(w) {
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

// wait sits in synctest.Wait, then controls the loop as long as it can; false: the execution is over.
func (r *Runtime) wait(w *worker) bool {
	for {
		synctest.Wait()
		r.mu.Lock()
		// The worker in control lets time pass, which it cannot while somebody waits; it will say when to go on.
		r.parked = r.passing
		passing := r.passing
		r.mu.Unlock()
		if !passing {
			break
		}
		<-w.up
	}
	if r.quit {
		return false
	}
	r.control.Store(w)
	r.closeDraws()
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
	waiter := r.waiter
	goroutine.Go(func() { r.work(waiter) })
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
	r.mu.Lock()
	defer r.mu.Unlock()
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

// performBeside carries the action out on a goroutine of its own.
func (r *Runtime) performBeside() {
	r.living++ // that goroutine
	waited := false
	goroutine.Go(func() {
		r.perform()
		if waited { // it was blocked, and ends in a later step
			return
		}
		if runtime.NumGoroutine() <= r.living {
			r.noteAlone()
		}
		r.mu.Lock()
		r.living-- // before handlers go on that it has woken
		r.mu.Unlock()
	})
	synctest.Wait()
	waited = true
}

// noteAlone notes that the code of the action is over, and so are the goroutines that it has started. What is behind an
// answer in the same event is not the event's handler.
func (r *Runtime) noteAlone() {
	if r.act == actResolve {
		return
	}
	r.alone = true
	if r.layerTwo {
		r.begun = r.started.Started()
	}
}

// loop is the control loop: close the open event, decide, act; until another worker is in control or the end.
func (r *Runtime) loop(w *worker) {
	for {
		r.closeDraws()
		if r.open < 0 || !r.complete() {
			r.decide()
		}
		r.publish()
		if r.act == actNone {
			r.pins.Remove()
			r.leave()
			return
		}
		if !r.run(w) {
			return
		}
	}
}

// publish orders what was decided before what any goroutine of the program reads under the lock.
func (r *Runtime) publish() {
	r.mu.Lock()
	defer r.mu.Unlock()
}

// run carries the action out. false: this worker is no longer in control, or has to lie down so that everybody else can
// run until nothing moves.
func (r *Runtime) run(w *worker) bool {
	if r.act != actResolve { // which goes on with the event
		r.alone, r.outlasting, r.begun = false, 0, 0
	}
	r.sys.beat()
	r.pin()
	r.sow()
	if r.runsCode() && !r.openDraws() {
		r.leaveOut()
	}
	chance.Leave() // as whoever ends a part, and begins one, is under control
	r.living = runtime.NumGoroutine()
	switch {
	case r.act == actSend || r.act == actNothing:
		return true
	case r.act == actAdvance || r.act == actPeek:
		nothing := r.pass()
		if !nothing && r.sys.Mode == Wait {
			synctest.Wait()
		}
		return nothing || r.sys.Mode == Wait
	case r.sys.Mode == Wait:
		r.performBeside()
		return true
	}
	blocked := r.blocked
	r.perform()
	if r.control.Load() != w {
		return false
	}
	if n := runtime.NumGoroutine() - r.living; n > 0 {
		r.strays(n)
		return false
	}
	r.noteAlone()
	return blocked == 0 && r.act != actWake
}
