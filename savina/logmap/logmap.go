// Package logmap is series of numbers: each worker has a computer make its next term, as often as the master says, and
// then tells the master where it is. A worker that waits for its computer puts aside what the master says meanwhile.
// The three variants differ in how: the handler blocks, the behaviour changes and messages are stashed, or they are
// kept in a list and sent again. It is program 14 of Savina [IS14]. Its hazard is the last variant: a Next that was
// kept and is sent again comes behind a Get, which is answered a term early. Without order between two actors a Get may
// overtake a Next in all variants.
package logmap

import "fmt"

// Config sets the size of the program.
type Config struct {
	Series  int
	Terms   int
	Variant Variant
}

// Variant says how a worker waits for its computer.
type Variant int

// The variants.
const (
	Await       Variant = iota // the handler blocks
	Become                     // a behaviour that stashes all but the result
	ManualStash                // a list, whose first the worker sends to itself when it does not wait
)

// Small is a size to explore, Published that of the suite.
var (
	Small     = Config{Series: 1, Terms: 2}
	Published = Config{Series: 10, Terms: 25_000}
)

// Validate says what makes no sense.
func (c Config) Validate() error {
	if c.Series < 1 || c.Terms < 0 {
		return fmt.Errorf("logmap: %d series, %d terms: want at least 1 series, and no terms below 0", c.Series, c.Terms)
	}
	if c.Variant < Await || c.Variant > ManualStash {
		return fmt.Errorf("logmap: there is no variant %d", c.Variant)
	}
	return nil
}

// rate is that of a computer, first the first term of its worker.
func rate(series int) int  { return 2*series + 3 }
func first(series int) int { return series + 1 }

// next is the term behind x. Differs: the suite computes with fractions, whose sum depends on the order.
func next(rate, x int) int { return rate * x }

// Start has the master start the series.
type Start struct{}

// Next has a worker go on to its next term.
type Next struct{}

// Get has a worker tell the master its term.
type Get struct{}

// Compute asks a computer for the term behind X.
type Compute struct{ X int }

// Result is a term.
type Result struct{ X int }

// Stop ends computers and workers.
type Stop struct{}

// Check says what is wrong with the end, nil if nothing is: sum is that of the last terms of all series.
func (c Config) Check(sum int) error {
	want := 0
	for series := range c.Series {
		x := first(series)
		for range c.Terms {
			x = next(rate(series), x)
		}
		want += x
	}
	if sum != want {
		return fmt.Errorf("the sum is %d, want %d", sum, want)
	}
	return nil
}
