package adapter

import (
	"sync/atomic"
	"testing/synctest"

	"github.com/rehearse-go/rehearse/internal/goroutine"
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
	*execution
	live func(*worker) // what a new one does

	control atomic.Pointer[worker]
	waiter  *worker
	idle    []*worker
	wake    chan struct{} // something happened while time passed
	watch   watch
}

// watch is what the waiter is to do when nothing moves.
type watch uint8

const (
	takes   watch = iota // control
	passing              // nothing: time is allowed to pass
	parked               // the same, and it knows, and waits to be told to go on
	quit                 // it goes home
)

// passes reports whether time is allowed to pass.
func (ws *workers) passes() bool { return ws.watch == passing || ws.watch == parked }

// reset makes ready for another execution.
func (ws *workers) reset() {
	ws.control.Store(nil)
	ws.waiter, ws.idle = nil, nil
	ws.watch = takes
}

// worker is one goroutine that the loop can run on.
type worker struct {
	up chan struct{} // tells an idle worker to wait
}

func newWorker() *worker { return &worker{up: make(chan struct{}, 1)} }

// arm makes somebody wait.
func (ws *workers) arm() {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if n := len(ws.idle); n > 0 {
		ws.waiter = ws.idle[n-1]
		ws.idle = ws.idle[:n-1]
		ws.waiter.up <- struct{}{}
		return
	}
	ws.waiter = newWorker()
	waiter := ws.waiter
	goroutine.Go(func() { ws.live(waiter) })
}

// lieDown makes w idle until it is to wait again; false: the execution is over.
func (ws *workers) lieDown(w *worker) bool {
	ws.mu.Lock()
	if ws.watch == quit {
		ws.mu.Unlock()
		return false
	}
	ws.idle = append(ws.idle, w)
	ws.mu.Unlock()
	<-w.up
	ws.mu.Lock()
	defer ws.mu.Unlock()
	return ws.watch != quit
}

// leave sends all workers home.
func (ws *workers) leave() {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	ws.watch = quit
	for _, w := range ws.idle {
		w.up <- struct{}{}
	}
}

// signal says that something happened while time passed.
func (ws *workers) signal() {
	if ws.passes() {
		select {
		case ws.wake <- struct{}{}:
		default:
		}
	}
}

// stopPassing has the waiter take control again when nothing moves. It is called with the lock.
func (ws *workers) stopPassing() {
	if ws.watch == parked {
		ws.waiter.up <- struct{}{}
	}
	ws.watch = takes
}

// turn sits in synctest.Wait until w is in control; false: the execution is over.
func (ws *workers) turn(w *worker) bool {
	for {
		synctest.Wait()
		ws.mu.Lock()
		passes := ws.passes()
		if passes {
			// The worker in control lets time pass, which it cannot while somebody waits; it will say when to go on.
			ws.watch = parked
		}
		ws.mu.Unlock()
		if !passes {
			break
		}
		<-w.up
	}
	if ws.watch == quit {
		return false
	}
	ws.control.Store(w)
	return true
}
