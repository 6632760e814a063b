package hollywood

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/anthdm/hollywood/actor"

	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/internal/goroutine"
)

// This file refuses what the adapter does not control, and names the place of the call.

var errOtherFramework = errors.New("an engine was handed over to hollywood, but the system that is explored is not " +
	"hollywood.System: make it with that")

func errOutlived(what string) error {
	return fmt.Errorf("%s: the engine was created outside of this execution (in a package variable, an init function, "+
		"a sync.Once?); every execution must start afresh, so create the engine in the test function, or in what it "+
		"calls", what)
}

func remoteError(call string) error {
	return fmt.Errorf("%s: remote actors and clusters use the network, which Rehearse does not control; in the test, "+
		"spawn the actors in one local engine instead", call)
}

func lateError(actors int, call string) error {
	return fmt.Errorf("hollywood.Control, %s: the engine has %d actors or requests already, which are not controlled; "+
		"call Control right after actor.NewEngine, or use hollywood.NewEngine", call, actors)
}

var errForeign = errors.New("an actor has run on an engine that was not handed over, and so uncontrolled: pass " +
	"the engine that actor.NewEngine gives to hollywood.Control before anything is spawned, or have the program use " +
	"hollywood.NewEngine")

// caller is the first place above this package.
func caller() string { return adapter.Caller(adapterPath) }

// adapterPath begins the names of this package's functions, frameworkPath those of the framework's.
var (
	adapterPath   = reflect.TypeFor[framework]().PkgPath() + "."
	frameworkPath = module + "/"
)

// StepEnds looks for what has come into the registries without being an actor. adapter.Attentive.
func (f *framework) StepEnds(rt *adapter.Runtime) {
	f.mu.Lock()
	streams, foreign := f.streams, f.foreign
	current := f.execution == rt.Serial()
	f.mu.Unlock()
	if foreign {
		rt.Fail(errForeign)
	}
	if !current {
		return
	}
	for _, s := range streams {
		s.stepEnds()
		if id, p := s.stranger(); p != nil {
			rt.Fail(strangerError(rt, id, p))
		}
	}
}

// stranger gives a process in the registry that is no actor's and none of the framework's, nil if there is none.
func (s *stream) stranger() (string, actor.Processer) {
	defer s.forget()
	mu := at[sync.RWMutex](s.engine.Registry, s.framework.ofRegistry.mu)
	mu.RLock()
	defer mu.RUnlock()
	lookup := *s.framework.lookup(s.engine)
	if len(lookup) == s.known {
		return "", nil
	}
	s.known = len(lookup)
	for id, p := range lookup {
		switch p.(type) {
		case entry, *stream, *request, *actor.Response:
			continue
		}
		if reflect.TypeOf(p) != reflect.PointerTo(s.framework.process) { // else it is still in Initialized
			return id, p
		}
		s.known = -1 // look again
	}
	return "", nil
}

// strangerError names a process of the program's own, by its type's method: nobody is told when it is registered.
func strangerError(rt *adapter.Runtime, id string, p actor.Processer) error {
	at := ""
	if m, ok := reflect.TypeOf(p).MethodByName("Send"); ok {
		if f := runtime.FuncForPC(m.Func.Pointer()); f != nil {
			file, line := f.FileLine(f.Entry())
			at = fmt.Sprintf(" (%s:%d)", file, line)
		}
	}
	tr := rt.Trace()
	return fmt.Errorf("Engine.SpawnProc in the step %s has registered %s, a %T%s, which is no actor of the "+
		"framework's: it would run in the step of whoever sends to it; spawn an actor in its "+
		"place", tr.StepName(tr.Events[tr.StepOf(rt.Event())].Step), id, p, at)
}

// Explain names the network where that is what a handler hangs on. adapter.Framework.
func (f *framework) Explain(err error) error {
	function := adapter.HangsIn(err, func(function string) bool {
		return strings.HasPrefix(function, frameworkPath+"remote.") || strings.HasPrefix(function, frameworkPath+"cluster.")
	})
	if function == "" {
		return err
	}
	return fmt.Errorf("%w\n%w", remoteError(function+" called"), err)
}

// repeaters are the functions of the framework in which SendRepeat starts its goroutine.
var repeaters = []string{frameworkPath + "actor.SendRepeater.start", frameworkPath + "actor.(*Engine).SendRepeat",
	frameworkPath + "actor.(*Context).SendRepeat"}

// Keeps is adapter.Keeping.
func (f *framework) Keeps(function string) bool {
	if strings.HasPrefix(function, frameworkPath+"actor.goscheduler.Schedule") {
		f.inboxRuns()
	}
	return slices.Contains(repeaters, function)
}

// inboxRuns notes that the framework's own inbox has run, as it does once in an engine that the framework has made.
func (f *framework) inboxRuns() (expected bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.foreign = f.foreign || !f.stock
	return f.stock
}

// Ignored is adapter.Framework.Ignored: SendRepeat, and the inbox of an event stream before it was ours. Where an inbox
// runs otherwise, an engine was not handed over.
func (f *framework) Ignored(at goroutine.Frame) bool {
	if strings.HasPrefix(at.Function, frameworkPath) && strings.HasSuffix(at.File, "/actor/inbox.go") {
		return f.inboxRuns()
	}
	return slices.Contains(repeaters, at.Function)
}

// endRepeater ends the goroutine of a SendRepeat when the execution is over: nothing else does where the program does
// not stop it.
func endRepeater() {
	pcs := make([]uintptr, 16)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		for _, r := range repeaters {
			if strings.HasPrefix(f.Function, r+".func") {
				runtime.Goexit()
			}
		}
	}
}

// Knows is adapter.Framework.Knows: the framework's timers are known when they fire only.
func (f *framework) Knows(string) bool { return false }

// Owner is adapter.Framework.Owner.
func (f *framework) Owner(function string) string { return adapter.OwnerOf(function, frameworkPath) }
