// Package steptest tests what an actor of GoAkt does with one message, from a state that the test makes: a unit test of
// a handler.
//
//	x := steptest.New(t)
//	a := &account{balance: 100}
//	x.Asks()
//	x.Handle(a, Withdraw{Amount: 30})
//	x.Sends(x.Sender(), Withdrawn{Balance: 70})
//	x.Equal("a", a, &account{balance: 70})
//
// The handler runs under control, once, in an actor system of its own. All other actors are peers, which do nothing but
// answer where the test says so. What the handler does has to be expected in its order; what nobody expects fails the
// test when that ends. Messages that it sends are not handled, unless it waits for their answers. What PreStart of an
// actor does that the handler spawns belongs to the step of the handler, as in the framework. The tested actor's own
// PreStart and PostStart do not come, unless by Before. What an error of the handler, or its panic, leads to is left to
// supervision, and not judged. `rehearse generate` writes such tests.
package steptest

import (
	"context"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/tochemey/goakt/v4/actor"

	"github.com/rehearse-go/rehearse/adapter/goakt"
	"github.com/rehearse-go/rehearse/adapter/goakt/internal/place"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/onestep"
	"github.com/rehearse-go/rehearse/trace"
)

// Test is a test of one message.
type Test struct {
	t       testing.TB
	judge   onestep.Judge
	self    *actor.PID
	peers   []*peer // the sender first
	from    *actor.PID
	nobody  bool
	asks    bool
	choices []int
	begins  bool  // with PreStart and PostStart, and messages
	earlier []any // these messages
	handled bool
	refs    onestep.References
	known   map[*actor.PID]string // what actors of the test go by, and those of Spawned
	system  *standIn
}

// standIn stands for the actor system in the state of an actor.
type standIn struct{ actor.ActorSystem }

// tested is the name of the tested actor.
const tested = "tested"

// ofFramework is how many actors of the framework's own come before those of the test.
const ofFramework = 2

// Func is an actor that is a function.
type Func func(*actor.ReceiveContext)

// PreStart implements actor.Actor.
func (f Func) PreStart(*actor.Context) error { return nil }

// Receive implements actor.Actor.
func (f Func) Receive(c *actor.ReceiveContext) { f(c) }

// PostStop implements actor.Actor.
func (f Func) PostStop(*actor.Context) error { return nil }

// New prepares a test of one message.
func New(t testing.TB) *Test {
	x := &Test{t: t, self: new(actor.PID), system: &standIn{}}
	x.known = map[*actor.PID]string{x.self: tested}
	x.refs = onestep.References{Tested: tested}
	x.from = x.Peer("sender")
	x.judge = onestep.Judge{T: t, Before: ofFramework, Differ: onestep.Differ{Same: x.same}}
	t.Cleanup(x.judge.Rest)
	return x
}

// Self is the tested actor. The actor behind it, and behind all references of the test, exists while Handle runs.
func (x *Test) Self() *actor.PID { return x.self }

// System stands for the actor system in the state of the actor. Equal takes it for the one that the context gives.
func (x *Test) System() actor.ActorSystem { return x.system }

// Sender is the peer that sends the message, unless From names another one.
func (x *Test) Sender() *actor.PID { return x.peers[0].pid }

// Peer makes an actor that does nothing. Names have to differ.
func (x *Test) Peer(name string) *actor.PID {
	x.before("Peer")
	p := &peer{name: name, pid: new(actor.PID)}
	x.peers, x.known[p.pid] = append(x.peers, p), name
	x.refs.Peers = append(x.refs.Peers, name)
	return p.pid
}

// Child makes a peer that is a child of the tested actor, under a name.
func (x *Test) Child(name string) *actor.PID {
	pid := x.Peer(name)
	x.peers[len(x.peers)-1].child = true
	return pid
}

// From has a peer send the message, or the tested actor itself.
func (x *Test) From(who *actor.PID) { x.before("From"); x.from = who }

// FromNobody has the message come from outside of actors, as by actor.Tell. The framework's NoSender has sent it then.
func (x *Test) FromNobody() { x.before("FromNobody"); x.nobody = true }

// Asks has the sender wait for an answer, so that Response sends one. To a message that is told it sends nothing.
func (x *Test) Asks() { x.before("Asks"); x.asks = true }

// Nothing, in the place of an answer, is none. Who waits for it gets nil, or an error.
type Nothing struct{}

// Answers has a peer answer the questions that it gets, one after the other. What it gets after that stays without an
// answer.
func (x *Test) Answers(who *actor.PID, answers ...any) {
	x.before("Answers")
	for _, p := range x.peers {
		if p.pid == who {
			p.answers = append(p.answers, answers...)
			return
		}
	}
	x.t.Fatalf("steptest: Answers of an actor that is no peer: make it by Peer")
}

// Chooses says what Choose gives, call after call.
func (x *Test) Chooses(values ...int) { x.before("Chooses"); x.choices = append(x.choices, values...) }

// Spawned stands for the n-th actor that the handler creates, counted from 1, in what Sends and Equal compare.
func (x *Test) Spawned(n int) *actor.PID {
	name := x.refs.Spawned(n)
	for pid, known := range x.known {
		if known == name {
			return pid
		}
	}
	pid := new(actor.PID)
	x.known[pid] = name
	return pid
}

func (x *Test) before(what string) {
	if x.t.Helper(); x.handled {
		x.t.Fatalf("steptest: %s after Handle: it has to come before", what)
	}
}

// Before has the actor begin as it does in a program: its PreStart runs, and it gets PostStart. Then it handles these
// messages, one after the other, before that of Handle. They have the same sender. What comes of them is not judged.
// Messages that the actor sends to itself meanwhile are not handled.
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
	if x.begins {
		earlier = append([]any{new(actor.PostStart)}, earlier...)
	}
	s := &subject{actor: a, begins: x.begins, earlier: len(earlier)}
	if x.begins && x.from == x.self && !x.nobody {
		x.t.Fatalf("steptest: Before with messages from the actor itself: it needs another sender")
	}
	r, err := onestep.Execute(x.program(s, append(slices.Clone(earlier), msg)), x.plan(s))
	switch {
	case err != nil:
		x.t.Fatalf("the handler could not be executed: %v", err)
	case s.err != nil:
		x.t.Fatalf("PreStart of the actor fails: %v", s.err)
	case !s.begun && x.begins:
		x.t.Fatalf("the actor does not come to handle %s: %d of %d messages before were not handled", onestep.Format(msg),
			s.earlier, len(earlier))
	case !s.begun:
		x.t.Fatalf("the actor does not get %s", onestep.Format(msg))
	}
	for _, p := range x.peers {
		x.judge.Peers = append(x.judge.Peers, p.name)
	}
	x.judge.Take(withoutSupervision(r))
}

// withoutSupervision leaves out what the framework does about a failure of the handler, what its death watch hears, and
// what sends the results of tasks later.
func withoutSupervision(r *onestep.Record) *onestep.Record {
	own := map[int32]bool{}
	for i := range int32(ofFramework) {
		own[i+1] = true
	}
	r.Created = slices.DeleteFunc(r.Created, func(a int32) bool {
		switch r.States[a].(type) {
		case *goakt.Supervision, goakt.Pipe:
			own[a] = true
		}
		return own[a]
	})
	r.Sent = slices.DeleteFunc(r.Sent, func(m trace.Message) bool { return own[m.Receiver] })
	for i := range r.Sent { // one that comes before all others, such as a pill
		if _, stops := r.Sent[i].Value.(goakt.Stops); !stops && r.Sent[i].Kind == trace.System {
			r.Sent[i].Kind = trace.User
		}
	}
	r.Changed = r.Changed && !r.Stopped // who stops has no behaviour any more
	return r
}

// program is what is executed: the tested actor, the peers, and messages for the actor.
func (x *Test) program(s *subject, msgs []any) explore.System {
	counts := false
	s.counts = &counts
	return goakt.System(func(t *explore.T) {
		if !counts {
			// SUBTLE: the system executes a program before all others, to see what it is like; there is one state
			return
		}
		system, err := goakt.NewActorSystem("steptest")
		if err != nil {
			t.Fatalf("%v", err)
		}
		x.system.ActorSystem = system
		pids := []*actor.PID{x.self}
		var live []*actor.PID
		t.SetUp(func() {
			live = append(live, spawn(t, system, tested, s))
			for _, p := range x.peers {
				pids, live = append(pids, p.pid), append(live, p.spawn(t, system, live[0]))
			}
		})
		for i, pid := range pids {
			place.Move(live[i], pid)
		}
		s.live = true
		x.sends(t, msgs)
	})
}

// sends has the messages be sent.
func (x *Test) sends(t *explore.T, msgs []any) {
	if !x.nobody {
		msgs = []any{&order{to: x.self, msgs: msgs, asks: x.asks}}
	}
	to := x.from
	if x.nobody {
		to = x.self
	}
	for _, m := range msgs {
		if err := actor.Tell(context.Background(), to, m); err != nil {
			t.Fatalf("%v", err)
		}
	}
}

// spawn spawns an actor that lives as long as the test, and may stash.
func spawn(t *explore.T, system actor.ActorSystem, name string, a actor.Actor) *actor.PID {
	pid, err := system.Spawn(context.Background(), name, a, actor.WithLongLived(), actor.WithStashing())
	if err != nil {
		t.Fatalf("%v", err)
	}
	return pid
}

func (x *Test) plan(s *subject) onestep.Plan {
	plan := onestep.Plan{Tested: ofFramework + 1, Starts: func() { *s.counts = true },
		Begun: func() bool { return s.begun }, Ended: func() bool { return s.ended }, Choices: x.choices, Model: trace.FIFO}
	if x.begins {
		sender := int32(0) // the test, for those of nobody
		if !x.nobody {
			sender = x.index(x.from)
		}
		plan.Due = onestep.DueFrom(sender)
	}
	return plan
}

// subject is the tested actor.
type subject struct {
	actor        actor.Actor
	begins       bool // by its PreStart
	earlier      int  // messages that are to be handled before
	begun, ended bool
	live         bool // the framework's own messages have come
	counts       *bool
	context      *actor.Context
	err          error
}

// PreStart implements actor.Actor: that of the tested actor runs later.
func (s *subject) PreStart(c *actor.Context) error {
	s.context = c
	return nil
}

// PostStop implements actor.Actor.
func (s *subject) PostStop(c *actor.Context) error { return s.actor.PostStop(c) }

// Receive handles the message, and those before. The framework's own ones are not for the tested actor.
func (s *subject) Receive(c *actor.ReceiveContext) {
	if o, ok := c.Message().(*order); ok {
		o.pass(c)
		return
	}
	if !s.live || s.begun {
		return
	}
	if s.begins {
		s.begins = false
		if s.err = s.actor.PreStart(s.context); s.err != nil {
			return
		}
	}
	if s.earlier > 0 {
		s.actor.Receive(c)
		s.earlier-- // not of one that panics
		return
	}
	s.begun = true
	defer func() { s.ended = true }()
	s.actor.Receive(c)
}

// order tells an actor to send messages, and whether to wait for the answer to the last one.
type order struct {
	to   *actor.PID
	msgs []any
	asks bool
}

// patience is beyond the horizon of an execution.
const patience = time.Hour

func (o *order) pass(c *actor.ReceiveContext) {
	for i, m := range o.msgs {
		if o.asks && i == len(o.msgs)-1 {
			_, _ = c.Self().Ask(c.Context(), o.to, m, patience)
			return
		}
		c.Tell(o.to, m)
	}
}

// peer is an actor that does what the test says.
type peer struct {
	name    string
	pid     *actor.PID
	child   bool
	answers []any
}

// spawn creates the peer, as a child if it is one.
func (p *peer) spawn(t *explore.T, system actor.ActorSystem, parent *actor.PID) *actor.PID {
	if !p.child {
		return spawn(t, system, p.name, p)
	}
	pid, err := parent.SpawnChild(context.Background(), p.name, p, actor.WithLongLived())
	if err != nil {
		t.Fatalf("%v", err)
	}
	return pid
}

// PreStart implements actor.Actor.
func (*peer) PreStart(*actor.Context) error { return nil }

// PostStop implements actor.Actor.
func (*peer) PostStop(*actor.Context) error { return nil }

// Receive sends what it is told to, or answers.
func (p *peer) Receive(c *actor.ReceiveContext) {
	switch m := c.Message().(type) {
	case *order:
		m.pass(c)
	case *actor.PostStart:
	default:
		if len(p.answers) > 0 {
			if _, none := p.answers[0].(Nothing); !none {
				c.Response(p.answers[0])
			}
			p.answers = p.answers[1:]
		}
	}
}

// same compares references, and systems.
func (x *Test) same(a, b reflect.Value) (same, ok bool) {
	switch {
	case a.Type() == reflect.TypeFor[actor.ActorSystem]():
		return a.IsNil() == b.IsNil(), true
	case a.Type() == reflect.TypeFor[*actor.PID]():
		if a.IsNil() || b.IsNil() {
			return a.IsNil() == b.IsNil(), true
		}
		return x.refs.Same(x.identity((*actor.PID)(a.UnsafePointer())), x.identity((*actor.PID)(b.UnsafePointer()))), true
	}
	return false, false
}

// identity is what an actor goes by: the names of the test have no slash.
func (x *Test) identity(pid *actor.PID) string {
	if name, ok := x.known[pid]; ok {
		return name
	}
	return pid.ID()
}

// index gives the number of an actor in traces, -1 if the reference is of none that the test knows.
func (x *Test) index(pid *actor.PID) int32 {
	if pid == nil {
		return -1
	}
	n := x.refs.Number(x.identity(pid), 0)
	if n < 0 {
		return n
	}
	return n + ofFramework
}
