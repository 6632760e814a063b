package subjects

import (
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

// TwoFlags is the bug pattern of initialisation that [Bita13] III-A2 tells of, twice. It has a request pass n actors,
// the last of which is a service with a primary store and a fallback, each opened by a loader of its own. The bug:
// neither is open when the request comes; if one is, all goes well. So two messages have to be late. A strategy that
// exchanges one pair of deliveries at a time finds it only if it leaves the other message where it is bound to be late
// too.
func TwoFlags(n int) *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		var service, first actor.Ref
		t.SetUp(func() {
			service = ctx.Spawn(&flagged{})
			first = service
			for range n - 1 {
				first = ctx.Spawn(&requestRelay{next: first})
			}
		})
		ctx.SpawnNamed("Primary", &loader{service: service, opens: opened{primary: true}})
		ctx.SpawnNamed("Fallback", &loader{service: service, opens: opened{}})
		ctx.Send(first, request{})
	})
}

type (
	opened  struct{ primary bool }
	request struct{}
)

// loader opens a store when it is created.
type loader struct {
	service actor.Ref
	opens   opened
}

func (l *loader) Start(ctx *actor.Context) { ctx.Send(l.service, l.opens) }

func (*loader) Receive(*actor.Context, any) {}

type flagged struct{ primary, fallback bool }

func (f *flagged) Receive(ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case opened:
		if msg.primary {
			f.primary = true
		} else {
			f.fallback = true
		}
	case request:
		if !f.primary && !f.fallback {
			ctx.T().Errorf("neither store is open when the request comes")
		}
	}
}

type requestRelay struct{ next actor.Ref }

func (r *requestRelay) Receive(ctx *actor.Context, msg any) { ctx.Send(r.next, msg) }
