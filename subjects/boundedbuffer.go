package subjects

import (
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// BoundedBuffer is BB of [ASTS]: k producers put n items into a buffer, which is never full, and a consumer gets three.
// A get from an empty buffer waits.
func BoundedBuffer(n, k int) *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		var all []actor.Ref
		t.SetUp(func() {
			b := ctx.Spawn(&itemBuffer{})
			all = append(all, ctx.Spawn(&itemProducer{buffer: b, n: n / k}), ctx.Spawn(&itemConsumer{buffer: b}))
			for range k - 1 {
				all = append(all, ctx.Spawn(&itemProducer{buffer: b, n: n / k}))
			}
		})
		for _, a := range all {
			ctx.Send(a, itemBoot{})
		}
	})
}

type (
	itemBoot struct{}
	itemStep struct{ i int }
	itemPut  struct{ i int }
	itemGet  struct{}
	itemGetW struct{} // a get that waits
)

type itemBuffer struct{ items []int }

func (b *itemBuffer) Accepts(msg any) bool {
	_, waits := msg.(itemGetW)
	return !waits || len(b.items) > 0
}

func (b *itemBuffer) Receive(ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case itemPut:
		b.items = append(b.items, msg.i)
	case itemGet:
		if len(b.items) == 0 {
			ctx.Send(ctx.Self(), itemGetW{})
			return
		}
		b.items = b.items[1:]
	case itemGetW:
		b.items = b.items[1:]
	}
}

type itemProducer struct {
	buffer actor.Ref
	n      int
}

func (p *itemProducer) Receive(ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case itemBoot:
		for i := range p.n {
			ctx.Send(ctx.Self(), itemStep{i})
		}
	case itemStep:
		ctx.Send(p.buffer, itemPut{msg.i})
	}
}

type itemConsumer struct{ buffer actor.Ref }

func (c *itemConsumer) Receive(ctx *actor.Context, msg any) {
	switch msg.(type) {
	case itemBoot:
		for i := range 3 {
			ctx.Send(ctx.Self(), itemStep{i})
		}
	case itemStep:
		ctx.Send(c.buffer, itemGet{})
	}
}

var bufferCalls = trace.Calls{
	calls("itemProducer", "itemBoot", trace.MaySend{Actor: "itemProducer", Message: "itemStep"}),
	calls("itemProducer", "itemStep", trace.MaySend{Actor: "itemBuffer", Message: "itemPut"}),
	calls("itemConsumer", "itemBoot", trace.MaySend{Actor: "itemConsumer", Message: "itemStep"}),
	calls("itemConsumer", "itemStep", trace.MaySend{Actor: "itemBuffer", Message: "itemGet"}),
	calls("itemBuffer", "itemPut"),
	calls("itemBuffer", "itemGet", trace.MaySend{Actor: "itemBuffer", Message: "itemGetW", Depth: 1}),
	calls("itemBuffer", "itemGetW"),
}

var bufferEffects = trace.Effects{
	{Actor: "itemProducer", Message: "itemBoot", Reads: []string{"n"}, Sends: true},
	{Actor: "itemProducer", Message: "itemStep", Reads: []string{"buffer"}, Sends: true},
	{Actor: "itemConsumer", Message: "itemBoot", Sends: true},
	{Actor: "itemConsumer", Message: "itemStep", Reads: []string{"buffer"}, Sends: true},
}
