package prototest

import (
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/explore"
)

// This file has small programs about what the examples leave out: ends of actors, futures without an answer, receive
// timeouts.

type (
	begin struct{ who *actor.PID }
	note  struct{ n int }
)

// idler waits for messages, a while each time.
type idler struct {
	to       *actor.PID
	patience time.Duration
	turns    int
}

func (i *idler) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case *actor.Started:
		ctx.SetReceiveTimeout(i.patience)
	case *actor.ReceiveTimeout:
		if i.turns++; i.turns < 3 {
			ctx.SetReceiveTimeout(time.Duration(i.turns) * i.patience)
		}
		ctx.Send(i.to, note{i.turns})
	case note:
		ctx.Send(i.to, note{-1})
	}
}

// counter answers every second note.
type counter struct{ seen int }

func (c *counter) Receive(ctx actor.Context) {
	if m, ok := ctx.Message().(note); ok {
		if c.seen++; c.seen%2 == 0 && ctx.Sender() != nil {
			ctx.Respond(m)
		}
	}
}

func wholeIdle() explore.System {
	return protoactor.System(func(t *explore.T) {
		root := newSystem().Root
		to := root.Spawn(actor.PropsFromProducer(func() actor.Actor { return &counter{} }))
		for _, patience := range []time.Duration{5 * time.Second, 7 * time.Second} {
			root.Send(root.Spawn(actor.PropsFromProducer(func() actor.Actor { return &idler{to: to, patience: patience} })), note{})
		}
	})
}

// asker asks, waits for some answers and goes on after others.
type asker struct{ got, failed int }

func (a *asker) Receive(ctx actor.Context) {
	m, ok := ctx.Message().(begin)
	if !ok {
		return
	}
	first := ctx.RequestFuture(m.who, note{1}, 2*time.Second)
	second := ctx.RequestFuture(m.who, note{2}, time.Second)
	third := ctx.RequestFuture(m.who, note{3}, 3*time.Second)
	ctx.ReenterAfter(third, func(_ any, err error) {
		if err != nil {
			a.failed++
			ctx.Send(ctx.Self(), note{4})
		}
	})
	for _, f := range []*actor.Future{second, first} {
		if _, err := f.Result(); err != nil {
			a.failed++
		} else {
			a.got++
		}
	}
	ctx.ReenterAfter(second, func(any, error) { ctx.Send(m.who, note{5}) })
}

func wholeFutures() explore.System {
	return protoactor.System(func(t *explore.T) {
		root := newSystem().Root
		to := root.Spawn(actor.PropsFromFunc(func(ctx actor.Context) {
			if m, ok := ctx.Message().(note); ok && m.n == 2 {
				ctx.Respond(m)
			}
		}))
		root.Send(root.Spawn(actor.PropsFromProducer(func() actor.Actor { return &asker{} })), begin{to})
	})
}

// parent has children and stops with them. Who watches is told.
type parent struct {
	children []*actor.PID
	told     int
}

func (p *parent) Receive(ctx actor.Context) {
	switch m := ctx.Message().(type) {
	case *actor.Started:
		for range 2 {
			child, err := ctx.SpawnNamed(actor.PropsFromProducer(func() actor.Actor { return &counter{} }), []string{"ann", "bob"}[len(p.children)])
			if err != nil {
				panic(err)
			}
			p.children = append(p.children, child)
			ctx.Watch(child)
		}
	case begin:
		ctx.Watch(m.who)
		ctx.Send(p.children[0], note{1})
		ctx.Poison(p.children[0])
		ctx.Send(p.children[0], note{2})
		ctx.Stop(m.who)
		ctx.Send(p.children[1], note{3})
	case *actor.Terminated:
		if p.told++; p.told == 2 {
			ctx.Send(p.children[1], note{4})
			ctx.Stop(ctx.Self())
		}
	case *actor.Stopping:
		ctx.Send(p.children[1], note{5})
	}
}

func wholeFamily() explore.System {
	return protoactor.System(func(t *explore.T) {
		root := newSystem().Root
		other := root.SpawnPrefix(actor.PropsFromProducer(func() actor.Actor { return &counter{} }), "other")
		family := root.Spawn(actor.PropsFromProducer(func() actor.Actor { return &parent{} }))
		root.Send(family, begin{other})
		root.Send(other, note{6})
	})
}

// batch is a message that the framework takes apart, and answers by itself.
type batch struct{ list []any }

func (b *batch) GetMessages() []any                { return b.list }
func (b *batch) GetAutoResponse(actor.Context) any { return note{len(b.list)} }

func wholeBatch() explore.System {
	return protoactor.System(func(t *explore.T) {
		root := newSystem().Root
		to := root.Spawn(actor.PropsFromProducer(func() actor.Actor { return &counter{} }, actor.WithSupervisor(actor.NewOneForOneStrategy(1, time.Second, actor.DefaultDecider))))
		root.Send(root.Spawn(actor.PropsFromFunc(func(ctx actor.Context) {
			if m, ok := ctx.Message().(note); ok && m.n == 0 {
				ctx.Request(to, &batch{[]any{note{1}, note{2}}})
			}
		})), note{})
	})
}
