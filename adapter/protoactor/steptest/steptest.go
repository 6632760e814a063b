// Package steptest tests what an actor of protoactor-go does with one message, from a state that the test makes: a unit
// test of a handler.
//
//	x := steptest.New(t)
//	a := &account{balance: 100}
//	x.Handle(a, &Withdraw{Amount: 30})
//	x.Sends(x.Sender(), &Withdrawn{Balance: 70})
//	x.Equal("a", a, &account{balance: 70})
//
// The handler runs under control, once, in an actor system of its own. All other actors are peers, which do nothing but
// answer where the test says so. What the handler does has to be expected in its order; what nobody expects fails the
// test when that ends. Messages that it sends are not handled, unless it waits for their answers, or the test has an
// Order. The tested actor does not get Started, unless by Before. `rehearse generate` writes such tests.
package steptest

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/onestep"
	"github.com/rehearse-go/rehearse/trace"
)

// Test is a test of one message.
type Test struct {
	t       testing.TB
	judge   onestep.Judge
	peers   []*peer // the sender first
	from    *actor.PID
	nobody  bool
	choices []int
	begins  bool  // with Started, and messages
	earlier []any // these messages
	handled bool
	queue   []*order // behind the message
	moves   []onestep.Move
	bag     bool
	idle    time.Duration // the receive timeout in the end
	refs    onestep.References
}

// address is that of actors of a system without a network.
const address = "nonhost"

// tested is the identity of the tested actor.
const tested = "tested"

// New prepares a test of one message.
func New(t testing.TB) *Test {
	x := &Test{t: t, peers: []*peer{{name: "sender"}}}
	x.refs = onestep.References{Tested: tested, Peers: []string{"sender"}}
	x.from = x.Sender()
	x.judge = onestep.Judge{T: t, Differ: onestep.Differ{Same: x.samePID}}
	t.Cleanup(x.rest)
	return x
}

// Self is the tested actor.
func (x *Test) Self() *actor.PID { return actor.NewPID(address, tested) }

// Sender is the peer that sends the message, unless From names another one.
func (x *Test) Sender() *actor.PID { return actor.NewPID(address, "sender") }

// Peer makes an actor that does nothing. Names have to differ.
func (x *Test) Peer(name string) *actor.PID {
	x.before("Peer")
	x.peers = append(x.peers, &peer{name: name})
	x.refs.Peers = append(x.refs.Peers, name)
	return actor.NewPID(address, name)
}

// From has a peer send the message, or the tested actor itself.
func (x *Test) From(who *actor.PID) { x.before("From"); x.from = who }

// FromNobody has the message come without a sender.
func (x *Test) FromNobody() { x.before("FromNobody"); x.nobody = true }

// Nothing, in the place of an answer, is none. Who waits for it gets actor.ErrTimeout, if there is a limit.
type Nothing struct{}

// DeadLetter, in the place of an answer, has who waits for it get actor.ErrDeadLetter.
type DeadLetter struct{}

// Answers has a peer answer the messages that it gets, one after the other. What it gets after that stays without an
// answer.
func (x *Test) Answers(who *actor.PID, answers ...any) {
	x.before("Answers")
	for _, p := range x.peers {
		if p.name == who.GetId() {
			p.answers = append(p.answers, answers...)
			return
		}
	}
	x.t.Fatalf("steptest: Answers of %v, which is no peer: make it by Peer", who)
}

// Chooses says what Choose gives, call after call.
func (x *Test) Chooses(values ...int) { x.before("Chooses"); x.choices = append(x.choices, values...) }

// Spawned stands for the n-th actor that the handler creates, counted from 1, in what Sends and Equal compare.
func (x *Test) Spawned(n int) *actor.PID {
	return actor.NewPID(address, x.refs.Spawned(n))
}

func (x *Test) before(what string) {
	if x.t.Helper(); x.handled {
		x.t.Fatalf("steptest: %s after Handle: it has to come before", what)
	}
}

// Before has the actor begin as it does in a program: it gets Started, and then it handles these messages, one after
// the other, before that of Handle. They have the same sender. What comes of them is not judged. Messages that the
// actor sends to itself meanwhile, and its timers, are not handled.
func (x *Test) Before(msgs ...any) {
	x.t.Helper()
	x.before("Before")
	x.begins, x.earlier = true, append(x.earlier, msgs...)
}

// Handle has the actor handle a message, from the state that it has.
func (x *Test) Handle(a actor.Actor, msg any) {
	x.t.Helper()
	x.before("Handle")
	x.handled = true
	earlier := x.earlier
	if x.begins { // SUBTLE: the framework's own one comes while actors are set up, out of control
		earlier = append([]any{&actor.Started{}}, earlier...)
	}
	s := &subject{actor: a, earlier: len(earlier), pass: !x.nobody && x.from.GetId() == tested, led: x.moves != nil}
	if s.led && (s.pass || x.begins) {
		x.t.Fatalf("steptest: Order with Before, or with a message from the actor itself: these do not go together")
	}
	answers := x.answerers()
	if x.begins && s.pass {
		x.t.Fatalf("steptest: Before with messages from the actor itself: it needs another sender")
	}
	counts := false
	sys := protoactor.System(func(t *explore.T) {
		if !counts {
			// SUBTLE: the system executes a program before all others, to see what it is like; there is one state, and PIDs
			// remember actors
			return
		}
		x.set(t, s, answers, append(slices.Clone(earlier), msg))
	})
	plan := x.plan(s, len(answers))
	plan.Starts = func() { counts = true }
	r, err := onestep.Execute(sys, plan)
	switch {
	case err != nil:
		x.t.Fatalf("the handler could not be executed: %v", err)
	case !s.begun && x.begins:
		x.t.Fatalf("the actor does not come to handle %s: %d of %d messages before were not handled", onestep.Format(msg),
			s.earlier, len(earlier))
	case !s.begun && r.Diverged != "":
		x.t.Fatalf("the order cannot be followed: %s", r.Diverged)
	case !s.begun:
		x.t.Fatalf("the actor does not get %s", onestep.Format(msg))
	}
	for _, p := range x.peers {
		x.judge.Peers = append(x.judge.Peers, p.name)
	}
	for i := range answers {
		x.judge.Peers = append(x.judge.Peers, answererName(i+1))
	}
	x.judge.Take(r)
}

// set makes the actors and has the messages sent.
func (x *Test) set(t *explore.T, s *subject, answers []actor.Actor, msgs []any) {
	system := protoactor.NewActorSystem()
	t.SetUp(func() {
		spawn(x.t, system, tested, s)
		for _, p := range x.peers {
			spawn(x.t, system, p.name, p)
		}
		for i, a := range answers {
			spawn(x.t, system, answererName(i+1), a)
		}
	})
	switch {
	case s.led:
		system.Root.Send(x.Sender(), &order{from: x.from, nobody: x.nobody, to: x.Self(), msgs: msgs})
		for _, o := range x.queue {
			system.Root.Send(x.Sender(), o)
		}
	case x.nobody:
		for _, m := range msgs {
			system.Root.Send(x.Self(), m)
		}
	default:
		system.Root.Send(x.from, &order{to: x.Self(), msgs: msgs})
	}
}

// plan says which steps are taken, and up to where.
func (x *Test) plan(s *subject, answers int) onestep.Plan {
	plan := onestep.Plan{Tested: 1, Begun: func() bool { return s.begun },
		Ended: func() bool { return s.ended }, Choices: x.choices, Model: trace.FIFO}
	if x.begins {
		plan.Due = onestep.DueFrom(x.sends())
	}
	plan.Look = func() { x.idle = s.ctx.ReceiveTimeout() }
	if s.led {
		plan.Moves, plan.Peers, plan.Answers = x.moves, int32(len(x.peers)), int32(answers)
		plan.Model, plan.Timers = onestep.Model(x.bag), trace.Async
	}
	return plan
}

// rest reports what nobody has expected.
func (x *Test) rest() {
	x.t.Helper()
	x.judge.Rest()
	if x.idle != 0 {
		x.t.Errorf("the actor also has a receive timeout of %v", x.idle)
	}
}

// sends gives the number of the actor that sends the messages, which is the test for those of nobody.
func (x *Test) sends() int32 {
	if x.nobody {
		return 0
	}
	return x.index(x.from)
}

func spawn(t testing.TB, system *actor.ActorSystem, name string, a actor.Actor) {
	if _, err := system.Root.SpawnNamed(actor.PropsFromProducer(func() actor.Actor { return a }), name); err != nil {
		t.Errorf("steptest: %v", err)
	}
}

// subject is the tested actor.
type subject struct {
	actor        actor.Actor
	earlier      int // messages that are to be handled before
	started      bool
	begun, ended bool
	pass         bool // it has to send the message to itself
	led          bool // it goes on behind the end of the handler
	ctx          actor.Context
}

// Receive handles the message, and those before. The framework's own ones are not for the tested actor.
func (s *subject) Receive(ctx actor.Context) {
	if o, ok := ctx.Message().(*order); ok {
		o.pass(ctx)
		return
	}
	if _, ok := ctx.Message().(*actor.Started); ok && !s.started {
		s.started = true
		return
	}
	if s.begun {
		if s.led {
			s.actor.Receive(ctx)
		}
		return
	}
	if s.earlier > 0 {
		s.actor.Receive(ctx)
		s.earlier-- // not of one that panics
		return
	}
	s.begun, s.ctx = true, ctx
	defer func() { s.ended = true }()
	s.actor.Receive(ctx)
}

// order tells a peer to send messages.
type order struct {
	from   *actor.PID // nil: who passes it on
	nobody bool       // they have no sender
	to     *actor.PID
	msgs   []any
}

func (o *order) pass(ctx actor.Context) {
	for _, m := range o.msgs {
		switch {
		case o.nobody:
			ctx.Send(o.to, m)
		case o.from != nil:
			ctx.RequestWithCustomSender(o.to, m, o.from)
		default:
			ctx.Request(o.to, m)
		}
	}
}

// peer is an actor that does what the test says.
type peer struct {
	name    string
	answers []any
	hand    func(ctx actor.Context, answer any) // answers, or hands the message on to the actor that is to do so
}

// Receive sends what it is told to, or answers.
func (p *peer) Receive(ctx actor.Context) {
	switch m := ctx.Message().(type) {
	case *order:
		m.pass(ctx)
	case actor.AutoReceiveMessage, actor.SystemMessage:
	default:
		if len(p.answers) > 0 {
			if _, none := p.answers[0].(Nothing); !none {
				p.hand(ctx, p.answers[0])
			}
			p.answers = p.answers[1:]
		}
	}
}

// samePID compares references.
func (x *Test) samePID(a, b reflect.Value) (same, ok bool) {
	if a.Type() != reflect.TypeFor[*actor.PID]() {
		return false, false
	}
	return x.refs.SamePID(a, b, "Id"), true
}

// index gives the number of an actor, -1 if the reference is of none that the test knows.
func (x *Test) index(pid *actor.PID) int32 { return x.refs.Number(pid.GetId(), x.answered()) }
