package subjects

import (
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// DHT is DHT(a) of [ASTS]: a distributed hash table of two nodes gets three puts and asks for all three keys.
func DHT() *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		d := &dht{}
		var front actor.Ref
		t.SetUp(func() {
			front = ctx.Spawn(d)
			for i := range d.nodes {
				d.nodes[i] = ctx.Spawn(&dhtNode{values: map[int]int{}})
			}
		})
		for i, k := range []int{2, 4, 7} {
			ctx.Send(front, dhtPut{k, 5 + i})
		}
		ctx.Send(front, dhtGetAll{[3]int{2, 4, 7}})
	})
}

type (
	dhtPut    struct{ key, value int }
	dhtGetAll struct{ keys [3]int }
	dhtGet    struct{ key int }
)

type dht struct{ nodes [2]actor.Ref }

func (d *dht) Receive(ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case dhtPut:
		ctx.Send(d.nodes[msg.key%2], msg)
	case dhtGetAll:
		for _, k := range msg.keys {
			ctx.Send(d.nodes[k%2], dhtGet{k})
		}
	}
}

type dhtNode struct{ values map[int]int }

func (d *dhtNode) Receive(_ *actor.Context, msg any) {
	if msg, ok := msg.(dhtPut); ok {
		d.values[msg.key] = msg.value
	}
}

var dhtCalls = trace.Calls{
	calls("dht", "dhtPut", trace.MaySend{Actor: "dhtNode", Message: "dhtPut"}),
	calls("dht", "dhtGetAll", trace.MaySend{Actor: "dhtNode", Message: "dhtGet", Depth: 1}),
	calls("dhtNode", "dhtPut"),
	calls("dhtNode", "dhtGet"),
}

var dhtEffects = trace.Effects{
	{Actor: "dht", Message: "dhtPut", Reads: []string{"nodes"}, Sends: true},
	{Actor: "dht", Message: "dhtGetAll", Reads: []string{"nodes"}, Sends: true},
	{Actor: "dhtNode", Message: "dhtPut", Writes: []string{"values"}},
	{Actor: "dhtNode", Message: "dhtGet", Reads: []string{"values"}},
}
