package protoactor

import (
	"reflect"
	"sync"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse/explore"
)

// This file bears with what a future is in different versions of the framework: actor.Future is a struct in 2024, and
// an interface before an unexported struct since 2025. No type can stand for both in the source. So what names it is
// generic, and its type parameter F is inferred from actor.NewFuture: *actor.Future, or actor.Future.

// promise is what the futures of all versions have.
type promise interface {
	PID() *actor.PID
	PipeTo(...*actor.PID)
}

// ownFuture makes a future outside of bubbles, where its timer is none of the program's.
var ownFuture = sync.OnceValue(func() promise {
	system := NewActorSystem()
	f := actor.NewFuture(system, time.Hour)
	system.Root.Send(f.PID(), &actor.DeadLetterResponse{}) // stops the timer
	return f
})

// futureType is the struct behind a future.
var futureType = sync.OnceValue(func() reflect.Type { return reflect.TypeOf(ownFuture()).Elem() })

// asker gives Ask for the futures of this version.
func asker[F any](func(*actor.ActorSystem, time.Duration) F) func(t *explore.T, name string, msg any) F {
	return func(t *explore.T, name string, msg any) F {
		m := mailboxOf(t, name)
		return any(m.system.Root.RequestFuture(m.self(), msg, -1)).(F)
	}
}

// withPatience gives a context by which receive timeouts are seen as they are set; bare: without us the framework would
// wrap nothing. It is an actor.Context only if F is the type of the framework's futures.
func withPatience[F any](_ func(*actor.ActorSystem, time.Duration) F, c actor.Context, box *mailbox, bare bool) any {
	return &patient[F]{patience{c, box, bare}}
}

// patientType is the type of those contexts.
var patientType = reflect.TypeOf(withPatience(actor.NewFuture, nil, nil, false))

// patient is a patience with the methods that name futures.
type patient[F any] struct{ patience }

// sets is called before the timer of a future is set; what it gives, when it was.
func sets(box *mailbox) (was func()) {
	box.rt.LookBefore(box.index)
	return box.rt.LookedBefore
}

// RequestFuture is actor.Context.
func (c *patient[F]) RequestFuture(pid *actor.PID, message any, timeout time.Duration) F {
	defer sets(c.box)()
	return any(c.Context.RequestFuture(pid, message, timeout)).(F)
}

// StopFuture is actor.Context.
func (c *patient[F]) StopFuture(pid *actor.PID) F {
	defer sets(c.box)()
	return any(c.Context.StopFuture(pid)).(F)
}

// PoisonFuture is actor.Context.
func (c *patient[F]) PoisonFuture(pid *actor.PID) F {
	defer sets(c.box)()
	return any(c.Context.PoisonFuture(pid)).(F)
}
