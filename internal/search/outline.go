package search

import "math"

// This file says what a walk has executed of an item: how large that is, and where in it the items lie that were given
// away. survey.go puts such outlines together.
//
//	source:     ours
//	invariants: I1 a node of an outline is one at which something was given away, or that of the item
//	            I2 each execution of the item counts at one node, the lowest one above it
//	cost:       a few bytes for each item that is given away, nothing as long as none is
//	checked by: surveywalk_test.go, against the walk of one process; survey_test.go

// Walker is a strategy whose search can be estimated although it is divided.
type Walker interface {
	// Walk tells how large what it has executed of its item is. Its outline is whole when the search is at its end.
	Walk() *Walk
}

// Outline is what was executed of an item. Its first node is that of the item. A node comes before those below it.
type Outline []OutlineNode

// OutlineNode is a node of an outline.
type OutlineNode struct {
	Parent int // index of the next node above; of the first node it says nothing
	Sum    int // executions here and below, but for those of the nodes below
}

// Spot says where in a tree an item lies. The zero Spot says nothing.
type Spot struct {
	Of   int // number of the item that it was a part of
	Node int // index in the outline of that one
	From int // branches of the node before it; of the first node, of the item
	Many int // branches; 0: nothing is known
}

// released is what a walk has given away.
type released struct {
	nodes Outline // Sum is of everything below, until the outline is made
	begun []int   // branches of each, with the node itself if that is an execution
	items []Spot  // in the order in which they were given away
}

// begin has the node of the item.
func (g *released) begin() {
	if g.nodes == nil {
		g.nodes, g.begun = Outline{{}}, []int{0}
	}
}

// Below says that the item of the walk is some branches of a node that has so many nodes above it. Without it the first
// node of the walk is the one branch of the item.
func (w *Walk) Below(nodes int) { w.top = nodes + 1 }

// Give says that an item was given away: so many branches of node i of the path, all of them before those of that node
// that were given away earlier.
func (w *Walk) Give(i, many int) {
	for len(w.frames) <= i { // nothing was executed there, or what was begun could not be
		w.enter()
	}
	w.released.begin()
	for k := i; k >= 0 && !w.frames[k].partly; k-- {
		w.frames[k].partly = true
	}
	f := &w.frames[i]
	if f.node == 0 && i != w.top-1 {
		f.node = len(w.released.nodes)
		w.released.nodes = append(w.released.nodes, OutlineNode{Parent: w.nodeAbove(i)})
		w.released.begun = append(w.released.begun, 0)
	}
	w.released.items = append(w.released.items, Spot{Node: f.node, Many: many})
}

// deepen says that the path has one more node, which it was not told of. Of that so many branches are finished, and the
// one in progress has such a part of its executions.
func (w *Walk) deepen(finished int, part float64) {
	if len(w.frames) == 0 {
		return
	}
	above := &w.frames[len(w.frames)-1]
	here := w.count - above.before - above.sum
	w.frames = append(w.frames, frame{before: w.count - here, sum: here - int(math.Ceil(part*float64(here))),
		branches: finished - 1, partly: true})
}

// nodeAbove is the node of the outline that is the next one above node i of the path. What is nearer to the beginning
// is given away first, so no other one will come between them.
func (w *Walk) nodeAbove(i int) int {
	for i--; i >= 0; i-- {
		if n := w.frames[i].node; n > 0 {
			return n
		}
	}
	return 0
}

// leave takes note that the walk is done with node i of the path.
func (w *Walk) leave(i int) {
	if f := &w.frames[i]; f.node > 0 || i == w.top-1 {
		w.released.begin()
		w.released.begun[f.node], w.released.nodes[f.node].Sum = f.branches+1, w.count-f.before
	}
}

// Outline gives the outline of what was executed, and of each item that was given away, in their order, where it lies.
// ok is false if the walk was no walk, or is not over.
func (w *Walk) Outline() (o Outline, items []Spot, ok bool) {
	if w.lost || !w.over {
		return nil, nil, false
	}
	w.released.begin()
	o, items = w.released.nodes, w.released.items
	ends := w.released.begun
	if w.top == 0 {
		o[0].Sum, ends[0] = w.count, 1
	}
	for k := 1; k < len(o); k++ {
		o[o[k].Parent].Sum -= o[k].Sum
	}
	for k := len(items) - 1; k >= 0; k-- {
		s := &items[k]
		s.From = ends[s.Node]
		ends[s.Node] += s.Many
	}
	w.released = released{}
	return o, items, true
}
