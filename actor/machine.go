package actor

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/chance"
	"github.com/rehearse-go/rehearse/internal/delivery"
	"github.com/rehearse-go/rehearse/internal/goroutine"
	"github.com/rehearse-go/rehearse/trace"
)

// machine runs executions, one after the other, in the same memory.
//
// Handlers run inside of the loop (drive), on its goroutine. A handler that blocks keeps that goroutine, with the
// loop's frames under it, and the loop goes on on a new one: all its state is in the machine. When the handler may go
// on, the loop wakes it and waits until it blocks again or ends. So exactly one goroutine runs at any time, and a
// handler that never blocks costs none.
//
//	invariants: I1 one goroutine at a time owns the machine; it changes hands through wake, back, done and go
//	            I2 running is the actor whose code runs, nil between steps
//	            I3 c.cur is set iff c is in the middle of a handler that has not released it
//	            I4 at the end of an execution no handler is parked: end unwinds them all
type machine struct {
	sys  *System
	c    explore.Conditions
	d    explore.Driver
	t    *explore.T
	tr   trace.Trace
	pool delivery.Pool
	dog  *goroutine.Watchdog

	phase    phase
	steps    []trace.Step // buffer of choose; what was listed last
	offer    offer        // what is not listed
	values   []trace.Step // buffer of choiceOf
	event    int32        // the current one
	observed int32        // events that Observe was told of
	choice   explore.Choice
	runner   *Context // whose handler ran in this step, nil if none
	running  *Context

	host      host
	setUp     setUp
	actors    actors
	outbox    outbox
	handlers  handlers
	calls     calls
	timers    timers
	types     types
	faults    faults
	declared  declarations
	foresight foresight
	draws     ofRuntime
	outliving outliving
	lost      lostHandlers
	undo      undo
	redo      redo

	done      chan struct{} // the execution is over
	finished  bool          // the driver (explore.Driver) was told that it is
	over      bool          // nothing that a handler still does counts
	ending    bool          // the driver (explore.Driver) ended the execution in the middle of a handler
	abandoned atomic.Bool   // Execute has given up
	err       error
}

// phase is the part of an execution.
type phase uint8

const (
	fresh     phase = iota // the driver's first part runs; it may still turn out to belong to a set-up
	settingUp              // unexplored
	exploring
)

func newMachine(s *System, c explore.Conditions) *machine {
	m := &machine{sys: s, done: make(chan struct{}, 1)}
	m.host.m, m.setUp.m, m.actors.m, m.outbox.m, m.handlers.m, m.calls.m, m.timers.m, m.types.m = m, m, m, m, m, m, m, m
	m.offer.m = m
	m.faults.m, m.declared.m, m.foresight.m, m.draws.m, m.lost.m, m.undo.m, m.redo.m = m, m, m, m, m, m, m
	m.handlers.back = make(chan struct{})
	m.types.byType, m.types.funcs = map[reflect.Type]*typeInfo{}, map[uintptr]string{}
	m.newDog(c.Blocked)
	m.pool.Trust(&m.handlers)
	m.pool.Skip(&m.handlers)
	m.declared.judge.Nature = m.host.Nature
	return m
}

func (m *machine) newDog(limit time.Duration) {
	m.dog = goroutine.NewWatchdog(limit)
	m.dog.Stuck = m.stuck
}

// stuck picks the goroutine that owns the machine from a dump: its outermost call is of this machine, and it is neither
// parked in a handler nor waiting for one. Goroutines that earlier machines gave up are left out by their receiver's
// address.
func (m *machine) stuck(stack string) bool {
	const loop, handlers = "actor.(*machine).", "actor.(*handlers)."
	mine := strings.Contains(stack, fmt.Sprintf("%sdrive(%p", loop, m)) ||
		strings.Contains(stack, fmt.Sprintf("%sbegin(%p", loop, m))
	return mine && !strings.Contains(stack, handlers+"park(") && !strings.Contains(stack, handlers+"wake(")
}

// reset makes the machine ready for an execution.
func (m *machine) reset(c explore.Conditions, d explore.Driver) {
	if c.Blocked != m.c.Blocked {
		m.newDog(c.Blocked)
	}
	m.c, m.d, m.t = c, d, nil
	m.tr.Reset()
	m.tr.AddDriver()
	m.pool.Reset(c.Model, &m.tr)
	m.redo.tried, m.redo.shared = false, false
	if m.undo.reset(d); m.undo.on {
		m.pool.Remember()
	}
	m.faults.reset(c.Faults)
	m.phase, m.setUp.parts, m.event, m.observed = fresh, 0, 0, 0
	m.choice, m.runner, m.running, m.steps = explore.Choice{}, nil, nil, m.steps[:0]
	m.timers.now, m.timers.advances, m.actors.watches = 0, 0, 0
	m.actors.all, m.outbox.extra, m.calls.all, m.timers.all = m.actors.all[:0], m.outbox.extra[:0],
		m.calls.all[:0], m.timers.all[:0]
	m.declared.step = effect{}
	m.declared.judge.Reset(&m.c, &m.tr)
	m.over, m.ending, m.finished, m.foresight.on, m.err = false, false, false, false, nil
}

// begin starts the execution with the driver's first part.
func (m *machine) begin() {
	reserveStack(0)
	m.t = m.d.Begin(&m.host)
	m.t.Bind(&m.host)
	driver := m.actors.add()
	m.beginEvent(trace.StartStep(0))
	m.tr.Events[m.event].Auto = true
	m.handlers.base(driver)
}

// end closes the execution: the driver judges it while the actors still exist, then every parked handler is unwound.
func (m *machine) end() {
	m.running = nil
	m.lost.awoken()
	if m.err == nil && !m.finished && !m.abandoned.Load() {
		m.d.Finish()
	}
	m.over = true
	for len(m.handlers.parked) > 0 {
		m.handlers.unwind(m.handlers.parked[0])
	}
	m.t.RunCleanups()
	m.done <- struct{}{}
}

// halt ends the execution in the middle of the handler that runs.
func (m *machine) halt() {
	m.ending, m.over, m.running = true, true, nil
	runtime.Goexit()
}

var errGoexit = errors.New("a handler called runtime.Goexit, as FailNow and Fatal of a testing.T do: in a program " +
	"under exploration use the T that the test function was given (ctx.T in a handler)")

// incident records what a check may object to.
func (m *machine) incident(in trace.Incident) {
	if m.over {
		return
	}
	e := &m.tr.Events[m.event]
	e.Incidents = append(e.Incidents, in)
}

// breach ends the exploration with what the handler did against its declaration.
func (m *machine) breach(err error) {
	if m.err == nil {
		m.err = err
	}
}

// explores reports whether the sends of the handler that runs are explored: those of set-up are not.
func (m *machine) explores() bool { return m.phase == exploring || m.phase == fresh }

// captures reports whether what the handler that runs sends is captured, to be released one by one.
func (m *machine) captures() bool { return m.c.Model == trace.Mailbox && m.explores() }

// beginExecution is called before each execution of the machine, also where it goes on from the middle of the last one.
func (m *machine) beginExecution() {
	m.sys.strays.begin()
	m.outliving.noteLoosened(nil)
	chance.Collect()
	m.draws.begin(&m.c, len(m.tr.Events))
	m.tr.Ends = nil
	// Where draws have numbers goroutines may be no obstacle to "complete", so that all executions are watched.
	m.outliving.samples, m.outliving.watched = m.sys.samples, m.draws.on || m.sys.watches() || m.outliving.loosened != ""
	m.sys.oneThread.begin(m.draws.on, m.draws.drawn || m.sys.started > 0)
	m.draws.mark.Forget()
	if m.draws.on {
		m.sys.watch()
		m.lost.begin(chance.TheWatcher())
	}
}
