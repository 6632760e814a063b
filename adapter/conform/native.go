package conform

import (
	"time"

	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

// This file has native actors as a Stage. They are what frameworks are compared with.

// native is a Stage of native actors.
type native struct {
	*actor.Context
	message any        // what is handled
	from    *actor.Ref // who has sent it, if another one has forwarded it
}

// handed is a message that another actor has forwarded.
type handed struct {
	from    actor.Ref
	message any
}

// pill ends an actor when it is handled.
type pill struct{}

// nativeSystem is a program on native actors.
func nativeSystem(test func(*explore.T, Stage)) explore.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) { test(t, native{Context: ctx}) })
}

// Self is Stage.
func (s native) Self() any { return s.Context.Self() }

// Tell is Stage.
func (s native) Tell(to, message any) { s.Send(to.(actor.Ref), message) }

// Call is Stage.
func (s native) Call(to, message any, patience time.Duration) (any, error) {
	return s.CallTimeout(to.(actor.Ref), message, patience)
}

// Respond is Stage.
func (s native) Respond(message any) {
	if s.from != nil {
		s.Send(*s.from, message)
		return
	}
	s.Reply(message)
}

// Spawn is Stage.
func (s native) Spawn(name string, create func() Actor) any {
	return s.SpawnNamed(name, member{create()})
}

// End is Stage.
func (s native) End(who any) { s.Send(who.(actor.Ref), pill{}) }

// Halt is Halter.
func (s native) Halt(who any) { s.StopActor(who.(actor.Ref)) }

// Watch is Watcher.
func (s native) Watch(who any) { s.Context.Watch(who.(actor.Ref)) }

// Forward is Forwarder. Who answers sends a message: a forwarded Call is never answered.
func (s native) Forward(to any) {
	from := s.Sender()
	if s.from != nil {
		from = *s.from
	}
	s.Send(to.(actor.Ref), handed{from, s.message})
}

// After is Timer.
func (s native) After(d time.Duration, message any) { s.Context.After(d, message) }

// member is a native actor.
type member struct{ Actor }

// Receive implements actor.Behavior.
func (m member) Receive(ctx *actor.Context, msg any) {
	s := native{Context: ctx, message: msg}
	switch msg := msg.(type) {
	case pill:
		ctx.Stop()
		return
	case handed:
		s.message, s.from = msg.message, &msg.from
	case actor.Terminated:
		s.message = Gone{ctx.Name(msg.Who)}
	}
	m.Actor.Receive(s, s.message)
}
