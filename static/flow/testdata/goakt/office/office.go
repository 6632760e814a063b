// Package office uses what GoAkt has: children, functions as actors, names, Ask and Request, forwarding, behaviours,
// stashes, watching, timers, pipes, and the ways to stop.
package office

import (
	"context"
	"time"

	"github.com/tochemey/goakt/v4/actor"
)

// Messages.
type (
	Hire   struct{ Name string }
	Task   struct{ N int }
	Done   struct{ N int }
	Ask    struct{}
	Answer struct{ N int }
	Pass   struct{}
	Ring   struct{}
	Close  struct{}
	Open   struct{}
	Later  struct{}
	Call   struct{}
	Piped  struct{}
	End    struct{}
)

// quiet has hooks that do nothing.
type quiet struct{}

// PreStart implements actor.Actor.
func (quiet) PreStart(*actor.Context) error { return nil }

// PostStop implements actor.Actor.
func (quiet) PostStop(*actor.Context) error { return nil }

// boss hires clerks as children, and watches them.
type boss struct {
	quiet
	done int
}

// Receive implements actor.Actor.
func (b *boss) Receive(c *actor.ReceiveContext) {
	switch m := c.Message().(type) {
	case *actor.PostStart:
	case Hire:
		clerk := c.Spawn(m.Name, &clerk{})
		c.Watch(clerk)
		c.Tell(clerk, Task{1})
	case Done:
		b.done += m.N
		for _, child := range c.Children() {
			c.Stop(child)
		}
	case *actor.Terminated:
		c.Shutdown()
	default:
		c.Unhandled()
	}
}

type clerk struct {
	quiet
	n int
}

// Receive implements actor.Actor.
func (k *clerk) Receive(c *actor.ReceiveContext) {
	switch m := c.Message().(type) {
	case Task:
		k.n += m.N
		c.Tell(c.Sender(), Done{k.n})
	case Pass:
		c.Response(Answer{k.n})
	}
}

// Hiring is a boss with a clerk.
func Hiring(ctx context.Context, system actor.ActorSystem) error {
	b, err := system.Spawn(ctx, "boss", &boss{})
	if err != nil {
		return err
	}
	return actor.Tell(ctx, b, Hire{"ann"})
}

// desk asks, waits, passes on, and has timers.
type desk struct {
	quiet
	helper *actor.PID
	got    int
}

// Receive implements actor.Actor.
func (d *desk) Receive(c *actor.ReceiveContext) {
	switch c.Message().(type) {
	case Ask:
		if a, ok := c.Ask(d.helper, Ask{}, time.Second).(Answer); ok {
			d.got = a.N
		}
	case Pass:
		c.Forward(d.helper)
	case Ring:
		_ = c.ActorSystem().ScheduleOnce(context.Background(), Later{}, c.Self(), time.Second)
	case Later:
		if pid, err := c.ActorSystem().ActorOf(context.Background(), "helper"); err == nil {
			c.Tell(pid, Later{})
		}
	case Call:
		c.PipeTo(d.helper, func() (any, error) { return Piped{}, nil })
	}
}

type helper struct {
	quiet
	n int
}

// Receive implements actor.Actor.
func (h *helper) Receive(c *actor.ReceiveContext) {
	switch c.Message().(type) {
	case Ask:
		h.n++
		c.Response(Answer{h.n})
	case Pass:
		c.Response(Answer{0}) // nobody waits for it
	case Later, Piped:
		h.n++
	}
}

// Desk has a desk and its helper.
func Desk(ctx context.Context, system actor.ActorSystem) error {
	h, err := system.Spawn(ctx, "helper", &helper{})
	if err != nil {
		return err
	}
	d, err := system.Spawn(ctx, "desk", &desk{helper: h})
	if err != nil {
		return err
	}
	for _, m := range []any{Ask{}, Pass{}, Ring{}, Call{}} {
		if err := actor.Tell(ctx, d, m); err != nil {
			return err
		}
	}
	return nil
}

// door opens and closes, and puts aside what comes too early.
type door struct{ quiet }

// Receive implements actor.Actor.
func (d *door) Receive(c *actor.ReceiveContext) {
	switch c.Message().(type) {
	case Open:
		c.Become(d.open)
		c.UnstashAll()
	case Ring:
		c.Stash()
	}
}

func (d *door) open(c *actor.ReceiveContext) {
	switch c.Message().(type) {
	case Ring:
		c.Tell(c.Self(), Done{1})
	case Close:
		c.UnBecome()
	case End:
		c.Tell(c.Self(), new(actor.PoisonPill))
	}
}

// Door has a door, and a function that rings.
func Door(ctx context.Context, system actor.ActorSystem) error {
	d, err := system.Spawn(ctx, "door", &door{}, actor.WithStashing())
	if err != nil {
		return err
	}
	f, err := system.SpawnNamedFromFunc(ctx, "bell", func(ctx context.Context, m any) error {
		if _, ok := m.(Ring); ok {
			return actor.Tell(ctx, d, Ring{})
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := actor.Tell(ctx, f, Ring{}); err != nil {
		return err
	}
	if err := actor.Tell(ctx, d, Open{}); err != nil {
		return err
	}
	return actor.Tell(ctx, d, End{})
}
