package goakt

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/tochemey/goakt/v4/actor"
	gerrors "github.com/tochemey/goakt/v4/errors"
	"github.com/tochemey/goakt/v4/log"
	"github.com/tochemey/goakt/v4/reentrancy"

	"github.com/rehearse-go/rehearse/adapter"
)

// This file tries the framework out before the first execution: what it sends, and what it tells its log, and when. The
// trial has an actor system that no goroutine serves. What it does happens here, in a plain call.

// trial is that system. Its actors have mailboxes that keep what they are sent.
type trial struct {
	checker
	*framework
	system *system
	spies  map[*actor.PID]*spy
}

// spy is the mailbox of an actor of the trial, and its logger.
type spy struct {
	log.Logger
	trial *trial
	pid   *actor.PID
	got   []*actor.ReceiveContext
	says  []string // what its log was told
}

var _ actor.Mailbox = (*spy)(nil)

// Enqueue is actor.Mailbox.
func (s *spy) Enqueue(received *actor.ReceiveContext) error {
	s.trial.learn(&s.trial.checker, received.Message())
	if reflect.TypeOf(received.Message()) == s.trial.health {
		dispatchOne(s.pid, received, time.Now())
		return nil
	}
	s.got = append(s.got, received)
	return nil
}

// Dequeue is actor.Mailbox.
func (s *spy) Dequeue() *actor.ReceiveContext { return nil }

// IsEmpty is actor.Mailbox.
func (s *spy) IsEmpty() bool { return true }

// Len is actor.Mailbox.
func (s *spy) Len() int64 { return 0 }

// Dispose is actor.Mailbox.
func (s *spy) Dispose() {}

// Debugf is log.Logger.
func (s *spy) Debugf(format string, args ...any) { s.hear(format, args) }

// Infof is log.Logger.
func (s *spy) Infof(format string, args ...any) { s.hear(format, args) }

// hear notes what is told of the actor itself.
func (s *spy) hear(format string, args []any) {
	if format == saysProbe {
		s.trial.emptyTimers()
	}
	if args0(args) == s.pid.Name() {
		s.says = append(s.says, format)
	}
}

// take handles the oldest message that the actor was sent.
func (s *spy) take() {
	if len(s.got) == 0 {
		s.trial.fail("what " + s.pid.Name() + " is sent")
		return
	}
	received := s.got[0]
	s.got = s.got[1:]
	dispatchOne(s.pid, received, time.Now())
}

// adopt takes an actor of the trial over.
func (t *trial) adopt(pid *actor.PID) {
	if t.spies[pid] == nil {
		t.spyOn(pid)
	}
}

func (t *trial) spyOn(pid *actor.PID) *spy {
	s := &spy{Logger: log.DiscardLogger, trial: t, pid: pid}
	t.spies[pid] = s
	mailbox := of[actor.Mailbox](pid, t.ofPID.mailbox)
	plain := *mailbox
	*mailbox = s
	*of[actor.Mailbox](pid, t.ofPID.control) = s
	*of[log.Logger](pid, t.ofPID.logger) = s
	select {
	case *of[chan struct{}](pid, t.ofPID.stopSignal) <- struct{}{}:
	default:
	}
	for received := plain.Dequeue(); received != nil; received = plain.Dequeue() {
		t.learn(&t.checker, received.Message())
		dispatchOne(pid, received, time.Now())
	}
	return s
}

// tested is an actor of the trial.
type tested struct{ receive func(*actor.ReceiveContext) }

func (a *tested) PreStart(*actor.Context) error   { return nil }
func (a *tested) Receive(c *actor.ReceiveContext) { a.receive(c) }
func (a *tested) PostStop(*actor.Context) error   { return nil }

// try tries the framework out.
func (l *layout) try() (err error) {
	t := &trial{framework: &framework{layout: l}, spies: map[*actor.PID]*spy{}}
	t.framework.trial = t
	before := timers
	defer func() { timers = before }()
	t.freshTimers()
	real, err := actor.NewActorSystem("trial", actor.WithLogger(log.DiscardLogger))
	if err != nil {
		return framed.Unsupported("NewActorSystem: " + err.Error())
	}
	t.system = t.newSystem(nil, real)
	t.systems = []*system{t.system}
	if err := t.system.begin(); err != nil {
		return framed.Unsupported("ActorSystem.Start: " + err.Error())
	}
	for _, pid := range t.system.own() {
		t.spyOn(pid)
	}
	t.messages(real)
	if wrong := adapter.CountsReaders(); wrong != "" {
		t.fail(wrong)
	}
	if missing := l.missing(); missing != "" {
		t.fail("the message " + missing)
	}
	if t.wrong != "" {
		return framed.Unsupported(t.wrong)
	}
	return nil
}

// messages has an actor ask itself, be asked, fail, and stop.
func (t *trial) messages(real actor.ActorSystem) {
	ctx := context.Background()
	user := *at[*actor.PID](t.system.raw, t.ofSystem.user)
	letters := *at[*actor.PID](t.system.raw, t.ofSystem.deadletter)
	asked, answer := "asked", "answer"
	a := &tested{func(c *actor.ReceiveContext) {
		switch c.Message() {
		case "request":
			c.Request(c.Self(), asked)
		case asked:
			c.Response(answer)
		case "unhandled":
			c.Unhandled()
		case "spawn":
			c.Spawn("child", &tested{func(*actor.ReceiveContext) {}})
		}
	}}
	requests := reentrancy.New(reentrancy.WithMode(reentrancy.AllowAll))
	pid, err := real.Spawn(ctx, "probe", a, actor.WithReentrancy(requests))
	s := t.spies[pid]
	if err != nil || s == nil {
		t.fail("ActorSystem.Spawn")
		return
	}
	t.expect(t.isSet(pid, running) && !t.isSet(pid, suspended|passivating|ofSystem), "the state of an actor that runs")
	t.expect(t.isSet(user, ofSystem), "the state of an actor of the framework's own")
	s.take() // PostStart
	for _, m := range []string{"request", "unhandled", "spawn"} {
		_ = actor.Tell(ctx, pid, m)
	}
	before := len(t.spies[letters].got)
	s.take()
	s.take() // unhandled
	s.take() // spawn
	t.expect(len(s.got) == 1 && t.valueOf(s.got[0].Message(), t.asyncRequest.Type) == any(asked), "AsyncRequest")
	s.take()
	t.expect(len(s.got) == 1 && t.valueOf(s.got[0].Message(), t.asyncResponse.Type) == any(answer), "AsyncResponse")
	s.take()
	if got := t.spies[letters].got; t.expect(len(got) == before+1 && t.deadLetter.Type != nil, "SendDeadletter") {
		m := behind(got[before].Message())
		t.expect(*at[any](m, t.deadLetter.message) == any("unhandled") &&
			*at[string](m, t.deadLetter.reason) == gerrors.ErrUnhandled.Error(), "the reason of SendDeadletter")
	}
	t.failure(pid, user)
	t.end(pid)
}

// failure has an actor fail, be suspended, and go on.
func (t *trial) failure(pid, user *actor.PID) {
	s, parent := t.spies[pid], t.spies[user]
	before := len(parent.got)
	failed := gerrors.NewPanicError(errors.New("failed"))
	notifyParent(pid, newSignal(failed, "failing"))
	t.expect(t.isSet(pid, suspended) && slices.Contains(s.says, saysSuspend), "that an actor is suspended")
	if t.expect(len(parent.got) == before+1 && t.panicking.Type != nil, "Panicking") {
		m := behind(parent.got[before].Message())
		t.expect(*at[error](m, t.panicking.err) == error(failed), "Panicking.Err")
	}
	_ = user.Reinstate(pid)
	t.expect(!t.isSet(pid, suspended) && slices.Contains(s.says, saysReinstate), "that an actor is reinstated")
	select {
	case *of[chan struct{}](pid, t.ofPID.stopSignal) <- struct{}{}:
	default:
	}
}

// end has an actor stop that has a child and a watcher, and be restarted.
func (t *trial) end(pid *actor.PID) {
	ctx, s := context.Background(), t.spies[pid]
	children := treeChildren(t.system.tree, pid)
	if !t.expect(len(children) == 1, "the children in the tree of actors") {
		return
	}
	node, ok := treeNode(t.system.tree, pid.ID())
	watchers := len(treeWatchers(t.system.tree, pid))
	t.expect(ok && t.nodePID(node) == pid && len(*at[map[string]*actor.PID](node, t.ofNode.watchers)) == watchers,
		"a node of the tree")
	s.says = nil
	_ = pid.Shutdown(ctx)
	order := slices.DeleteFunc(slices.Clone(s.says), func(f string) bool {
		return f != saysStop && f != saysChildren && f != saysWatchers && f != saysStopped
	})
	t.expect(slices.Equal(order, []string{saysStop, saysChildren, saysWatchers, saysStopped}) && !t.isSet(pid, running),
		"that an actor stops")
	t.expect(slices.Contains(t.spies[children[0]].says, saysStop), "that a child stops")
	s.says = nil
	err := pid.Restart(ctx)
	t.expect(slices.Contains(s.says, saysInit), "that an actor starts")
	begun, asked := slices.Index(s.says, saysRestart), slices.Index(s.says, saysProbe)
	t.expect(err == nil && begun == 0 && asked > 0 && t.isSet(pid, running), "that an actor is restarted")
	select {
	case *of[chan struct{}](pid, t.ofPID.stopSignal) <- struct{}{}:
	default:
	}
	_ = pid.Shutdown(ctx)
	deleteNode(t.system.tree, pid)
}

// expect notes what is not as it was measured.
func (t *trial) expect(is bool, what string) bool {
	if !is {
		t.fail(fmt.Sprint(what))
	}
	return is
}
