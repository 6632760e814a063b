package goakt_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/tochemey/goakt/v4/actor"
	"github.com/tochemey/goakt/v4/supervisor"

	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/adapter/conform"
	"github.com/rehearse-go/rehearse/adapter/goakt"
	"github.com/rehearse-go/rehearse/explore"
)

// onSystem is GoAkt as the suite sees it, on actor systems that are made so.
func onSystem(system func() actor.ActorSystem) conform.Framework {
	return conform.Framework{
		Name: "GoAkt",
		System: func(test func(*explore.T, conform.Stage)) *adapter.System {
			return goakt.System(func(t *explore.T) { test(t, role{system: system()}) })
		},
		Stock: stockStage,
		Lacks: []conform.Lack{
			{Ability: conform.Drain, Why: "what waits behind the end is lost"},
		},
		Differs: differences(),
		Slow:    true,
	}
}

// differences are what GoAkt does otherwise.
func differences() (all []conform.Difference) {
	const (
		ends  = "an actor that ends tells the framework's death watch, which is a step of its own"
		alive = "Tell of the test returns an error where the actor has ended"
		told  = "is told by Tell or Ask in other orders that a is not alive"
	)
	for _, model := range []string{"bag", "fifo", "causal", "mailbox", "mailbox-serial"} {
		all = append(all, conform.Difference{Part: "Models/halted/" + model, Why: ends})
	}
	return append(all,
		conform.Difference{Part: "Cases/End", Why: alive, Omitted: told},
		conform.Difference{Part: "Cases/EndByAnother", Why: alive, Omitted: told},
		conform.Difference{Part: "Cases/DeadLetter", Silent: true,
			Why: "what is sent to an actor that has ended is an error of Tell, and no dead letter"},
		conform.Difference{Part: "Cases/Watch", Why: "who begins to watch an actor that has ended is not told",
			Want: []string{"", "gone a"}},
		conform.Difference{Part: "Cases/Restart", Why: "what is sent to an actor that is being restarted is lost",
			Want: []string{"a 1", "a 1, a 2", "a 1, a 3", "a 2, a 3"}},
		conform.Difference{Part: "Faults/two_messages_and_two_restarts/mailbox-serial",
			Why:    "PostStart of a restarted actor is behind what waited, and another restart may come between",
			Counts: map[string]int{"a 1, a 2": 3, "a 1, a 3": 3}},
		conform.Difference{Part: "Faults/relay_and_crashes/mailbox-serial", Why: ends,
			Counts: map[string]int{"": 2, "a 1": 4}},
		conform.Difference{Part: "Faults/relay_and_crashes/bag", Why: ends, Counts: map[string]int{"": 2, "a 1": 4}})
}

// stockStage starts the framework by itself. It has a worker for each processor. One that waits in a call is not there
// for others, and a program of which all wait goes on by timeouts only.
func stockStage() (test conform.Stage, end func()) {
	processors := runtime.GOMAXPROCS(8)
	goakt.Stock()
	s := stock(true)
	return role{system: s}, func() {
		_ = s.Stop(background)
		goakt.StopDrain(s)
		runtime.GOMAXPROCS(processors)
	}
}

func own() actor.ActorSystem { return start() }

func TestConform(t *testing.T) { conform.Run(t, onSystem(own)) }

// The rates on a system of the adapter's, and on one that was handed over.
func BenchmarkRing(b *testing.B) {
	b.Run("own", func(b *testing.B) { conform.Bench(b, onSystem(own)) })
	b.Run("stock", func(b *testing.B) { conform.Bench(b, onSystem(stockControlled)) })
}

// Memory does not grow over a million executions: run it with -benchtime 1x.
func BenchmarkMillion(b *testing.B) { conform.Million(b, onSystem(own)) }

// role is a conform.Stage of GoAkt.
type role struct {
	system  actor.ActorSystem
	handler *actor.ReceiveContext // nil: the test
	asked   bool                  // who has sent the message waits
}

// called is a message whose sender waits for the answer.
type called struct{ message any }

func (r role) Self() any {
	if r.handler == nil {
		return nil
	}
	return r.handler.Self()
}

func (r role) Tell(to, message any) {
	if r.handler == nil {
		tell(to.(*actor.PID), message)
		return
	}
	r.handler.Tell(to.(*actor.PID), message)
}

func (r role) Call(to, message any, patience time.Duration) (any, error) {
	if r.handler == nil {
		return actor.Ask(background, to.(*actor.PID), called{message}, patience)
	}
	return r.handler.Self().Ask(background, to.(*actor.PID), called{message}, patience)
}

func (r role) Respond(message any) {
	if r.asked {
		r.handler.Response(message)
		return
	}
	r.handler.Tell(r.handler.Sender(), message)
}

func (r role) Spawn(name string, create func() conform.Actor) any {
	restarts := supervisor.NewSupervisor(supervisor.WithAnyErrorDirective(supervisor.RestartDirective))
	pid, err := r.system.Spawn(background, name, &member{create: create}, actor.WithSupervisor(restarts))
	if err != nil {
		panic(err)
	}
	return pid
}

func (r role) End(who any) { r.Tell(who, leave{}) }

func (r role) Halt(who any) { r.Tell(who, new(actor.PoisonPill)) }

func (r role) Watch(who any) { r.handler.Watch(who.(*actor.PID)) }

func (r role) Forward(to any) { r.handler.Forward(to.(*actor.PID)) }

func (r role) After(d time.Duration, message any) {
	if err := r.system.ScheduleOnce(background, message, r.handler.Self(), d); err != nil {
		panic(err)
	}
}

// leave ends an actor in its turn. PoisonPill comes before what waits.
type leave struct{}

// member is an actor of GoAkt. A restart starts it again.
type member struct {
	create func() conform.Actor
	actor  conform.Actor
}

func (m *member) PreStart(*actor.Context) error {
	m.actor = m.create()
	return nil
}

func (m *member) PostStop(*actor.Context) error { return nil }

// Receive implements actor.Actor.
func (m *member) Receive(c *actor.ReceiveContext) {
	s := role{system: c.ActorSystem(), handler: c}
	switch msg := c.Message().(type) {
	case *actor.PostStart:
	case called:
		s.asked = true
		m.actor.Receive(s, msg.message)
	case leave:
		c.Shutdown()
	case *actor.Terminated:
		m.actor.Receive(s, conform.Gone{Name: msg.ActorPath().Name()})
	default:
		m.actor.Receive(s, msg)
	}
}
