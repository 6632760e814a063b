package adapter

import (
	"slices"
	"sync/atomic"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/delivery"
	"github.com/rehearse-go/rehearse/trace"
)

// This file has what all parts of a Runtime share: the program and its conditions, the record, and the action that is
// carried out.

// execution is what all parts of a Runtime read: the program and its conditions, the record, what is pending, and the
// action that is carried out. Its lock guards what goroutines of the program reach beside the loop.
type execution struct {
	sys    *System
	cond   explore.Conditions
	d      explore.Driver
	t      *explore.T
	tr     trace.Trace
	pool   delivery.Pool
	serial uint64 // of all in the process
	number int    // of those of the System, from 0

	mu      Mutex // guards what posts of stray goroutines touch
	phase   phase
	act     act
	message int32
	open    int32 // the event being recorded, -1 if none
	opened  int32 // the first of its step: open itself but for choices
	running int32 // whose code the open event runs
	first   trace.ID
	used    time.Duration // virtual time that passed and led to something
	inSetUp atomic.Bool   // the function given to SetUp has not returned
	draws   layer
	stopped bool // the driver wants no more steps
	err     error
	left    atomic.Bool // Execute has given up: a handler does not give control back
}

// reset makes ready for another execution.
func (x *execution) reset(c explore.Conditions, d explore.Driver) {
	x.cond, x.d, x.t, x.serial = c, d, nil, serial.Add(1)
	x.tr.Reset()
	x.pool.Reset(c.Model, &x.tr)
	x.phase, x.act, x.first = exploring, actNone, trace.ID{}
	x.open, x.running = -1, 0
	x.used, x.stopped, x.err = 0, false, nil
	x.inSetUp.Store(false)
	x.draws = layerOf(&x.cond, x.sys.isProbing())
	x.sys.cases = c.Cases != nil
	x.tr.AddDriver()
}

// phase is what the control loop is doing.
type phase uint8

const (
	exploring  phase = iota // the driver chooses
	settingUp               // the oldest message is delivered, unobserved choices
	concluding              // final assertions run; what they send is delivered in the default order
	peeking                 // time passes beyond the horizon, where it is seen what that has left out
	over                    // blocked handlers are released
)

// isOver reports whether the execution has ended, and nothing of what still runs is recorded.
func (x *execution) isOver() bool { return x.phase >= peeking }

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

// Trace is the record so far.
func (x *execution) Trace() *trace.Trace { return &x.tr }

// Pending calls f for every message that was sent and not handled.
func (x *execution) Pending(f func(int32)) { x.pool.Each(f) }

// Fail ends the execution, and with it the exploration, with an operating problem.
func (x *execution) Fail(err error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.err == nil {
		x.err = err
	}
	x.stopped = true
}

// Exploring reports whether the execution is still of interest; hooks leave the framework alone when it is not.
func (x *execution) Exploring() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.phase != over
}

// refused is what Refuse panics with.
type refused struct{}

// Refuse ends the exploration with an error, and the code that does what is refused; it does not return. Unwinding that
// code closes what it has opened. On a goroutine of the program's own there is nobody to stop a panic: it stays where
// it is.
func (x *execution) Refuse(err error) {
	x.Fail(err)
	unwind()
}

// unwind ends the code that calls it, without a word.
func unwind() {
	if !onPerform() {
		select {}
	}
	panic(refused{})
}

// Serial numbers the executions of the process, so that what a framework keeps of one is not used in the next.
func (x *execution) Serial() uint64 { return x.serial }

// Horizon is how much virtual time an execution has.
func (x *execution) Horizon() time.Duration { return x.cond.Horizon }

// MaxSteps bounds what the loop does not: set-up, the sends of one step, how deep actors are nested.
func (x *execution) MaxSteps() int {
	if x.cond.MaxSteps > 0 {
		return x.cond.MaxSteps
	}
	return 100_000
}

// observe shows the events of a step to the driver. It reports whether that wants more.
func (x *execution) observe(first, last int32) bool {
	for e := first; e <= last; e++ {
		if !x.d.Observe(e) {
			return false
		}
	}
	return true
}

// runsCode reports whether the action runs code of the program, or lets it run.
func (x *execution) runsCode() bool { return x.act != actSend && x.act != actNothing }

// publish orders what was decided before what any goroutine of the program reads under the lock.
func (x *execution) publish() {
	x.mu.Lock()
	defer x.mu.Unlock()
}

// Captures reports whether what handlers send is released afterwards.
func (x *execution) Captures() bool { return x.cond.Model == trace.Mailbox && x.phase == exploring }

func (x *execution) stepName(event int32) string {
	return x.tr.StepName(x.tr.Events[x.tr.StepOf(event)].Step)
}

// conflicts reports whether an event accesses the object too, so that the order matters.
func (x *execution) conflicts(event int32, t trace.Touch) bool {
	e := &x.tr.Events[event]
	same := func(o trace.Touch) bool { return o.Object == t.Object && (o.Write || t.Write) }
	return slices.ContainsFunc(e.Touched, same) ||
		slices.ContainsFunc(e.Stopped, func(a int32) bool { return x.tr.Actors[a].Life() == t.Object })
}

// AnyTime reports whether handlers have to tell when they change receive timeouts (LookAtDeadline, SetDeadline).
func (x *execution) AnyTime() bool {
	return x.cond.Timers == trace.Async && x.cond.Model == trace.Mailbox
}

// anyTime reports whether timers may fire while captured sends wait for their release.
func (x *execution) anyTime() bool {
	return x.cond.Timers == trace.Async && x.cond.Model == trace.Mailbox && x.phase == exploring
}

// omit notes the first that the execution leaves out.
func (x *execution) omit(what string) {
	if x.tr.Omitted == "" {
		x.tr.Omitted = what
	}
}

// uncontrolled notes the first order that the program chooses by itself.
func (x *execution) uncontrolled(how string) {
	if x.tr.Uncontrolled == "" {
		x.tr.Uncontrolled = x.tr.ActorName(x.running) + " " + how
	}
}

// doing says what runs, for the error that it does not end. The watchdog has seen the beat before it.
func (x *execution) doing() string {
	if x.mu.TryLock() {
		defer x.mu.Unlock()
	}
	switch x.act {
	case actHandle:
		return x.tr.StepName(x.tr.DeliveryOf(x.message))
	case actFault:
		return x.tr.StepName(x.tr.Events[x.opened].Step)
	case actTest, actWake:
		if x.inSetUp.Load() {
			return "SetUp"
		}
		return "the test function"
	case actFinish:
		return "an invariant, final check or clean-up"
	}
	return "the program"
}

// layer is what is done about what Go chooses.
type layer uint8

const (
	layerOne layer = iota // it repeats
	probed                // draws have numbers, which do not count while probing
	layerTwo              // and they count
)

func layerOf(c *explore.Conditions, probing bool) layer {
	switch {
	case !chance.NumberedUnder(c):
		return layerOne
	case probing:
		return probed
	}
	return layerTwo
}
