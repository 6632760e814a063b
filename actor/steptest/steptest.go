// Package steptest tests what a native actor does with one message, from a state that the test makes: a unit test of a
// handler.
//
//	x := steptest.New(t)
//	c := &Client{Server: x.Peer("server"), Balance: 100}
//	x.Handle(c, Withdraw{Amount: 30})
//	x.Sends(c.Server, Withdraw{Number: 1, Amount: 30})
//	x.Equal("c", c, &Client{Server: c.Server, Balance: 70, Sent: 1})
//
// The handler runs under control, once, in an execution of its own. All other actors are peers, which do nothing but
// answer where the test says so. What the handler does has to be expected in its order; what nobody expects fails the
// test when that ends. The handler gets the message itself, not a copy: pointers of the message and of the state may
// lead to the same. Messages that it sends are not handled, unless it waits for their answers, or the test has an
// Order. `rehearse generate` writes such tests.
package steptest

import (
	"reflect"
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/onestep"
	"github.com/rehearse-go/rehearse/trace"
)

// Test is a test of one message.
type Test struct {
	t       testing.TB
	judge   onestep.Judge
	refs    []actor.Ref // by the order of creation, the test function without one
	peers   []*peer     // the sender first
	from    actor.Ref
	choices []int
	starts  bool  // the test is of the start hook
	begins  bool  // by its start hook, and messages
	earlier []any // these messages
	handled bool
	queue   []*order // behind the message
	moves   []onestep.Move
	bag     bool
}

// The order in which actors are created: the tested one, the sender, then the other peers, then what the handler
// creates.
const (
	tested = 1 + iota
	sender
)

// New prepares a test of one message.
func New(t testing.TB) *Test {
	x := &Test{t: t}
	x.from = x.Sender()
	x.peers = []*peer{{name: "sender"}}
	x.judge = onestep.Judge{T: t, Differ: onestep.Differ{Same: sameRef}}
	t.Cleanup(x.judge.Rest)
	return x
}

// ref gives the reference to the n-th actor of the execution: these are the same in all executions.
func (x *Test) ref(n int) actor.Ref {
	if n > len(x.refs) {
		x.refs = nil
		sys := actor.New(func(_ *explore.T, ctx *actor.Context) {
			for range 2*n + 14 {
				x.refs = append(x.refs, ctx.Spawn(&peer{}))
			}
		})
		if _, err := onestep.Execute(sys,
			onestep.Plan{Tested: -1, Begun: never, Ended: never, Model: trace.FIFO}); err != nil {
			x.t.Fatal(err)
		}
	}
	return x.refs[n-1]
}

func never() bool { return false }

// Self is the tested actor.
func (x *Test) Self() actor.Ref { return x.ref(x.number(tested)) }

// Sender is the peer that sends the message, unless From names another one.
func (x *Test) Sender() actor.Ref {
	if x.starts {
		x.t.Helper()
		x.t.Fatalf("steptest: Sender of a start hook, which has none")
	}
	return x.ref(sender)
}

// Peer makes an actor that does nothing. Its name is for people.
func (x *Test) Peer(name string) actor.Ref {
	x.before("Peer")
	x.peers = append(x.peers, &peer{name: name})
	x.room()
	return x.ref(x.number(tested + len(x.peers)))
}

// From has a peer send the message, or the tested actor itself.
func (x *Test) From(who actor.Ref) { x.before("From"); x.from = who }

// Nothing, in the place of an answer, is none. Who waits for it by CallTimeout gets actor.ErrTimeout.
type Nothing struct{}

// Broken, in the place of an answer, has the peer panic, so that who waits for the answer gets an *actor.StoppedError.
type Broken struct{}

// Answers has a peer answer the messages that it gets, one after the other. What it gets after that stays without an
// answer.
func (x *Test) Answers(who actor.Ref, answers ...any) {
	x.before("Answers")
	for i, p := range x.peers {
		if (i > 0 || !x.starts) && x.ref(x.number(sender+i)) == who {
			p.answers = append(p.answers, answers...)
			return
		}
	}
	x.t.Fatalf("steptest: Answers of %v, which is no peer: make it by Peer", who)
}

// Chooses says what Choose gives, call after call.
func (x *Test) Chooses(values ...int) { x.before("Chooses"); x.choices = append(x.choices, values...) }

// Spawned is the n-th actor that the handler creates, counted from 1. It may be asked for before there is one, after
// all peers were made.
func (x *Test) Spawned(n int) actor.Ref {
	return x.ref(x.number(tested + len(x.peers) + n))
}

func (x *Test) before(what string) {
	if x.t.Helper(); x.handled {
		x.t.Fatalf("steptest: %s after Handle: it has to come before", what)
	}
}

// Before has the actor begin as it does in a program: its start hook runs, and then it handles these messages, one
// after the other, before that of Handle. They have the same sender. What comes of them is not judged. Messages that
// the actor sends to itself meanwhile, and its timers, are not handled.
func (x *Test) Before(msgs ...any) {
	x.t.Helper()
	x.before("Before")
	x.begins, x.earlier = true, append(x.earlier, msgs...)
}

// Handle has the actor handle a message, from the state that the behaviour has. Without Before, its start hook does not
// run.
func (x *Test) Handle(b actor.Behavior, msg any) {
	x.t.Helper()
	x.before("Handle")
	if x.handled = true; x.starts {
		x.t.Fatalf("steptest: Handle of a test of a start hook: make it by New")
	}
	s := x.subject(b, msg)
	r, err := onestep.Execute(actor.New(func(_ *explore.T, ctx *actor.Context) { x.set(ctx, s) }), x.plan(s))
	switch {
	case err != nil:
		x.t.Fatalf("the handler could not be executed: %v", err)
	case !s.begun && s.earlier > 0:
		x.t.Fatalf("the actor does not come to handle %s: %d of %d messages before were not handled", onestep.Format(msg),
			s.earlier, len(x.earlier))
	case !s.begun && r.Diverged != "":
		x.t.Fatalf("the order cannot be followed: %s", r.Diverged)
	case !s.begun:
		x.t.Fatalf("the actor does not accept %s in this state", onestep.Format(msg))
	}
	for _, p := range x.peers {
		x.judge.Peers = append(x.judge.Peers, p.name)
	}
	x.judge.Take(r)
}

// subject is the tested actor, which handles msg after the earlier messages.
func (x *Test) subject(b actor.Behavior, msg any) *subject {
	x.t.Helper()
	s := &subject{Behavior: b, msgs: append(slices.Clone(x.earlier), msg), earlier: len(x.earlier),
		pass: x.from == x.Self(), led: x.moves != nil}
	if x.begins {
		if s.pass {
			x.t.Fatalf("steptest: Before with messages from the actor itself: it needs another sender")
		}
		s.starter, _ = b.(actor.Starter)
	}
	if s.led && (s.pass || x.begins) {
		x.t.Fatalf("steptest: Order with Before, or with a message from the actor itself: these do not go together")
	}
	return s
}

// set makes the actors and has the messages sent.
func (x *Test) set(ctx *actor.Context, s *subject) {
	ctx.SpawnNamed("tested", s.behavior())
	for _, p := range x.peers {
		ctx.SpawnNamed(p.name, p)
	}
	all := s.msgs
	if s.starter != nil {
		all = append([]any{begin{}}, s.msgs...)
	}
	ctx.Send(x.from, &order{to: x.Self(), msgs: all})
	for _, o := range x.queue {
		ctx.Send(o.from, o)
	}
}

// plan says which steps are taken, and up to where.
func (x *Test) plan(s *subject) onestep.Plan {
	plan := onestep.Plan{Tested: tested, Ended: func() bool { return s.ended }, Begun: func() bool { return s.begun },
		Choices: x.choices, Copy: true, Model: trace.FIFO}
	if x.begins {
		from := x.index(x.from)
		plan.Due = onestep.DueFrom(from)
	}
	if s.led {
		plan.Moves, plan.Peers, plan.Model = x.moves, int32(len(x.peers)), onestep.Model(x.bag)
	}
	return plan
}

// subject is the tested actor.
type subject struct {
	actor.Behavior
	starter      actor.Starter // whose hook is to run
	msgs         []any         // those before, and the message
	earlier      int           // messages that are to be handled before
	begun, ended bool
	pass         bool // it has to send the message to itself
	led          bool // it goes on behind the end of the handler
}

// Receive handles the message, and those before.
func (s *subject) Receive(ctx *actor.Context, msg any) {
	if o, ok := msg.(*order); ok && s.pass {
		o.pass(ctx)
		return
	}
	if _, ok := msg.(begin); ok { // SUBTLE: not when it is created: actors that the hook creates come after the peers
		s.starter.Start(ctx)
		return
	}
	if sent := s.msgs[len(s.msgs)-1-s.earlier]; !s.begun && reflect.TypeOf(sent) == reflect.TypeOf(msg) {
		msg = sent // SUBTLE: not the copy, whose pointers lead to none of the objects that the state has
	}
	if s.earlier > 0 {
		s.Behavior.Receive(ctx, msg)
		s.earlier-- // not of one that panics
		return
	}
	if s.led && s.begun {
		s.Behavior.Receive(ctx, msg)
		return
	}
	s.begun = true
	defer func() { s.ended = true }()
	s.Behavior.Receive(ctx, msg)
}

// behavior gives the behaviour to spawn: one with constraints, if the tested one has some.
func (s *subject) behavior() actor.Behavior {
	if a, ok := s.Behavior.(actor.Accepter); ok {
		return &choosy{s, a}
	}
	return s
}

// choosy is a subject with constraints.
type choosy struct {
	*subject
	accepter actor.Accepter
}

// Accepts asks the tested behaviour.
func (c *choosy) Accepts(msg any) bool {
	switch msg.(type) {
	case *order, begin:
		return true
	}
	return c.begun && !c.led || c.accepter.Accepts(msg)
}

// order tells a peer to send messages.
type order struct {
	from actor.Ref
	to   actor.Ref
	msgs []any
}

func (o *order) pass(ctx *actor.Context) {
	for _, m := range o.msgs {
		ctx.Send(o.to, m)
	}
}

// begin has the tested actor's start hook run.
type begin struct{}

// peer is an actor that does what the test says.
type peer struct {
	name    string
	answers []any
}

// Receive sends what it is told to, or answers.
func (p *peer) Receive(ctx *actor.Context, msg any) {
	if o, ok := msg.(*order); ok {
		o.pass(ctx)
	} else if len(p.answers) > 0 {
		answer := p.answers[0]
		p.answers = p.answers[1:]
		switch answer.(type) {
		case Nothing:
		case Broken:
			panic("steptest: the peer is to break")
		default:
			ctx.Reply(answer)
		}
	}
}

// sameRef compares references.
func sameRef(a, b reflect.Value) (same, ok bool) {
	if a.Type() == reflect.TypeFor[actor.Ref]() {
		return a.Field(0).Int() == b.Field(0).Int(), true
	}
	return false, false
}
