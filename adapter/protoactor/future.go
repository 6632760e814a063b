package protoactor

import (
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse/adapter"
)

// future stands before the framework's own future process, so that a reply is a step of its own and the requester and
// the responder never run together.
type future struct {
	rt   *adapter.Runtime
	real actor.Process
	call *adapter.Call

	pipes reflect.Value // of the framework's future
	innards
}

// innards are those of the framework's future; nil where they are not as we know them.
type innards struct {
	shared      promise // what the program has
	piped       *[]*actor.PID
	completions *[]completion
	isDone      *bool
	value       *any
	err         *error
}

// innardsOf finds them.
func innardsOf(p any) (in innards) {
	in.shared, _ = pointer(p, futureType().Name()).(promise) // embedded
	in.piped, _ = pointer(p, "pipes").(*[]*actor.PID)
	in.completions, _ = pointer(p, "completions").(*[]completion)
	in.isDone, _ = pointer(p, "done").(*bool)
	in.value, _ = pointer(p, "result").(*any)
	in.err, _ = pointer(p, "err").(*error)
	return in
}

// known reports whether all are there.
func (in *innards) known() bool {
	return in.shared != nil && in.piped != nil && in.completions != nil && in.isDone != nil &&
		in.value != nil && in.err != nil
}

// pointer points to an unexported field of a struct behind a pointer; nil: there is none.
func pointer(to any, name string) any {
	if v := hidden(to, name); v.IsValid() {
		return v.Addr().Interface()
	}
	return nil
}

var _ actor.Process = (*future)(nil)

// watchFuture puts our process before the future that waits for what m is asked. It is called for every sender that
// shows up; the first to show a future is the one that asks.
func (m *mailbox) watchFuture(sender *actor.PID, request any) {
	if sender == nil || !strings.HasPrefix(sender.Id, "future$") || !m.rt.Exploring() {
		return
	}
	bucket := m.system.ProcessRegistry.LocalPIDs.GetBucket(sender.Id)
	p, ok := bucket.Get(sender.Id)
	if !ok {
		return
	}
	if _, ours := p.(*future); ours {
		return
	}
	f := &future{rt: m.rt, real: p.(actor.Process), pipes: hidden(p, "pipes"), innards: innardsOf(p)}
	// A future leaves the registry when it completes; without a reply, by its timeout.
	timedOut := func() bool { return !bucket.Has(sender.Id) }
	var timer *time.Timer
	if t := hidden(p, "t"); t.IsValid() {
		timer, _ = t.Interface().(*time.Timer)
	}
	f.call = m.rt.Ask(m.index, request, timer, timedOut,
		func() { f.real.SendUserMessage(sender, &actor.DeadLetterResponse{}) })
	completions, cond := hidden(p, "completions"), hidden(p, "cond")
	f.call.Hooked = func() bool { return length(f.pipes)+length(completions) > 0 }
	f.call.Waited = waited(cond)
	f.listen()
	bucket.Set(sender.Id, f)
	m.framework.mu.Lock()
	defer m.framework.mu.Unlock()
	m.framework.futures[place{m.system, sender.Id}] = f
	m.framework.open = append(m.framework.open, piper{f.pipes, f.call.Over, lockOf(cond)})
}

// waited gives whether somebody waits on a condition variable, as its counters of waiters and of those that were woken
// tell; nil if they cannot be read.
func waited(cond reflect.Value) func() bool {
	if !cond.IsValid() || cond.Type() != reflect.TypeFor[*sync.Cond]() || cond.IsNil() {
		return nil
	}
	list := cond.Elem().FieldByName("notify")
	if !list.IsValid() || list.Kind() != reflect.Struct {
		return nil
	}
	wait, notify := list.FieldByName("wait"), list.FieldByName("notify")
	if !wait.IsValid() || !notify.IsValid() || !wait.CanUint() || !notify.CanUint() {
		return nil
	}
	return func() bool { return wait.Uint() != notify.Uint() }
}

func length(v reflect.Value) int {
	if !v.IsValid() {
		return 0
	}
	return v.Len()
}

// leaveAlone answers a request that comes when the execution is over: whoever waits for it is to end.
func (m *mailbox) leaveAlone(sender *actor.PID) {
	if sender == nil {
		return
	}
	if p, ok := m.system.ProcessRegistry.Get(sender); ok {
		p.SendUserMessage(sender, &actor.DeadLetterResponse{})
	}
}

// SendUserMessage takes the reply.
func (f *future) SendUserMessage(pid *actor.PID, message any) {
	_, inner, _ := actor.UnwrapEnvelope(message)
	f.rt.Answer(f.call, inner, func() { f.real.SendUserMessage(pid, message) })
}

// SendSystemMessage takes Terminated, for StopFuture and PoisonFuture.
func (f *future) SendSystemMessage(pid *actor.PID, message any) {
	f.rt.Answer(f.call, message, func() { f.real.SendSystemMessage(pid, message) })
}

// Stop gives the future up.
func (f *future) Stop(pid *actor.PID) { f.real.Stop(pid) }
