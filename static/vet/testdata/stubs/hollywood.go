// Package actor stands in for Hollywood: the names and signatures that the corpus needs, without what is behind them.
package actor

import (
	"context"
	"time"
)

type (
	PID            struct{ Address, ID string }
	Receiver       interface{ Receive(*Context) }
	Producer       func() Receiver
	ReceiveFunc    = func(*Context)
	MiddlewareFunc = func(ReceiveFunc) ReceiveFunc
	Opts           struct{ Middleware []MiddlewareFunc }
	OptFunc        func(*Opts)
	Started        struct{}
	Context        struct{ message any }
	Engine         struct{ address string }
	Response       struct{ result any }
)

func (c *Context) PID() *PID                                                          { return nil }
func (c *Context) Sender() *PID                                                       { return nil }
func (c *Context) Message() any                                                       { return c.message }
func (c *Context) Engine() *Engine                                                    { return nil }
func (c *Context) Send(pid *PID, msg any)                                             {}
func (c *Context) Forward(pid *PID)                                                   {}
func (c *Context) Respond(msg any)                                                    {}
func (c *Context) Request(pid *PID, msg any, timeout time.Duration) *Response         { return nil }
func (c *Context) SpawnChild(p Producer, name string, opts ...OptFunc) *PID           { return nil }
func (c *Context) SpawnChildFunc(f func(*Context), name string, opts ...OptFunc) *PID { return nil }
func (e *Engine) Send(pid *PID, msg any)                                              {}
func (e *Engine) Request(pid *PID, msg any, timeout time.Duration) *Response          { return nil }
func (e *Engine) Spawn(p Producer, kind string, opts ...OptFunc) *PID                 { return nil }
func (e *Engine) SpawnFunc(f func(*Context), kind string, opts ...OptFunc) *PID       { return nil }
func (e *Engine) Stop(pid *PID) context.Context                                       { return nil }
func (e *Engine) Poison(pid *PID) context.Context                                     { return nil }
func (e *Engine) PoisonCtx(ctx context.Context, pid *PID) context.Context             { return nil }
func (e *Engine) BroadcastEvent(msg any)                                              {}
func (r *Response) Result() (any, error)                                              { return r.result, nil }
