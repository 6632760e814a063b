package goakt

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/tochemey/goakt/v4/actor"

	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/trace"
)

// This file is about the end of actors. Whoever stops an actor does that on its own goroutine, at once: the actor's
// PostStop runs there, and its children are stopped before. So it is part of the step of who stops. Where that has sent
// something before, it is a step of its own: what was sent is released first, and others may go on meanwhile.

// Stops is what people know the step by in which an actor stops itself behind what it has sent, and the message by
// which it is stopped by another one.
type Stops struct{ Name string }

// Stopped is the answer to who has stopped another one.
type Stopped struct{ Name string }

// request is that message.
type request struct {
	call     *adapter.Call
	goOn     func()
	answered bool
}

// stops is called when somebody begins to stop the actor, with its lock.
func (b *box) stops() {
	if !b.rt.Exploring() || b.execution != b.rt.Serial() {
		return
	}
	by := b.rt.Running()
	if r := b.framework.boxAt(by); r != nil {
		r.answers()
	}
	lock := of[sync.Mutex](b.pid, b.framework.ofPID.lock)
	switch {
	case !b.framework.isSet(b.pid, running) || b.index < 0:
		return
	case b.restarting && !b.ended:
		b.rt.Linger(0) // a ticker, for a restart,
		b.rt.Linger(0) // and what looks at each tick whether the actor has stopped
		return
	case b.ended: // and runs its PostStop
	case by == b.index && b.rt.Captured():
		lock.Unlock()
		b.yield(Stops{b.name})
		lock.Lock()
	case by != b.index && b.current == nil:
		lock.Unlock()
		b.askToStop()
		lock.Lock()
	}
	switch {
	case !b.framework.isSet(b.pid, running):
	case b.ended: // perhaps since this one has waited
		lock.Unlock()
		b.awaitEnd()
		if b.unlocked { // the execution is over, and PostStop is not: who stops the actor again would wait for that
			select {}
		}
		lock.Lock()
	default:
		b.end()
	}
}

// askToStop has the actor stop itself, and waits for that. So that is a step of its own, behind what was sent to it
// before, and each that it takes is before or after that. Where it waits in a handler, it is stopped beside that.
func (b *box) askToStop() {
	r, over := b.askForEnd()
	b.requests = append(b.requests, r)
	b.rt.Send(b.index, trace.System, Stops{b.name}, r)
	<-over
}

// awaitEnd waits until the actor has stopped that another one is stopping. The framework waits for a lock, which a
// bubble knows nothing of.
func (b *box) awaitEnd() {
	r, over := b.askForEnd()
	b.waiting = append(b.waiting, r)
	<-over
}

// askForEnd makes a request that is answered when the actor has stopped, and a channel that tells of it.
func (b *box) askForEnd() (r *request, over <-chan struct{}) {
	on := make(chan struct{}, 1)
	r = &request{goOn: func() {
		select {
		case on <- struct{}{}:
		default:
		}
	}}
	r.call = b.rt.Ask(b.index, Stops{b.name}, nil, func() bool { return false }, r.goOn)
	return r, on
}

// letIn lets those go on that wait for the end of the actor.
func (b *box) letIn() {
	if !b.rt.Exploring() {
		return
	}
	// Where its PostStop has waited, others have found it neither alive nor stopped.
	if b.index >= 0 && b.ended && b.endedIn != b.rt.Event() {
		b.rt.Touch(b.state(), true)
	}
	for _, r := range b.waiting {
		b.answer(r)
	}
	b.waiting = nil
}

// answer lets who has sent the request go on.
func (b *box) answer(r *request) {
	if !r.answered {
		r.answered = true
		b.rt.Answer(r.call, Stopped{b.name}, r.goOn)
	}
}

// stopsItself handles a request.
func (b *box) stopsItself(r *request) {
	if err := b.pid.Shutdown(context.Background()); err != nil {
		b.rt.Omit(b.index, "is stopped, and its PostStop fails, which who has stopped it is told; this is not executed")
	}
	b.answer(r)
}

// besides lets those go on that stop the actor while it waits in a handler.
func (b *box) besides() {
	for _, r := range b.requests {
		b.answer(r)
	}
	b.requests = b.requests[:0]
}

// yield has what the actor that runs has sent be released before it goes on.
func (b *box) yield(value any) {
	on := make(chan struct{}, 1)
	goOn := func() {
		select {
		case on <- struct{}{}:
		default:
		}
	}
	call := b.rt.Ask(b.rt.Running(), value, nil, func() bool { return false }, goOn)
	b.rt.Answer(call, value, goOn)
	<-on
}

// end notes that the actor has stopped.
func (b *box) end() {
	if b.ended || b.index < 0 {
		return
	}
	b.framework.lookAtWatchers()
	b.ended, b.endedIn = true, b.rt.Event()
	b.rt.Ended(b.index)
	b.rt.Touch(b.state(), true)
	b.rt.Touch(b.watchers(), false)
	all := b.system.change()
	if up := b.parent(); up != nil && up.index >= 0 {
		all = append(all, trace.Touch{Object: up.children(), Write: true})
	}
	b.rt.AccessTogether(all...)
	b.framework.noteDead(b)
	b.system.counts()
}

// manyChildren is how many children are stopped, or watchers told, in all orders.
const manyChildren = 4

// stopChildren stops the actor's children, one after the other, and takes them out of the tree. The framework does that
// on as many goroutines. Here their order is a choice, and none are left for it.
func (b *box) stopChildren() {
	if !b.rt.Exploring() {
		return
	}
	if b.framework.isSet(b.pid, passivating) {
		b.end() // nobody has said that it begins to stop
	}
	b.framework.forgetWatchers() // whom the actor has watched it does not any more, and is told of nobody's end
	t := b.system.tree
	defer b.system.counts()
	children := treeChildren(t, b.pid)
	for _, pid := range b.reviving {
		if !slices.Contains(children, pid) {
			children = append(children, pid)
		}
	}
	b.inOrder(children, "stops many children, which the framework does at the same time: here they are stopped in the "+
		"order of their creation, and others are not explored")
	lock := of[sync.Mutex](b.pid, b.framework.ofPID.lock)
	lock.Unlock() // who waits for that finds out by the state that the actor stops
	b.system.counts()
	b.stopEach(children)
	if b.framework.isSet(b.pid, passivating) {
		lock.Lock()
		return
	}
	b.unlocked = true // up to what comes behind PostStop, which may wait
}

// locks takes the lock of an actor again that stops, behind PostStop.
func (b *box) locks() {
	if b.unlocked {
		b.unlocked = false
		of[sync.Mutex](b.pid, b.framework.ofPID.lock).Lock()
	}
}

func (b *box) stopEach(children []*actor.PID) {
	ctx := context.Background()
	for _, child := range children {
		b.pid.UnWatch(child)
		removeDescendant(b.system.tree, b.pid.ID(), child.ID())
		if !child.IsSuspended() && !child.IsRunning() {
			continue
		}
		b.system.counts()
		if err := child.Shutdown(ctx); err != nil {
			b.rt.Omit(b.index, "stops a child whose PostStop fails, and the framework leaves out the rest of its own "+
				"stop then, which is not executed")
		}
	}
}

// inOrder puts actors into an order that is a choice. many is what the result says where they are too many.
func (b *box) inOrder(pids []*actor.PID, many string) {
	f := b.framework
	f.byAge(pids)
	switch {
	case len(pids) < 2:
	case len(pids) > manyChildren:
		b.rt.Omit(b.index, many)
	default:
		for i := range len(pids) - 1 {
			next := i + b.rt.Choose(len(pids)-i)
			pid := pids[next]
			copy(pids[i+1:next+1], pids[i:next])
			pids[i] = pid
		}
	}
}

// byAge sorts actors by their creation.
func (f *framework) byAge(pids []*actor.PID) {
	age := func(pid *actor.PID) int32 {
		if b := f.boxOf(pid); b != nil {
			return b.index
		}
		return -1
	}
	slices.SortFunc(pids, func(x, y *actor.PID) int {
		return cmp.Or(cmp.Compare(age(x), age(y)), cmp.Compare(x.ID(), y.ID()))
	})
}

// tellWatchers tells who watches the actor that it has stopped: the program's actors in an order that is a choice, and
// death watch after them. The framework does that in the order of a map. Here none are left for it.
func (b *box) tellWatchers() {
	b.locks()
	if !b.rt.Exploring() {
		return
	}
	defer b.system.counts()
	watchers := treeWatchers(b.system.tree, b.pid)
	b.system.counts()
	last := func(pid *actor.PID) bool { return b.framework.isSet(pid, ofSystem) }
	theirs := slices.DeleteFunc(slices.Clone(watchers), last)
	b.inOrder(theirs, "is watched by many, whom the framework tells in the order of a map: here that is the one of "+
		"their creation, and others are not explored")
	watchers = slices.DeleteFunc(watchers, func(pid *actor.PID) bool { return !last(pid) })
	b.framework.byAge(watchers)
	for _, watcher := range append(theirs, watchers...) {
		if watcher.IsRunning() {
			_ = b.pid.Tell(context.Background(), watcher, actor.NewTerminated(b.pid.Path()))
			watcher.UnWatch(b.pid)
		}
	}
}

// forgets notes that death watch takes an actor that has stopped out of the tree: its name is free, and its parent does
// not find it any more.
func (s *system) forgets(path actor.Path) {
	all := append([]trace.Touch{{Object: adapter.Name(path.Name()), Write: true}}, s.change()...)
	up := s.user
	if parent := path.Parent(); parent != nil {
		if node, ok := treeNode(s.tree, parent.String()); ok {
			up = s.framework.boxOf(s.framework.nodePID(node))
		}
	}
	if up != nil && up.index >= 0 {
		all = append(all, trace.Touch{Object: up.children(), Write: true})
	}
	s.rt.AccessTogether(all...)
}

// notFound notes that somebody has looked for an actor, and nobody has that name.
func (s *system) notFound(name any) {
	if n, ok := name.(string); ok && s.rt != nil && s.rt.Exploring() {
		s.rt.Access(adapter.Name(n), false)
		s.looked(1)
	}
}
