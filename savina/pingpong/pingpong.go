// Package pingpong is two actors that send one message to and fro. It is program 1 of Savina [IS14]. It has no hazard:
// never is more than one message on its way, so every model has one order. A mutant answers a ping twice.
package pingpong

import "fmt"

// Config sets the number of pings.
type Config struct {
	Pings int  // at least 1
	Twice bool // mutant: pong answers every ping twice
}

// Small is a size to explore, Published that of the suite.
var (
	Small     = Config{Pings: 2}
	Published = Config{Pings: 40_000}
)

// Validate says what makes no sense.
func (c Config) Validate() error {
	if c.Pings < 1 {
		return fmt.Errorf("pingpong: %d pings: want at least 1", c.Pings)
	}
	return nil
}

// Start begins the game.
type Start struct{}

// Ping is what the ping actor sends itself to go on.
type Ping struct{}

// SendPing is a ping of Sender. R refers to an actor of a framework.
type SendPing[R any] struct{ Sender R }

// SendPong answers a ping.
type SendPong[R any] struct{ Sender R }

// Stop ends the pong actor.
type Stop struct{}

// Seen is what the two actors saw.
type Seen struct {
	Pings                    int // that pong answered
	PingStopped, PongStopped bool
}

// Check says what is wrong with the end, nil if nothing is: every ping was answered, and both actors have ended.
func (c Config) Check(s Seen) error {
	if s.Pings != c.Pings || !s.PingStopped || !s.PongStopped {
		return fmt.Errorf("%d pings, and ping has stopped: %t, pong: %t; want %d pings, and both have stopped",
			s.Pings, s.PingStopped, s.PongStopped, c.Pings)
	}
	return nil
}
