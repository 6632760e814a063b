// Package routed has programs with the framework's routers, for the tests of package flow.
package routed

import (
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/asynkron/protoactor-go/router"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
)

// The messages. A job is answered by done, a note by nobody, a key goes to the routee of its hash.
type (
	job  struct{ n int }
	done struct{ n int }
	note struct{}
	key  struct{ name string }
	late struct{}
)

func (k key) Hash() string { return k.name }

func of[A actor.Actor](a A) *actor.Props {
	return actor.PropsFromProducer(func() actor.Actor { return a })
}

// worker is a routee of a pool. It tells the boss of every job.
type worker struct{ boss *actor.PID }

func (w *worker) Receive(ctx actor.Context) {
	switch m := ctx.Message().(type) {
	case job:
		ctx.Respond(done{m.n})
		ctx.Send(w.boss, note{})
	}
}

type boss struct{}

func (*boss) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case note:
	}
}

// client asks whoever is behind the reference, which it does not know to be a router.
type client struct{ to *actor.PID }

func (c *client) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case job:
		ctx.Request(c.to, job{1})
	case late:
		f := ctx.RequestFuture(c.to, job{2}, time.Second)
		ctx.ReenterAfter(f, func(any, error) {})
	case done:
	}
}

// Pool has a client of a pool that takes turns.
func Pool() rehearse.System {
	return protoactor.System(func(t *rehearse.T) {
		s := protoactor.NewActorSystem()
		b := s.Root.Spawn(of(&boss{}))
		r := s.Root.Spawn(router.NewRoundRobinPool(2, actor.WithProducer(func() actor.Actor { return &worker{b} })))
		c := s.Root.Spawn(of(&client{r}))
		s.Root.Send(c, job{0})
		s.Root.Send(c, late{})
	})
}

// one and two are routees of a group, side is in no group at first.
type (
	one  struct{}
	two  struct{}
	side struct{}
)

func (*one) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case note, late:
	}
}

func (*two) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case note:
		ctx.Respond(done{2})
	case late:
	}
}

func (*side) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case note, late:
	}
}

// manager changes a group, and learns who is in it.
type manager struct{ group, extra *actor.PID }

func (m *manager) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case job:
		ctx.Send(m.group, &router.AddRoutee{PID: m.extra})
		ctx.Request(m.group, &router.GetRoutees{})
		ctx.Request(m.group, &router.BroadcastMessage{Message: note{}})
	case *router.Routees:
		for _, pid := range msg.PIDs {
			ctx.Send(pid, late{})
		}
		ctx.Send(m.group, &router.RemoveRoutee{PID: m.extra})
	case done:
	}
}

// Group has a manager of a group.
func Group() rehearse.System {
	return protoactor.System(func(t *rehearse.T) {
		s := protoactor.NewActorSystem()
		x, y, z := s.Root.Spawn(of(&one{})), s.Root.Spawn(of(&two{})), s.Root.Spawn(of(&side{}))
		r := s.Root.Spawn(router.NewBroadcastGroup(x, y))
		s.Root.Send(s.Root.Spawn(of(&manager{r, z})), job{})
	})
}

// shelf is a routee of groups by hash and at random, and nobody sends it anything but through them.
type shelf struct{ label string }

func (h *shelf) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case key, done:
	}
}

// asked answers with a custom sender, so that its answer comes to a router.
type asked struct{}

func (*asked) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case job:
		ctx.Respond(done{3})
	}
}

// shelver forwards keys to the router, and has answers sent there.
type shelver struct{ hashed, random, asked *actor.PID }

func (a *shelver) Receive(ctx actor.Context) {
	switch ctx.Message().(type) {
	case key:
		ctx.Forward(a.hashed)
		ctx.RequestWithCustomSender(a.asked, job{4}, a.random)
	}
}

// Hash has a group by hash and one at random.
func Hash() rehearse.System {
	return protoactor.System(func(t *rehearse.T) {
		s := protoactor.NewActorSystem()
		x, y := s.Root.Spawn(of(&shelf{"x"})), s.Root.Spawn(of(&shelf{"y"}))
		h := s.Root.Spawn(router.NewConsistentHashGroup(x, y))
		r := s.Root.Spawn(router.NewRandomGroup(x, y))
		a := s.Root.Spawn(of(&shelver{h, r, s.Root.Spawn(of(&asked{}))}))
		s.Root.Send(a, key{"a"})
	})
}

// Removed removes a routee of a pool made of functions, and stops the router.
func Removed() rehearse.System {
	return protoactor.System(func(t *rehearse.T) {
		s := protoactor.NewActorSystem()
		r := s.Root.Spawn(router.NewBroadcastPool(2, actor.WithFunc(func(ctx actor.Context) {
			switch ctx.Message().(type) {
			case note:
			}
		})))
		s.Root.Send(r, note{})
		answer, err := s.Root.RequestFuture(r, &router.GetRoutees{}, time.Second).Result()
		if err != nil {
			t.Fatal(err)
		}
		s.Root.Send(r, &router.RemoveRoutee{PID: answer.(*router.Routees).PIDs[0]})
		s.Root.Poison(r)
	})
}
