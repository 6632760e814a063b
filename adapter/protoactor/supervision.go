package protoactor

import (
	"reflect"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse/adapter"
)

// backoff is the framework's exponential backoff strategy without its noise of up to 500 ns of random delay. The noise
// would only decide the order of restarts that are due at the same time.
type backoff struct {
	rt      *adapter.Runtime
	window  time.Duration
	initial time.Duration
}

// plainBackoff gives the noiseless twin of an exponential backoff strategy.
func plainBackoff(rt *adapter.Runtime, s actor.SupervisorStrategy) (actor.SupervisorStrategy, bool) {
	if s == nil || reflect.TypeOf(s).String() != "*actor.exponentialBackoffStrategy" {
		return nil, false
	}
	window, initial := hidden(s, "backoffWindow"), hidden(s, "initialBackoff")
	if !window.IsValid() || !initial.IsValid() {
		return nil, false
	}
	return backoff{rt, time.Duration(window.Int()), time.Duration(initial.Int())}, true
}

// plainGuardian gives a root context whose guardian's strategy is noiseless. Guardians are told apart by their
// strategies, so that equal ones must be equal values.
func plainGuardian(rt *adapter.Runtime, parent actor.SpawnerContext) actor.SpawnerContext {
	root, ok := parent.(*actor.RootContext)
	if !ok {
		return parent
	}
	strategy, _ := hidden(root, "guardianStrategy").Interface().(actor.SupervisorStrategy)
	if b, ok := plainBackoff(rt, strategy); ok {
		return root.Copy().WithGuardian(b)
	}
	return parent
}

// HandleFailure restarts the child after a delay that grows with its failures within the window.
func (b backoff) HandleFailure(system *actor.ActorSystem, supervisor actor.Supervisor, child *actor.PID,
	rs *actor.RestartStatistics, reason, _ any) {
	if rs.NumberOfFailures(b.window) == 0 {
		rs.Reset()
	}
	rs.Fail()
	timer := b.rt.SetTimer()
	time.AfterFunc(time.Duration(rs.FailureCount())*b.initial, func() {
		b.rt.FireTimer(timer)
		system.EventStream.Publish(&actor.SupervisorEvent{Child: child, Reason: reason, Directive: actor.RestartDirective})
		supervisor.RestartChildren(child)
	})
}
