package goakt

import (
	"cmp"
	"runtime"
	"slices"

	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/trace"
)

// This file is about PipeTo. The framework runs the task on a goroutine of its own, which sends the result. Here that
// is an actor of ours, whose only step sends it: after the handler has asked for it, and at any time. The task itself
// runs beside the handler, so it may only compute. What it waits for comes when time passes, and so does its result.

// pipe stands for that goroutine. adapter.Actor.
type pipe struct {
	adapter.Inert
	index int32
}

var _ adapter.Actor = (*pipe)(nil)

// Pipe is the state of what sends the result of a task, and what it is sent, as reports name it.
type Pipe struct{}

// Value is adapter.Actor.
func (*pipe) Value() any { return Pipe{} }

// result is that of a task, and for whom.
type result struct {
	to     *box
	letter *letter
	value  any
}

// pipes takes the result of a task. It reports whether it is sent later.
func (b *box) pipes(l *letter, value any) bool {
	f, rt := b.framework, b.rt
	tr := rt.Trace()
	if rt.Event() < 0 || tr.Events[tr.StepOf(rt.Event())].Step.Kind == trace.Advance || rt.SettingUp() {
		return false
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.results = append(f.results, result{b, l, value})
	return true
}

// patienceWithTasks is how many times others may go on until the result of a task must be there.
const patienceWithTasks = 1_000

// sendsNext is called before the handler that runs sends something. The tasks that it has begun to pipe before that are
// over by then, if they only compute: their results come first.
func (b *box) sendsNext() {
	f := b.framework
	if b.current == nil || f.newGoroutines() == 0 {
		return
	}
	for i := 0; i < patienceWithTasks && runtime.NumGoroutine() > b.living && !f.hasResults(); i++ {
		runtime.Gosched()
	}
	if f.hasResults() {
		f.sendResults(b.rt)
	}
}

// newGoroutines is how many were started since it was last called.
func (f *framework) newGoroutines() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.begun.Started()
}

func (f *framework) hasResults() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.results) > 0
}

// sendResults has the results of tasks be sent that have come in the step that ends.
func (f *framework) sendResults(rt *adapter.Runtime) {
	f.mu.Lock()
	results := f.results
	f.results = nil
	f.mu.Unlock()
	if len(results) > 1 {
		rt.Omit(rt.Running(), "pipes several results in one step, of which the order is that of goroutines")
		tr := rt.Trace()
		slices.SortStableFunc(results, func(x, y result) int {
			return cmp.Or(cmp.Compare(x.to.index, y.to.index),
				cmp.Compare(tr.TypeOf(x.value).Name, tr.TypeOf(y.value).Name))
		})
	}
	for _, r := range results {
		p := &pipe{}
		p.index = rt.Spawned(p, Pipe{}, "", "")
		rt.SendBehind(p.index, Pipe{}, r)
	}
}

// Handle sends the result. adapter.Actor.
func (p *pipe) Handle(_ trace.MessageKind, payload any) {
	r := payload.(result)
	b := r.to
	b.looked()
	if b.framework.isSet(b.pid, running) && !b.framework.isSet(b.pid, suspended) {
		b.rt.Send(b.index, trace.User, r.value, r.letter)
		return
	}
	b.rt.Missed(b.index)
	b.rt.DeadLetter(r.value, b.index, false)
}
