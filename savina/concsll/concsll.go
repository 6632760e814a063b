// Package concsll is a sorted list that many workers use. A worker adds a value, asks whether the list has one, or asks
// for the length. It waits for the result, and goes on. The master ends the list when all workers have ended. It is
// program 9 of Savina [IS14]. It has no hazards: every order is right, in every model.
package concsll

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// Config sets the size of the program.
type Config struct {
	Workers    int
	Operations int // of each worker
	Writes     int // of 100 operations, below 50
	Sizes      int // of 100 operations; the rest are Contains
	Scripts    [][]Op
}

// Op is an operation of a worker.
type Op struct {
	Kind  Kind
	Value int // that is added, or asked for
}

// Kind says what an operation does.
type Kind int

// The kinds of operations.
const (
	Adds Kind = iota
	Asks
	Measures
)

// Small is a size to explore: each worker adds a value, and one asks for that of the other, one for the length.
// Published is that of the suite.
var (
	Small = Config{Workers: 2, Operations: 2, Scripts: [][]Op{
		{{Adds, 7}, {Asks, 3}},
		{{Adds, 3}, {Measures, 0}},
	}}
	Published = Config{Workers: 20, Operations: 8_000, Writes: 10, Sizes: 1}
)

// values is how many values are drawn from.
const values = 512 * 1024

// Validate says what makes no sense.
func (c Config) Validate() error {
	if c.Workers < 1 || c.Operations < 0 {
		return fmt.Errorf("concsll: %d workers, %d operations: want at least 1 worker, and no operations below 0",
			c.Workers, c.Operations)
	}
	if c.Writes < 0 || c.Writes >= 50 || c.Sizes < 0 || c.Writes+c.Sizes > 100 {
		return fmt.Errorf("concsll: %d writes and %d sizes of 100 operations: want less than 50 writes, and 100 in all",
			c.Writes, c.Sizes)
	}
	if c.Scripts != nil && len(c.Scripts) != c.Workers {
		return fmt.Errorf("concsll: %d scripts for %d workers", len(c.Scripts), c.Workers)
	}
	for i, script := range c.Scripts {
		if len(script) != c.Operations {
			return fmt.Errorf("concsll: script %d has %d operations, want %d", i, len(script), c.Operations)
		}
	}
	return nil
}

// script is what a worker does.
func (c Config) script(worker int) []Op {
	if c.Scripts != nil {
		return c.Scripts[worker]
	}
	draw := rand.New(rand.NewPCG(1, uint64(worker)))
	ops := make([]Op, c.Operations)
	for i := range ops {
		ops[i] = Op{Asks, draw.IntN(values)}
		switch share := draw.IntN(100); {
		case share < c.Sizes:
			ops[i].Kind = Measures
		case share < c.Sizes+c.Writes:
			ops[i].Kind = Adds
		}
	}
	return ops
}

// Start has the master start the workers.
type Start struct{}

// DoWork has a worker send its first operation.
type DoWork struct{}

// Write adds a value, and is answered with it. R refers to an actor of a framework.
type Write[R any] struct {
	Sender R
	Value  int
}

// Contains is answered with 1 if the list has the value, else with 0.
type Contains[R any] struct {
	Sender R
	Value  int
}

// Size is answered with the length of the list.
type Size[R any] struct{ Sender R }

// Result is the answer of the list.
type Result struct{ Value int }

// EndWork tells the master that a worker has ended, and ends the list.
type EndWork struct{}

// List is what the list holds, in ascending order.
type List struct {
	Values   []int
	Unsorted bool // at some time
}

// write adds a value before the first that is larger.
func (l *List) write(value int) {
	at := slices.IndexFunc(l.Values, func(v int) bool { return v > value })
	if at < 0 {
		at = len(l.Values)
	}
	l.Values = slices.Insert(l.Values, at, value)
	l.Unsorted = l.Unsorted || !slices.IsSorted(l.Values)
}

func (l *List) contains(value int) int {
	if slices.Contains(l.Values, value) {
		return 1
	}
	return 0
}

// Check says what is wrong with the end, nil if nothing is. The list was sorted all the time, and it has all that was
// added and nothing else. No worker saw it shrink. results are the answers to each worker.
func (c Config) Check(l List, results [][]int) error {
	var added []int
	for worker := range c.Workers {
		for _, op := range c.script(worker) {
			if op.Kind == Adds {
				added = append(added, op.Value)
			}
		}
	}
	slices.Sort(added)
	if l.Unsorted || !slices.Equal(l.Values, added) {
		return fmt.Errorf("the list is %v, want %v, sorted all the time", l.Values, added)
	}
	for worker, got := range results {
		if err := checkResults(c.script(worker), got, added); err != nil {
			return fmt.Errorf("worker %d: %w", worker, err)
		}
	}
	return nil
}

// checkResults holds the answers to a worker to its operations. The list has at least what the worker has added.
func checkResults(script []Op, got, added []int) error {
	if len(got) != len(script) {
		return fmt.Errorf("%d results, want %d", len(got), len(script))
	}
	var own []int
	size := 0 // that the list has at least
	for i, op := range script {
		switch op.Kind {
		case Adds:
			own = append(own, op.Value)
			size = max(size, len(own))
		case Measures:
			if got[i] < size || got[i] > len(added) {
				return fmt.Errorf("the size is %d, want %d to %d", got[i], size, len(added))
			}
			size = got[i]
		case Asks:
			if got[i] == 1 && !slices.Contains(added, op.Value) || got[i] == 0 && slices.Contains(own, op.Value) {
				return fmt.Errorf("whether the list has %d was answered with %d", op.Value, got[i])
			}
		}
	}
	return nil
}
