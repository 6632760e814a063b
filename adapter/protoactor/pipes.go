package protoactor

import (
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/trace"
)

// This file finds futures that are piped to a nil PID (Future.PipeTo). The framework accepts that, and panics when the
// future completes. That is on the goroutine of who answers, or on that of a timer, where nobody can recover it and the
// process ends. So a process of ours takes the place of the nil PID, and reports what would have happened.
//
// A future that no actor was asked through (actor.NewFuture) is found by its name in the registry of its system: the
// framework numbers names. Systems are known in which an actor was spawned, or a future has a timer (lone.go).

// nobody is the process behind a nil PID.
type nobody struct {
	rt    *adapter.Runtime
	actor int32 // whose step piped
	found trace.Incident
}

var _ actor.Process = (*nobody)(nil)

// piper is a future that may be piped, and is not over.
type piper struct {
	pipes reflect.Value // of the framework's future
	over  func() bool
	lock  tryLocker // that of the future, under which its timer reads the pipes; nil: not known
}

// replaceNilPipes looks for nil PIDs among those that the open futures are piped to. It is called when a step is over.
func (f *framework) replaceNilPipes(rt *adapter.Runtime) {
	f.findFutures()
	open := f.open[:0]
	for _, future := range f.open {
		if !future.over() {
			open = append(open, future)
			if future.lock != nil && !future.lock.TryLock() {
				continue // it is being completed
			}
			for i := range length(future.pipes) {
				if pid, ok := future.pipes.Index(i).Addr().Interface().(**actor.PID); ok && *pid == nil {
					*pid = f.nobodyFor(rt)
				}
			}
			if future.lock != nil {
				future.lock.Unlock()
			}
		}
	}
	clear(f.open[len(open):])
	f.open = open
}

// nameOf is how the framework makes a name of a number (ProcessRegistryValue.NextId).
func nameOf(n uint64) string {
	const digits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ~+"
	var name []byte
	for ; n >= 64; n /= 64 {
		name = append(name, digits[n%64])
	}
	name = append(name, digits[n], '$')
	slices.Reverse(name)
	return string(name)
}

// findFutures adds the futures that were made since the last look, and that no actor was asked through.
func (f *framework) findFutures() {
	for system, seen := range f.systems {
		last := atomic.LoadUint64(&system.ProcessRegistry.SequenceID)
		for n := seen + 1; n <= last; n++ {
			id := "future" + nameOf(n)
			bucket := system.ProcessRegistry.LocalPIDs.GetBucket(id)
			p, ok := bucket.Get(id)
			if _, ours := p.(*future); ok && !ours {
				f.open = append(f.open, piper{hidden(p, "pipes"), func() bool { return !bucket.Has(id) },
					lockOf(hidden(p, "cond"))})
			}
		}
		f.systems[system] = last
	}
}

// tryLocker is a mutex, or ours (hang.go).
type tryLocker interface {
	sync.Locker
	TryLock() bool
}

// lockOf gives the mutex of a condition variable.
func lockOf(cond reflect.Value) tryLocker {
	if c, ok := cond.Interface().(*sync.Cond); ok && c != nil {
		mutex, _ := c.L.(tryLocker)
		return mutex
	}
	return nil
}

// nobodyFor gives a PID that leads to nobody. Who has piped is not known, but in which step it happened.
func (f *framework) nobodyFor(rt *adapter.Runtime) *actor.PID {
	pid := actor.NewPID("nonhost", "nil")
	p, ok := hidden(pid, "p").Addr().Interface().(**actor.Process)
	if !ok {
		return nil
	}
	n := &nobody{rt: rt, actor: rt.Running()}
	tr := rt.Trace()
	at := tr.Events[tr.StepOf(rt.Event())].Step
	n.found = trace.Incident{Kind: trace.Panic, Message: at.Message, Site: "actor.(*Future).PipeTo",
		Text: fmt.Sprintf("nil pointer dereference: a future that %s has piped to a nil PID is over now (PipeTo in "+
			"the step: %s); the framework panics where it completes the future, and ends the process if that is its "+
			"timer", tr.ActorName(n.actor), tr.StepName(at))}
	for _, m := range f.boxes {
		if m.index == n.actor {
			n.found.Where = receivesAt(m.Value())
		}
	}
	var process actor.Process = n
	*p = &process
	return pid
}

// receivesAt gives file:line of the method or function by which an actor receives.
func receivesAt(value any) string {
	v := reflect.ValueOf(value)
	if v.Kind() != reflect.Func {
		m, ok := v.Type().MethodByName("Receive")
		if !ok {
			return ""
		}
		v = m.Func
	}
	file, line := runtime.FuncForPC(v.Pointer()).FileLine(v.Pointer())
	if strings.HasPrefix(file, "<") { // the compiler's, for a method of an embedded type
		return ""
	}
	return fmt.Sprintf("%s:%d", filepath.Base(file), line)
}

// SendUserMessage reports that the framework would have panicked. It may run on the goroutine of a timer.
func (n *nobody) SendUserMessage(*actor.PID, any) { n.rt.ReportOf(n.actor, n.found) }

// SendSystemMessage is never called: futures send user messages.
func (n *nobody) SendSystemMessage(pid *actor.PID, message any) { n.SendUserMessage(pid, message) }

// Stop is never called either.
func (n *nobody) Stop(*actor.PID) {}
