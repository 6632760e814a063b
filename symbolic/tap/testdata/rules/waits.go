package main

import (
	"github.com/rehearse-go/rehearse/actor"
	"github.com/rehearse-go/rehearse/explore"
)

// waits is the driver of an actor that waits for answers.
func waits() {
	_ = actor.New(func(t *explore.T, ctx *actor.Context) {
		b := ctx.Spawn(&buyer{seller: ctx.Spawn(&worker{id: 1})})
		ctx.Send(b, pass{})
		ctx.Send(b, set{})
		ctx.Send(b, number{})
	})
}

// buyer handles other messages while it waits for an answer.
type buyer struct {
	seller actor.Ref
	bid    int
	bought bool
}

func (b *buyer) Receive(ctx *actor.Context, msg any) {
	switch msg := msg.(type) {
	case set:
		b.bid = msg.N
	case pass:
		b.bid = 0
		b.buys(ctx, msg.N)
	case number:
		if b.bought && msg.N == 2 {
			reached("a message behind the answer")
		}
	}
}

func (b *buyer) buys(ctx *actor.Context, n int) {
	answer, err := ctx.Await(ctx.Ask(b.seller, work{N: n}))
	if a, ok := answer.(done); !ok || err != nil || a.N != 12 {
		return
	}
	if b.bought = true; b.bid == 4 {
		reached("Continuation")
	}
	if b.bid == 0 {
		reached("Continuation at once")
	}
}
