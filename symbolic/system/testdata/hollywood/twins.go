// Package twins holds programs of Hollywood that are executed for real and symbolically.
package twins

import (
	"time"

	"github.com/anthdm/hollywood/actor"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/hollywood"
	"github.com/rehearse-go/rehearse/explore"
)

type (
	ping struct{ n int }
	pong struct{ n int }
	grow struct{}
	end  struct{}
	note struct{ of string }
)

// Programs are all of them.
func Programs() map[string]func() rehearse.System {
	return map[string]func() rehearse.System{"Messages": Messages, "Requests": Requests, "Spawns": Spawns, "Stops": Stops,
		"Children": Children}
}

// node passes pings on, as it is told to, and answers.
type node struct {
	next *actor.PID
	sum  int
}

func (a *node) Receive(c *actor.Context) {
	switch m := c.Message().(type) {
	case ping:
		a.sum += m.n
		switch {
		case m.n > 2:
			c.Send(a.next, ping{m.n - 1})
		case m.n == 2:
			c.Forward(a.next)
		default:
			c.Respond(pong{a.sum})
			c.Send(c.Sender(), note{"answered"})
		}
	case pong:
		c.Engine().SendWithSender(a.next, note{"pong"}, c.Sender())
	case note:
		if m.of == "pong" && c.Sender() != nil {
			c.Send(nil, end{})
		}
	}
}

// Messages are sent by contexts and by the engine, passed on, answered, and sent to nobody.
func Messages() rehearse.System {
	return hollywood.System(func(t *explore.T) {
		e := hollywood.NewEngine()
		var a *actor.PID
		t.SetUp(func() {
			b := e.Spawn(func() actor.Receiver { return &node{} }, "b")
			a = e.Spawn(func() actor.Receiver { return &node{next: b} }, "a")
		})
		e.Send(a, ping{3})
		e.Send(a, ping{1})
		e.Send(a, ping{2})
	})
}

type asker struct {
	to  *actor.PID
	got int
}

func (a *asker) Receive(c *actor.Context) {
	switch m := c.Message().(type) {
	case ping:
		res, err := c.Request(a.to, m, time.Second).Result()
		if err != nil {
			a.got = -1
			c.Send(c.PID(), note{"timeout"})
			return
		}
		a.got = res.(pong).n
		c.Send(a.to, note{"thanks"})
	}
}

// Requests are answered, or time out.
func Requests() rehearse.System {
	return hollywood.System(func(t *explore.T) {
		e := hollywood.NewEngine()
		b := e.SpawnFunc(func(c *actor.Context) {
			if m, ok := c.Message().(ping); ok && m.n > 0 {
				c.Respond(pong{m.n})
			}
		}, "b")
		a := e.Spawn(func() actor.Receiver { return &asker{to: b} }, "a")
		e.Send(a, ping{1})
		e.Send(a, ping{0})
	})
}

type grower struct {
	n    int
	last *actor.PID
}

func (g *grower) Receive(c *actor.Context) {
	switch c.Message().(type) {
	case grow:
		g.n++
		g.last = c.Engine().Spawn(func() actor.Receiver { return &leaf{boss: c.PID()} }, "leaf", actor.WithID("l"))
		c.Send(g.last, ping{1})
	case note:
		if pid := c.GetPID("leaf/l"); pid != nil {
			c.Send(pid, ping{2})
		}
		c.Engine().Send(actor.NewPID("local", "leaf/l"), ping{3})
	}
}

type leaf struct{ boss *actor.PID }

func (l *leaf) Receive(c *actor.Context) {
	switch m := c.Message().(type) {
	case actor.Initialized:
		c.Send(l.boss, note{"initialized"})
	case actor.Started:
		c.Send(c.PID(), ping{0})
	case ping:
		if m.n == 2 {
			c.Respond(pong{2})
		}
	}
}

// Spawns has an actor create one by a name, which sends when it starts.
func Spawns() rehearse.System {
	return hollywood.System(func(t *explore.T) {
		e := hollywood.NewEngine()
		g := e.Spawn(func() actor.Receiver { return &grower{} }, "grower")
		e.Send(g, grow{})
	})
}

// Stops has actors end in time and too early, and tell so.
func Stops() rehearse.System {
	return hollywood.System(func(t *explore.T) {
		e := hollywood.NewEngine()
		to := e.Spawn(func() actor.Receiver { return &node{} }, "to")
		a := e.SpawnFunc(func(c *actor.Context) {
			switch c.Message().(type) {
			case ping:
				c.Send(to, note{"handled"})
			case actor.Stopped:
				c.Send(to, note{"stopped"})
			}
		}, "a")
		e.SpawnFunc(func(c *actor.Context) {
			if _, ok := c.Message().(end); ok {
				c.Engine().Stop(a)
				c.Engine().Stop(nil)
			}
		}, "b", actor.WithID("1"))
		e.Send(a, ping{1})
		e.Send(actor.NewPID("local", "b/1"), end{})
		e.Send(a, ping{2})
	})
}

// Children know their parents, and these them.
func Children() rehearse.System {
	return hollywood.System(func(t *explore.T) {
		e := hollywood.NewEngine()
		g := e.SpawnFunc(func(c *actor.Context) {
			switch c.Message().(type) {
			case grow:
				c.SpawnChildFunc(func(c *actor.Context) {
					if _, ok := c.Message().(ping); ok {
						c.Send(c.Parent(), pong{1})
						c.Engine().Stop(c.PID())
					}
				}, "child")
				c.Send(c.Children()[0], ping{1})
				if c.Child("g/1/child") == nil && c.Engine().Registry.GetPID("g", "1") != nil {
					c.Send(c.PID(), note{"no child of that name"})
				}
				named := c.SpawnChildFunc(func(*actor.Context) {}, "named", actor.WithID("n"))
				if c.Child("g/1/named/n") == named && c.GetPID("g/1/named/n") == named {
					c.Send(named, note{"by name"})
				}
			case pong:
				for range c.Children() {
					c.Send(c.PID(), note{"a child"})
				}
			}
		}, "g", actor.WithID("1"))
		e.Send(g, grow{})
	})
}
