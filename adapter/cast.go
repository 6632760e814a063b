package adapter

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/goroutine"
	"github.com/rehearse-go/rehearse/trace"
)

// This file knows the actors of an execution, and whose code runs.

// cast is the actors of an execution: how each stands, and whose code runs.
type cast struct {
	*execution

	actors  []actorState // the first is the test function
	calls   []*Call      // of this execution
	busy    int          // handlers that are not over, blocked or not
	blocked int          // handlers that are blocked
	through []int32      // actors whose handlers have ended since the last step was over
	handing handing
}

// handing is what is handed to whom outside of handlers. What runs then is the doing of the actor of the open event.
type handing uint8

const (
	nothing   handing = iota
	toFuture          // a reply is, or something is hung there
	toTheDead         // a captured send is
)

// reset makes ready for another execution.
func (cs *cast) reset() {
	cs.actors, cs.calls, cs.through = append(cs.actors[:0], actorState{}), cs.calls[:0], cs.through[:0]
	cs.busy, cs.blocked = 0, 0
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

// State is the user's value behind an actor.
func (cs *cast) State(a int32) any {
	if cs.actors[a].Actor == nil {
		return nil
	}
	return cs.actors[a].Value()
}

// Status says how an actor stands.
func (cs *cast) Status(a int32) explore.Status {
	s := &cs.actors[a]
	st := explore.Status{Stopped: s.gone || s.crashed, Crashed: cs.Crashed(a), Blocked: s.blocked, On: -1}
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

// Accepts is delivery.Host.
func (cs *cast) Accepts(a, m int32) bool {
	s := &cs.actors[a]
	switch cs.tr.Messages[m].Kind {
	case trace.Answer:
		return true
	case trace.System:
		// An actor that has stopped still handles what the framework sent it before: a watcher is told that it came too late.
		return !s.busy
	}
	return !cs.Closed(a)
}

// Closed is delivery.Closer.
func (cs *cast) Closed(a int32) bool {
	s := &cs.actors[a]
	return s.busy || s.gone || s.Actor == nil || !s.Ready()
}

// Steady is delivery.Steady. Whoever is Closed is asked again each time. What is not closed becomes so in a step of its
// own, by a fault, or when it stops; else NotReady tells.
func (cs *cast) Steady(a int32) bool { return !cs.Closed(a) }

// Running is the actor whose code runs. explore.Host.
func (cs *cast) Running() int32 {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	return cs.who()
}

// who is the actor whose code is running. That is the one of the open event while its handler runs. Where this is the
// goroutine of one that was blocked and was woken (a reply, a timeout, a channel), it is that one. Else it is the open
// event's again: a goroutine that its handler left behind.
func (cs *cast) who() int32 {
	// What hangs on a future is the doing of the actor that gets the reply; a dead letter, of who sent it.
	if cs.blocked == 0 || cs.handing != nothing {
		return cs.running
	}
	s := &cs.actors[cs.running]
	running, passing := s.busy && !s.blocked, cs.act == actAdvance
	if cs.blocked == 1 && !running && !passing {
		return cs.firstBlocked(func(*actorState) bool { return true })
	}
	own := goroutine.ID()
	if running && s.gid == own {
		return cs.running
	}
	if a := cs.firstBlocked(func(s *actorState) bool { return s.gid == own }); a >= 0 {
		return a
	}
	if running && s.gid == 0 {
		return cs.running
	}
	// Who blocked when nobody else was has not been looked up; a timer only speaks for it if its call timed out.
	if a := cs.firstBlocked(func(s *actorState) bool { return s.gid == 0 && (!passing || s.expired()) }); a >= 0 {
		return a
	}
	return cs.running
}

// firstBlocked gives the first actor in the middle of a blocked handler that is as wanted, -1 if there is none.
func (cs *cast) firstBlocked(wanted func(*actorState) bool) int32 {
	for a := range cs.actors {
		if s := &cs.actors[a]; s.blocked && wanted(s) {
			return int32(a)
		}
	}
	return -1
}

// expired reports whether what a blocked handler waits for can have come to it by time alone.
func (s *actorState) expired() bool {
	c := s.waitsFor()
	return c == nil || c.over()
}

// setBusy says whether an actor is in the middle of a handler.
func (cs *cast) setBusy(a int32, busy bool) {
	s := &cs.actors[a]
	if busy != s.busy {
		s.busy = busy
		if busy {
			cs.busy++
		} else {
			cs.busy--
		}
	}
}

// hand says what is handed over from now on, and gives what was before.
func (cs *cast) hand(what handing) (before handing) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	before, cs.handing = cs.handing, what
	return before
}

// driverWoke reports whether, while time passes, the test function goes on that was blocked: this is its goroutine, and
// no timer's.
func (cs *cast) driverWoke() bool {
	if !cs.actors[0].blocked {
		return false
	}
	return onPerform()
}

// Crashed reports whether an injected fault stopped the actor, or one above it, which takes its children with it.
func (cs *cast) Crashed(a int32) bool {
	gone := cs.actors[a].gone
	for first := a; a > 0 && (gone || a == first); a = cs.tr.Actors[a].Parent {
		if cs.actors[a].crashed {
			return true
		}
	}
	return false
}

func (cs *cast) actor(i int) Actor { return cs.actors[i].Actor }

// Named gives the actor that goes by a name in reports of what has happened so far, as in Worker#2, nil if there is
// none. Only the test function may ask, and others get nil: what an actor knows, it was told.
func (cs *cast) Named(name string) Actor {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	if cs.who() != 0 {
		return nil
	}
	for i := 1; i < len(cs.actors); i++ {
		if cs.tr.ActorName(int32(i)) == name {
			return cs.actors[i].Actor
		}
	}
	return nil
}
