// Package adapter is the controlled runtime that framework adapters share. It runs an unmodified program in a bubble
// (testing/synctest), where it can see when nothing moves any more and where time is virtual, and lets an
// explore.Driver choose which message is handled next. It knows nothing of any framework: adapter/protoactor
// shows what one has to provide (Framework, Actor, and calls of Spawned, Send, Post, Ask, DeadLetter).
package adapter

import (
	"sync/atomic"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/declared"
	"github.com/rehearse-go/rehearse/internal/delivery"
	"github.com/rehearse-go/rehearse/internal/fault"
	"github.com/rehearse-go/rehearse/internal/goroutine"
	"github.com/rehearse-go/rehearse/trace"
)

// Actor is one actor of the framework, as the runtime uses it.
type Actor interface {
	// Handle runs the actor's code for a message. It may panic and it may block.
	Handle(class trace.Class, payload any)
	// Failed hands a panic that escaped Handle to the framework's supervision. It runs as part of the same step.
	Failed(reason, payload any)
	// Ready reports whether user messages are processed (the actor is not suspended).
	Ready() bool
	// Gone reports whether the actor has stopped for good: others do not find it any more.
	Gone() bool
	// Stay lets others find the actor although it is Gone, until Leave. It reports false if another one has its name.
	Stay() bool
	// Leave ends what Stay has begun.
	Leave()
	// Timed reports whether a timer of the framework is set for the actor (a receive timeout).
	Timed() bool
	// Deadline is that timer, if it runs. It is another one when the timer was set anew.
	Deadline() Deadline
	// Changed reports whether the actor's handlers changed since it was last asked: its behaviour, or the instance behind it.
	Changed() bool
	// Value is the user's own value behind the actor.
	Value() any
	// Crash stops the actor at once, as a fault: none of its code runs any more, what waits in its mailbox stays.
	Crash()
	// Restart puts a fresh instance in the actor's place, as the framework does after a failure.
	Restart()
	// Count says that so many more user messages wait.
	Count(change int)
}

// Framework is what differs between frameworks.
type Framework interface {
	Vouching
	// Install puts the hooks in place for the time of an exploration.
	Install() (remove func(), err error)
	// Undeliverable tells the framework that a released message found its receiver stopped. taken: another actor has its name, and would get it.
	Undeliverable(receiver Actor, class trace.Class, payload any) (taken bool)
	// Ignored reports whether a go statement is one of the framework's that do not matter to the program.
	Ignored(goroutine.Frame) bool
	// Owner says which part of the framework a function is of, as in "protoactor-go/plugin", "" for code of the program.
	Owner(function string) string
	// Knows reports whether a timer's function is one that the framework sets for a purpose of which it tells otherwise (Actor.Timed, SetTimer).
	Knows(function string) bool
	// Explain improves the watchdog's error, which holds the stacks of what does not move.
	Explain(err error) error
}

// phase is what the control loop is doing.
type phase uint8

const (
	exploring phase = iota // the driver chooses
	settingUp              // the oldest message is delivered, unobserved choices
	ending                 // final assertions run; what they send is delivered in the default order
	over                   // blocked handlers are released
)

// act is the action that the control loop has decided on.
type act uint8

const (
	actNone    act = iota
	actTest        // run the test function
	actHandle      // run a handler
	actAnswer      // complete a call
	actResolve     // complete a call in the event that released its answer
	actSend        // release a captured send
	actWake        // let the test function go on after set-up
	actFinish      // let the driver judge the end
	actGiveUp      // fail a call that nobody will answer
	actAdvance     // let time pass to the next deadline
	actPeek        // look for timers beyond the horizon
	actFault       // crash or restart an actor
	actNothing     // the event has no code to run
)

// Runtime is one execution under control. Its methods may be called from any goroutine of the bubble.
type Runtime struct {
	sys    *System
	cond   explore.Conditions
	d      explore.Driver
	t      *explore.T
	tr     trace.Trace
	serial uint64
	pool   delivery.Pool

	mu         Mutex // guards what posts of stray goroutines touch
	actors     []actorState
	payload    []any // by message
	phase      phase
	open       int32 // the event being recorded, -1 if none
	opened     int32 // the first of its step: open itself but for choices
	running    int32 // whose code the open event runs
	first      trace.ID
	faults     fault.Asker
	inject     trace.Step // the fault to be brought about next, if it is one
	act        act
	message    int32
	stopped    bool   // the driver wants no more steps
	natural    bool   // nothing more could happen; the driver did not end it
	timers     int    // set by the framework's adapter
	fired      *Timer // one of these, until what it sends is recorded
	known      int    // timers known before the last advance
	tried      bool   // since the last step, time was let pass as far as it goes and nothing came of it
	futile     bool   // nothing came of the last advance
	blocked    int    // handlers that are blocked
	busy       int    // handlers that are not over, blocked or not
	enabled    []trace.Step
	choices    int           // Chooses of the open event
	sent       int           // messages of the open event
	asked      int           // calls of the open event
	advance    int           // advances so far
	used       time.Duration // virtual time that passed and led to something
	limit      time.Duration // how long the advance may take
	nudged     bool          // the clock was moved by a nanosecond since the last step
	touched    touched       // of the event that touched much last
	nudges     int           // how often it was
	lingers    time.Duration // how long the end waits for what the framework started
	setUp      chan struct{} // closed when set-up is over
	parts      int           // of the driver that are over: the test function before each SetUp
	woken      bool          // it was
	inSetUp    atomic.Bool   // the function given to SetUp has not returned
	calls      []*Call       // of this execution
	given      int           // calls looked at by the final release
	giving     *Call
	abandoned  bool // the execution is over, and waiting code was let go
	err        error
	dead       bool   // a dead letter happened in the open event
	execution  int    // of the System, from 0
	close      bool   // goroutines are looked up in the open event
	stray      uint64 // a goroutine that sent in the open event and is not its handler's
	told       bool   // of several
	resolver   resolver
	through    []int32 // actors whose handlers have ended since the last step was over
	releasing  bool    // a captured send is being handed to the dead
	reply      int32   // the answer that came of it, -1 if none did
	delivering bool    // a reply is
	peeked     bool    // beyond the horizon
	peeking    bool
	recalls    bool           // a strategy will ask WouldAccept
	stands     []stand        // by event
	judge      declared.Judge // of what handlers were declared to do
	stashed    int            // by the actor that runs, before its declared step
	relied     bool           // a step was found to keep to what was declared
	started    goroutine.Counter
	announced  int  // goroutines that the framework may have started in the open event
	alone      bool // the handler of the open event is over, and so are the goroutines that it has started
	outlasting int  // goroutines that were started in the open event and were alive when a handler ended in it, at most
	begun      int  // goroutines that were started in the open event until its handler was over; 0 if that is not known
	living     int  // goroutines of the process before the code ran that runs

	workers
	ownTimers
	lates
	numbered
	place  place
	wedged bool // its handlers wait for ever for locks
}

// actorState is what the runtime knows of an actor.
type actorState struct {
	Actor
	busy    bool // in the middle of a handler
	blocked bool // busy, and nothing moved any more
	gone    bool
	crashed bool   // by an injected fault
	end            // how far it is
	gid     uint64 // of the goroutine that runs the handler, 0 if it was not looked up
	asked   bool   // it has made a call
	patience
	calls []*Call
}

// current is the execution in progress; hooks find it here. Tests of one process explore one at a time.
var current atomic.Pointer[Runtime]

// serial counts executions.
var serial atomic.Uint64

// Current gives the execution in progress, nil outside of one.
func Current() *Runtime { return current.Load() }

func (r *Runtime) reset(c explore.Conditions, d explore.Driver) {
	r.cond, r.d, r.t, r.serial = c, d, nil, serial.Add(1)
	r.tr.Reset()
	r.pool.Reset(c.Model, &r.tr)
	r.actors, r.payload = r.actors[:0], r.payload[:0]
	r.phase, r.open, r.running, r.act, r.first = exploring, -1, 0, actNone, trace.ID{}
	r.busy, r.through = 0, r.through[:0]
	r.timers, r.fired, r.known, r.peeked, r.peeking = 0, nil, 0, false, false
	r.stopped, r.tried, r.blocked, r.choices, r.advance, r.used = false, false, 0, 0, 0, 0
	r.parts = 0
	r.inSetUp.Store(false)
	r.setUp, r.woken, r.calls, r.given, r.err, r.dead, r.nudged = nil, false, r.calls[:0], 0, nil, false, false
	r.natural, r.lingers, r.abandoned, r.nudges = false, 0, false, 0
	r.recalls, r.stands = false, r.stands[:0]
	r.relied, r.judge.Nature = false, r.sys.natureOf
	r.sys.cases = c.Cases != nil
	r.judge.Reset(&r.cond, &r.tr)
	r.faults.Faults, r.faults.Injected, r.inject = c.Faults, 0, trace.Step{}
	r.workers = workers{}
	r.ownTimers, r.touched = ownTimers{ofCalls: map[*time.Timer]bool{}}, touched{}
	r.lates.forget()
	r.beginNumbers()
	r.place, r.wedged = place{}, false
	r.tr.AddDriver()
	r.actors = append(r.actors, actorState{})
}

// Trace is the record so far.
func (r *Runtime) Trace() *trace.Trace { return &r.tr }

// State is the user's value behind an actor.
func (r *Runtime) State(a int32) any {
	if r.actors[a].Actor == nil {
		return nil
	}
	return r.actors[a].Value()
}

// Status says how an actor stands.
func (r *Runtime) Status(a int32) explore.Status {
	s := &r.actors[a]
	st := explore.Status{Stopped: s.gone || s.crashed, Crashed: r.Crashed(a), Blocked: s.blocked, On: -1}
	if s.blocked {
		st.Awaits = "something other than a message"
		if c := s.waitsFor(); c != nil {
			st.Awaits, st.On = "reply to "+c.request, c.callee
		}
	}
	return st
}

// waitsFor is the youngest call that was not answered, nil if there is none.
func (s *actorState) waitsFor() *Call {
	for i := len(s.calls) - 1; i >= 0; i-- {
		if !s.calls[i].done {
			return s.calls[i]
		}
	}
	return nil
}

// Pending calls f for every message that was sent and not handled.
func (r *Runtime) Pending(f func(int32)) { r.pool.Each(f) }

// Accepts is delivery.Host.
func (r *Runtime) Accepts(a, m int32) bool {
	s := &r.actors[a]
	switch r.tr.Messages[m].Class {
	case trace.Answer:
		return true
	case trace.System:
		// An actor that has stopped still handles what the framework sent it before: a watcher is told that it came too late.
		return !s.busy
	}
	return !s.busy && !s.gone && s.Actor != nil && s.Ready()
}

// Fail ends the execution, and with it the exploration, with an operating problem.
func (r *Runtime) Fail(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil {
		r.err = err
	}
	r.stopped = true
}

// Exploring reports whether the execution is still of interest; hooks leave the framework alone when it is not.
func (r *Runtime) Exploring() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.phase != over || r.peeking
}

// Choose lets the exploration pick a value in [0, n); in set-up it is 0. explore.Host.
func (r *Runtime) Choose(n int) int {
	if r.phase != exploring || n == 1 || r.stopped || r.choosesDeclared() {
		return 0
	}
	open := r.divideDraws()
	if r.stopped || r.anew {
		return 0
	}
	steps := make([]trace.Step, n)
	for v := range n {
		steps[v] = r.tr.ChoiceStep(r.opened, r.choices, v)
	}
	r.choices++
	var c explore.Choice
	var ok bool
	chance.Aside(func() { c, ok = r.d.Choose(steps) })
	if !ok {
		r.stopped = true
		return 0
	}
	// SUBTLE: what the handler does from here on is an effect of the choice. The strategy has looked at the event before already.
	r.goOn(steps[c.Index])
	if open {
		r.openDraws()
	}
	return int(steps[c.Index].Value)
}

// Running is the actor whose code runs. explore.Host.
func (r *Runtime) Running() int32 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.who()
}
