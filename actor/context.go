package actor

import (
	"fmt"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/memory"
	"github.com/rehearse-go/rehearse/trace"
)

// Context is what an actor can do. It belongs to one actor of one execution and may be used only by that actor's code,
// while it runs. What a handler does while it is being ended from outside (in deferred functions) goes nowhere.
type Context struct {
	m     *machine
	index int32
	birth Behavior // a copy of the behaviour given at spawn, nil if it is never needed
	stance
	life
}

// stance is what every step of an actor may change of its Context. undo.go saves it before each.
type stance struct {
	cur      *handler
	clock    time.Duration // see Now
	starting bool
	stopping bool // stops when its handler ends
	stopped  bool
	crashed  bool // by an injected fault
}

// set copies one field after the other: a copy of the whole waits for the narrow writes before it.
func (s *stance) set(o *stance) {
	s.cur, s.clock, s.starting, s.stopping, s.stopped, s.crashed = o.cur, o.clock, o.starting, o.stopping,
		o.stopped, o.crashed
}

// life is what few steps change: those who do call saveLife first. Its slices are saved with their headers: what they
// hold below their length is never written again; those who shorten one cut its capacity too.
type life struct {
	handles
	tasks    []*handler // released, in the order of their release
	stash    []int32
	watchers []int32
}

// handles is what an actor handles messages with.
type handles struct {
	behavior Behavior
	accepter Accepter // behavior, if it has constraints
	plain    bool     // pointee is all that there is to save of behavior
	pointee  memory.Pointee
	previous []Behavior // what Unbecome goes back to
	dropped  []Behavior // what it went back from, each instance once: a test may hold one and look at it at the end
	crowded  bool       // there were more than maxDropped
}

// beside gives the behaviours that it had before or has left.
func (h *handles) beside(yield func(Behavior) bool) {
	for _, of := range [][]Behavior{h.previous, h.dropped} {
		for _, b := range of {
			if !yield(b) {
				return
			}
		}
	}
}

// acts reports whether c may act: not in a handler that is being ended from outside. It panics if c is not the actor
// whose code runs.
func (c *Context) acts() bool {
	if c.m.running == c {
		return true
	}
	if c.m.over || c.cur != nil && c.cur.unwinding {
		return false
	}
	panic("rehearse: a Context was used while no handler of its actor was running: by another actor, by a goroutine " +
		"that a handler started, or by a function that runs at the end; let each actor use the Context that its handler " +
		"was given")
}

// T is the T of this execution.
func (c *Context) T() *explore.T { return c.m.t }

// Self is this actor.
func (c *Context) Self() Ref { return refOf(c.index) }

// Sender is the actor that sent the message being handled; nobody in the driver and in start hooks.
func (c *Context) Sender() Ref {
	if c.cur == nil || c.cur.message < 0 {
		return Ref{}
	}
	return refOf(c.m.tr.Messages[c.cur.message].Sender)
}

// Name is an actor's name for people, such as Worker#2.
func (c *Context) Name(r Ref) string { return c.m.tr.ActorName(r.index()) }

// Actor gives the actor that goes by a name in reports, such as Worker#2. It is for test functions, which may have no
// reference to it, and panics in others: what an actor knows, it was told. Numbers count the actors that there are by
// now.
func (c *Context) Actor(name string) Ref {
	if c.index != 0 {
		panic("rehearse: Actor was called by a handler: only the test function looks actors up by their names")
	}
	for i := range c.m.tr.Actors[1:] {
		if a := int32(i + 1); c.m.tr.ActorName(a) == name {
			return refOf(a)
		}
	}
	panic(fmt.Sprintf("rehearse: there is no actor %s", name))
}

// Now is the virtual time since the start of the execution. If timers are asynchronous, each actor has its own: the
// latest that a timer of its own, or of anybody whose message it has handled, has shown it.
func (c *Context) Now() time.Duration { return max(c.m.timers.now, c.clock) }

// Unhandled reports that this actor has no handler for the message being handled.
func (c *Context) Unhandled() {
	if c.acts() && c.cur.message >= 0 && !c.m.redo.on {
		c.m.incident(trace.Incident{Kind: trace.Unhandled, Actor: c.index, Message: c.cur.message})
	}
}
