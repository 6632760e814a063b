// Package starts has actors with start hooks.
package starts

import (
	"time"

	"github.com/rehearse-go/rehearse/actor"
)

// Messages.
type (
	Work  struct{ N int }
	Tick  struct{}
	Start struct{}
)

// Foreman makes workers when it is created, and gives them work.
type Foreman struct {
	Log     actor.Ref
	Workers int
	Each    int
	first   actor.Ref
	alone   bool
}

// NewForeman makes one for so many pieces of work.
func NewForeman(workers, pieces int) *Foreman {
	return &Foreman{Workers: workers, Each: pieces / max(workers, 1)}
}

// Start implements actor.Starter.
func (f *Foreman) Start(c *actor.Context) {
	if f.Workers < 0 {
		panic("fewer than no workers")
	}
	c.After(time.Minute, Tick{})
	if f.Workers == 0 {
		f.alone = c.Sender() == actor.Ref{}
		c.Send(c.Self(), Work{f.Each})
		return
	}
	f.first = c.SpawnNamed("worker", &Worker{Boss: c.Self()})
	c.Send(f.first, Work{f.Each + 1})
}

// Receive handles messages. One of them has the name of the hook.
func (f *Foreman) Receive(c *actor.Context, msg any) {
	switch msg.(type) {
	case Start:
		c.Send(f.Log, msg)
	}
}

// Worker works.
type Worker struct{ Boss actor.Ref }

// Receive handles messages.
func (w *Worker) Receive(*actor.Context, any) {}

// Asker does in its hook what only handlers may do.
type Asker struct{ wait bool }

// Start implements actor.Starter.
func (a *Asker) Start(c *actor.Context) {
	if a.wait {
		c.Call(c.Self(), Tick{})
	}
	c.Reply(Tick{})
}

// Receive handles messages.
func (a *Asker) Receive(*actor.Context, any) {}

// Deputy has the hook of a Foreman.
type Deputy struct{ Foreman }

// Open opens a yard, with a timer in its gate if it is late.
type Open struct{ Late bool }

// Yard creates an actor with a start hook.
type Yard struct{ gate actor.Ref }

// Receive handles messages.
func (y *Yard) Receive(c *actor.Context, msg any) {
	switch msg := msg.(type) {
	case Open:
		y.gate = c.Spawn(&Gate{yard: c.Self(), late: msg.Late})
		c.Send(y.gate, Work{1})
	case Work:
		c.Spawn(&Foreman{Workers: msg.N - 1})
	}
}

// Gate creates an actor with a start hook of its own.
type Gate struct {
	yard actor.Ref
	late bool
	n    int
}

// Start implements actor.Starter.
func (g *Gate) Start(c *actor.Context) {
	if g.late {
		c.After(time.Second, Tick{})
	}
	g.n++
	c.Send(g.yard, Work{g.n})
	c.Spawn(&Lamp{gate: c.Self()})
	c.Send(c.Sender(), Tick{})
}

// Receive handles messages.
func (g *Gate) Receive(*actor.Context, any) {}

// Lamp tells its gate that it is there.
type Lamp struct{ gate actor.Ref }

// Start implements actor.Starter.
func (l *Lamp) Start(c *actor.Context) {
	c.Send(l.gate, c.Self())
	l.gate = actor.Ref{}
}

// Receive handles messages.
func (l *Lamp) Receive(*actor.Context, any) {}
