package goakt

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"time"
	"unsafe"

	"github.com/flowchartsman/retry"
	"github.com/tochemey/goakt/v4/actor"
	gerrors "github.com/tochemey/goakt/v4/errors"
	"github.com/tochemey/goakt/v4/supervisor"

	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/trace"
)

// This file is about supervision. The framework has a goroutine for each actor that hears of its failures: it suspends
// the actor and tells its parent. The actor goes on meanwhile. A restart runs on a goroutine of its own, too. Here both
// are steps of an actor of ours, which appears when its charge has failed.

// supervision is what is known of the goroutine that hears of an actor's failures.
type supervision struct {
	warden  *warden
	ended   bool             // the goroutine has, until the actor goes on
	pending []unsafe.Pointer // failures that nobody hears
	waits   chan struct{}    // closed when there is room again for a failure
}

// warden stands for that goroutine. adapter.Actor.
type warden struct {
	adapter.Inert
	box   *box
	index int32
}

var _ adapter.Actor = (*warden)(nil)

// Supervision is the state of what hears of an actor's failures, as reports name it.
type Supervision struct{ Actor string }

// What supervision is sent, and parents are, as reports name it.
type (
	Failure  struct{ Reason string } // an actor has failed
	Restarts struct{ Actor string }  // it is to be restarted
)

// Value is adapter.Actor.
func (w *warden) Value() any { return &Supervision{w.box.name} }

// endSupervision has the goroutine end that hears of failures, at once: it is told nothing else.
func (b *box) endSupervision() {
	select {
	case *of[chan struct{}](b.pid, b.framework.ofPID.stopSignal) <- struct{}{}:
	default: // it was told already
	}
}

// beginsAnew is called when the framework starts the goroutine again.
func (b *box) beginsAnew() {
	b.rt.Linger(0)
	b.endSupervision()
	b.supervision.ended = false
	pending := b.pending
	b.pending = nil
	for _, signal := range pending {
		b.hears(signal)
	}
	if b.waits != nil {
		close(b.waits)
		b.waits = nil
	}
}

// wardenOf gives what supervises the actor.
func (b *box) wardenOf() *warden {
	if b.warden == nil {
		b.warden = &warden{box: b}
		b.warden.index = b.rt.Spawned(b.warden, b.warden.Value(), "", b.name+"/supervision")
	}
	return b.warden
}

// fails is called when the actor has failed at a message.
func (b *box) fails(err error, received *actor.ReceiveContext) {
	if !errors.Is(err, gerrors.ErrDead) { // of that nobody is told
		b.hears(newSignal(err, received.Message()))
	}
}

// hears has supervision hear of a failure. While it has ended one failure waits; who fails again waits itself.
func (b *box) hears(signal unsafe.Pointer) {
	for b.supervision.ended && len(b.pending) > 0 {
		if b.waits == nil {
			b.waits = make(chan struct{})
		}
		<-b.waits
	}
	if b.supervision.ended {
		b.pending = append(b.pending, signal)
		return
	}
	b.rt.Send(b.wardenOf().index, trace.User, Failure{(*at[error](signal, 0)).Error()}, signal)
}

// Failed does what the framework does when it recovers from a panic. adapter.Actor.
func (b *box) Failed(reason, payload any) {
	l := payload.(*letter)
	b.answers()
	b.current = nil
	switch t := reflect.TypeOf(l.Message()); {
	case b.at == "", t == poisonPill:
		panic(fmt.Sprintf("%v: the framework does not recover from that, and the process ends", reason))
	}
	place := b.at
	b.at = ""
	var known *gerrors.PanicError
	err, is := reason.(error)
	switch {
	case is && errors.As(err, &known):
	case is:
		known = gerrors.NewPanicError(fmt.Errorf("%w at %s", err, place))
	default:
		known = gerrors.NewPanicError(fmt.Errorf("%#v at %s", reason, place))
	}
	b.fails(known, l.ReceiveContext)
}

// restart is what a warden gets when its charge is to be restarted.
type restart struct {
	parent, failed *actor.PID
	retries        uint32
	within         time.Duration
}

// Handle is adapter.Actor.
func (w *warden) Handle(_ trace.MessageKind, payload any) {
	b := w.box
	if r, ok := payload.(restart); ok {
		w.restart(r)
		return
	}
	signal := payload.(unsafe.Pointer)
	if b.supervision.ended && b.rt.Choose(2) == 1 {
		b.pending = append(b.pending, signal)
		return
	}
	notifyParent(b.pid, signal)
	b.system.counts() // it has looked for the parent
}

// restart does what the framework does on a goroutine of its own.
func (w *warden) restart(r restart) {
	ctx := context.Background()
	pid := w.box.pid
	r.parent.UnWatch(pid)
	var err error
	if r.retries == 0 || r.within <= 0 {
		err = pid.Restart(ctx)
	} else { // the framework restarts the one that has failed, for each of its siblings
		err = retry.NewRetrier(int(r.retries), r.within, r.within).RunContext(ctx, r.failed.Restart)
	}
	if err == nil {
		return
	}
	if err := pid.Shutdown(ctx); err != nil {
		suspend(pid, err.Error())
	}
}

// judge does what the framework does when a parent hears that a child has failed.
func (b *box) judge(received *actor.ReceiveContext) {
	f, child := b.framework, received.Sender()
	m := behind(received.Message())
	directive := *at[supervisor.Directive](m, f.panicking.directive)
	if directive != supervisor.StopDirective && directive != supervisor.RestartDirective {
		dispatchOne(b.pid, received, time.Now())
		return
	}
	pids := []*actor.PID{child}
	if *at[supervisor.Strategy](m, f.panicking.strategy) == supervisor.OneForAllStrategy {
		pids = append(pids, treeSiblings(b.system.tree, child)...)
	}
	b.inOrder(pids, "supervises many children that fail together, which the framework stops or restarts at the same "+
		"time: here that is in the order of their creation, and others are not explored")
	if directive == supervisor.StopDirective {
		b.stopFailed(pids)
		return
	}
	s := *at[*supervisor.Supervisor](m, f.panicking.supervisor)
	for _, pid := range pids {
		if c := f.boxOf(pid); c != nil {
			b.rt.Send(c.wardenOf().index, trace.User, Restarts{c.name},
				restart{b.pid, child, s.MaxRetries(), s.Timeout()})
		}
	}
}

// stopFailed stops the actors that have failed, with their siblings perhaps.
func (b *box) stopFailed(pids []*actor.PID) {
	for _, pid := range pids {
		if err := pid.Shutdown(context.Background()); err != nil {
			suspend(pid, err.Error())
			continue
		}
		deleteNode(b.system.tree, pid)
	}
}

// turnsAway is called before the actor is suspended: others find it dead, and supervision ends.
func (b *box) turnsAway() {
	if b.rt.Exploring() && b.index >= 0 {
		b.away, b.supervision.ended = true, true
		b.rt.Touch(b.state(), true)
		b.system.changes()
		b.framework.noteDead(b)
	}
}

// goesOn is called before the actor is not suspended any more, if it was.
func (b *box) goesOn() {
	if b.rt.Exploring() && b.index >= 0 && b.framework.isSet(b.pid, suspended) {
		b.away = false
		b.rt.Touch(b.state(), true)
		b.system.changes()
		b.beginsAnew()
	}
}

// restarts is called when a restart begins.
func (b *box) restarts() {
	if !b.rt.Exploring() || b.index < 0 {
		return
	}
	b.rt.KeepDeadlinesApart()
	b.mayDie()
	b.rt.Touch(b.state(), true)
	b.system.changes()
	b.leaves()
}

// leaves takes what is below the actor out of the tree: the framework would restart it on as many goroutines.
func (b *box) leaves() {
	f, t := b.framework, b.system.tree
	if f.isSet(b.pid, running|suspended) && !b.ended {
		b.away, b.restarting = true, true
		f.noteDead(b)
	}
	b.reviving = nil
	for _, child := range treeChildren(t, b.pid) {
		if c := f.boxOf(child); c != nil && f.isSet(child, running|suspended) {
			b.reviving = append(b.reviving, child)
			c.leaves()
		}
	}
	for _, child := range b.reviving {
		removeDescendant(t, b.pid.ID(), child.ID())
	}
}

// revives is called when the actor has been restarted, before it is asked for its health. What was below it is
// restarted now, in an order that is a choice.
func (b *box) revives() {
	if !b.rt.Exploring() || b.index < 0 {
		return
	}
	below := b.reviving
	b.reviving = nil
	if b.ended {
		b.rt.Touch(b.rt.Trace().Actors[b.index].Life(), true)
		b.ended, b.started = false, true
		b.appear()
	}
	b.away, b.restarting = false, false
	b.rt.Touch(b.state(), true)
	b.system.changes()
	b.beginsAnew()
	b.mayPassivate()
	b.inOrder(below, "restarts with many children, which the framework restarts at the same time: here that is in the "+
		"order of their creation, and others are not explored")
	for _, child := range below {
		err := restartSubtree(context.Background(), &restartNode{pid: child}, b.pid, b.system.tree,
			b.system.watch.pid, b.system.real)
		if err != nil {
			b.rt.Omit(b.index, "restarts with a child whose restart fails, and fails itself then, which is not "+
				"executed")
		}
	}
}
