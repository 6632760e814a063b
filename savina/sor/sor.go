// Package sor computes on a grid with one actor for each point, which is coloured as on a chess board. Points tell
// their neighbours their values, and a point that has heard all of them goes one step of successive over-relaxation. A
// runner has the left half of the grid and a peer the right one. It is program 26 of Savina [IS14].
//
// A value may come before a point is told to start. The point keeps it, and sends it to itself when it starts, which
// loses its place in the queue. That is harmless: a neighbour cannot be two steps ahead, since it needs the value of
// this point. Only the order of summands differs. The last values go to points that have ended.
package sor

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// Omega is the factor of relaxation, of the suite.
const Omega = 1.25

// Config sets the grid.
type Config struct {
	Side   int // points in a row and in a column; at least 2
	Steps  int // at least 1
	Values []float64
	Drops  bool // mutant: a point drops what comes before it starts
}

// Small is a size to explore, Published that of the suite. Without Values they are drawn.
var (
	Small     = Config{Side: 2, Steps: 1, Values: []float64{1, 2, 4, 8}}
	Published = Config{Side: 20, Steps: 100}
)

// Validate says what makes no sense.
func (c Config) Validate() error {
	if c.Side < 2 || c.Steps < 1 {
		return fmt.Errorf("sor: %d points in a row, %d steps: want at least 2 and 1", c.Side, c.Steps)
	}
	if c.Values != nil && len(c.Values) != c.Side*c.Side {
		return fmt.Errorf("sor: %d values, want one for each of %d points", len(c.Values), c.Side*c.Side)
	}
	return nil
}

// part is how many columns the runner has.
func (c Config) part() int { return c.Side / 2 }

// value is that of a point at first.
func (c Config) value(x, y int) float64 {
	if c.Values != nil {
		return c.Values[y*c.Side+x]
	}
	return rand.New(rand.NewPCG(uint64(x), uint64(y))).Float64()
}

// Boot has the runner and then the peer create their halves.
type Boot struct{}

// Border tells the runner the first column of the peer. R refers to an actor of a framework.
type Border[R any] struct{ Points []R }

// Start tells a point how many steps there are, and whom it touches.
type Start[R any] struct {
	Steps      int
	Neighbours []R
}

// Value is that of a neighbour.
type Value struct{ V float64 }

// Result is the value of a point in the end, or the sum of the peer's.
type Result struct {
	X, Y  int
	V     float64
	Count int // of points
}

// cell is a point without its messages.
type cell struct {
	x, y  int
	value float64
	step  int
	got   int // values since the last step
	sum   float64
}

func (c Config) cell(x, y int) cell { return cell{x: x, y: y, value: c.value(x, y)} }

// first reports whether a point tells its value before it has heard of others.
func first(x, y int) bool { return (x+y)%2 == 1 }

// hear adds a value. It goes a step and says so if all neighbours have told theirs.
func (p *cell) hear(v float64, neighbours int) bool {
	p.sum += v
	p.got++
	if p.got < neighbours {
		return false
	}
	p.value = relaxed(p.value, p.sum)
	p.got, p.sum = 0, 0
	p.step++
	return true
}

func (p *cell) result() Result { return Result{p.x, p.y, p.value, 1} }

func relaxed(value, sum float64) float64 { return Omega/4*sum + (1-Omega)*value }

// half is what the runner or the peer has.
type half struct {
	config  Config
	results []Result
	sum     Result
	stopped bool
}

// add counts a result. It says whether it is that of the last point of some.
func (h *half) add(r Result, points int) bool {
	h.results = append(h.results, r)
	h.sum.V += r.V
	h.sum.Count += r.Count
	return h.sum.Count == points
}

// place is where a point is.
type place struct{ x, y int }

// touching are the places beside one: above, left, right and below.
func (c Config) touching(p place) []place {
	var at []place
	for _, q := range []place{{p.x, p.y - 1}, {p.x - 1, p.y}, {p.x + 1, p.y}, {p.x, p.y + 1}} {
		if q.x >= 0 && q.x < c.Side && q.y >= 0 && q.y < c.Side {
			at = append(at, q)
		}
	}
	return at
}

// columns are the places of some columns, one column after the other.
func (c Config) columns(from, to int) []place {
	var all []place
	for x := from; x < to; x++ {
		for y := range c.Side {
			all = append(all, place{x, y})
		}
	}
	return all
}

// index is the number of a place, column by column.
func (c Config) index(p place) int { return p.x*c.Side + p.y }

// values is what one thread computes: points of the two colours take turns.
func (c Config) values() []float64 {
	var values []float64
	for _, p := range c.columns(0, c.Side) {
		values = append(values, c.value(p.x, p.y))
	}
	for turn := range 2*c.Steps - 1 {
		for _, p := range c.columns(0, c.Side) {
			if first(p.x, p.y) != (turn%2 == 1) {
				continue
			}
			sum := 0.0
			for _, q := range c.touching(p) {
				sum += values[c.index(q)]
			}
			values[c.index(p)] = relaxed(values[c.index(p)], sum)
		}
	}
	return values
}

// Check says what is wrong with the end, nil if nothing is: the runner has ended. Each of its points has the value that
// one thread computes, up to rounding, and so has the sum of all.
func (c Config) Check(runner half) error {
	if !runner.stopped {
		return fmt.Errorf("the runner has not stopped, with results of %d points", runner.sum.Count)
	}
	want, total := c.values(), 0.0
	for _, v := range want {
		total += v
	}
	for _, r := range runner.results {
		if v := want[c.index(place{r.X, r.Y})]; r.Count == 1 && math.Abs(r.V-v) > tolerance {
			return fmt.Errorf("the value at (%d, %d) is %g, want %g", r.X, r.Y, r.V, v)
		}
	}
	if math.Abs(runner.sum.V-total) > tolerance*float64(c.Side*c.Side) {
		return fmt.Errorf("the sum of values is %g, want %g", runner.sum.V, total)
	}
	return nil
}

// tolerance is for values that are summed in another order.
const tolerance = 1e-9
