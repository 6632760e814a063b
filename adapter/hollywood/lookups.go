package hollywood

import (
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/anthdm/hollywood/actor"

	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/trace"
)

// This file sees lookups by name that find nobody. Those that find an actor ask it for its PID, which is ours to
// answer. Of the others nobody is told, but they take the lock of the registry, as each send does. So its reads are
// counted, and between two of our hooks it is known how many are the framework's own.
//
//	checked by: lookups_test.go

// counts begins to count who looks actors up.
func (s *stream) counts() {
	s.lookups.Reset(0)
	s.readers.Watch(at[sync.RWMutex](s.engine.Registry, s.framework.ofRegistry.mu))
	if s.rt.Exploring() {
		s.readers.Count()
	}
}

// forget has a read of our own be none of the program's. Before the engine is ours there is no stream.
func (s *stream) forget() {
	if s != nil {
		s.readers.Forget(1)
	}
}

// streamOf gives the event stream of an engine of this execution, nil if it has none yet.
func (f *framework) streamOf(e *actor.Engine) *stream {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, s := range f.streams {
		if s.engine == e {
			return s
		}
	}
	return nil
}

// names notes that an actor is found from now on under its name.
func (s *stream) names(b *box) {
	if s.rt.SettingUp() {
		s.lookups.Early(b.index)
	}
	all := s.lookups.Change(s.rt)
	if !isRandom(b.id) {
		all = append(all, trace.Touch{Object: adapter.Name(b.id), Write: true})
	}
	s.rt.AccessTogether(all...)
}

// ends notes that an actor is about to be found no more. Where it has sent something that is yet to be released, others
// find it until its end is released, too, and that is when it leaves.
func (s *stream) ends(b *box) {
	if b.rt.Running() != b.index || !b.rt.Captured() {
		s.changes()
		return
	}
	for _, t := range s.lookups.Change(s.rt) {
		s.rt.Touch(t.Object, t.Write)
	}
}

// changes notes that an actor is not found any more.
func (s *stream) changes() { s.rt.AccessTogether(s.lookups.Change(s.rt)...) }

// looked notes that the code that runs has looked for somebody and found nobody, if the registry was read more often
// than is known of it.
func (s *stream) looked(known int) {
	reads := s.readers.Reads()
	if reads <= known {
		s.readers.Forget(reads)
		return
	}
	defer adapter.Together(adapter.Apart())
	if s.rt.Exploring() && s.execution == s.rt.Serial() {
		s.lookups.Look(s.rt, s.rt.Running())
	}
	s.readers.Count()
}

// sentBy is looked where somebody is sent a message. Who sends a pill has looked before whether there is anybody.
func (s *stream) sentBy(msg any) {
	known := 1
	if _, ok := s.framework.pillIn(msg); ok {
		known = 2
	}
	s.looked(known)
}

// eventReads is how often the framework has read the registry for itself when it announces something: a dead letter's
// receiver it has looked for before. The program may announce one, too.
func (s *stream) eventReads(msg any) int {
	if _, ok := s.framework.pillIn(msg); ok {
		return 2
	}
	if _, ok := msg.(actor.DeadLetterEvent); !ok || s.readers.Reads() < 2 {
		return 1
	}
	var pcs [12]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for more := true; more; {
		var f runtime.Frame
		if f, more = frames.Next(); strings.HasSuffix(f.Function, ".(*Engine).BroadcastEvent") {
			if f, _ = frames.Next(); strings.HasPrefix(f.Function, frameworkPath+"actor.") {
				return 2
			}
			break
		}
	}
	return 1
}

// stepEnds notes what nobody was told of in a step.
func (s *stream) stepEnds() {
	if s.left {
		s.left = false
		s.changes()
	}
	s.looked(0)
}

// Closes is adapter.Closing: what still runs does so at the same time, and the lock is to keep it apart.
func (f *framework) Closes() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, s := range f.streams {
		s.readers.Exclude()
	}
}

// Changes is adapter.Unguarded.
func (f *framework) Changes(event int32) bool {
	return slices.ContainsFunc(f.streams, func(s *stream) bool { return s.lookups.ChangedIn(event) })
}

var (
	_ adapter.Closing   = (*framework)(nil)
	_ adapter.Unguarded = (*framework)(nil)
)
