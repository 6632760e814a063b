package subjects

import (
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

// Server is the introductory program of [Basset11]: a client sets a value, reads it twice by calls and shuts the server
// down. Its bugs: the two reads may differ, and a shutdown before the set leaves a message for a dead actor. compare
// switches on the assertion that both reads agree.
func Server(compare bool) *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		var c actor.Ref
		t.SetUp(func() {
			s := ctx.Spawn(&server{})
			c = ctx.Spawn(&client{server: s, compare: compare})
		})
		ctx.Send(c, start{})
	})
}

// ServerDirect is the Scala version: the client is the older actor and begins by itself, so that its first messages are
// pending when the exploration starts.
func ServerDirect() *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) { ctx.Spawn(&eagerClient{}) })
}

type (
	set      struct{ value int }
	get      struct{}
	shutdown struct{}
)

type server struct{ value int }

func (s *server) Receive(ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case set:
		s.value = msg.value
	case get:
		ctx.Reply(s.value)
	case shutdown:
		ctx.Stop()
	}
}

// client keeps what it has read: figure 3.3 of [Basset11] has both numbers in its state.
type client struct {
	server  actor.Ref
	compare bool
	v1, v2  any
}

func (c *client) Receive(ctx *actor.Context, _ any) {
	ctx.Send(c.server, set{5})
	var err1, err2 error
	c.v1, err1 = ctx.Call(c.server, get{})
	c.v2, err2 = ctx.Call(c.server, get{})
	ctx.Send(c.server, shutdown{})
	if c.compare && (c.v1 != c.v2 || err1 != nil || err2 != nil) {
		ctx.T().Errorf("two reads differ: %v (%v) and %v (%v)", c.v1, err1, c.v2, err2)
	}
}

type value struct{ of int }

// eagerClient does what client does without blocking, since a start hook may not block. It asks once, on the first
// answer once more, and on the second it shuts the server down.
type eagerClient struct {
	server actor.Ref
	reads  []int
}

func (c *eagerClient) Start(ctx *actor.Context) {
	c.server = ctx.Spawn(&askedServer{client: ctx.Self()})
	ctx.Send(c.server, set{5})
	ctx.Send(c.server, get{})
}

func (c *eagerClient) Receive(ctx *actor.Context, msg any) {
	c.reads = append(c.reads, msg.(value).of)
	if len(c.reads) == 1 {
		ctx.Send(c.server, get{})
		return
	}
	ctx.Send(c.server, shutdown{})
}

// askedServer answers by messages.
type askedServer struct {
	client actor.Ref
	value  int
}

func (s *askedServer) Receive(ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case set:
		s.value = msg.value
	case get:
		ctx.Send(s.client, value{s.value})
	case shutdown:
		ctx.Stop()
	}
}
