package actor

import (
	"errors"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// This file is the loop: it takes step after step, and where the driver wants it goes back and on from there.

// drive is the loop. It ends with the execution, or when its goroutine is taken by a handler that blocked. Where the
// driver wants another execution that begins like this one, it goes on with that.
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

// goOn is the loop on a new goroutine, because a handler has kept the one before.
func (m *machine) goOn() {
	reserveStack(0)
	m.handlers.base(nil)
}

// reserveStack grows the stack of a new goroutine at once, while there is nothing on it to be moved. Growing it step by
// step below the loop's frames took a quarter of the time of short executions.
//
//go:noinline
func reserveStack(i int) byte {
	var room [5 << 10]byte
	room[i] = 1
	return room[len(room)-1-i]
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

// left ends the execution when somebody whom the driver told of what happened, an invariant or a final check say, ends
// this goroutine. In the middle of a handler the end of that does it.
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
	if len(m.steps) >= explore.Wide && m.offers() {
		return m.chooseOf()
	}
	for {
		m.steps = m.pool.Enabled(m.steps[:0], &m.handlers)
		if len(m.timers.all) > 0 {
			m.steps = m.timers.firings(m.steps)
		}
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

// ask lets the driver choose a step. Every choice goes through here, so that the marks are as many. within: in the
// middle of a handler, which cannot be gone back to.
func (m *machine) ask(steps []trace.Step, within bool) (explore.Choice, bool) {
	if m.undo.on {
		m.undo.mark(within)
	}
	return m.d.Choose(steps)
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
	case m.outbox.extra[s.Message].call > 0 && msg.Kind != trace.User:
		m.calls.end(&m.calls.all[m.outbox.extra[s.Message].call-1], msg.Kind == trace.Timeout)
	case msg.Kind == trace.System:
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

// rewind is called when no step is left, or none is wanted. It reports whether the machine has gone back to an earlier
// point, to go on from there.
func (m *machine) rewind() bool {
	m.running = nil
	m.lost.awoken()
	if m.err != nil || m.abandoned.Load() {
		return false
	}
	if m.draws.again {
		return m.draws.takeAgain()
	}
	m.finished = true
	m.dog.Beat()
	over := false
	defer func() {
		if !over {
			m.left()
		}
	}()
	m.sys.strays.end()
	m.d.Finish()
	n := -1
	if m.undo.on {
		m.dog.Beat()
		if kept, ok := m.undo.driver.Rewind(); ok {
			n = m.undo.backTo(kept)
		}
	}
	if n >= 0 {
		m.beginExecution()
		m.undo.driver.Resume(n, m.redo.parts)
		m.finished = false
	}
	over = true
	return n >= 0
}

var errEnded = errors.New("an invariant, final check or clean-up (AtEnd, Cleanup) ended its goroutine " +
	"(runtime.Goexit), as FailNow, Fatal and Skip of a testing.T do: use Error there, or the T that the test function got")

// beginEvent records that s happens now.
func (m *machine) beginEvent(s trace.Step) {
	m.event = m.tr.Begin(s)
	m.runner = nil
	e := &m.tr.Events[m.event]
	e.Time = m.timers.now
	e.Auto = m.phase == settingUp
}
