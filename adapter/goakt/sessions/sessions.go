package sessions

import (
	"context"
	"fmt"

	"github.com/tochemey/goakt/v4/actor"
)

// Login has a user get a session, in the place of the one before.
type Login struct{ User string }

// Post sends a text to a user.
type Post struct{ User, Text string }

// Config configures a Chat.
type Config struct {
	Fixed bool // each session has a name of its own
}

// Shown says that a user sees a text.
type Shown struct{ User, Text string }

// Screens are what users see. One actor writes them; read them when the chat is at rest.
type Screens map[string][]string

// screen is that actor.
type screen struct{ shown Screens }

// PreStart implements actor.Actor.
func (*screen) PreStart(*actor.Context) error { return nil }

// Receive implements actor.Actor.
func (s *screen) Receive(c *actor.ReceiveContext) {
	if m, ok := c.Message().(Shown); ok {
		s.shown[m.User] = append(s.shown[m.User], m.Text)
	}
}

// PostStop implements actor.Actor.
func (*screen) PostStop(*actor.Context) error { return nil }

// Chat runs the actors.
type Chat struct {
	Screens Screens
	gate    *actor.PID
}

// Open starts a chat server in an actor system.
func Open(system actor.ActorSystem, cfg Config) (*Chat, error) {
	c := &Chat{Screens: Screens{}}
	to, err := system.Spawn(context.Background(), "screen", &screen{c.Screens})
	if err == nil {
		c.gate, err = system.Spawn(context.Background(), "gate", &gate{fixed: cfg.Fixed, screen: to})
	}
	return c, err
}

// Login has a user log in.
func (c *Chat) Login(user string) error { return actor.Tell(context.Background(), c.gate, Login{user}) }

// Post sends a text to a user who has logged in.
func (c *Chat) Post(user, text string) error {
	return actor.Tell(context.Background(), c.gate, Post{user, text})
}

// gate lets users in, and passes on what is posted to them.
type gate struct {
	fixed  bool
	screen *actor.PID
	logins int
	names  map[string]string // of the sessions, by user
}

// PreStart implements actor.Actor.
func (g *gate) PreStart(*actor.Context) error {
	g.names = map[string]string{}
	return nil
}

// Receive implements actor.Actor.
func (g *gate) Receive(c *actor.ReceiveContext) {
	switch m := c.Message().(type) {
	case Login:
		if name := g.names[m.User]; name != "" {
			if old, err := c.Self().Child(name); err == nil {
				c.Stop(old)
			}
		}
		g.logins++
		g.names[m.User] = m.User
		if g.fixed {
			g.names[m.User] = fmt.Sprintf("%s-%d", m.User, g.logins)
		}
		c.Spawn(g.names[m.User], &session{m.User, g.screen}) // the name may be in use still
	case Post:
		if to, err := c.Self().Child(g.names[m.User]); err == nil {
			c.Tell(to, m)
		}
	}
}

// PostStop implements actor.Actor.
func (g *gate) PostStop(*actor.Context) error { return nil }

// session is that of a user.
type session struct {
	user   string
	screen *actor.PID
}

// PreStart implements actor.Actor.
func (s *session) PreStart(*actor.Context) error { return nil }

// Receive implements actor.Actor.
func (s *session) Receive(c *actor.ReceiveContext) {
	if m, ok := c.Message().(Post); ok {
		c.Tell(s.screen, Shown{s.user, m.Text})
	}
}

// PostStop implements actor.Actor.
func (s *session) PostStop(*actor.Context) error { return nil }
