package subjects

import (
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

// Messages of Server.
type (
	Set      struct{ Value int }
	Get      struct{}
	Shutdown struct{}
	Begin    struct{} // the driver's first message of several programs
)

// Server is the introductory program of [Basset11]: a client sets a value, reads it twice by calls and shuts the server
// down. Its bugs: the two reads may differ, and shutdown before set leaves a message for a dead actor. compare switches
// on the assertion that both reads agree.
func Server(compare bool) *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		var client actor.Ref
		t.SetUp(func() {
			server := ctx.Spawn(&server{})
			client = ctx.Spawn(&serverClient{server: server, compare: compare})
		})
		ctx.Send(client, Begin{})
	})
}

type server struct{ value int }

func (s *server) Receive(ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case Set:
		s.value = msg.Value
	case Get:
		ctx.Reply(s.value)
	case Shutdown:
		ctx.Stop()
	}
}

type serverClient struct {
	server  actor.Ref
	compare bool
}

func (c *serverClient) Receive(ctx *actor.Context, _ any) {
	ctx.Send(c.server, Set{5})
	v1, err1 := ctx.Call(c.server, Get{})
	v2, err2 := ctx.Call(c.server, Get{})
	ctx.Send(c.server, Shutdown{})
	if c.compare && (v1 != v2 || err1 != nil || err2 != nil) {
		ctx.T().Errorf("two reads differ: %v (%v) and %v (%v)", v1, err1, v2, err2)
	}
}
