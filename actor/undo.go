package actor

import (
	"errors"
	"reflect"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/memory"
	"github.com/rehearse-go/rehearse/trace"
)

// This file takes steps back, so that the next execution goes on from the middle of the last one.
//
//	source:     the state restoration of [Basset11] 3.2; Differs: there the whole heap is restored, here what the step's
//	            actor reaches
//	assumes:    handlers change only what their actor's behaviour and the message reach; package variables and captured
//	            variables are not restored (executing an execution a second time, from the start, finds a program that
//	            lives on them)
//	invariants: I1 marks[i] is the point right before choice i was asked for
//	            I2 after backTo(n) the machine, its pool, its record and the program's memory are as they were at
//	               marks[n]
//	            I3 a handler that was parked there and has gone on since is run again (redo.go), or the point is barred:
//	               the driver's, and those that began in set-up
//	            I4 where something cannot be saved, or what is saved passes tooMuch, on is false and the next execution
//	               runs from the start
//	cost:       a mark a choice, one copy of the state that the step's actor reaches; no allocation for states without
//	            references
//	checked by: undo_test.go: every depth of random executions under every model, and naive with and without

// Snapshotter is a behaviour that saves and restores its own state. Without these methods the memory behind the
// behaviour is saved by reflection, which refuses functions, channels and locks: then every execution runs from the
// start.
type Snapshotter interface {
	Behavior
	// Snapshot gives a copy of the state, which must not change with it later.
	Snapshot() any
	// Restore goes back to a state that Snapshot gave. It may be given the same one several times.
	Restore(state any)
}

// undo is what is known of earlier points of the execution.
type undo struct {
	m       *machine
	on      bool
	driver  explore.Rewinder // while on
	marks   []mark
	memory  *memory.Memory
	states  []snapshot
	lives   []saved  // before they were changed
	calls   []call   // before they were changed
	timers  []timer  // the same
	futures []future // the same
	tasks   []task   // the same
	notes   []note   // what handlers were told beside messages
	step    int      // the mark of the present step, -1 in set-up
	pause   int      // executions from the start that are to save nothing
	penalty int      // those after the last time that too much was saved
}

// mark is the point before a choice: how long everything was, and what there is one of.
type mark struct {
	barred   bool
	within   bool // in the middle of a handler
	open     bool // the actor was in the middle of a handler
	strays   bool // tr.Uncontrolled was empty
	shuffles bool // tr.Shuffled was
	omits    bool // tr.Omitted was empty

	events, actors, messages, calls, timers     int32
	savedCalls, savedTimers, savedFutures       int32
	savedTasks, savedStates, watches, nAdvances int32
	savedLives, savedNotes                      int32
	memory, pool                                int
	given                                       int   // of memory: from here on, what the step's handler was given
	ran                                         int32 // the step in which the handler began that ran, -1 if none did
	now                                         time.Duration

	faults faultMark

	actor  *Context // that takes the step that was chosen, nil if none does
	stance stance
}

type saved struct {
	of *Context
	life
}

type snapshot struct {
	of    Snapshotter
	state any
}

type future struct {
	of    *Future
	ready bool
	value any
	err   error
	by    int32
	wait  []*handler
}

type task struct {
	of             *handler
	message, since int32
}

// opaque are types whose pointers belong to the machine: what they lead to is restored by other means, or never
// changes.
var opaque = []reflect.Type{reflect.TypeFor[*Context](), reflect.TypeFor[*Future](), reflect.TypeFor[*handler](),
	reflect.TypeFor[*explore.T](), reflect.TypeFor[*System](),

	reflect.TypeFor[*machine](), reflect.TypeFor[*trace.Type](), reflect.TypeFor[*time.Location]()}

// reset begins an execution: whether it can be taken back depends on the driver, so far.
func (u *undo) reset(d explore.Driver) {
	u.driver, u.on = d.(explore.Rewinder)

	u.on = u.on && u.driver.Rewinds()
	if u.on && u.pause > 0 {

		u.on = false
		u.pause--

	}
	u.forget()

}

func (u *undo) forget() {
	clear(u.states)
	clear(u.lives)
	clear(u.futures)
	u.marks, u.lives = u.marks[:0], u.lives[:0]
	u.states, u.calls, u.timers, u.futures, u.tasks = u.states[:0], u.calls[:0], u.timers[:0], u.futures[:0], u.tasks[:0]
	u.notes, u.step = u.notes[:0], -1
	if u.memory == nil {
		u.memory = memory.New(opaque...)
	}
	u.memory.Reset()
}

// giveUp lets the next execution run from the start.
func (u *undo) giveUp() {
	u.on = false
	u.forget()
}

// tooMuch is how many bytes may be saved. A state that grows step by step is saved as a whole before each: an execution
// that goes on to the bound on steps would not end.
const tooMuch = 32 << 20

// relieve gives up if too much is saved, for longer each time.
func (u *undo) relieve() {
	if u.memory.Size() > tooMuch {
		u.giveUp()
		u.memory.Free()
		u.penalty = max(1, 2*u.penalty)
		u.pause = u.penalty
	}
}

func (u *undo) mark(within bool) {
	m := u.m
	n := len(u.marks)
	if n < cap(u.marks) {
		u.marks = u.marks[:n+1]
	} else {
		u.marks = append(u.marks, mark{})
	}
	k := &u.marks[n]
	k.barred, k.within, k.open, k.strays, k.shuffles, k.omits, k.actor, k.ran = within, within, false,
		m.tr.Uncontrolled == "", m.tr.Shuffled == "", m.tr.Omitted == "", nil, -1
	k.events, k.actors, k.messages = int32(len(m.tr.Events)), int32(len(m.tr.Actors)), int32(len(m.tr.Messages))
	k.calls, k.timers, k.watches, k.nAdvances, k.now = int32(len(m.calls.all)), int32(len(m.timers.all)),
		int32(m.actors.watches), int32(m.timers.advances), m.timers.now
	k.savedCalls, k.savedTimers, k.savedFutures = int32(len(u.calls)), int32(len(u.timers)), int32(len(u.futures))
	k.savedTasks, k.savedStates, k.savedLives = int32(len(u.tasks)), int32(len(u.states)), int32(len(u.lives))
	k.savedNotes = int32(len(u.notes))
	k.memory, k.pool, k.faults = u.memory.Mark(), m.pool.Mark(), m.faults.mark()
}

// saveActor saves an actor that is about to take a step, and what its code will reach. message is the one that it is
// given.
func (u *undo) saveActor(c *Context, message any) {
	if len(u.marks) == 0 {
		return // of set-up, which is not taken back
	}
	k := &u.marks[len(u.marks)-1]
	if k.actor != nil {
		panic("actor: one choice led to two steps: law I1 of undo.go is broken")
	}
	u.step = len(u.marks) - 1
	k.actor, k.open = c, c.cur != nil || len(c.tasks) > 0
	k.stance.set(&c.stance)
	var err error
	if c.plain {
		u.memory.SavePointee(c.pointee, c.behavior)
	} else {
		err = u.saveBehavior(c.behavior)
	}
	for _, b := range c.previous {
		err = firstOf(err, u.saveBehavior(b))
	}
	if h := c.cur; h != nil {
		err = errors.Join(err, u.saveHandler(h))
	}
	k.given = u.memory.Mark()
	if u.m.types.of(message).holds {
		err = errors.Join(err, u.memory.Save(message))
	}
	if err != nil {
		u.giveUp()
		return
	}
	u.relieve()
}

func (u *undo) saveBehavior(b Behavior) error {
	if s, ok := b.(Snapshotter); ok {
		u.states = append(u.states, snapshot{s, s.Snapshot()})
		return nil
	}
	if b == nil { // the driver's
		return nil
	}
	return u.memory.Save(b)
}

// saveHandler saves what a handler that goes on may reach: the behaviour may be another one by now.
func (u *undo) saveHandler(h *handler) error {
	var err error
	if h.behavior != nil {
		err = u.saveBehavior(h.behavior)
	}
	if h.message >= 0 {
		err = errors.Join(err, u.memory.Save(u.m.tr.Messages[h.message].Value))
	}
	return err
}

// saveLife is called before the rarer parts of a context are changed.
func (u *undo) saveLife(c *Context) {
	if u.on {
		u.lives = append(u.lives, saved{c, c.life})
	}
}

// saveCall is called before a call is changed.
func (u *undo) saveCall(k *call) {
	if u.on {
		u.calls = append(u.calls, *k)
	}
}

func (u *undo) saveFuture(f *Future) {
	if u.on {
		u.futures = append(u.futures, future{f, f.ready, f.value, f.err, f.by, f.waiting})
	}
}

// saveTimer is called before a timer is changed.
func (u *undo) saveTimer(t *timer) {
	if u.on {
		u.timers = append(u.timers, *t)
	}
}

// setTask changes the message that will resume a handler.
func (u *undo) setTask(h *handler, message int32) {
	u.saveTask(h)
	h.task = message
}

// setSince notes that a handler is released in the present event.
func (u *undo) setSince(h *handler) {
	u.saveTask(h)
	h.since = u.m.event
}

func (u *undo) saveTask(h *handler) {
	if u.on {
		u.tasks = append(u.tasks, task{h, h.task, h.since})
	}
}

// saveGiven saves what a handler is given in the middle of a step.
func (u *undo) saveGiven(v any) {
	if u.on && u.step >= 0 && u.m.types.of(v).holds && u.memory.Save(v) != nil {
		u.giveUp()
	}
}

// goesOn is told that a handler that was parked goes on, or is unwound: since then its goroutine cannot go back to
// where it was parked.
func (u *undo) goesOn(h *handler) {
	if h.begun < 0 {
		u.bar(h)
	} else if u.on {
		u.marks[u.step].ran = int32(h.begun)
	}
	h.parkedAt = never
}

// begins is told that a handler begins, with a message: it can be run again from there.
func (u *undo) begins(h *handler) {
	if u.on && u.step >= 0 {
		h.begun = u.step
		u.marks[u.step].ran = int32(u.step)
	}
}

// now is how many choices have been asked for.
func (u *undo) now() int { return len(u.marks) }

// lastStep gives the last point that is not in the middle of a handler, -1 if there is none.
func (u *undo) lastStep() int {
	n := len(u.marks) - 1
	for n >= 0 && u.marks[n].within {
		n--
	}
	return n
}

// bar keeps the machine from going back to where a handler was parked that cannot be run again.
func (u *undo) bar(h *handler) {
	for i := h.parkedAt; i < len(u.marks); i++ {
		u.marks[i].barred = true
	}
}
