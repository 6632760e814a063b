package hollywood_test

import (
	"testing"
	"time"

	"github.com/anthdm/hollywood/actor"

	"github.com/rehearse-go/rehearse/adapter"
	"github.com/rehearse-go/rehearse/adapter/conform"
	"github.com/rehearse-go/rehearse/adapter/hollywood"
	"github.com/rehearse-go/rehearse/explore"
)

// onEngine is Hollywood as the suite sees it, on engines that are made so.
func onEngine(engine func() *actor.Engine) conform.Framework {
	return conform.Framework{
		Name: "Hollywood",
		System: func(test func(*explore.T, conform.Stage)) *adapter.System {
			return hollywood.System(func(t *explore.T) { test(t, role{engine: engine()}) })
		},
		Stock: func() (test conform.Stage, end func()) {
			return role{engine: stockEngine(actor.NewEngineConfig())}, func() {}
		},
		Lacks: []conform.Lack{
			{Ability: conform.Halt, Why: "there are no system messages: Stop waits for its turn"},
			{Ability: conform.Watch, Why: "actors are not told of each other's end, but by the event stream"},
			{Ability: conform.Forward, Why: "Context.Forward makes who forwards the sender, and gets the answer"},
		},
	}
}

func TestConform(t *testing.T) { conform.Run(t, onEngine(hollywood.NewEngine)) }

// The rates on an engine of the adapter's, and on one that was handed over.
func BenchmarkRing(b *testing.B) {
	b.Run("own", func(b *testing.B) { conform.Bench(b, onEngine(hollywood.NewEngine)) })
	b.Run("stock", func(b *testing.B) { conform.Bench(b, onEngine(stockControlled)) })
}

// Memory does not grow over a million executions: run it with -benchtime 1x.
func BenchmarkMillion(b *testing.B) { conform.Million(b, onEngine(hollywood.NewEngine)) }

// role is a conform.Stage of Hollywood.
type role struct {
	engine  *actor.Engine
	handler *actor.Context // nil: the test
}

func (r role) Self() any {
	if r.handler == nil {
		return nil
	}
	return r.handler.PID()
}

func (r role) Tell(to, message any) {
	if r.handler == nil {
		r.engine.Send(to.(*actor.PID), message)
		return
	}
	r.handler.Send(to.(*actor.PID), message)
}

func (r role) Call(to, message any, patience time.Duration) (any, error) {
	return r.engine.Request(to.(*actor.PID), message, patience).Result()
}

func (r role) Respond(message any) { r.handler.Respond(message) }

func (r role) Spawn(name string, create func() conform.Actor) any {
	return r.engine.Spawn(func() actor.Receiver { return member{create()} }, name, actor.WithID("x"))
}

func (r role) End(who any) { r.engine.Stop(who.(*actor.PID)) }

func (r role) Drain(who any) { r.engine.Poison(who.(*actor.PID)) }

// After has the first tick end the ticking.
func (r role) After(d time.Duration, message any) {
	once := &alarm{message: message}
	once.repeat = r.handler.SendRepeat(r.handler.PID(), once, d)
}

// alarm is a message that a timer has sent, perhaps again before the first was handled.
type alarm struct {
	message any
	repeat  actor.SendRepeater
	over    bool
}

// member is an actor of Hollywood.
type member struct{ actor conform.Actor }

// Receive implements actor.Receiver.
func (m member) Receive(c *actor.Context) {
	message := c.Message()
	switch v := message.(type) {
	case actor.Initialized, actor.Started, actor.Stopped:
		return
	case *alarm:
		if v.over {
			return
		}
		v.over = true
		v.repeat.Stop()
		message = v.message
	}
	m.actor.Receive(role{c.Engine(), c}, message)
}
