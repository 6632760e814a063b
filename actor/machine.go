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
	"github.com/rehearse-go/rehearse/internal/delivery"
	"github.com/rehearse-go/rehearse/internal/watchdog"
	"github.com/rehearse-go/rehearse/trace"
)

// machine runs executions, one after the other, in the same memory.
//
// Handlers run inside of the loop (drive), on its goroutine. A handler that blocks keeps that goroutine, with the loop's frames
// under it, and the loop goes on on a new one: all its state is in the machine. When the handler may go on, the loop wakes it and
// waits until it blocks again or ends. So exactly one goroutine runs at any time, and a handler that never blocks costs none.
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
	dog  *watchdog.Watchdog

	phase    phase
	steps    []trace.Step // buffer of choose
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
	m.faults.m, m.declared.m, m.foresight.m, m.draws.m, m.lost.m, m.undo.m, m.redo.m = m, m, m, m, m, m, m
	m.handlers.back = make(chan struct{})
	m.types.byType, m.types.funcs = map[reflect.Type]*typeInfo{}, map[uintptr]string{}
	m.newDog(c.Blocked)
	m.pool.Trust(&m.handlers)
	m.declared.judge.Nature = m.host.Nature
	return m
}

func (m *machine) newDog(limit time.Duration) {
	m.dog = watchdog.New(limit)
	m.dog.Stuck = m.stuck
}

// stuck picks the goroutine that owns the machine from a dump: its outermost call is of this machine, and it is neither parked in
// a handler nor waiting for one. Goroutines that earlier machines gave up are left out by their receiver's address.
func (m *machine) stuck(stack string) bool {
	const loop, handlers = "actor.(*machine).", "actor.(*handlers)."
	mine := strings.Contains(stack, fmt.Sprintf("%sdrive(%p", loop, m)) || strings.Contains(stack, fmt.Sprintf("%sbegin(%p", loop, m))
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
	m.choice, m.runner, m.running = explore.Choice{}, nil, nil
	m.timers.now, m.timers.advances, m.actors.watches = 0, 0, 0
	m.actors.all, m.outbox.extra, m.calls.all, m.timers.all = m.actors.all[:0], m.outbox.extra[:0], m.calls.all[:0], m.timers.all[:0]
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
	if m.handlers.run(driver, -1) {
		m.drive()
	}
}

// goOn is the loop on a new goroutine, because a handler has kept the one before.
func (m *machine) goOn() {
	reserveStack(0)
	m.drive()
}

// reserveStack grows the stack of a new goroutine at once, while there is nothing on it to be moved: growing it step by step below
// the loop's frames took a quarter of the time of short executions.
//
//go:noinline
func reserveStack(i int) byte {
	var room [5 << 10]byte
	room[i] = 1
	return room[len(room)-1-i]
}

// drive is the loop. It ends with the execution, or when its goroutine is taken by a handler that blocked; where the driver wants
// another execution that begins like this one, it goes on with that.
func (m *machine) drive() {
	for ok := true; ok; ok = m.rewind() {
		for m.settle() {
			if m.faults.allowed {
				if did, over := m.faults.goesWrong(); over {
					break
				} else if did {
					continue
				}
			}
			s, ok := m.choose()
			if !ok {
				break
			}
			if !m.take(s) {
				return
			}
		}
	}
	m.end()
}

// beginEvent records that s happens now.
func (m *machine) beginEvent(s trace.Step) {
	m.event = m.tr.Begin(s)
	m.runner = nil
	e := &m.tr.Events[m.event]
	e.Time = m.timers.now
	e.Auto = m.phase == settingUp
}

// settle closes the step that was taken: stops its actor, tells the driver. It reports whether to go on.
func (m *machine) settle() bool {
	if m.abandoned.Load() || m.draws.again {
		return false
	}
	if m.phase == fresh {
		m.phase = exploring
	}
	if m.faults.allowed && int(m.observed) < len(m.tr.Events) {
		m.faults.stepOver()
	}
	if m.declared.judge.Holding() {
		m.declared.end()
	}
	if c := m.runner; c != nil {
		m.pool.Touch(c.index)
		if c.stopping && c.cur == nil {
			m.actors.stop(c)
		}
	}
	m.runner, m.running = nil, nil
	return m.err == nil && m.observe() && !m.ending
}

// observe tells the driver of the events that are over.
func (m *machine) observe() bool {
	for int(m.observed) < len(m.tr.Events) {
		m.observed++
		if !m.tell(m.observed - 1) {
			return false
		}
	}
	return true
}

// tell tells the driver of an event.
func (m *machine) tell(event int32) bool {
	told := false
	defer func() {
		if !told {
			m.left()
		}
	}()
	ok := m.d.Observe(event)
	told = true
	return ok
}

// left ends the execution when somebody whom the driver told of what happened, an invariant or a final check say, ends this goroutine.
// In the middle of a handler the end of that does it.
func (m *machine) left() {
	m.breach(errEnded)
	m.ending = true
	if m.running == nil {
		m.end()
	}
}

// choose gives the next step; false: there is none, or none is wanted.
func (m *machine) choose() (*trace.Step, bool) {
	if m.phase == settingUp {
		s, ok := m.setUp.next()
		m.steps = append(m.steps[:0], s)
		return &m.steps[0], ok
	}
	for {
		m.steps = m.timers.firings(m.pool.Enabled(m.steps[:0], &m.handlers))
		if len(m.steps) > 0 {
			break
		}
		if !m.timers.advance() {
			return nil, false
		}
	}
	var ok bool
	if m.choice, ok = m.ask(m.steps, false); !ok {
		return nil, false
	}
	return &m.steps[m.choice.Index], true
}

// take makes the step happen. It reports whether this goroutine still owns the loop.
func (m *machine) take(s *trace.Step) bool {
	if s.Kind == trace.Send {
		m.outbox.releaseStep(*s)
		return true
	}
	m.beginEvent(*s)
	e := &m.tr.Events[m.event]
	switch s.Kind {
	case trace.Start:
		m.setUp.end(m.event)
		m.handlers.wake(m.actors.all[0].cur)
		return true
	case trace.Timer:
		e.Completed, e.Released = true, s.Message
		m.timers.fire(s.Message)
		return true
	}
	c := m.actors.all[s.Actor]
	if m.foresight.on {
		m.foresight.recall(c)
	}
	if m.undo.on {
		m.undo.saveActor(c, m.tr.Messages[s.Message].Value)
	}
	m.pool.Deliver(s.Message)
	x := &m.outbox.extra[s.Message]
	c.clock = max(c.clock, x.clock)
	e.Time = c.Now()
	m.runner = c
	if x.timer > 0 {
		m.timers.setState(&m.timers.all[x.timer-1], timerGone)
	}
	if m.faults.allowed && m.faults.losesMessage(c) {
		return true
	}
	return m.deliver(c, s)
}

// deliver hands a message that was taken out of the pool to its receiver.
func (m *machine) deliver(c *Context, s *trace.Step) bool {
	msg := &m.tr.Messages[s.Message]
	switch {
	case s.Kind == trace.Resume:
		m.handlers.resume(c, s.Message)
	case m.outbox.extra[s.Message].call > 0 && msg.Class != trace.User:
		m.calls.end(&m.calls.all[m.outbox.extra[s.Message].call-1], msg.Class == trace.Timeout)
	case msg.Class == trace.System:
		m.actors.system(c, s.Message)
	case c.cur != nil: // in mid-handler: Accepts has matched it
		c.cur.taken = s.Message
		m.handlers.wake(c.cur)
	default:
		if m.declared.judge.On() {
			m.declared.begin(c, s.Message)
		}
		return m.handlers.run(c, s.Message)
	}
	return true
}

// system handles a system message; it runs no code of the program, but for what a stopped handler has deferred.
func (as *actors) system(c *Context, msg int32) {
	as.m.tr.Events[as.m.event].Completed = true
	switch as.m.tr.Messages[msg].Value.(type) {
	case stop:
		if c.cur != nil {
			as.m.handlers.unwind(c.cur)
		}
		c.stopping = true
	case watch:
		as.watches--
		as.m.undo.saveLife(c)
		c.watchers = append(c.watchers, as.m.tr.Messages[msg].Sender)
	}
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

// errNever is what a set-up without end is told.
func errNever(steps int, last []string) error {
	return fmt.Errorf("set-up never quiesces: %d messages were delivered and more are pending; the last were %s; "+
		"move what starts the endless exchange out of SetUp, or raise MaxSteps if set-up needs more", steps, strings.Join(last, "; "))
}

// errStuck is what a set-up that blocks for ever is told.
func errStuck(awaits string) error {
	return fmt.Errorf("set-up is stuck: the test function waits for %s inside SetUp and no message is left to deliver; "+
		"move the wait behind SetUp to have it explored", awaits)
}

var errGoexit = errors.New("a handler called runtime.Goexit, as FailNow and Fatal of a testing.T do: in a program under exploration " +
	"use the T that the test function was given (ctx.T in a handler)")
