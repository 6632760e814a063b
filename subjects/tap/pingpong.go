package tap

import (
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

// PingPong is figure 11 of [TAP18] with n pings: the ping actor has done its work when it has got n pongs. Nobody but
// the pong actor sends pongs.
func PingPong(n int) *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		var first actor.Ref
		t.SetUp(func() {
			first = ctx.SpawnNamed("ping", &ping{other: ctx.SpawnNamed("pong", &pong{}), left: n})
		})
		ctx.Send(first, start{})
	})
}

type (
	start  struct{}
	pinged struct{}
	ponged struct{}
	pong   struct{ answered int }
	ping   struct {
		other actor.Ref
		left  int // pings to send
	}
)

func (p *ping) Receive(ctx *actor.Context, msg any) {
	switch msg.(type) {
	case start:
		ctx.Send(p.other, pinged{})
	case ponged:
		p.left--
		if p.left == 0 {
			ctx.Stop()
		} else {
			ctx.Send(p.other, pinged{})
		}
	}
}

func (p *pong) Receive(ctx *actor.Context, msg any) {
	if _, ok := msg.(pinged); ok {
		p.answered++
		ctx.Reply(ponged{})
	}
}
