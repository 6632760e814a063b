// Package radixsort sorts numbers in a pipeline with one actor for each bit: it passes numbers without the bit on at
// once, and those with it behind all others. It is program 16 of Savina [IS14]. It needs messages between two actors in
// order, and has one class of orders then.
package radixsort

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// Config sets the numbers.
type Config struct {
	Numbers int   // how many, at least 1
	Limit   int64 // all are below it; a power of two, at least 2
	Values  []int64
}

// Small is a size to explore, Published that of the suite. Without Values they are drawn.
var (
	Small     = Config{Numbers: 4, Limit: 4, Values: []int64{3, 1, 2, 0}}
	Published = Config{Numbers: 100_000, Limit: 1 << 60}
)

// Validate says what makes no sense.
func (c Config) Validate() error {
	if c.Numbers < 1 || c.Limit < 2 || c.Limit&(c.Limit-1) != 0 {
		return fmt.Errorf("radixsort: %d numbers below %d: want at least 1 below a power of two", c.Numbers, c.Limit)
	}
	if c.Values == nil {
		return nil
	}
	if len(c.Values) != c.Numbers {
		return fmt.Errorf("radixsort: %d values, want %d", len(c.Values), c.Numbers)
	}
	for _, v := range c.Values {
		if v < 0 || v >= c.Limit {
			return fmt.Errorf("radixsort: value %d, want 0 to %d", v, c.Limit-1)
		}
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

// Data tells the source the first sorter. R refers to an actor of a framework.
type Data[R any] struct{ Next R }

// Value is a number on its way.
type Value struct{ V int64 }

// Check says what is wrong with the end, nil if nothing is: the numbers arrived in ascending order, and all actors have
// ended.
func (c Config) Check(got []int64, stopped []bool) error {
	want := c.values()
	slices.Sort(want)
	if !slices.Equal(got, want) {
		return fmt.Errorf("the numbers are not sorted: %v", got)
	}
	if i := slices.Index(stopped, false); i >= 0 {
		return fmt.Errorf("actor %d of the pipeline has not stopped", i)
	}
	return nil
}
