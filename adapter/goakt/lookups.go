package goakt

import (
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/trace"
)

// This file sees that a handler looks actors up: by ActorOf, Kill, Child or Children, or by a second spawn under a
// name. The framework tells nobody of that, but takes the lock of its tree of actors for reading, which counts who
// does. Which name was looked up is not seen.
//
//	invariants: I1 at the end of a step, and before a message is sent, there is no read that was not noted
//	checked by: lookups_test.go

// counts begins to count anew who reads the tree.
func (s *system) counts() { s.readers.Count() }

// Closes is adapter.Closing. The lock keeps others out again, because what still runs does so at the same time.
func (f *framework) Closes() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, s := range f.systems {
		s.readers.Exclude()
	}
}

// Changes is adapter.Unguarded.
func (f *framework) Changes(event int32) bool {
	return slices.ContainsFunc(f.systems, func(s *system) bool { return s.lookups.ChangedIn(event) })
}

var _ adapter.Unguarded = (*framework)(nil)

// reads is how often the tree was read since counts was called last.
func (s *system) reads() int { return s.readers.Reads() }

// told is called when the framework tells its log something. Between these places it is known who reads the tree. It is
// the program, or the framework for what it is about to do.
func (h *hooked) told(format string) {
	s := h.system
	if h.box != nil {
		s = h.box.system
	}
	if s.rt == nil || s.user == nil || s.execution != s.rt.Serial() || !s.rt.Exploring() {
		return // a trial, or nothing is explored yet, or any more
	}
	switch format {
	case saysInit: // it has looked whether somebody has the name, which the spawn tells by itself
		s.looked(1)
		s.excused = false
	case saysInitialized, saysWatchers: // behind PreStart, and behind PostStop
		s.lookedIn(h.box)
	case saysStop:
		s.looked(s.stopReads())
		s.excused = false
	case saysRestart:
		s.looked(0)
		s.excused = true
	case saysWatched, saysNoWatched, saysChildren, saysNoChildren, saysNoWatchers, saysStopsAll, saysStopped, saysOffline,
		saysProbed:
		s.counts()
	}
}

// stopReads is how often the framework has read the tree for itself when it begins to stop an actor: PID.Stop has
// looked whether there is one. Kill looks for a name.
func (s *system) stopReads() int {
	if s.reads() == 0 {
		return 0
	}
	var pcs [8]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs[:])])
	for more := true; more; {
		var f runtime.Frame
		if f, more = frames.Next(); f.Function == actorPath+"(*PID).Stop" {
			return 1
		}
	}
	return 0
}

// changes notes that lookups find another actor from now on, or none.
func (s *system) changes() {
	if all := s.change(); len(all) > 0 {
		s.rt.AccessTogether(all...)
	}
}

// change is what a step accesses that changes that.
func (s *system) change() []trace.Touch {
	if s.user == nil || s.user.index < 0 || !s.rt.Exploring() {
		return nil
	}
	return s.lookups.Change(s.rt)
}

// looked notes that the step that runs has looked actors up, if it has read the tree more often than is known of it.
func (s *system) looked(known int) {
	by := s.rt.Running()
	if s.reads() > known && !s.excused && s.rt.Exploring() && s.isProgram(by) {
		s.lookups.Look(s.rt, by)
	}
	s.counts()
}

// lookedIn is looked behind a hook of an actor, which may run in a step of the framework's own: supervision restarts.
func (s *system) lookedIn(b *box) {
	by := s.rt.Running()
	if b != nil && !s.isProgram(by) && b.index >= 0 && s.isProgram(b.index) && s.reads() > 0 && s.rt.Exploring() {
		s.lookups.Look(s.rt, b.index)
	}
	s.looked(0)
}

// isProgram reports whether code of the program runs: the test, or one of its actors.
func (s *system) isProgram(running int32) bool {
	if atomic.LoadUint32(at[uint32](s.raw, s.framework.ofSystem.stopping)) != 0 {
		return false // the framework looks for all that there are
	}
	by := s.framework.boxAt(running)
	return running == 0 || by != nil && !s.framework.isSet(by.pid, ofSystem)
}

// lookedUp notes lookups at the end of a step.
func (f *framework) lookedUp() {
	for _, s := range f.systems {
		s.looked(0)
		s.excused = false
	}
}
