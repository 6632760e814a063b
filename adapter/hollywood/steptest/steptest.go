// Package steptest tests what an actor of Hollywood does with one message, from a state that the test makes: a unit
// test of a handler.
//
//	x := steptest.New(t)
//	a := &account{balance: 100}
//	x.Handle(a, Withdraw{Amount: 30})
//	x.Sends(x.Sender(), Withdrawn{Balance: 70})
//	x.Equal("a", a, &account{balance: 70})
//
// The handler runs under control, once, with an engine of its own. All other actors are peers, which do nothing but
// answer where the test says so. What the handler does has to be expected in its order; what nobody expects fails the
// test when that ends. Messages that it sends are not handled, unless it waits for their answers. What actors do in
// Initialized and Started that the handler spawns belongs to the step of the handler, as in the framework. The tested
// actor does not get these itself, unless by Before. `rehearse generate` writes such tests.
package steptest

import (
	"reflect"
	"slices"
	"testing"

	"github.com/anthdm/hollywood/actor"

	"github.com/rehearse-go/rehearse/adapter/hollywood"
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
	begins  bool  // with Initialized and Started, and messages
	earlier []any // these messages
	handled bool
	refs    onestep.References
	engine  *actor.Engine
}

// tested is the name of the tested actor.
const tested = "tested/actor"

// kind is what peers are spawned as.
const kind = "peer"

// Func is an actor that is a function.
type Func func(*actor.Context)

// Receive implements actor.Receiver.
func (f Func) Receive(c *actor.Context) { f(c) }

// New prepares a test of one message.
func New(t testing.TB) *Test {
	x := &Test{t: t, peers: []*peer{{name: "sender"}}, engine: &actor.Engine{}}
	x.from = x.Sender()
	x.refs = onestep.References{Tested: tested, Peers: []string{x.from.GetID()}}
	x.judge = onestep.Judge{T: t, Differ: onestep.Differ{Same: x.samePID}}
	t.Cleanup(x.rest)
	return x
}

// Self is the tested actor.
func (x *Test) Self() *actor.PID { return actor.NewPID(actor.LocalLookupAddr, tested) }

// Engine stands for the engine in the state of the actor: what the handler does by it happens in the test. Equal takes
// it for the one that the context gives.
func (x *Test) Engine() *actor.Engine { return x.engine }

// Sender is the peer that sends the message, unless From names another one.
func (x *Test) Sender() *actor.PID { return pidOf("sender") }

func pidOf(peer string) *actor.PID { return actor.NewPID(actor.LocalLookupAddr, kind+"/"+peer) }

// Peer makes an actor that does nothing. Names have to differ.
func (x *Test) Peer(name string) *actor.PID {
	x.before("Peer")
	x.peers = append(x.peers, &peer{name: name})
	x.refs.Peers = append(x.refs.Peers, pidOf(name).GetID())
	return pidOf(name)
}

// From has a peer send the message, or the tested actor itself.
func (x *Test) From(who *actor.PID) { x.before("From"); x.from = who }

// FromNobody has the message come without a sender, as from Engine.Send.
func (x *Test) FromNobody() { x.before("FromNobody"); x.nobody = true }

// Nothing, in the place of an answer, is none. Who waits for it gets context.DeadlineExceeded.
type Nothing struct{}

// Answers has a peer answer the messages that it gets, one after the other. What it gets after that stays without an
// answer.
func (x *Test) Answers(who *actor.PID, answers ...any) {
	x.before("Answers")
	for _, p := range x.peers {
		if pidOf(p.name).Equals(who) {
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
	return actor.NewPID(actor.LocalLookupAddr, x.refs.Spawned(n))
}

func (x *Test) before(what string) {
	if x.t.Helper(); x.handled {
		x.t.Fatalf("steptest: %s after Handle: it has to come before", what)
	}
}

// Before has the actor begin as it does in a program: it gets Initialized and Started, and then it handles these
// messages, one after the other, before that of Handle. They have the same sender. What comes of them is not judged.
// Messages that the actor sends to itself meanwhile are not handled.
func (x *Test) Before(msgs ...any) {
	x.t.Helper()
	x.before("Before")
	x.begins, x.earlier = true, append(x.earlier, msgs...)
}

// Handle has the actor handle a message, from the state that it has.
func (x *Test) Handle(a actor.Receiver, msg any) {
	x.t.Helper()
	x.before("Handle")
	x.handled = true
	earlier := x.earlier
	if x.begins { // SUBTLE: the framework's own ones come while actors are set up, out of control
		earlier = append([]any{actor.Initialized{}, actor.Started{}}, earlier...)
	}
	s := &subject{actor: a, earlier: len(earlier), pass: !x.nobody && x.from.GetID() == tested}
	if x.begins && s.pass {
		x.t.Fatalf("steptest: Before with messages from the actor itself: it needs another sender")
	}
	r, err := onestep.Execute(x.system(s, append(slices.Clone(earlier), msg)), x.plan(s))
	switch {
	case err != nil:
		x.t.Fatalf("the handler could not be executed: %v", err)
	case !s.begun && x.begins:
		x.t.Fatalf("the actor does not come to handle %s: %d of %d messages before were not handled", onestep.Format(msg),
			s.earlier, len(earlier))
	case !s.begun:
		x.t.Fatalf("the actor does not get %s", onestep.Format(msg))
	}
	for _, p := range x.peers {
		x.judge.Peers = append(x.judge.Peers, p.name)
	}
	x.judge.Take(r)
}

// system is the program: the tested actor, the peers, and messages for the actor.
func (x *Test) system(s *subject, msgs []any) explore.System {
	counts := false
	s.counts = &counts
	return hollywood.System(func(t *explore.T) {
		if !counts {
			// SUBTLE: the system executes a program before all others, to see what it is like; there is one state
			return
		}
		engine := hollywood.NewEngine()
		*x.engine = *engine // which leads to the same registry
		t.SetUp(func() {
			engine.Spawn(func() actor.Receiver { return s }, "tested", actor.WithID("actor"))
			for _, p := range x.peers {
				engine.Spawn(func() actor.Receiver { return p }, kind, actor.WithID(p.name))
			}
		})
		if x.nobody {
			for _, m := range msgs {
				engine.Send(x.Self(), m)
			}
			return
		}
		engine.Send(x.from, &order{to: x.Self(), msgs: msgs})
	})
}

func (x *Test) plan(s *subject) onestep.Plan {
	plan := onestep.Plan{Tested: 1, Starts: func() { *s.counts = true }, Begun: func() bool { return s.begun },
		Ended: func() bool { return s.ended }, Choices: x.choices, Model: trace.FIFO}
	if x.begins {
		sender := int32(0) // the test, for those of nobody
		if !x.nobody {
			sender = x.index(x.from)
		}
		plan.Due = onestep.DueFrom(sender)
	}
	return plan
}

// rest reports what nobody has expected.
func (x *Test) rest() {
	x.t.Helper()
	x.judge.Rest()
}

// subject is the tested actor.
type subject struct {
	actor        actor.Receiver
	earlier      int // messages that are to be handled before
	begun, ended bool
	pass         bool // it has to send the message to itself
	live         bool // the framework's own messages have come
	counts       *bool
}

// Receive handles the message, and those before. The framework's own ones are not for the tested actor.
func (s *subject) Receive(c *actor.Context) {
	if o, ok := c.Message().(*order); ok {
		o.pass(c)
		return
	}
	if _, started := c.Message().(actor.Started); !s.live {
		s.live = started
		return
	}
	switch {
	case s.begun:
	case s.earlier > 0:
		s.actor.Receive(c)
		s.earlier-- // not of one that panics
	default:
		s.begun = true
		defer func() { s.ended = true }()
		s.actor.Receive(c)
	}
}

// order tells a peer to send messages.
type order struct {
	to   *actor.PID
	msgs []any
}

func (o *order) pass(c *actor.Context) {
	for _, m := range o.msgs {
		c.Send(o.to, m)
	}
}

// peer is an actor that does what the test says.
type peer struct {
	name    string
	answers []any
}

// Receive sends what it is told to, or answers.
func (p *peer) Receive(c *actor.Context) {
	switch m := c.Message().(type) {
	case *order:
		m.pass(c)
	case actor.Initialized, actor.Started, actor.Stopped:
	default:
		if len(p.answers) > 0 {
			if _, none := p.answers[0].(Nothing); !none {
				c.Respond(p.answers[0])
			}
			p.answers = p.answers[1:]
		}
	}
}

// samePID compares references, and engines.
func (x *Test) samePID(a, b reflect.Value) (same, ok bool) {
	switch a.Type() {
	case reflect.TypeFor[*actor.Engine]():
		return a.IsNil() == b.IsNil(), true
	case reflect.TypeFor[*actor.PID]():
		return x.refs.SamePID(a, b, "ID"), true
	}
	return false, false
}

// index gives the number of an actor, -1 if the reference is of none that the test knows.
func (x *Test) index(pid *actor.PID) int32 { return x.refs.Number(pid.GetID(), 0) }
