// Package apsp computes the shortest path between any two nodes of a graph, by the algorithm of Floyd and Warshall. The
// matrix of distances is cut into blocks. In each round an actor improves its block by the blocks in its row and in its
// column. It is program 25 of Savina [IS14].
//
// Its hazard: the driver tells each block its neighbours, and a result of one may come before that. Blocks also mix the
// rounds: a result replaces the one before of the same neighbour, and nobody looks at its round. That is harmless,
// since a round does not change the row and column that others need of it. With a path from a node to itself that is
// shorter than 0 it would, and then distances depend on the order.
package apsp

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// Config sets the graph.
type Config struct {
	Nodes     int     // at least two blocks of them
	Block     int     // nodes in a row of a block; it divides Nodes
	MaxWeight int     // of an edge, where they are drawn; at least 1
	Weights   [][]int // of the edge from node to node; nil: drawn
	Repaired  bool    // a block holds back what belongs to a later round, or comes before it knows its neighbours
	Checked   bool    // mutant: a block drops results of other rounds
}

// Small is a size to explore, Published that of the suite.
var (
	Small     = Config{Nodes: 2, Block: 1, Weights: [][]int{{0, 3}, {1, 0}}}
	Published = Config{Nodes: 300, Block: 50, MaxWeight: 100}
)

// Validate says what makes no sense. A path from a node to itself does: it is a mutant.
func (c Config) Validate() error {
	if c.Block < 1 || c.Nodes < 2*c.Block || c.Nodes%c.Block != 0 {
		return fmt.Errorf("apsp: %d nodes in blocks of %d: want at least 2 blocks in a row, of the same size",
			c.Nodes, c.Block)
	}
	if c.Weights == nil {
		if c.MaxWeight < 1 {
			return fmt.Errorf("apsp: weights up to %d, want at least 1", c.MaxWeight)
		}
		return nil
	}
	if len(c.Weights) != c.Nodes {
		return fmt.Errorf("apsp: weights of %d nodes, want %d", len(c.Weights), c.Nodes)
	}
	for i, row := range c.Weights {
		if len(row) != c.Nodes {
			return fmt.Errorf("apsp: node %d has %d weights, want %d", i, len(row), c.Nodes)
		}
	}
	return nil
}

// across is how many blocks there are in a row.
func (c Config) across() int { return c.Nodes / c.Block }

func (c Config) blocks() int { return c.across() * c.across() }

// weight is that of an edge.
func (c Config) weight(from, to int) int {
	switch {
	case c.Weights != nil:
		return c.Weights[from][to]
	case from == to:
		return 0
	default:
		return 1 + int(rand.NewPCG(uint64(from), uint64(to)).Uint64()%uint64(c.MaxWeight))
	}
}

// neighbours are the blocks in the row and column of one, without itself.
func (c Config) neighbours(id int) []int {
	var ids []int
	for other := range c.blocks() {
		sameRow, sameColumn := other/c.across() == id/c.across(), other%c.across() == id%c.across()
		if other != id && (sameRow || sameColumn) {
			ids = append(ids, other)
		}
	}
	return ids
}

// Neighbours tells a block those in its row and column. R refers to an actor of a framework.
type Neighbours[R any] struct{ List []R }

// Initial has a block send what it has.
type Initial struct{}

// Result is a block after a round, -1 before the first.
type Result struct {
	Round int
	ID    int
	Block []int // row by row; nobody changes it any more
}

// part is a block without its messages.
type part struct {
	config  Config
	id      int
	round   int // the last that it has done
	data    []int
	others  map[int][]int // what neighbours have sent for the next round, by their numbers
	stopped bool
}

func (c Config) part(id int) part {
	b := part{config: c, id: id, round: -1, others: map[int][]int{}}
	row, column := b.origin()
	for i := range c.Block {
		for j := range c.Block {
			b.data = append(b.data, c.weight(row+i, column+j))
		}
	}
	return b
}

// origin is the row and column where a block begins.
func (b *part) origin() (row, column int) {
	c := b.config
	return b.id / c.across() * c.Block, b.id % c.across() * c.Block
}

// at is an element of the matrix, from the own block or a neighbour's.
func (b *part) at(row, column int) int {
	c := b.config
	data, id := b.data, row/c.Block*c.across()+column/c.Block
	if id != b.id {
		data = b.others[id]
	}
	return data[row%c.Block*c.Block+column%c.Block]
}

// store keeps a result until all neighbours have sent one. It reports whether they have.
func (b *part) store(r Result) bool {
	b.others[r.ID] = r.Block
	return len(b.others) == len(b.config.neighbours(b.id))
}

// improve does the next round, and forgets what it was done with.
func (b *part) improve() Result {
	b.round++
	row, column := b.origin()
	data := slices.Clone(b.data)
	for i := range b.config.Block {
		for j := range b.config.Block {
			at := i*b.config.Block + j
			data[at] = min(data[at], b.at(row+i, b.round)+b.at(b.round, column+j))
		}
	}
	b.data, b.others = data, map[int][]int{}
	return b.result()
}

func (b *part) result() Result { return Result{b.round, b.id, b.data} }

// done reports whether no round is left.
func (b *part) done() bool { return b.round == b.config.Nodes-1 }

// distances is what one thread computes.
func (c Config) distances() [][]int {
	d := make([][]int, c.Nodes)
	for i := range d {
		for j := range c.Nodes {
			d[i] = append(d[i], c.weight(i, j))
		}
	}
	for k := range c.Nodes {
		next := make([][]int, c.Nodes)
		for i := range d {
			for j := range d {
				next[i] = append(next[i], min(d[i][j], d[i][k]+d[k][j]))
			}
		}
		d = next
	}
	return d
}

// Check says what is wrong with the end, nil if nothing is: all blocks have ended, with the right distances.
func (c Config) Check(blocks []part) error {
	want := c.distances()
	for _, b := range blocks {
		if !b.stopped {
			return fmt.Errorf("block %d has not stopped after round %d", b.id, b.round)
		}
		row, column := b.origin()
		for i, got := range b.data {
			from, to := row+i/c.Block, column+i%c.Block
			if got != want[from][to] {
				return fmt.Errorf("the distance from %d to %d is %d, want %d", from, to, got, want[from][to])
			}
		}
	}
	return nil
}
