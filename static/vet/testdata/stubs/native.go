// Package actor stands in for the native actors: the names and signatures that the corpus needs.
package actor

import "time"

type (
	Ref      struct{ n int32 }
	Context  struct{ n int }
	Future   struct{ n int }
	Func     func(ctx *Context, msg any)
	Behavior interface{ Receive(ctx *Context, msg any) }
)

func (f Func) Receive(ctx *Context, msg any)                                 { f(ctx, msg) }
func (c *Context) Self() Ref                                                 { return Ref{} }
func (c *Context) Send(to Ref, msg any)                                      {}
func (c *Context) Reply(msg any)                                             {}
func (c *Context) Spawn(b Behavior) Ref                                      { return Ref{} }
func (c *Context) Call(to Ref, msg any) (any, error)                         { return nil, nil }
func (c *Context) CallTimeout(to Ref, msg any, d time.Duration) (any, error) { return nil, nil }
func (c *Context) Ask(to Ref, msg any) *Future                               { return nil }
func (c *Context) Await(f *Future) (any, error)                              { return nil, nil }
