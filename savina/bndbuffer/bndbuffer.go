// Package bndbuffer is a bounded buffer. Producers make items when the manager asks them to. The manager hands items to
// idle consumers, keeps the others, and parks producers while it keeps too many. It is program 10 of Savina [IS14].
// Its hazard is its parameters: a buffer that is not larger than the number of producers. Then a producer is parked
// behind every item, and only an item that had to wait wakes one: the program never ends.
package bndbuffer

import (
	"fmt"
	"slices"
)

// Config sets the size of the program.
type Config struct {
	Buffer    int
	Producers int
	Consumers int
	Items     int // of each producer
}

// Small is a size to explore, Stuck has too small a buffer. Published is that of the suite.
var (
	Small     = Config{Buffer: 3, Producers: 2, Consumers: 1, Items: 1}
	Stuck     = Config{Buffer: 2, Producers: 2, Consumers: 1, Items: 1}
	Published = Config{Buffer: 50, Producers: 40, Consumers: 40, Items: 1_000}
)

// Validate says what makes no sense. A buffer that is too small for the producers does: it is the hazard.
func (c Config) Validate() error {
	if c.Buffer < 1 || c.Producers < 1 || c.Consumers < 1 || c.Items < 0 {
		return fmt.Errorf("bndbuffer: a buffer of %d, %d producers, %d consumers, %d items: "+
			"want at least 1 of each, and no items below 0", c.Buffer, c.Producers, c.Consumers, c.Items)
	}
	return nil
}

// limit is how many items may wait before producers are parked: each producer may be making one more.
func (c Config) limit() int { return c.Buffer - c.Producers }

// Start has the manager ask the producers for their first items.
type Start struct{}

// Produce asks a producer for an item.
type Produce struct{}

// Data is an item. R refers to an actor of a framework.
type Data[R any] struct {
	Item     int
	Producer R
}

// Available says that a consumer is idle.
type Available[R any] struct{ Consumer R }

// ProducerExit says that a producer has made all its items.
type ProducerExit struct{}

// ConsumerExit ends a consumer.
type ConsumerExit struct{}

// item is what a producer makes as its n-th.
func (c Config) item(producer, n int) int { return producer*c.Items + n }

// Check says what is wrong with the end, nil if nothing is: every item was consumed once, and the buffer was never
// full. consumed are the items of each consumer, waiting is how many items waited at most.
func (c Config) Check(consumed [][]int, waiting int) error {
	all := slices.Sorted(slices.Values(slices.Concat(consumed...)))
	if len(all) != c.Producers*c.Items {
		return fmt.Errorf("%d items were consumed, want %d", len(all), c.Producers*c.Items)
	}
	for i, item := range all {
		if i != item {
			return fmt.Errorf("item %d was consumed in the place of %d", item, i)
		}
	}
	if waiting >= c.Buffer {
		return fmt.Errorf("%d items waited in a buffer of %d", waiting, c.Buffer)
	}
	return nil
}
