// Package fib computes a Fibonacci number by a tree of actors, one for each call of the naive recursion. It is program
// 30 of Savina [IS14]. It has no hazard: the two answers of an inner actor come in two orders, and are added.
package fib

import "fmt"

// Config sets the number.
type Config struct {
	N int // which Fibonacci number, 1 to 90
}

// Small is a size to explore, Published that of the suite.
var (
	Small     = Config{N: 5}
	Published = Config{N: 25}
)

// Validate says what makes no sense.
func (c Config) Validate() error {
	if c.N < 1 || c.N > 90 {
		return fmt.Errorf("fib: number %d: want 1 to 90, which fit an int64", c.N)
	}
	return nil
}

// Request asks an actor for number K.
type Request struct{ K int }

// Response answers it.
type Response struct{ V int64 }

// Check says what is wrong with the end, nil if nothing is: the first actor has the number, and has stopped. The others
// stop as they answer.
func (c Config) Check(result int64, stopped bool) error {
	if want := fib(c.N); result != want || !stopped {
		return fmt.Errorf("number %d is %d, want %d, and the first actor has stopped: %t", c.N, result, want, stopped)
	}
	return nil
}

func fib(n int) int64 {
	a, b := int64(0), int64(1)
	for range n {
		a, b = b, a+b
	}
	return a
}
