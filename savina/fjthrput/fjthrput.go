// Package fjthrput sends many actors many messages each, and each actor ends at its last one. It is program 3 of
// Savina [IS14]. It has no hazard. No actor sends anything, so all orders are one class wherever the messages to one
// actor keep theirs.
package fjthrput

import "fmt"

// Config sets the number of actors, and of messages to each.
type Config struct {
	Actors   int // at least 1
	Messages int // at least 1
}

// Small is a size to explore, Published that of the suite.
var (
	Small     = Config{Actors: 3, Messages: 2}
	Published = Config{Actors: 60, Messages: 10_000}
)

// Validate says what makes no sense.
func (c Config) Validate() error {
	if c.Actors < 1 || c.Messages < 1 {
		return fmt.Errorf("fjthrput: %d actors, %d messages: want at least 1 of each", c.Actors, c.Messages)
	}
	return nil
}

// Message is a piece of work.
type Message struct{}

// Seen is what one actor saw.
type Seen struct {
	Messages int
	Stopped  bool
}

// Check says what is wrong with the end, nil if nothing is: every actor handled all its messages and has ended.
func (c Config) Check(seen []Seen) error {
	for i, s := range seen {
		if s.Messages != c.Messages || !s.Stopped {
			return fmt.Errorf("actor %d handled %d messages, want %d, and has stopped: %t", i, s.Messages, c.Messages, s.Stopped)
		}
	}
	return nil
}
