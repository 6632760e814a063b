// Package bitonicsort sorts numbers in a network of actors that compare two of them. Splitters give such actors runs of
// numbers in turn, and joiners put together what they send. It is program 29 of Savina [IS14].
//
// It needs messages between two actors in order. Only joiners hear from several actors, and they tell them apart by
// number: so what comes out is the same in every order. Where messages have no order, wrong pairs are compared, and the
// exit overtakes numbers.
package bitonicsort

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// Config sets the numbers.
type Config struct {
	Numbers int   // a power of two, at least 2
	Limit   int64 // drawn numbers are below it; at least 1
	Values  []int64
}

// Small is a size to explore, Four a size to sample. Published is that of the suite. Without Values they are drawn.
var (
	Small     = Config{Numbers: 2, Values: []int64{2, 1}}
	Four      = Config{Numbers: 4, Values: []int64{3, 1, 4, 2}}
	Published = Config{Numbers: 4_096, Limit: 1 << 60}
)

// Validate says what makes no sense.
func (c Config) Validate() error {
	if c.Numbers < 2 || c.Numbers&(c.Numbers-1) != 0 {
		return fmt.Errorf("bitonicsort: %d numbers, want a power of two, at least 2", c.Numbers)
	}
	if c.Values == nil {
		if c.Limit < 1 {
			return fmt.Errorf("bitonicsort: numbers below %d, want below at least 1", c.Limit)
		}
		return nil
	}
	if len(c.Values) != c.Numbers {
		return fmt.Errorf("bitonicsort: %d values, want %d", len(c.Values), c.Numbers)
	}
	return nil
}

// values are the numbers to sort, in a slice of the caller's own.
func (c Config) values() []int64 {
	if c.Values != nil {
		return slices.Clone(c.Values)
	}
	drawn := rand.New(rand.NewPCG(1, 0))
	values := make([]int64, c.Numbers)
	for i := range values {
		values[i] = drawn.Int64N(c.Limit)
	}
	return values
}

// Start has the source send its numbers.
type Start struct{}

// Value is a number on its way.
type Value struct{ V int64 }

// Data is a number from the sender with an index, for a joiner.
type Data struct {
	Index int
	V     int64
}

// Exit follows the last number.
type Exit struct{}

// step is one column of the network: parts that sort runs of a length by their halves.
type step struct {
	length int    // of a run
	up     []bool // by part, the direction
}

// merge is the steps that make sorted runs of a length of those half as long. The direction alternates from run to run.
// Where the run is all numbers there is one, upwards.
func (c Config) merge(run int) []step {
	var steps []step
	for length := run; length > 1; length /= 2 {
		s := step{length: length}
		for part := range c.Numbers / length {
			s.up = append(s.up, part/(run/length)%2 == 0)
		}
		steps = append(steps, s)
	}
	return steps
}

// pair compares two numbers.
type pair struct {
	up   bool
	held bool
	v    int64
}

// take returns two numbers in order when it has two.
func (p *pair) take(v int64) []int64 {
	if p.held = !p.held; p.held {
		p.v = v
		return nil
	}
	if (p.v > v) == p.up {
		return []int64{v, p.v}
	}
	return []int64{p.v, v}
}

// turns says who is next to give or to get a run of some length.
type turns struct{ of, length, index, in int }

func (t *turns) advance() {
	if t.in++; t.in == t.length {
		t.in, t.index = 0, (t.index+1)%t.of
	}
}

// join holds numbers by the index of their sender until it is the sender's turn.
type join struct {
	turns
	queues [][]int64
	ended  int // senders
}

func newJoin(senders, length int) join {
	return join{turns: turns{of: senders, length: length}, queues: make([][]int64, senders)}
}

// take returns what can be passed on with a number that has come.
func (j *join) take(d Data) []int64 {
	j.queues[d.Index] = append(j.queues[d.Index], d.V)
	var out []int64
	for len(j.queues[j.index]) > 0 {
		out = append(out, j.queues[j.index][0])
		j.queues[j.index] = j.queues[j.index][1:]
		j.advance()
	}
	return out
}

// Check says what is wrong with the end, nil if nothing is: the numbers arrived in ascending order, and then the exit.
func (c Config) Check(got []int64, stopped bool) error {
	want := c.values()
	slices.Sort(want)
	if !slices.Equal(got, want) || !stopped {
		return fmt.Errorf("sorted to %v, want %v, and the validator has stopped: %t", got, want, stopped)
	}
	return nil
}
