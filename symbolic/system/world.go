package system

import (
	"go/token"
	"go/types"
	"math/rand/v2"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/internal/delivery"
	"github.com/rehearse-go/rehearse/static/model"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
	"github.com/rehearse-go/rehearse/trace"
)

// world is one symbolic execution of a whole program: what package actor, or adapter, does for compiled programs. It
// records a trace, with the identities, names and default order of an execution, and leaves the delivery models to
// package delivery.
//
// Handlers run in tasks of package exec. One that waits keeps its task, and goes on in it.
//
//	source:     actor/machine.go for native actors; adapter and protoactor-go's actor_context.go for the others
//	differs:    a panic ends the execution, but in a handler of a native actor; no injected faults, no undoing. What is
//	            not followed is marked with its place
//	invariants: I1 the same decisions of the run make the same world. I2 the steps that may be taken are those that
//	               package delivery gives
//	checked by: twin_test.go: the steps of compiled programs in the default order
type world struct {
	marked bool // something is not followed
	p      *Program
	driver *Driver
	task   task
	model  trace.Model
	async  bool // timers may fire at any time
	replay bool // what the driver sends is sent, and not only noted
	ending bool // handlers that wait when nothing can happen any more go on with an error

	m     *exec.Machine
	store *term.Store
	tr    trace.Trace
	pool  delivery.Pool
	frame framework // of the driver

	phase    phase
	parts    int
	event    int32
	over     bool // the driver has come to its end, or waits
	met      int  // actors by then, itself included
	steps    []trace.Step
	actors   []*agent
	letters  []letter // of the messages of the trace
	calls    []*call
	timers   []*timer
	futures  map[*exec.Opaque]*future
	recipes  map[*exec.Opaque]*recipe // of protoactor-go
	watches  int
	running  *agent // whose code runs
	runner   *agent // whose handler ran in this step
	now      *term.Term
	advances int

	body    *exec.Func        // of the driver
	visited int               // how many blocks up to the end of set-up
	hooked  []*ssa.BasicBlock // visited by start hooks, up to the end of the driver
	astray  []token.Pos       // of calls in these hooks that send to nobody
	passed  int               // how often the entry has come to the place of the driver
	begun   bool              // it runs
	waited  bool              // for somebody outside
	natural bool              // nothing more can happen
	atEnd   []exec.Value      // functions for the end of the execution
	sent    []posted          // by the driver, and not delivered
	given   []int32           // of each message that pending tells, its index, -1 for the driver's
	path    []int32           // events of the handlers that ran, in order
	acts    int               // calls that may have changed something
	failed  bool              // a panic ends the execution
	chance  *rand.Rand        // decides where more than one outcome is possible; nil: all of them

	judgement
}

// task decides what a world does.
type task interface {
	// opened is called when the driver has come to its end, or waits, outside of set-up.
	opened(w *world)
	// choose picks a step; a negative number ends the execution.
	choose(w *world, steps []trace.Step) int
	// idle is called where nothing can happen; it reports whether it has changed that.
	idle(w *world) bool
	// begins is called before a handler takes the message of the present event.
	begins(w *world, h *handler)
	// ended is called when an execution has come to its end without a failure.
	ended(w *world)
	// escapes is called when the program has panicked. It reports whether the execution ends with that.
	escapes(f *exec.Failed) (ends bool)
}

// framework is what differs between native actors and those of protoactor-go, Hollywood and GoAkt.
type framework interface {
	operate(o exec.Operation) (exec.Value, bool)
	outer(fn *types.Func, args []exec.Value) (exec.Value, bool)
	system(a *agent, message int32) // handles a system message
	accepts(a *agent, message int32) bool
	handle(h *handler)            // runs the code of an actor
	lets(h *handler) (ended bool) // lets a handler run until it waits or ends
}

// phase is the part of an execution.
type phase uint8

const (
	fresh     phase = iota // the driver's first part runs; it may still turn out to belong to a set-up
	settingUp              // not explored
	exploring
)

// agent is an actor of a world.
type agent struct {
	index    int32
	ref      *term.Term
	value    exec.Value // what handles its messages
	previous []exec.Value
	cur      *handler
	tasks    []*handler // released
	stash    []int32
	watchers []watcher
	clock    *term.Term
	starting, stopping,
	stopped bool

	patience *term.Term // of protoactor-go: its receive timeout, nil if there is none
	idle     *term.Term // when that fires, nil while it does not run
	behind   int32      // what it had captured last when that was set, -1 if nothing
	at       int        // the event in which that was set

	id       string // of protoactor-go, "" where the framework makes it up
	parent   int32
	children []int32
	function bool // it is one
	ending   bool
	leaving  bool // when the step is over

	recipe     *recipe
	suspended  bool // it takes no messages of users until it is restarted
	restarting bool // when its children have stopped
	failures   int
}

// Run is exec.Driver.Run.
func (w *world) Run(m *exec.Machine) []exec.Value {
	w.m, w.store = m, m.Store()
	w.futures, w.recipes = map[*exec.Opaque]*future{}, map[*exec.Opaque]*recipe{}
	w.now = w.duration(0)
	w.frame = &native{w}
	if w.driver.Proto {
		p := &proto{world: w, options: map[exec.Value]string{}}
		if w.frame = p; w.driver.Hollywood {
			w.frame = &hollywood{proto: p, ids: map[exec.Value]exec.Value{}, limits: map[*call]*term.Term{}}
		}
		if w.driver.GoAkt {
			w.frame = &goakt{p}
		}
	}
	m.Whole()
	w.tr.AddDriver()
	w.pool.Reset(w.model, &w.tr)
	w.enter()
	if f := m.Catch(func() {
		w.begin()
		w.drive()
		w.task.ended(w)
	}); f != nil {
		w.escapes(f)
		m.Fail(f)
	}
	return nil
}

// escapes tells the task of a panic, of one that ends the execution once: it is caught where handlers run, and at last.
func (w *world) escapes(f *exec.Failed) (ends bool) {
	w.failed = w.failed || w.task.escapes(f)
	return w.failed
}

// proto gives what protoactor-go, Hollywood and GoAkt have in common, nil for native actors.
func (w *world) proto() *proto {
	switch f := w.frame.(type) {
	case *proto:
		return f
	case *hollywood:
		return f.proto
	case *goakt:
		return f.proto
	}
	return nil
}

// begin starts the first part of the driver.
func (w *world) begin() {
	w.begun = true
	w.m.Path().Marks = nil // what the test does before concerns no actor
	driver := w.newAgent()
	w.beginEvent(trace.StartStep(0))
	w.tr.Events[w.event].Auto = true
	w.run(driver, -1, w.code)
}

// drive takes one step after the other, until there is none or none is wanted.
func (w *world) drive() {
	for {
		w.settle()
		if w.breaks() {
			return
		}
		s, ok := w.choose()
		if !ok {
			return
		}
		w.take(s)
	}
}

// settle closes the step that was taken.
func (w *world) settle() {
	if w.phase == fresh {
		w.phase = exploring
	}
	if a := w.runner; a != nil && a.stopping && a.cur == nil {
		w.stop(a)
	}
	for _, a := range w.actors {
		if a.leaving { // of protoactor-go
			a.leaving = false
			w.leaves(a)
		}
	}
	w.runner, w.running = nil, nil
}

// choose gives the next step, false if there is none or none is wanted.
func (w *world) choose() (trace.Step, bool) {
	if w.phase == settingUp {
		return w.nextOfSetUp()
	}
	for {
		w.steps = w.timely(w.firings(w.pool.Enabled(w.steps[:0], w)))
		if len(w.steps) > 0 {
			break
		}
		if w.task.idle(w) {
			continue
		}
		if !w.advance() {
			w.natural = true
			w.abandon()
			return trace.Step{}, false
		}
	}
	i := w.task.choose(w, w.steps)
	if i < 0 {
		return trace.Step{}, false
	}
	return w.steps[i], true
}

// take makes a step happen.
func (w *world) take(s trace.Step) {
	if s.Kind == trace.Send {
		w.release(s)
		return
	}
	w.beginEvent(s)
	switch e := &w.tr.Events[w.event]; s.Kind {
	case trace.Start:
		w.endSetUp()
		w.wake(w.actors[0].cur)
		return
	case trace.Advance:
		e.Completed = true
		w.advances++
		w.proto().pass()
		return
	case trace.Timer:
		e.Completed, e.Released = true, s.Message
		w.fire(s.Message)
		return
	}
	a := w.actors[s.Actor]
	w.pool.Deliver(s.Message)
	x := &w.letters[s.Message]
	if x.clock != nil {
		a.clock = w.later(a.clock, x.clock)
	}
	w.runner = a
	if x.timer != nil {
		x.timer.state = timerGone
	}
	w.deliver(a, s)
}

// deliver hands a message that was taken out of the pool to its receiver.
func (w *world) deliver(a *agent, s trace.Step) {
	x := &w.letters[s.Message]
	switch class := w.tr.Messages[s.Message].Kind; {
	case s.Kind == trace.Resume:
		w.resume(a, s.Message)
	case class == trace.Answer && w.driver.Proto:
		w.proto().reply(x.call, s.Message)
	case x.call != nil && class != trace.User && class != trace.System:
		w.endCall(x.call, class == trace.Timeout)
	case class == trace.System:
		w.frame.system(a, s.Message)
	case a.cur != nil: // in the middle of a handler: Accepts has matched it
		a.cur.taken = s.Message
		w.begins(a.cur)
		w.wake(a.cur)
	default:
		w.run(a, s.Message, w.code)
	}
}

func (w *world) beginEvent(s trace.Step) {
	w.event = w.tr.Begin(s)
	w.runner = nil
	w.tr.Events[w.event].Auto = w.phase == settingUp
}

// newAgent adds an actor, whose index is the next.
func (w *world) newAgent() *agent {
	i := len(w.actors)
	a := &agent{index: int32(i), ref: w.m.Known(i + 1), clock: w.now, parent: -1}
	w.actors = append(w.actors, a)
	return a
}

// who gives the index of the actor that a reference refers to, -1 for nobody.
func (w *world) who(v exec.Value) int32 { return w.whom(v, nil) }

// whom is who of the receiver of a message, nil for none.
func (w *world) whom(v, msg exec.Value) int32 {
	ref := w.m.ReferenceOf(v)
	if n := exec.KnownActor(ref); n >= 0 {
		return int32(n) - 1
	}
	for _, a := range w.likely(msg) {
		if (a.index > 0 || !w.driver.Proto) && w.m.True(w.store.Equal(ref, a.ref)) { // protoactor-go's driver is no actor
			return a.index
		}
	}
	if w.m.Nobody(ref) {
		return -1
	}
	w.m.End(noActor)
	return -1
}

// noActor is why a run ends whose messages from outside hold a reference that nobody can have.
const noActor = "a reference that comes from outside is one of no actor of the program"

// Accepts is delivery.Host.
func (w *world) Accepts(actor, message int32) bool {
	a := w.actors[actor]
	msg := &w.tr.Messages[message]
	switch {
	case w.driver.Proto && msg.Kind == trace.Answer:
		return true
	case w.driver.Proto && msg.Kind == trace.System:
		return a.cur == nil
	case a.stopped:
		return false
	case a.cur != nil:
		return w.takes(a.cur, message, msg)
	}
	switch msg.Kind {
	case trace.System:
		return true
	case trace.Answer:
		return false
	case trace.Task:
		return w.mayResume(a, message)
	}
	return w.frame.accepts(a, message)
}

// Operate is exec.Driver.Operate.
func (w *world) Operate(m *exec.Machine, o exec.Operation) (exec.Value, bool) {
	if w.begun && w.running != nil {
		if o.Op != model.Self && o.Op != model.Sender && o.Op != model.Message {
			w.acts++
		}
		return w.frame.operate(o)
	}
	if g, ok := w.frame.(*goakt); ok && w.running == nil {
		if o.Op == model.System {
			return g.systemOf(o), true
		}
		return nil, false
	}
	if h, ok := w.frame.(*hollywood); ok && w.running == nil {
		switch o.Op {
		case model.Option, model.OptionLayer:
			return h.option(o), true
		}
		return nil, false
	}
	if p, ok := w.frame.(*proto); ok && w.running == nil {
		switch o.Op { // also where the system is not made yet
		case model.Props, model.PropsFunc, model.PropsSame:
			return p.propsOf(o), true
		case model.Option, model.OptionLayer:
			return p.option(o), true
		}
	}
	return nil, false
}
