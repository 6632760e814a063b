// Package sieve counts primes in a chain of filters. A filter knows some primes, and drops what they divide. Where the
// chain ends, a number is a prime, and a filter that is full creates the next one. It is program 18 of Savina [IS14].
// It needs messages between two actors in order, and has one class of orders then.
package sieve

import "fmt"

// Config sets the numbers.
type Config struct {
	Limit int // primes below it are counted; at least 3
	Room  int // primes that one filter knows, at least 1
}

// Small is a size to explore, Published that of the suite.
var (
	Small     = Config{Limit: 12, Room: 2}
	Published = Config{Limit: 100_000, Room: 1_000}
)

// Validate says what makes no sense.
func (c Config) Validate() error {
	if c.Limit < 3 || c.Room < 1 {
		return fmt.Errorf("sieve: limit %d, %d primes a filter: want at least 3 and 1", c.Limit, c.Room)
	}
	return nil
}

// First tells the producer the first filter. R refers to an actor of a framework.
type First[R any] struct{ Filter R }

// Number may be a prime.
type Number struct{ K int }

// Exit follows the last number.
type Exit struct{}

// Total is the number of primes, from the last filter to the result.
type Total struct{ N int }

// Seen is what the result and the producer saw.
type Seen struct {
	Totals          []int
	ProducerStopped bool
}

// Check says what is wrong with the end, nil if nothing is: one total came, and it is right. So all filters have ended,
// since each passes the exit on when it ends.
func (c Config) Check(s Seen) error {
	if want := primes(c.Limit); len(s.Totals) != 1 || s.Totals[0] != want || !s.ProducerStopped {
		return fmt.Errorf("totals %v, want %d once, and the producer has stopped: %t", s.Totals, want, s.ProducerStopped)
	}
	return nil
}

// primes counts those below a limit.
func primes(limit int) int {
	n, composite := 0, make([]bool, limit)
	for p := 2; p < limit; p++ {
		if composite[p] {
			continue
		}
		n++
		for k := 2 * p; k < limit; k += p {
			composite[k] = true
		}
	}
	return n
}

// divided reports whether one of some primes divides k.
func divided(k int, primes []int) bool {
	for _, p := range primes {
		if k%p == 0 {
			return true
		}
	}
	return false
}
