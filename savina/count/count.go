// Package count is an actor that counts what another one sends it, and is asked for the number in the end. It is
// program 2 of Savina [IS14]. It needs messages between two actors in order: else the question overtakes increments.
package count

import "fmt"

// Config sets the number of increments.
type Config struct {
	Increments int  // at least 1
	Second     bool // mutant: a second actor increments once
}

// Small is a size to explore, Published that of the suite.
var (
	Small     = Config{Increments: 3}
	Published = Config{Increments: 1_000_000}
)

// Validate says what makes no sense.
func (c Config) Validate() error {
	if c.Increments < 1 {
		return fmt.Errorf("count: %d increments: want at least 1", c.Increments)
	}
	return nil
}

// Increment adds one. To a producer it says: begin.
type Increment struct{}

// Retrieve asks for the number, for Sender. R refers to an actor of a framework.
type Retrieve[R any] struct{ Sender R }

// Result is the number.
type Result struct{ N int }

// Seen is what the two actors saw.
type Seen struct {
	Result                          int // that the producer was told
	ProducerStopped, CounterStopped bool
}

// Check says what is wrong with the end, nil if nothing is: the producer was told its number, and both have ended.
func (c Config) Check(s Seen) error {
	if s.Result != c.Increments || !s.ProducerStopped || !s.CounterStopped {
		return fmt.Errorf("result %d, and the producer has stopped: %t, the counter: %t; want %d, and both have stopped",
			s.Result, s.ProducerStopped, s.CounterStopped, c.Increments)
	}
	return nil
}
