// Package concdict is a dictionary that many workers read and write. A worker sends an operation, waits for the result,
// and sends the next. The master ends the dictionary when all workers have ended. It is program 8 of Savina [IS14].
// It has no hazards: every order is right, in every model. What a worker reads depends on the order.
package concdict

import (
	"fmt"
	"maps"
	"math/rand/v2"
)

// Config sets the size of the program.
type Config struct {
	Workers    int
	Operations int    // of each worker
	Writes     int    // of 100 operations
	Scripts    [][]Op // what each worker does; nil: Operations that are drawn
}

// Op is an operation of a worker.
type Op struct {
	Write      bool
	Key, Value int // Value is what is written
}

// Small is a size to explore: each worker writes what the other reads. Published is that of the suite.
var (
	Small = Config{Workers: 2, Operations: 2, Scripts: [][]Op{
		{{Write: true, Key: 1, Value: 10}, {Key: 2}},
		{{Write: true, Key: 2, Value: 20}, {Key: 1}},
	}}
	Published = Config{Workers: 20, Operations: 10_000, Writes: 10}
)

// keys is how many keys are drawn from.
const keys = 512 * 1024

// Validate says what makes no sense.
func (c Config) Validate() error {
	if c.Workers < 1 || c.Operations < 0 {
		return fmt.Errorf("concdict: %d workers, %d operations: want at least 1 worker, and no operations below 0",
			c.Workers, c.Operations)
	}
	if c.Writes < 0 || c.Writes > 100 {
		return fmt.Errorf("concdict: %d writes of 100 operations", c.Writes)
	}
	if c.Scripts != nil && len(c.Scripts) != c.Workers {
		return fmt.Errorf("concdict: %d scripts for %d workers", len(c.Scripts), c.Workers)
	}
	for i, script := range c.Scripts {
		if len(script) != c.Operations {
			return fmt.Errorf("concdict: script %d has %d operations, want %d", i, len(script), c.Operations)
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
		ops[i] = Op{Write: draw.IntN(100) < c.Writes, Key: draw.IntN(keys), Value: draw.IntN(keys)}
	}
	return ops
}

// Start has the master start the workers.
type Start struct{}

// DoWork has a worker send its first operation.
type DoWork struct{}

// Write is answered with what was written. R refers to an actor of a framework.
type Write[R any] struct {
	Sender     R
	Key, Value int
}

// Read is answered with what the dictionary has, 0 if that is nothing.
type Read[R any] struct {
	Sender R
	Key    int
}

// Result is the answer of the dictionary.
type Result struct{ Value int }

// EndWork tells the master that a worker has ended, and ends the dictionary.
type EndWork struct{}

// Dictionary is what the dictionary holds.
type Dictionary struct {
	Operations int
	Values     map[int]int
}

func newDictionary() Dictionary { return Dictionary{Values: map[int]int{}} }

func (d *Dictionary) write(key, value int) {
	d.Operations++
	d.Values[key] = value
}

func (d *Dictionary) read(key int) int {
	d.Operations++
	return d.Values[key]
}

// Check says what is wrong with the end, nil if nothing is: all operations were made, and the dictionary holds what was
// written. results are the answers to each worker. What was read was written by somebody, or was not there.
func (c Config) Check(d Dictionary, results [][]int) error {
	if d.Operations != c.Workers*c.Operations {
		return fmt.Errorf("%d operations, want %d", d.Operations, c.Workers*c.Operations)
	}
	written := map[int]map[int]bool{} // by key
	for worker := range c.Workers {
		for _, op := range c.script(worker) {
			if op.Write {
				if written[op.Key] == nil {
					written[op.Key] = map[int]bool{}
				}
				written[op.Key][op.Value] = true
			}
		}
	}
	for key := range maps.Keys(written) {
		if !written[key][d.Values[key]] {
			return fmt.Errorf("the value of %d is %d, which nobody wrote", key, d.Values[key])
		}
	}
	for worker, got := range results {
		if err := checkResults(c.script(worker), got, written); err != nil {
			return fmt.Errorf("worker %d: %w", worker, err)
		}
	}
	return nil
}

// checkResults holds the answers to a worker to its operations.
func checkResults(script []Op, got []int, written map[int]map[int]bool) error {
	if len(got) != len(script) {
		return fmt.Errorf("%d results, want %d", len(got), len(script))
	}
	for i, op := range script {
		if op.Write && got[i] != op.Value {
			return fmt.Errorf("the answer to writing %d is %d", op.Value, got[i])
		}
		if !op.Write && got[i] != 0 && !written[op.Key][got[i]] {
			return fmt.Errorf("the value of %d was read as %d, which nobody wrote", op.Key, got[i])
		}
	}
	return nil
}
