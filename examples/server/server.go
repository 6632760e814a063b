// Package server keeps a number for a client that sets it, reads it twice and shuts the server down, after the
// introductory program of [Basset11].
package server

import (
	"fmt"
	"time"

	"github.com/asynkron/protoactor-go/actor"
)

// Messages.
type (
	start    struct{}
	set      struct{ value int }
	isSet    struct{}
	get      struct{}
	shutdown struct{}
)

// Config configures the client.
type Config struct {
	Reads *Reads // takes what it reads; nil: new ones
	Fixed bool   // it waits until the number is set
}

// Reads are what the client has read. It alone writes them; read them when all is at rest.
type Reads struct{ First, Second int }

// patience is how long the client waits for an answer.
const patience = time.Second

// Pair is a server and its client.
type Pair struct {
	system *actor.ActorSystem
	client *actor.PID
}

// New starts both. The client does nothing yet.
func New(system *actor.ActorSystem, cfg Config) (*Pair, error) {
	if cfg.Reads == nil {
		cfg.Reads = &Reads{}
	}
	s, err := system.Root.SpawnNamed(actor.PropsFromProducer(func() actor.Actor { return &server{} }), "server")
	if err != nil {
		return nil, fmt.Errorf("start the server: %w", err)
	}
	c, err := system.Root.SpawnNamed(actor.PropsFromProducer(func() actor.Actor { return &client{s, cfg} }), "client")
	if err != nil {
		return nil, fmt.Errorf("start the client: %w", err)
	}
	return &Pair{system, c}, nil
}

// Start sends the client on its way.
func (p *Pair) Start() { p.system.Root.Send(p.client, start{}) }

type server struct{ value int }

// Receive implements actor.Actor.
func (s *server) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case set:
		s.value = msg.value
		if ctx.Sender() != nil {
			ctx.Respond(isSet{})
		}
	case get:
		ctx.Respond(s.value)
	case shutdown:
		ctx.Stop(ctx.Self())
	}
}

type client struct {
	server *actor.PID
	cfg    Config
}

// Receive implements actor.Actor.
func (c *client) Receive(ctx actor.Context) {
	if _, ok := ctx.Message().(start); !ok {
		return
	}
	if c.cfg.Fixed {
		ctx.RequestFuture(c.server, set{5}, patience).Wait()
	} else {
		ctx.Send(c.server, set{5})
	}
	c.cfg.Reads.First = c.read(ctx)
	c.cfg.Reads.Second = c.read(ctx)
	ctx.Send(c.server, shutdown{})
}

// read asks the server; -1 if it does not answer.
func (c *client) read(ctx actor.Context) int {
	answer, err := ctx.RequestFuture(c.server, get{}, patience).Result()
	if v, ok := answer.(int); err == nil && ok {
		return v
	}
	return -1
}
