// Package fjcreate creates many actors, each for one message. It is program 4 of Savina [IS14]. It has no hazard, and
// all its orders are one class.
package fjcreate

import "fmt"

// Config sets the number of actors.
type Config struct {
	Actors int // at least 1
}

// Small is a size to explore, Published that of the suite.
var (
	Small     = Config{Actors: 4}
	Published = Config{Actors: 40_000}
)

// Validate says what makes no sense.
func (c Config) Validate() error {
	if c.Actors < 1 {
		return fmt.Errorf("fjcreate: %d actors: want at least 1", c.Actors)
	}
	return nil
}

// Message is the work of an actor.
type Message struct{}

// Check says what is wrong with the end, nil if nothing is: all actors have ended.
func (c Config) Check(stopped int) error {
	if stopped != c.Actors {
		return fmt.Errorf("%d actors have stopped, want %d", stopped, c.Actors)
	}
	return nil
}
