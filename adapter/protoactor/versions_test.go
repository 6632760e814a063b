package protoactor_test

import "github.com/asynkron/protoactor-go/actor"

// promise is what futures have in each version of the framework: actor.Future is a struct in some, an interface in
// others.
type promise interface {
	PID() *actor.PID
	PipeTo(...*actor.PID)
	Result() (any, error)
	Wait() error
}

// as gives a future as what ReenterAfter takes.
func as[F any](_ func(F, func(any, error)), f promise) F { return f.(F) }
