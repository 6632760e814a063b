package chance

import "runtime"

// This file tells that all goroutines under control wait for each other, by there being none that can run: nobody has
// to wait for that to become likely.
//
//	assumes:    GOMAXPROCS is 1 (Alone), and the code between Begin and End is no test bubble, which sees such things
//	            itself
//	checked by: package overlay, and the tests of native actors that it builds

// Watcher is a Source that can tell.
type Watcher interface {
	// Await waits until nothing under control can run, or until Wake. One goroutine that is not under control may
	// call it.
	Await()
	Wake()
	// Stuck is called where nothing under control can run. It gives the ids of goroutines that wait, not all if they are
	// very many, and whether they do so for ever. They do if no time, no system call, and no goroutine beside those under
	// control can end it.
	Stuck() (ids []uint64, forEver bool)
	// Idle reports whether still nothing under control can run.
	Idle() bool
	// GiveUp takes those that wait out of control.
	GiveUp()
	// Fresh is called before an execution. Awoken reports whether something has made a goroutine runnable since that
	// was given up: one of this execution, since those of others are nothing to it.
	Fresh()
	Awoken() bool
	// Drain lets the goroutines go on that could, until they end or wait, and reports whether one of them had more to
	// do than to end. It is called between Begin and End, by the goroutine that has called Begin.
	Drain() (outlived bool)
	// Abandon ends what Begin began, in the place of a goroutine that never will: it loops for ever. All that is under
	// control is taken out of it for good. Else it would go on within what is begun next, as one of its goroutines.
	Abandon()
	// Locked reports whether a goroutine of the bubble under control waits for a mutex. It reads no stacks, and may say so
	// where there is no such bubble.
	Locked() bool
}

// TheWatcher gives the one of this process, nil if there is none.
func TheWatcher() Watcher {
	w, _ := current().(Watcher)
	return w
}

// Await is Watcher.Await.
func (r *ofRuntime) Await() { r.control.await() }

// Wake is Watcher.Wake.
func (r *ofRuntime) Wake() { r.control.wake() }

// Stuck is Watcher.Stuck.
func (r *ofRuntime) Stuck() (ids []uint64, forEver bool) {
	for range maxYields {
		switch r.control.stuck() {
		case stuckForEver:
			c := &r.control
			return append(ids, c.blocked[:min(int(c.nblocked), len(c.blocked))]...), true
		case othersRun:
			runtime.Gosched()
		default:
			return nil, false
		}
	}
	return nil, false
}

// What control.stuck gives, but for 0.
const (
	stuckForEver = 1
	othersRun    = 2
)

// maxYields is how often others are let run first.
const maxYields = 1000

// Idle is Watcher.Idle.
func (r *ofRuntime) Idle() bool { return r.control.idle != 0 }

// Fresh is Watcher.Fresh.
func (r *ofRuntime) Fresh() {
	r.control.timers, r.control.awoken = 0, 0
	r.control.fresh++
}

// Awoken is Watcher.Awoken.
func (r *ofRuntime) Awoken() bool { return r.control.awoken > 0 }

// Drain is Watcher.Drain.
func (r *ofRuntime) Drain() bool {
	r.control.outlived = 0
	r.control.drain()
	return r.control.outlived != 0
}

// Locked is Watcher.Locked.
func (r *ofRuntime) Locked() bool { return r.control.locked() }

// Abandon is Watcher.Abandon.
func (r *ofRuntime) Abandon() { r.control.abandon() }

// GiveUp is Watcher.GiveUp.
func (r *ofRuntime) GiveUp() { r.control.giveUp() }
