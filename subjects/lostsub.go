package subjects

import (
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

// LostSub is the bug pattern of initialisation that [Bita13] III-A2 tells of, in a broker. An update passes k relays
// and then n publishers, each of which hands it to its subscriber and to the next publisher. All but the last keep it
// for those who subscribe later. The bug: at the last, a subscription that comes after the update gets nothing. That is
// one pair of deliveries among n that look alike.
func LostSub(n, k int) *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		boards, publishers := make([]*board, n), make([]actor.Ref, n)
		subscriptions := make([]subscribe, n)
		var source actor.Ref
		t.SetUp(func() {
			for i := n - 1; i >= 0; i-- {
				publishers[i] = ctx.Spawn(&publisher{next: source, keeps: i < n-1})
				boards[i] = &board{}
				subscriptions[i] = subscribe{ctx.Spawn(boards[i])}
				source = publishers[i]
			}
			for range k {
				source = ctx.Spawn(&updateRelay{next: source})
			}
		})
		for i, p := range publishers {
			ctx.Send(p, subscriptions[i])
		}
		ctx.Send(source, update{news})
		t.AtEnd(func() {
			for i, b := range boards {
				if b.shows != news {
					t.Errorf("board %d shows %d and not the update, %d: it subscribed too late", i+1, b.shows, news)
				}
			}
		})
	})
}

// news is what the update says.
const news = 7

type (
	subscribe struct{ board actor.Ref }
	update    struct{ value int }
)

type publisher struct {
	next  actor.Ref // nobody behind the last
	board actor.Ref // nobody before the subscription
	keeps bool
	last  update
}

func (p *publisher) Receive(ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case subscribe:
		p.board = msg.board
		if p.last != (update{}) {
			ctx.Send(p.board, p.last)
		}
	case update:
		if p.keeps {
			p.last = msg
		}
		if p.board != (actor.Ref{}) {
			ctx.Send(p.board, msg)
		}
		if p.next != (actor.Ref{}) {
			ctx.Send(p.next, msg)
		}
	}
}

type board struct{ shows int }

func (b *board) Receive(_ *actor.Context, msg any) { b.shows = msg.(update).value }

type updateRelay struct{ next actor.Ref }

func (r *updateRelay) Receive(ctx *actor.Context, msg any) { ctx.Send(r.next, msg) }
