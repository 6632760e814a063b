package adapter

import (
	"time"

	"github.com/rehearse-go/rehearse/internal/goroutine"
	"github.com/rehearse-go/rehearse/trace"
)

// This file keeps count of the timers that are known to be set: of calls, of actors, and those that the framework's
// adapter sets. Others: owntimers.go. What handlers do with receive timeouts: patience.go.

// timers is what is known of them in an execution.
type timers struct {
	*execution
	workers  *workers
	cast     *cast
	recorder *recorder

	ofFramework int    // set by the framework's adapter
	fired       *Timer // one of these, until what it sends is recorded
	known       int    // timers known before the last advance
	ofCalls     map[*time.Timer]bool
	pins        goroutine.Pins
	looks       bool // a look has just been taken, before the timer of a call is set
}

// reset makes ready for another execution.
func (ts *timers) reset() {
	ts.ofFramework, ts.fired, ts.known = 0, nil, 0
	ts.ofCalls, ts.pins, ts.looks = map[*time.Timer]bool{}, goroutine.Pins{}, false
}

// ofTimers is what a System knows of the timers of its program, over all executions. Nothing of it is forgotten.
type ofTimers struct {
	timed      bool             // the program sets timers
	opaque     bool             // some of them are not known to be set until they fire
	setsOwn    bool             // one of the program's own was seen while probing
	seesTimers bool             // it can be seen which timers are set
	known      map[uintptr]bool // by the code of timers' functions, whether the framework tells of them
}

// knownTimers counts the timers that are known to be set: of calls, of actors, and those that the framework's adapter
// set. Others (time.AfterFunc in a handler, say): owntimers.go.
func (ts *timers) knownTimers() int {
	n := ts.ofFramework
	for _, c := range ts.cast.calls {
		if c.timed && !c.done && !c.over() {
			n++
		}
	}
	for a := range ts.cast.actors {
		if s := &ts.cast.actors[a]; s.Actor != nil && !s.gone && s.Timed() {
			n++
		}
	}
	return n
}

// setter gives the actor that has set the timer whose message to another is being recorded, and what that had captured
// last when it did; -1 if nothing. Of the timeout of a call both are known, and of what the framework's adapter sets.
// Of a timer of the program's own nothing is known. Most are set by the actor that they speak to, so it is taken for
// one of these, which was set at the end of a handler.
func (ts *timers) setter(to int32, typ *trace.Type) (actor, last int32) {
	if t := ts.fired; t != nil {
		ts.fired = nil
		return t.owner, t.behind
	}
	for _, c := range ts.cast.calls {
		if c.timed && !c.done && c.Hooked != nil && c.over() && c.Hooked() { // something hangs on it until that was told
			return c.owner, c.behind
		}
	}
	ts.noteOwnTimer(typ, to)
	return to, ts.pool.Last(to)
}

// beyond notes the first message of a timer that the horizon left out.
func (ts *timers) beyond(name string) {
	if ts.tr.Beyond == "" {
		ts.tr.Beyond = name
	}
	ts.workers.signal()
}

// KeepDeadlinesApart says that the program sets timers: from now on, deadlines set in different steps differ.
func (ts *timers) KeepDeadlinesApart() {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	ts.sys.timed = true
}

// Timer is one that the framework's adapter has set, for good.
type Timer struct{ owner, behind int32 }

// SetTimer counts a timer that the framework's adapter sets for the actor that runs; FireTimer takes it back when it
// fires, before what it sends.
func (ts *timers) SetTimer() *Timer {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	ts.ofFramework++
	ts.sys.timed = true
	a := ts.cast.who()
	return &Timer{a, ts.pool.Last(a)}
}

// FireTimer says that a timer counted by SetTimer fired.
func (ts *timers) FireTimer(t *Timer) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	ts.ofFramework--
	ts.fired = t
}

// DropTimer says that a timer counted by SetTimer was stopped.
func (ts *timers) DropTimer(*Timer) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	ts.ofFramework--
}
