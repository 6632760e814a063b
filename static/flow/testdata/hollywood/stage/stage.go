// Package stage uses what Hollywood has: children, functions as actors, requests, forwarding, timers, middleware,
// options of its own, names, the event stream, and the ways to stop.
package stage

import (
	"strings"
	"time"

	"github.com/anthdm/hollywood/actor"
)

// Messages.
type (
	Play    struct{ Piece string }
	Cue     struct{ Line int }
	Line    struct{ Text string }
	Ask     struct{}
	Answer  struct{ N int }
	Tick    struct{}
	Applaud struct{}
	News    struct{ Of *actor.PID }
	Reach   struct{ Name string }
	Pass    struct{}
	End     struct{}
	Unheard struct{}
	Quiet   struct{}
)

// director has players as children, and asks a prompter that is a function.
type director struct {
	prompter *actor.PID
	repeat   actor.SendRepeater
	heard    int
	lines    []string
}

// Receive implements actor.Receiver.
func (d *director) Receive(c *actor.Context) {
	switch m := c.Message().(type) {
	case actor.Started:
		d.prompter = c.SpawnChildFunc(prompt, "prompter")
	case Play:
		p := c.SpawnChild(newPlayer(m.Piece), "player", actor.WithID("1"))
		c.Send(p, Cue{1})
	case Line:
		d.lines = append(d.lines, m.Text)
		if res, err := c.Request(d.prompter, Ask{}, time.Second).Result(); err == nil {
			d.heard += res.(Answer).N
		}
		for _, child := range c.Children() {
			if child != d.prompter {
				c.Engine().Send(child, Pass{})
			}
		}
	case End:
		if p := c.Child("nobody"); p != nil {
			c.Send(p, Unheard{})
		}
		c.Engine().Poison(c.PID())
	}
}

// prompt answers.
func prompt(c *actor.Context) {
	if _, ok := c.Message().(Ask); ok {
		c.Respond(Answer{1})
	}
}

func newPlayer(piece string) actor.Producer {
	return func() actor.Receiver { return &player{piece: piece} }
}

type player struct {
	piece string
	n     int
}

// Receive implements actor.Receiver.
func (p *player) Receive(c *actor.Context) {
	switch m := c.Message().(type) {
	case Cue:
		p.n += m.Line
		c.Send(c.Sender(), Line{p.piece})
	case Pass:
		c.Forward(c.Parent()) // nobody there asks for it
	}
}

// Theatre is a director alone.
func Theatre(e *actor.Engine) {
	d := e.Spawn(func() actor.Receiver { return &director{} }, "director")
	e.Send(d, Play{"Hamlet"})
	e.Send(d, End{})
}

// clock counts what comes by a timer.
type clock struct {
	repeat actor.SendRepeater
	to     *actor.PID
	n      int
}

// Receive implements actor.Receiver.
func (k *clock) Receive(c *actor.Context) {
	switch c.Message().(type) {
	case actor.Started:
		k.repeat = c.SendRepeat(c.PID(), Tick{}, time.Second)
	case Tick:
		if k.n++; k.n == 2 {
			k.repeat.Stop()
			c.Send(k.to, Applaud{})
		}
	}
}

// guarded has middleware, by an option and by an option of the program's own.
type guarded struct{ n int }

// Receive implements actor.Receiver.
func (g *guarded) Receive(c *actor.Context) {
	if _, ok := c.Message().(Applaud); ok {
		g.n++
	}
}

// counting tells the usher of what comes, and keeps Quiet for itself.
func counting(usher *actor.PID) func(actor.ReceiveFunc) actor.ReceiveFunc {
	return func(next actor.ReceiveFunc) actor.ReceiveFunc {
		return func(c *actor.Context) {
			switch c.Message().(type) {
			case Quiet:
				return
			case Applaud:
				c.Send(usher, News{c.PID()})
			}
			next(c)
		}
	}
}

// withMore is an option that is not of the framework.
func withMore(m actor.MiddlewareFunc) actor.OptFunc {
	return func(o *actor.Opts) { o.Middleware = append(o.Middleware, m) }
}

type usher struct{ seen []*actor.PID }

// Receive implements actor.Receiver.
func (u *usher) Receive(c *actor.Context) {
	switch m := c.Message().(type) {
	case News:
		u.seen = append(u.seen, m.Of)
		c.Engine().SendWithSender(m.Of, Quiet{}, c.PID())
	case Reach:
		if pid := c.GetPID("hall/" + m.Name); pid != nil {
			c.Send(pid, Applaud{})
		}
		if pid := c.Engine().Registry.GetPID("hall", "2"); pid != nil {
			c.Send(pid, Quiet{})
		}
	}
}

// Hall has a clock, and two actors behind middleware.
func Hall(e *actor.Engine) {
	id := strings.Repeat("u", 1) // so that only the kind is known
	u := e.Spawn(func() actor.Receiver { return &usher{} }, "usher", actor.WithID(id))
	h := e.Spawn(func() actor.Receiver { return &guarded{} }, "hall", actor.WithID("1"),
		actor.WithMiddleware(counting(u)))
	e.Spawn(func() actor.Receiver { return &guarded{} }, "hall", actor.WithID("2"), withMore(counting(u)))
	e.Spawn(func() actor.Receiver { return &clock{to: h} }, "clock")
	e.Send(u, Reach{"1"})
}

// critic listens to events.
type critic struct{ gone, lost, read int }

// Receive implements actor.Receiver.
func (k *critic) Receive(c *actor.Context) {
	switch m := c.Message().(type) {
	case actor.Started:
		c.Engine().Subscribe(c.PID())
	case actor.ActorStoppedEvent:
		k.gone++
		c.Engine().Send(m.PID, Unheard{})
	case actor.DeadLetterEvent:
		if _, ok := m.Message.(Unheard); ok {
			k.lost++
			c.Engine().Unsubscribe(c.PID())
		}
	case News:
		k.read++
		c.Engine().BroadcastEvent(Quiet{})
	}
}

// Press has two critics of whom one is a function, and an actor that ends.
func Press(e *actor.Engine) {
	e.Spawn(func() actor.Receiver { return &critic{} }, "critic")
	reader := e.SpawnFunc(func(c *actor.Context) {
		if _, ok := c.Message().(Quiet); ok {
			c.Engine().Send(c.PID(), Tick{})
		}
	}, "reader")
	e.Subscribe(reader)
	gone := e.SpawnFunc(func(*actor.Context) {}, "gone")
	e.BroadcastEvent(News{gone})
	<-e.Stop(gone).Done()
}
