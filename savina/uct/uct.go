// Package uct grows an unbalanced tree. Each node asks the root whether it may have children, and the root tosses a
// coin until the tree is full. Then it ends the tree from the top. It is program 19 of Savina [IS14]. Its hazards: the
// coins may keep the tree below its limit, and then nobody ends it. A node is told to end by its parent and to grow by
// the root. Where messages of different senders have no order, it may end before it grows: the root counts nodes that
// are never created.
package uct

import (
	"fmt"
	"math/rand/v2"
)

// Config sets the tree.
type Config struct {
	Children int             // of a node that has any; at least 1
	Nodes    int             // in the tree at most, the root among them; at least one more than Children
	Cost     int             // of a node, which tells how much it would compute
	Choose   func(n int) int // gives 0 to n-1: a coin is heads if 1 of 2; nil: drawn
	Repaired bool            // the root ends the tree when all have asked, and whom it lets grow grows before it ends
}

// Small is a size to explore, where all coins are heads. Published is that of the suite.
var (
	Small     = Config{Children: 2, Nodes: 7, Choose: func(int) int { return 1 }}
	Published = Config{Children: 10, Nodes: 200_000, Cost: 500}
)

// Validate says what makes no sense.
func (c Config) Validate() error {
	if c.Children < 1 || c.Nodes < 1+c.Children || c.Cost < 0 {
		return fmt.Errorf("uct: %d children, %d nodes, cost %d: want at least 1 child, one node more than children, "+
			"and no cost below 0", c.Children, c.Nodes, c.Cost)
	}
	return nil
}

// GenerateTree has the root begin.
type GenerateTree struct{}

// TryGenerate has a node ask the root for children.
type TryGenerate struct{}

// ShouldGenerate asks the root. R refers to an actor of a framework.
type ShouldGenerate[R any] struct {
	Sender R
	Height int
}

// Generate has a node create its children, the first of which gets the number ID.
type Generate struct{ ID, Cost int }

// UrgentGenerate is the same with an urgent child.
type UrgentGenerate struct{ Urgent, ID, Cost int }

// UpdateGrant tells a parent that its child may have children.
type UpdateGrant struct{ Child int }

// Traverse goes down the tree.
type Traverse struct{}

// UrgentTraverse does, too. Nobody sends it, nor PrintInfo and GetID: that is as published.
type UrgentTraverse struct{}

// PrintInfo asks for a description of the tree.
type PrintInfo struct{}

// GetID asks for the number of a node.
type GetID struct{}

// Terminate ends a node and all below it. Granted are all whom the root has let grow.
type Terminate[R any] struct{ Granted []R }

// growth is what the root counts.
type growth struct {
	config  Config
	drawn   *rand.Rand
	size    int // with nodes that are yet to be created
	height  int
	decided int // questions
}

func (c Config) growth() growth {
	g := growth{config: c, size: 1}
	if c.Choose == nil {
		g.drawn = rand.New(rand.NewPCG(1, 0))
	}
	return g
}

func (g *growth) heads() bool {
	if g.config.Choose != nil {
		return g.config.Choose(2) == 1
	}
	return g.drawn.IntN(2) == 1
}

// grow counts the children of a node of a height. It returns the number of the first.
func (g *growth) grow(height int) (id int) {
	id = g.size
	g.size += g.config.Children
	g.height = max(g.height, height+1)
	return id
}

func (g *growth) full() bool { return g.size+g.config.Children > g.config.Nodes }

// asked reports whether every node but the root has asked.
func (g *growth) asked() bool { return g.decided == g.size-1 }

// Seen is a tree at the end.
type Seen struct {
	Size    int // as the root counts
	Created int
	Stopped int
	Root    bool // has stopped
}

// Check says what is wrong with the end, nil if nothing is: the root has ended, all nodes that it counts were created,
// and all of them have ended.
func (c Config) Check(s Seen) error {
	switch {
	case !s.Root:
		return fmt.Errorf("nobody ends the tree, which has %d nodes of %d", s.Created, c.Nodes)
	case s.Created != s.Size:
		return fmt.Errorf("%d nodes were created of the %d that the root counts", s.Created, s.Size)
	case s.Stopped != s.Created || s.Size > c.Nodes:
		return fmt.Errorf("%d of %d nodes have stopped, and there may be %d", s.Stopped, s.Created, c.Nodes)
	default:
		return nil
	}
}
