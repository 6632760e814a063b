// Package astar searches a way through a grid. A master hands nodes to workers in turn, and they send back the nodes
// that they came to and have not gone on from. An owner of the grid says who came to a node first, where the suite has
// memory that all share. It is program 27 of Savina [IS14]. Its hazards: workers are told to stop when the target is
// found, and once more when all nodes are done. What lies behind the stop is lost. Where messages have no order, a node
// is done before those that it led to are known: the search ends without the target.
package astar

import "fmt"

// Config sets the grid and how it is searched.
type Config struct {
	Side     int // of the grid in three dimensions, at least 2
	Target   Node
	Workers  int  // at least 1
	Limit    int  // of nodes that a worker goes on from for one message, at least 1
	Shared   bool // as in the suite: workers write into the grid
	Repaired bool // workers are told to stop once, when all is done that was announced or at the target
}

// Small is a size to explore, and Near one whose target is next to the origin. Published is that of the suite.
var (
	Near      = Config{Side: 2, Target: Node{1, 0, 0}, Workers: 2, Limit: 1}
	Small     = Config{Side: 2, Target: Node{1, 1, 0}, Workers: 2, Limit: 1}
	Published = Config{Side: 30, Target: Node{29, 29, 29}, Workers: 20, Limit: 1_024, Shared: true}
)

// Validate says what makes no sense.
func (c Config) Validate() error {
	if c.Side < 2 || c.Workers < 1 || c.Limit < 1 {
		return fmt.Errorf("astar: side %d, %d workers, limit %d: want a side of 2, and at least 1 of the others",
			c.Side, c.Workers, c.Limit)
	}
	if c.Target == origin || !c.has(c.Target) {
		return fmt.Errorf("astar: the target %v is the origin, or not in a grid of %d", c.Target, c.Side)
	}
	return nil
}

// Node is a place in the grid.
type Node [3]int

// origin is where the search begins. It is its own parent.
var origin Node

func (c Config) has(n Node) bool {
	for _, x := range n {
		if x < 0 || x >= c.Side {
			return false
		}
	}
	return true
}

// neighbours are those that a node leads to: one coordinate is larger.
func (c Config) neighbours(n Node) (all []Node) {
	for i := range n {
		next := n
		next[i]++
		if c.has(next) {
			all = append(all, next)
		}
	}
	return all
}

// Grid has the parents of the nodes that somebody came to.
type Grid struct {
	side    int
	parents []*Node
}

func (c Config) grid() Grid {
	g := Grid{c.Side, make([]*Node, c.Side*c.Side*c.Side)}
	*g.parent(origin) = &origin
	return g
}

// parent is where the parent of a node is kept.
func (g Grid) parent(n Node) **Node { return &g.parents[(n[0]*g.side+n[1])*g.side+n[2]] }

// claim makes a node the parent of another, if none is, and says whether it did.
func (g Grid) claim(c Claim) bool {
	p := g.parent(c.Node)
	if *p != nil {
		return false
	}
	*p = &c.Parent
	return true
}

// Claim asks the owner of the grid for a node. It answers with a bool.
type Claim struct{ Node, Parent Node }

// Start has the master begin at the origin.
type Start struct{}

// Work is a node to go on from.
type Work struct{ Node Node }

// Received says that a node is done. Only the repaired master reads how many others it led to, and whether to the
// target.
type Received struct {
	Works int
	Found bool
}

// Done says that somebody is at the target.
type Done struct{}

// Stop ends a worker. A worker says the same to the master, and the master to the owner of the grid.
type Stop struct{}

// search goes on from a node. claim asks for another. It gives the nodes that are left, and whether it came to the
// target.
func (c Config) search(from Node, claim func(Claim) bool) (left []Node, found bool) {
	queue := []Node{from}
	for range c.Limit {
		if len(queue) == 0 {
			break
		}
		node := queue[0]
		queue = queue[1:]
		for _, next := range c.neighbours(node) {
			if !claim(Claim{next, node}) {
				continue
			}
			if next == c.Target {
				return queue, true
			}
			queue = append(queue, next)
		}
	}
	return queue, false
}

// tally is what the master counts.
type tally struct {
	config     Config
	sent, done int  // nodes
	works      int  // that those nodes led to
	found      int  // times that the target was
	announced  bool // one of those nodes led to the target
	ending     bool
	stopped    int // workers
}

// give says whether a node is to be handed out.
func (t *tally) give() bool {
	if t.config.Repaired && t.ending {
		return false
	}
	t.sent++
	return true
}

// finish counts a node that is done, and says whether workers are to be told to stop.
func (t *tally) finish(r Received) bool {
	t.done++
	t.works += r.Works
	t.announced = t.announced || r.Found
	if t.config.Repaired && (t.ending || t.announced || t.sent != 1+t.works) {
		return false // all have been told, or will be at the target, or some are on the way; nobody announces the first
	}
	return t.done == t.sent
}

// find notes that somebody is at the target, and says the same.
func (t *tally) find() bool {
	t.found++
	return !t.config.Repaired || !t.ending
}

// Check says what is wrong with the end, nil if nothing is: somebody came to the target, by a way from the origin, and
// all workers have ended.
func (c Config) Check(grid Grid, found, stopped int) error {
	if found != 1 {
		return fmt.Errorf("the target was found %d times", found)
	}
	for n, steps := c.Target, 0; n != origin; steps++ {
		parent := *grid.parent(n)
		if parent == nil || steps > 3*c.Side {
			return fmt.Errorf("no way leads from the origin to %v", n)
		}
		n = *parent
	}
	if stopped != c.Workers {
		return fmt.Errorf("%d workers have stopped, want %d", stopped, c.Workers)
	}
	return nil
}
