// Package filterbank sends a signal through channels of filters and adds what comes out of them. It is program 17 of
// Savina [IS14]. It needs messages between two actors in order. Only the integrator hears from several actors, and what
// it makes of them is the same in every order. Where messages have no order, the exit overtakes values.
package filterbank

import (
	"fmt"
	"slices"
)

// Config sets the signal and the filters.
type Config struct {
	Channels int // at least 1
	Columns  int // values that a filter takes together; at least 2, since with 1 a delay has no room
	Signal   int // values that are sent
}

// Small is a size to explore, where one value comes out. Published is that of the suite.
var (
	Small     = Config{Channels: 2, Columns: 2, Signal: 3}
	Published = Config{Channels: 8, Columns: 16_384, Signal: 34_816}
)

// Validate says what makes no sense.
func (c Config) Validate() error {
	if c.Channels < 1 || c.Columns < 2 || c.Signal < 0 {
		return fmt.Errorf("filterbank: %d channels, %d columns, a signal of %d values: want at least 1, 2 and 0",
			c.Channels, c.Columns, c.Signal)
	}
	return nil
}

// Next asks the producer to have the source send a value. R refers to an actor of a framework.
type Next[R any] struct{ Source R }

// Boot has the source send a value.
type Boot struct{}

// Value is one of the signal on its way.
type Value struct{ V float64 }

// Tagged is what comes out of a channel.
type Tagged struct {
	Channel int
	V       float64
}

// Collection has a value of each channel.
type Collection struct{ Values []float64 }

// Exit follows the last value.
type Exit struct{}

// line keeps values for a while.
type line struct {
	ring []float64
	at   int
}

// pass stores a value in the place of the oldest, which it returns: 0 at first.
func (l *line) pass(v float64) float64 {
	oldest := l.ring[l.at]
	l.ring[l.at] = v
	l.at = (l.at + 1) % len(l.ring)
	return oldest
}

// response is a filter of finite impulse response.
type response struct {
	line
	coefficients []float64
	full         bool
}

// pass stores a value. Once there are enough of them, it returns the sum of their products with the coefficients.
func (r *response) pass(v float64) (sum float64, ok bool) {
	r.line.pass(v)
	r.full = r.full || r.at == 0
	for i, v := range r.ring {
		sum += v * r.coefficients[i]
	}
	return sum, r.full
}

// rate lets one of some values pass.
type rate struct{ of, seen int }

// pass returns the first value of every few, and 0 for the others.
func (r *rate) pass(v float64) float64 {
	r.seen++
	if r.seen%r.of != 1 {
		return 0
	}
	return v
}

func (c Config) line() line { return line{ring: make([]float64, c.Columns-1)} }

// response is the first or second filter of a channel.
func (c Config) response(channel, filter int) response {
	r := response{line: line{ring: make([]float64, c.Columns)}}
	for i := range c.Columns {
		r.coefficients = append(r.coefficients, float64(1+channel*filter+i%7))
	}
	return r
}

func (c Config) rate() rate { return rate{of: c.Columns} }

// rows are values of channels that wait for those of the others.
type rows struct {
	channels int
	open     [][]float64
	has      [][]bool
}

// add puts a value into the first row that lacks its channel. It returns the first row, if that is complete.
func (r *rows) add(t Tagged) []float64 {
	i := slices.IndexFunc(r.has, func(has []bool) bool { return !has[t.Channel] })
	if i < 0 {
		i = len(r.has)
		r.open, r.has = append(r.open, make([]float64, r.channels)), append(r.has, make([]bool, r.channels))
	}
	r.open[i][t.Channel], r.has[i][t.Channel] = t.V, true
	if slices.Contains(r.has[0], false) {
		return nil
	}
	row := r.open[0]
	r.open, r.has = r.open[1:], r.has[1:]
	return row
}

func sum(values []float64) float64 {
	total := 0.0
	for _, v := range values {
		total += v
	}
	return total
}

// want is what one thread computes.
func (c Config) want() []float64 {
	var out [][]float64 // by channel
	for channel := range c.Channels {
		var values []float64
		before, after := c.line(), c.line()
		first, second, rate := c.response(channel, 0), c.response(channel, 1), c.rate()
		for i := range c.Signal {
			v, ok := first.pass(before.pass(float64(i)))
			if !ok {
				continue
			}
			if v, ok = second.pass(after.pass(rate.pass(v))); ok {
				values = append(values, v)
			}
		}
		out = append(out, values)
	}
	var sums []float64
	for i := range out[0] {
		var row []float64
		for _, values := range out {
			row = append(row, values[i])
		}
		sums = append(sums, sum(row))
	}
	return sums
}

// Check says what is wrong with the end, nil if nothing is: the sink has ended, and got the sums of all channels.
func (c Config) Check(got []float64, stopped bool) error {
	if want := c.want(); !slices.Equal(got, want) || !stopped {
		return fmt.Errorf("the sink got %v, want %v, and has stopped: %t", got, want, stopped)
	}
	return nil
}
