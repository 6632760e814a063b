// Package adapter is the controlled runtime that framework adapters share. It runs an unmodified program in a bubble
// (testing/synctest), where it can see when nothing moves any more and where time is virtual. It lets an explore.Driver
// choose which message is handled next. It knows nothing of any framework: adapter/protoactor shows what one has to
// provide (Framework, Actor, and calls of Spawned, Send, Ask, Answer, DeadLetter).
package adapter

import (
	"sync/atomic"

	"github.com/rehearse-go/rehearse/explore"
)

// Runtime is one execution under control. Its methods may be called from any goroutine of the bubble.
//
// It consists of parts, each with one job and its own state. They stand here from the ground up: a part uses those
// before it, and never one behind it (TestParts). What a framework's adapter calls, and what strategies and checks ask,
// are methods of the parts. The Runtime itself has the control loop (loop.go).
type Runtime struct {
	execution    // what all parts read: conditions, record, the action that is carried out
	workers      // goroutines that the loop can run on
	cast         // how each actor stands, and whose code runs
	foresight    // what actors would have accepted before
	recorder     // events, and what happens in them
	accesses     // what steps use that is no message, and what of it comes late
	timers       // which are set
	declarations // what handlers were declared to do
	clock        // lets time pass
	goroutines   // which handlers start
	ends         // of actors
	mail         // what is sent, and how it comes to its receiver
	releases     // of what handlers have sent
	injector     // of faults
	drawing      // what Go chooses
	stepper      // takes steps
	setUps       // what is run unexplored
	ending       // how the execution ends, and what is done then
	handlers     // code of the program
	inspection   // what the record leaves out of a state
}

// newRuntime makes the parts and says which use which.
func newRuntime(s *System) *Runtime {
	r := new(Runtime)
	x := &r.execution
	x.sys = s
	r.workers = workers{execution: x, live: r.work}
	w := &r.workers
	r.cast = cast{execution: x}
	c := &r.cast
	x.pool.Skip(c)
	x.pool.Trust(c)
	r.foresight = foresight{execution: x, cast: c}
	r.recorder = recorder{execution: x, workers: w, cast: c, foresight: &r.foresight}
	k := &r.recorder
	r.accesses = accesses{execution: x, cast: c, recorder: k}
	r.timers = timers{execution: x, workers: w, cast: c, recorder: k}
	r.declarations = declarations{execution: x, cast: c, recorder: k}
	r.clock = clock{execution: x, workers: w, recorder: k, timers: &r.timers}
	r.goroutines = goroutines{execution: x, cast: c, recorder: k, timers: &r.timers}
	r.ends = ends{execution: x, cast: c, recorder: k}
	r.mail = mail{execution: x, workers: w, cast: c, recorder: k, accesses: &r.accesses, timers: &r.timers,
		declarations: &r.declarations, goroutines: &r.goroutines, ends: &r.ends}
	r.releases = releases{execution: x, cast: c, recorder: k, ends: &r.ends, mail: &r.mail}
	r.injector = injector{execution: x, cast: c, recorder: k, clock: &r.clock}
	r.drawing = drawing{execution: x, cast: c, recorder: k, accesses: &r.accesses, declarations: &r.declarations,
		clock: &r.clock}
	r.stepper = stepper{execution: x, cast: c, recorder: k, declarations: &r.declarations, clock: &r.clock,
		injector: &r.injector, drawing: &r.drawing}
	r.setUps = setUps{execution: x, cast: c, recorder: k, declarations: &r.declarations, clock: &r.clock,
		releases: &r.releases, stepper: &r.stepper}
	r.ending = ending{execution: x, workers: w, cast: c, recorder: k, accesses: &r.accesses, timers: &r.timers,
		declarations: &r.declarations, clock: &r.clock, drawing: &r.drawing, stepper: &r.stepper, setUps: &r.setUps}
	r.handlers = handlers{execution: x, workers: w, cast: c, recorder: k, goroutines: &r.goroutines,
		injector: &r.injector, setUps: &r.setUps, ending: &r.ending}
	r.inspection = inspection{execution: x, cast: c, recorder: k, timers: &r.timers, ending: &r.ending}
	return r
}

// current is the execution in progress; hooks find it here. Tests of one process explore one at a time.
var current atomic.Pointer[Runtime]

// serial counts executions.
var serial atomic.Uint64

// Current gives the execution in progress, nil outside of one.
func Current() *Runtime { return current.Load() }

// reset makes ready for another execution.
func (r *Runtime) reset(c explore.Conditions, d explore.Driver) {
	r.execution.reset(c, d)
	r.stepper.enabled = r.stepper.enabled[:0]
	r.workers.reset()
	r.cast.reset()
	r.foresight.reset()
	r.recorder.reset()
	r.accesses.forget()
	r.timers.reset()
	r.declarations.reset()
	r.clock.reset()
	r.goroutines.reset()
	r.injector.reset()
	r.drawing.reset()
	r.setUps.reset()
	r.ending.reset()
}
