// Package actor stands in for protoactor-go: the names and signatures that the corpus needs, without what is behind them.
package actor

import "time"

type (
	PID         struct{ Address, Id string }
	Props       struct{ producer func() Actor }
	Actor       interface{ Receive(c Context) }
	Producer    func() Actor
	ReceiveFunc func(c Context)
	Started     struct{}
	Future      struct{ result any }
	Behavior    []ReceiveFunc
	RootContext struct{}
	ActorSystem struct{ Root *RootContext }
)

type Context interface {
	Self() *PID
	Sender() *PID
	Message() any
	Send(pid *PID, message any)
	Request(pid *PID, message any)
	RequestFuture(pid *PID, message any, timeout time.Duration) *Future
	Respond(response any)
	Forward(pid *PID)
	Spawn(props *Props) *PID
	ReenterAfter(f *Future, continuation func(res any, err error))
}

func (f ReceiveFunc) Receive(c Context)            { f(c) }
func (f *Future) Result() (any, error)             { return f.result, nil }
func (f *Future) Wait() error                      { return nil }
func (b *Behavior) Become(receive ReceiveFunc)     { *b = Behavior{receive} }
func (b *Behavior) Receive(c Context)              { (*b)[0](c) }
func (rc *RootContext) Send(pid *PID, message any) {}
func (rc *RootContext) Spawn(props *Props) *PID    { return nil }
func PropsFromProducer(producer Producer) *Props   { return &Props{producer} }
func PropsFromFunc(f ReceiveFunc) *Props           { return &Props{func() Actor { return f }} }
func (rc *RootContext) RequestFuture(pid *PID, message any, timeout time.Duration) *Future {
	return nil
}
