// Package actor stands in for GoAkt: the names and signatures that the corpus needs, without what is behind them.
package actor

import (
	"context"
	"time"
)

type (
	PID            struct{ name string }
	Context        struct{ system ActorSystem }
	ReceiveContext struct{ message any }
	PostStart      struct{}
	SpawnOption    interface{ apply() }
	FuncOption     interface{ apply() }
	Behavior       = func(*ReceiveContext)
	ReceiveFunc    = func(ctx context.Context, message any) error
	RequestCall    interface{ Then(func(any, error)) }
)

type Actor interface {
	PreStart(*Context) error
	Receive(*ReceiveContext)
	PostStop(*Context) error
}

type ActorSystem interface {
	Spawn(ctx context.Context, name string, actor Actor, opts ...SpawnOption) (*PID, error)
	SpawnFromFunc(ctx context.Context, f ReceiveFunc, opts ...FuncOption) (*PID, error)
}

func (c *ReceiveContext) Self() *PID                                               { return nil }
func (c *ReceiveContext) Sender() *PID                                             { return nil }
func (c *ReceiveContext) Message() any                                             { return c.message }
func (c *ReceiveContext) Tell(to *PID, message any)                                {}
func (c *ReceiveContext) Ask(to *PID, message any, timeout time.Duration) any      { return nil }
func (c *ReceiveContext) Request(to *PID, message any) RequestCall                 { return nil }
func (c *ReceiveContext) Response(message any)                                     {}
func (c *ReceiveContext) Become(b Behavior)                                        {}
func (c *ReceiveContext) ActorSystem() ActorSystem                                 { return nil }
func (c *ReceiveContext) Spawn(name string, actor Actor, opts ...SpawnOption) *PID { return nil }
func (p *PID) Tell(ctx context.Context, to *PID, message any) error                { return nil }
func (p *PID) Ask(ctx context.Context, to *PID, message any, t time.Duration) (any, error) {
	return nil, nil
}
func Tell(ctx context.Context, to *PID, message any) error                        { return nil }
func Ask(ctx context.Context, to *PID, message any, t time.Duration) (any, error) { return nil, nil }
