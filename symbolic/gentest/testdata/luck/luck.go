// Package luck has a handler that depends on random numbers, and values of libraries.
package luck

import (
	"crypto/sha256"
	"hash"
	"log/slog"
	"math/rand"

	"github.com/rehearse-go/rehearse/actor"
)

// Roll throws dice.
type Roll struct{ Sides int }

// Bet is on whether a coin falls on its head.
type Bet struct{ Head bool }

// Sign is what has to be a part of the sum.
type Sign struct{ Text string }

// Gambler depends on luck, and tells a log.
type Gambler struct {
	log  *slog.Logger
	sum  hash.Hash
	key  *rand.Zipf
	last int
	won  int
}

// Receive handles messages.
func (g *Gambler) Receive(c *actor.Context, msg any) {
	switch msg := msg.(type) {
	case Roll:
		g.log.Info("roll", "sides", msg.Sides)
		if msg.Sides > 1 {
			g.last = rand.Intn(msg.Sides)
		}
	case Bet:
		if (rand.Intn(2) == 0) == msg.Head {
			g.won++
		}
	case Sign:
		if msg.Text != "" {
			g.sum = sha256.New()
			g.last = int(g.key.Uint64())
		}
	}
}
