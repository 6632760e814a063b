package subjects

import (
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

// Server is the introductory program of [Basset11]: a client sets a value, reads it twice by calls and shuts the server
// down. Its bugs: the two reads may differ, and a shutdown before the set leaves a message for a dead actor. compare switches
// on the assertion that both reads agree.
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

type client struct {
	server  actor.Ref
	compare bool
}

func (c *client) Receive(ctx *actor.Context, _ any) {
	ctx.Send(c.server, set{5})
	v1, err1 := ctx.Call(c.server, get{})
	v2, err2 := ctx.Call(c.server, get{})
	ctx.Send(c.server, shutdown{})
	if c.compare && (v1 != v2 || err1 != nil || err2 != nil) {
		ctx.T().Errorf("two reads differ: %v (%v) and %v (%v)", v1, err1, v2, err2)
	}
}
