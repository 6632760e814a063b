// Package quicksort sorts a list by a tree of actors: each has two others sort what is smaller and what is larger than
// its pivot. It is program 24 of Savina [IS14]. It has no hazard: the two answers of an inner actor come in two orders,
// and each is joined on its side.
package quicksort

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// Config sets the list.
type Config struct {
	Elements  int // at least 1
	Threshold int // a shorter list is sorted at once; at least 1
	Values    []int
}

// Small is a size to explore, Published that of the suite. Without Values they are drawn.
var (
	Small     = Config{Elements: 5, Threshold: 2, Values: []int{3, 1, 4, 2, 5}}
	Published = Config{Elements: 1_000_000, Threshold: 2_048}
)

// Validate says what makes no sense. An empty list has no pivot.
func (c Config) Validate() error {
	if c.Elements < 1 || c.Threshold < 1 {
		return fmt.Errorf("quicksort: %d elements, threshold %d: want at least 1 of each", c.Elements, c.Threshold)
	}
	if c.Values != nil && len(c.Values) != c.Elements {
		return fmt.Errorf("quicksort: %d values, want %d", len(c.Values), c.Elements)
	}
	return nil
}

// values are the elements, in a slice of the caller's own.
func (c Config) values() []int {
	if c.Values != nil {
		return slices.Clone(c.Values)
	}
	drawn := rand.New(rand.NewPCG(1, 0))
	values := make([]int, c.Elements)
	for i := range values {
		values[i] = drawn.IntN(1 << 60)
	}
	return values
}

// Side is where a part belongs in its parent's list.
type Side uint8

// The sides. The first actor has none.
const (
	Whole Side = iota
	Left
	Right
)

// Sort asks for a sorted list.
type Sort struct{ List []int }

// Result is one.
type Result struct {
	List []int
	Side Side
}

// parts splits a list by its middle element.
func parts(list []int) (smaller, equal, larger []int) {
	pivot := list[len(list)/2]
	for _, v := range list {
		switch {
		case v < pivot:
			smaller = append(smaller, v)
		case v > pivot:
			larger = append(larger, v)
		default:
			equal = append(equal, v)
		}
	}
	return smaller, equal, larger
}

// joined puts a part on its side of a list.
func joined(list []int, r Result) []int {
	if r.Side == Left {
		return slices.Concat(r.List, list)
	}
	return slices.Concat(list, r.List)
}

// Check says what is wrong with the end, nil if nothing is: the first actor has the sorted list, and has stopped. The
// others stop as they answer.
func (c Config) Check(result []int, stopped bool) error {
	want := c.values()
	slices.Sort(want)
	if !slices.Equal(result, want) || !stopped {
		return fmt.Errorf("%d elements, sorted: %t, want %d, and the first actor has stopped: %t",
			len(result), slices.IsSorted(result), len(want), stopped)
	}
	return nil
}
