// Package wrapped has programs whose messages come in others, from streams, or to behaviours that change, for the tests of package flow.
package wrapped

import (
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
)

// The messages.
type (
	ping  struct{}
	pong  struct{}
	tick  struct{}
	batch struct{ members []any }
	auto  struct{ note string }
	quiet struct{}
	ack   struct{}
	lost  struct{}
	turn  struct{}
	event struct{}
)

func (b *batch) GetMessages() []any                  { return b.members }
func (a auto) GetAutoResponse(ctx actor.Context) any { ctx.Send(ctx.Self(), tick{}); return ack{} }
func (quiet) NotInfluenceReceiveTimeout()            {}
func (lost) IgnoreDeadLetterLogging()                {}

func of[A actor.Actor](a A, options ...actor.PropsOption) *actor.Props {
	return actor.PropsFromProducer(func() actor.Actor { return a }, options...)
}

type sink struct{}

func (*sink) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case ping:
		ctx.Respond(pong{})
	case pong, tick, *batch, ack:
	}
}

// packer sends batches and envelopes.
type packer struct{ to, other *actor.PID }

func (p *packer) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case *actor.Started:
		ctx.Send(p.to, &batch{[]any{tick{}, &actor.MessageEnvelope{Message: ping{}, Sender: p.other}}})
		ctx.Send(p.to, &actor.MessageEnvelope{Message: ping{}, Sender: p.other})
		ctx.Request(p.to, actor.WrapEnvelope(tick{}).Message)
	}
}

// other gets answers to what it has not asked.
type other struct{}

func (*other) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case pong:
		ctx.Send(ctx.Self(), ack{})
	case ack:
	}
}

// Packed has batches and envelopes.
func Packed() rehearse.System {
	return protoactor.System(func(t *rehearse.T) {
		s := protoactor.NewActorSystem()
		s.Root.Spawn(of(&packer{s.Root.Spawn(of(&sink{})), s.Root.Spawn(of(&other{}))}))
	})
}

// automat is asked something that answers itself.
type automat struct{}

func (*automat) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case auto, tick, quiet:
	}
}

type user struct{ to, dead *actor.PID }

func (u *user) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case *actor.Started:
		ctx.Request(u.to, auto{"?"})
		ctx.Request(u.to, &actor.Touch{})
		ctx.Send(u.to, quiet{})
		ctx.Request(u.dead, lost{})
	case ack:
	case *actor.Touched:
		ctx.Send(u.to, tick{})
	case *actor.DeadLetterResponse:
		ctx.Send(u.to, quiet{})
	}
}

// Answered has messages that answer themselves, and one that nobody takes.
func Answered() rehearse.System {
	return protoactor.System(func(t *rehearse.T) {
		s := protoactor.NewActorSystem()
		s.Root.Spawn(of(&user{s.Root.Spawn(of(&automat{})), actor.NewPID(s.Address(), "nobody")}))
	})
}

// door changes what it does; its behaviours are put together before they are in a field.
type door struct {
	does actor.Behavior
	bell *actor.PID
}

func newDoor(bell *actor.PID) *door {
	d := &door{bell: bell}
	does := actor.NewBehavior()
	does.Become(d.closed)
	d.does = does
	return d
}

func (d *door) Receive(ctx actor.Context) { d.does.Receive(ctx) }

func (d *door) closed(ctx actor.Context) {
	switch ctx.Message().(type) {
	case turn:
		d.does.BecomeStacked(d.open)
	}
}

func (d *door) open(ctx actor.Context) {
	switch ctx.Message().(type) {
	case turn:
		ctx.Send(d.bell, ping{})
		d.does.UnbecomeStacked()
	}
}

// window has a stack that nobody made, and one as a literal.
type window struct {
	does, later actor.Behavior
	bell        *actor.PID
}

func (w *window) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case *actor.Started:
		w.does.Become(w.shut)
		w.later = actor.Behavior{w.ajar}
		return
	}
	w.does.Receive(ctx)
}

func (w *window) shut(ctx actor.Context) {
	switch ctx.Message().(type) {
	case turn:
		w.does = w.later
	}
}

func (w *window) ajar(ctx actor.Context) {
	switch ctx.Message().(type) {
	case turn:
		ctx.Send(w.bell, pong{})
	}
}

// Changing has behaviours.
func Changing() rehearse.System {
	return protoactor.System(func(t *rehearse.T) {
		s := protoactor.NewActorSystem()
		bell := s.Root.Spawn(of(&sink{}))
		d, w := s.Root.Spawn(of(newDoor(bell))), s.Root.Spawn(of(&window{bell: bell}))
		for range 2 {
			s.Root.Send(d, turn{})
			s.Root.Send(w, turn{})
		}
	})
}

// speaker publishes; the functions that are subscribed run as its steps.
type speaker struct{ gone *actor.PID }

func (s *speaker) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case *actor.Started:
		ctx.ActorSystem().EventStream.Publish(event{})
		ctx.Send(s.gone, lost{})
	}
}

// Published has subscribers to events of the program's and of the framework's.
func Published() rehearse.System {
	return protoactor.System(func(t *rehearse.T) {
		s := protoactor.NewActorSystem()
		to := s.Root.Spawn(of(&sink{}))
		s.EventStream.Subscribe(func(e any) {
			switch e := e.(type) {
			case event:
				s.Root.Send(to, tick{})
			case *actor.DeadLetterEvent:
				if _, ok := e.Message.(lost); ok {
					s.Root.Send(to, pong{})
				}
			}
		})
		s.Root.Spawn(of(&speaker{actor.NewPID(s.Address(), "nobody")}))
	})
}

// keeper keeps a set of those who wait, asks its children by name, and goes on when an answer has come.
type keeper struct {
	waiting actor.PIDSet
	kept    *actor.PIDSet
	to, old *actor.PID
}

func (k *keeper) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case ping:
		k.waiting.Add(ctx.Sender())
		k.kept = actor.NewPIDSet(ctx.Sender())
		f := ctx.RequestFuture(k.to, ping{}, time.Second)
		f.PipeTo(k.to)
		ctx.ReenterAfter(f, func(res any, err error) {
			if err == nil {
				k.waiting.ForEach(func(_ int, pid *actor.PID) { ctx.Send(pid, res) })
			}
			for _, pid := range k.kept.Values() {
				ctx.Send(pid, tick{})
			}
		})
	case turn:
		ctx.Poison(k.old)
	}
}

type waiter struct{ to *actor.PID }

func (w *waiter) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case *actor.Started:
		ctx.Request(w.to, ping{})
	case pong, tick:
		ctx.Stash()
	}
}

// Kept has sets of references, pipes and tasks.
func Kept() rehearse.System {
	return protoactor.System(func(t *rehearse.T) {
		s := protoactor.NewActorSystem()
		k := s.Root.Spawn(of(&keeper{to: s.Root.Spawn(of(&sink{})), old: s.Root.Spawn(of(&other{}))}))
		s.Root.Spawn(of(&waiter{k}))
		s.Root.Send(k, turn{})
	})
}
