// Package twins holds programs of GoAkt that are executed for real and symbolically.
package twins

import (
	"context"
	"time"

	"github.com/tochemey/goakt/v4/actor"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/goakt"
	"github.com/rehearse-go/rehearse/explore"
)

type (
	ping struct{ n int }
	pong struct{ n int }
	grow struct{ name string }
	note struct{ of string }
)

// Programs are all of them.
func Programs() map[string]func() rehearse.System {
	return map[string]func() rehearse.System{"Messages": Messages, "Calls": Calls, "Spawns": Spawns,
		"Behaviors": Behaviors, "Ends": Ends, "Functions": Functions}
}

var background = context.Background()

// quiet has hooks that do nothing.
type quiet struct{}

func (quiet) PreStart(*actor.Context) error { return nil }

func (quiet) PostStop(*actor.Context) error { return nil }

// system makes an actor system.
func system(t *explore.T) actor.ActorSystem {
	s, err := goakt.NewActorSystem("twins")
	if err != nil {
		t.Fatalf("%v", err)
	}
	return s
}

// spawn spawns an actor that nothing passivates.
func spawn(t *explore.T, s actor.ActorSystem, name string, a actor.Actor) *actor.PID {
	pid, err := s.Spawn(background, name, a, actor.WithLongLived())
	if err != nil {
		t.Fatalf("%v", err)
	}
	return pid
}

// node passes pings on, as it is told to, and answers.
type node struct {
	quiet
	next *actor.PID
	sum  int
}

func (a *node) Receive(c *actor.ReceiveContext) {
	switch m := c.Message().(type) {
	case ping:
		a.sum += m.n
		switch {
		case m.n > 2 && a.next != nil:
			c.Tell(a.next, ping{m.n - 1})
		case m.n == 2 && a.next != nil:
			c.Forward(a.next)
		default:
			c.Response(pong{a.sum}) // nobody waits for it
			c.Tell(c.Sender(), note{"told"})
			_ = c.Self().Tell(background, c.Self(), pong{a.sum})
		}
	case pong:
		_ = actor.Tell(background, a.next, note{"pong"}) // to nobody it is an error
		if a.next == nil {
			c.BatchTell(c.Self(), note{"one"}, note{"two"})
		}
	case note:
		if m.of == "pong" && c.Sender().Equals(c.ActorSystem().NoSender()) {
			c.Tell(c.Self(), note{"nobody"})
		}
	}
}

// Messages are sent by contexts, by references and by functions, passed on, and sent to nobody.
func Messages() rehearse.System {
	return goakt.System(func(t *explore.T) {
		s := system(t)
		var a *actor.PID
		t.SetUp(func() {
			b := spawn(t, s, "b", &node{})
			a = spawn(t, s, "a", &node{next: b})
		})
		_ = actor.Tell(background, a, ping{3})
		_ = actor.Tell(background, a, ping{1})
		_ = actor.Tell(background, a, ping{2})
	})
}

type asker struct {
	quiet
	to  *actor.PID
	got int
}

func (a *asker) Receive(c *actor.ReceiveContext) {
	switch m := c.Message().(type) {
	case ping:
		res, err := c.Self().Ask(background, a.to, m, time.Second)
		if err != nil {
			a.got = -1
			c.Tell(c.Self(), note{"timeout"})
			return
		}
		a.got = res.(pong).n
		c.Tell(a.to, note{"thanks"})
	case note:
		if p, ok := c.Ask(a.to, ping{7}, time.Second).(pong); ok {
			a.got = p.n
			c.Tell(c.Self(), pong{p.n})
		}
	}
}

// answerer answers, and tells in between.
type answerer struct{ quiet }

func (*answerer) Receive(c *actor.ReceiveContext) {
	if m, ok := c.Message().(ping); ok && m.n > 0 {
		c.Tell(c.Self(), note{"before"})
		c.Response(pong{m.n})
		c.Tell(c.Self(), note{"behind"})
		c.Response(pong{0}) // too late
	}
}

// Calls are answered, or time out.
func Calls() rehearse.System {
	return goakt.System(func(t *explore.T) {
		s := system(t)
		b := spawn(t, s, "b", &answerer{})
		a := spawn(t, s, "a", &asker{to: b})
		_ = actor.Tell(background, a, ping{1})
		_ = actor.Tell(background, a, ping{0})
	})
}

type grower struct {
	quiet
	n    int
	last *actor.PID
}

func (g *grower) Receive(c *actor.ReceiveContext) {
	switch m := c.Message().(type) {
	case grow:
		g.n++
		g.last = c.Spawn(m.name, &leaf{boss: c.Self()})
		c.Tell(g.last, ping{g.n})
		if child, err := c.Self().Child("l"); err == nil {
			c.Tell(child, note{"child"})
		}
	case pong:
		for _, child := range c.Children() {
			c.Tell(child, note{"here"})
		}
		if pid, err := c.ActorSystem().ActorOf(background, "l"); err == nil {
			c.Tell(pid, ping{9})
		}
		if _, err := c.ActorSystem().ActorOf(background, "nobody"); err != nil {
			c.Tell(c.Self(), note{"nobody"})
		}
	}
}

// leaf tells before anybody knows it, and when it starts.
type leaf struct {
	boss *actor.PID
	seen int
}

func (l *leaf) PreStart(c *actor.Context) error {
	l.seen = 10
	return actor.Tell(background, l.boss, note{"new"})
}

func (l *leaf) PostStop(*actor.Context) error { return nil }

func (l *leaf) Receive(c *actor.ReceiveContext) {
	switch m := c.Message().(type) {
	case *actor.PostStart:
		c.Tell(l.boss, note{"started"})
	case ping:
		l.seen += m.n
		if m.n == 1 {
			c.Tell(l.boss, pong{l.seen})
		}
	}
}

// Spawns are done by handlers. Names are looked up, and one is spawned twice.
func Spawns() rehearse.System {
	return goakt.System(func(t *explore.T) {
		g := spawn(t, system(t), "g", &grower{})
		_ = actor.Tell(background, g, grow{"l"})
		_ = actor.Tell(background, g, grow{"l"})
	})
}

// door changes its behaviour.
type door struct {
	quiet
	other *actor.PID
}

func (d *door) Receive(c *actor.ReceiveContext) {
	switch m := c.Message().(type) {
	case note:
		c.Become(d.open)
		c.Tell(c.Self(), ping{1})
	case ping:
		c.Tell(d.other, m)
	}
}

func (d *door) open(c *actor.ReceiveContext) {
	switch m := c.Message().(type) {
	case note:
		c.BecomeStacked(d.ajar)
		c.Tell(c.Self(), ping{2})
	case ping:
		c.Tell(d.other, ping{10 + m.n})
	}
}

func (d *door) ajar(c *actor.ReceiveContext) {
	switch m := c.Message().(type) {
	case note:
		c.UnBecomeStacked()
	case ping:
		c.Tell(d.other, ping{20 + m.n})
		c.UnBecome()
	}
}

// Behaviors are replaced, stacked, and left.
func Behaviors() rehearse.System {
	return goakt.System(func(t *explore.T) {
		s := system(t)
		var d *actor.PID
		t.SetUp(func() { d = spawn(t, s, "d", &door{other: spawn(t, s, "o", &answerer{})}) })
		for range 4 {
			_ = actor.Tell(background, d, note{"n"})
		}
		_ = actor.Tell(background, d, ping{3})
	})
}

// mortal ends.
type mortal struct {
	heir *actor.PID
	n    int
}

func (*mortal) PreStart(*actor.Context) error { return nil }

func (m *mortal) PostStop(*actor.Context) error {
	m.n++
	return nil
}

func (m *mortal) Receive(c *actor.ReceiveContext) {
	switch c.Message().(type) {
	case ping:
		c.Tell(m.heir, pong{m.n})
		c.Shutdown()
	case note:
		c.Tell(c.Self(), new(actor.PoisonPill))
	}
}

// Ends come by themselves, and by a pill.
func Ends() rehearse.System {
	return goakt.System(func(t *explore.T) {
		s := system(t)
		var a, b *actor.PID
		t.SetUp(func() {
			o := spawn(t, s, "o", &answerer{})
			a, b = spawn(t, s, "a", &mortal{heir: o}), spawn(t, s, "b", &mortal{heir: o})
		})
		_ = actor.Tell(background, a, ping{1})
		_ = actor.Tell(background, b, note{"end"})
	})
}

// Functions are actors, too. They have no context, so that nobody has sent what they send.
func Functions() rehearse.System {
	return goakt.System(func(t *explore.T) {
		s := system(t)
		o := spawn(t, s, "o", &answerer{})
		f, err := s.SpawnNamedFromFunc(background, "f", func(ctx context.Context, m any) error {
			if p, ok := m.(ping); ok && p.n > 0 {
				return actor.Tell(ctx, o, ping{p.n - 1})
			}
			return nil
		})
		if err != nil {
			t.Fatalf("%v", err)
		}
		_ = actor.Tell(background, f, ping{2})
		_ = actor.Tell(background, f, note{"n"})
	})
}
