// Package trapezoid integrates a function: a master gives each worker a part, and adds what they answer. It is program
// 21 of Savina [IS14]. It has no hazard, but its floating-point sum may differ in the last digits from order to order.
package trapezoid

import (
	"fmt"
	"math"
)

// Config sets the interval and how it is divided.
type Config struct {
	Workers     int // at least 1
	Pieces      int // of the interval, at least one for each worker
	Left, Right float64
}

// Small is a size to explore, Published that of the suite.
var (
	Small     = Config{Workers: 3, Pieces: 6, Left: 1, Right: 5}
	Published = Config{Workers: 100, Pieces: 10_000_000, Left: 1, Right: 5}
)

// Validate says what makes no sense.
func (c Config) Validate() error {
	if c.Workers < 1 || c.Pieces < c.Workers || !(c.Left < c.Right) || math.IsInf(c.Right-c.Left, 0) {
		return fmt.Errorf("trapezoid: %d workers, %d pieces from %g to %g: want 1 worker, a piece for each, and a length",
			c.Workers, c.Pieces, c.Left, c.Right)
	}
	return nil
}

// Work is an interval, to be divided into pieces of a width.
type Work struct{ Left, Right, Width float64 }

// Result is the area that a worker found.
type Result struct {
	Area float64
	ID   int // of the worker
}

// part is what worker i of n does of a piece of work.
func (w Work) part(i, n int) Work {
	width := (w.Right - w.Left) / float64(n)
	left := w.Left + width*float64(i)
	return Work{left, left + width, w.Width}
}

// area sums up the trapezoids.
func (w Work) area() float64 {
	n := max(1, int(math.Round((w.Right-w.Left)/w.Width)))
	width, sum := (w.Right-w.Left)/float64(n), 0.0
	for i := range n {
		x := w.Left + width*float64(i)
		sum += width * (f(x) + f(x+width)) / 2
	}
	return sum
}

// f is integrated. The suite's costs more, and is not linear.
func f(x float64) float64 { return x }

// Seen is what is left in the end.
type Seen struct {
	Area           float64
	MasterStopped  bool
	WorkersStopped int
}

// Check says what is wrong with the end, nil if nothing is: the area is right up to rounding, and all actors
// ended.
func (c Config) Check(s Seen) error {
	want := (c.Right*c.Right - c.Left*c.Left) / 2
	if tolerance := 1e-9 * math.Max(1, math.Abs(want)); !(math.Abs(s.Area-want) <= tolerance) {
		return fmt.Errorf("area %v, want %v", s.Area, want)
	}
	if !s.MasterStopped || s.WorkersStopped != c.Workers {
		return fmt.Errorf("the master has stopped: %t, and %d of %d workers", s.MasterStopped, s.WorkersStopped, c.Workers)
	}
	return nil
}
