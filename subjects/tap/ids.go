package tap

import (
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

// Ids has a registry that compares the ids of two workers. Workers are of one class and get their ids when they are
// created. So two messages that create one are needed, with different ids, and a message to each of the two workers.
func Ids() *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		var r actor.Ref
		t.SetUp(func() { r = ctx.SpawnNamed("registry", &registry{}) })
		ctx.Send(r, create{id: 1})
		ctx.Send(r, create{id: 2})
	})
}

type (
	create struct{ id int } // a worker
	hello  struct{}         // to a worker
	known  struct{ id int } // of a worker
)

type registry struct {
	first int
	has   bool
}

func (r *registry) Receive(ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case create:
		if msg.id > 0 {
			ctx.Send(ctx.Spawn(&worker{id: msg.id}), hello{})
		}
	case known:
		switch {
		case !r.has:
			r.first, r.has = msg.id, true
		case r.first != msg.id:
			ctx.T().Errorf("workers %d and %d", r.first, msg.id)
		}
	}
}

type worker struct{ id int }

func (w *worker) Receive(ctx *actor.Context, msg any) {
	if _, ok := msg.(hello); ok {
		ctx.Reply(known{w.id})
	}
}
