package goakt

import (
	"runtime"
	"sync/atomic"

	"github.com/rehearse-go/rehearse/trace"
)

// This file sees that a handler looks actors up: by ActorOf, Kill, Child or Children, or by a second spawn under a
// name.
// The framework tells nobody of that, but takes the lock of its tree of actors for reading. So the lock is one that
// counts. It is kept as if a writer waited, with as many permits in its semaphores as anybody can need. Who reads takes
// one permit and goes on, as does who writes. Which name was looked up is not seen.
//
//	source:     sync.RWMutex, whose fields layout.go checks
//	assumes:    handlers run one at a time while the execution lasts, so that nobody has to be kept out; docs/limits.md
//	            says what that means for goroutines of a handler
//	invariants: I1 at the end of a step, and before a message is sent, there is no read that was not noted
//	checked by: lookups_test.go

// The state of the lock.
const (
	pendingWriter = -1 << 30 // sync.rwmutexMaxReaders
	manyPermits   = 1 << 20
	departing     = 1 << 29 // readers on whom the writer would wait: never 0, whatever comes and goes
)

// counts has the lock of the tree count who reads, as long as the execution lasts.
func (s *system) counts() {
	if s.closed.Load() {
		return
	}
	o := &s.framework.ofLock
	atomic.StoreUint32(at[uint32](s.tree, o.readerSem), manyPermits)
	atomic.StoreUint32(at[uint32](s.tree, o.writerSem), manyPermits)
	atomic.StoreInt32(at[int32](s.tree, o.readerWait), departing)
	atomic.StoreInt32(at[int32](s.tree, o.readerCount), pendingWriter)
}

// Closes is adapter.Closing. The lock keeps others out again, because what still runs does so at the same time. It is
// called while all goroutines wait, and none of them waits with the lock, so that nobody holds it.
func (f *framework) Closes() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, s := range f.systems {
		s.closes()
	}
}

func (s *system) closes() {
	if s.closed.Swap(true) {
		return
	}
	o := &s.framework.ofLock
	for _, semaphore := range []uintptr{o.readerSem, o.writerSem} {
		atomic.StoreUint32(at[uint32](s.tree, semaphore), 0)
	}
	for _, count := range []uintptr{o.readerWait, o.readerCount} {
		atomic.StoreInt32(at[int32](s.tree, count), 0)
	}
}

// reads is how often the tree was read since counts was called last.
func (s *system) reads() int {
	return manyPermits - int(atomic.LoadUint32(at[uint32](s.tree, s.framework.ofLock.readerSem)))
}

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
	if s.user == nil || s.user.index < 0 || !s.rt.Exploring() {
		return
	}
	s.rt.Touch(s.lookups(0), false)
	for _, b := range s.framework.actors {
		if b == s.user || b != nil && b.early && s.isProgram(b.index) {
			s.rt.Touch(s.lookups(b.index), false)
		}
	}
}

// looked notes that the step that runs has looked actors up, if it has read the tree more often than is known of it.
func (s *system) looked(known int) {
	by := s.rt.Running()
	if s.reads() > known && !s.excused && s.rt.Exploring() && s.isProgram(by) {
		s.rt.Access(s.lookups(by), true)
	}
	s.counts()
}

// lookedIn is looked behind a hook of an actor, which may run in a step of the framework's own: supervision restarts.
func (s *system) lookedIn(b *box) {
	by := s.rt.Running()
	if b != nil && !s.isProgram(by) && b.index >= 0 && s.isProgram(b.index) && s.reads() > 0 && s.rt.Exploring() {
		s.rt.Access(s.lookups(b.index), true)
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

// lookups stands for what an actor finds that looks others up. It depends on all steps that change who has a name.
// These do not depend on each other, nor do lookups. So in the trace a lookup writes an object of its actor, and a
// change
// reads the objects of all. Those that are not there in set-up share one: an actor may look up that
// does not exist yet in the step that changes something.
func (s *system) lookups(of int32) trace.ID {
	if b := s.framework.boxAt(of); b != nil && !b.early {
		of = s.user.index
	}
	return s.rt.Shared(of).With(ofLookups)
}

const ofLookups = 0x6c6f6f6b757073

// lockOffsets is where the parts of the tree's lock are, from the tree on.
type lockOffsets struct{ writerSem, readerSem, readerCount, readerWait uintptr }

// lookedUp notes lookups at the end of a step.
func (f *framework) lookedUp() {
	for _, s := range f.systems {
		s.looked(0)
		s.excused = false
	}
}
