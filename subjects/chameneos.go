package subjects

import (
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

// Chameneos is chameneos of [Basset11]: three creatures meet in pairs through a broker and change to the third colour,
// k times. The published 216 classes are those of k = 2.
func Chameneos(k int) *actor.System {
	return actor.New(func(t *explore.T, ctx *actor.Context) {
		var b actor.Ref
		t.SetUp(func() { b = ctx.Spawn(&broker{}) })
		ctx.Send(b, bootN{k})
	})
}

type colour uint8

const (
	blue colour = iota
	red
	yellow
)

// complement is the third colour, or the common one.
func complement(a, b colour) colour {
	if a == b {
		return a
	}
	return blue + red + yellow - a - b
}

type hook struct {
	other  actor.Ref
	colour colour
}

type broker struct {
	left    int
	waiting hook // other is nobody if none waits
}

func (b *broker) Receive(ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case bootN:
		b.left = msg.n
		for _, c := range []colour{blue, red, yellow} {
			ctx.Send(ctx.Spawn(&creature{broker: ctx.Self(), colour: c}), start{})
		}
	case hook:
		switch {
		case b.left == 0:
			ctx.Send(msg.other, halt{})
		case b.waiting.other == (actor.Ref{}):
			b.waiting = msg
		default:
			ctx.Send(b.waiting.other, msg)
			ctx.Send(msg.other, b.waiting)
			b.waiting = hook{}
			b.left--
		}
	}
}

type creature struct {
	broker actor.Ref
	colour colour
	met    int
}

func (c *creature) Receive(ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case start:
		ctx.Send(c.broker, hook{ctx.Self(), c.colour})
	case hook:
		c.colour = complement(c.colour, msg.colour)
		c.met++
		ctx.Send(c.broker, hook{ctx.Self(), c.colour})
	}
}
