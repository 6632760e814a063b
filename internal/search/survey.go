package search

import (
	"fmt"
	"slices"
)

// Survey says how large the tree of a divided search is. It is made of the outlines of the items that are done.
//
//	this file:  the nodes at which something is open, and how the outline of an item that is done changes them
//	            surveytotal.go: the estimate
//	source:     ours; what is estimated at a node is as in treetotal.go
//	invariants: I1 each node has an open item, but for the first one, which may have none
//	            I2 the sums of the nodes are what was executed
//	            I3 it depends on the reports and not on their order, as far as floating point does not
//	cost:       a node of some 100 bytes for each open item at most; a few microseconds an item
//	checked by: survey_test.go against trees that are known; estimate_test.go of internal/parallel
type Survey struct {
	Growth
	uneven bool
	root   *place
	items  map[int]*piece // that are open
}

// place is a node of the tree at which, or below which, something is open.
type place struct {
	parent *place // nil: the first one, or one that is given up
	index  int    // among those below the parent
	below  []*place
	sum    float64 // executions of what is not below; they are whole
	open   []*piece
}

// piece is an open item: so many branches behind the first so many.
type piece struct {
	at         *place
	from, many int
}

// NewSurvey makes the survey of a search of which nothing is known. One item is open, number 0, which stands for
// everything. The first Fold says that it is done, and what is open then: the undivided search, which is one branch of
// the first node, or the items of a Snapshot. uneven is Walk.Uneven.
func NewSurvey(uneven bool) *Survey {
	s := &Survey{uneven: uneven, root: &place{}, items: map[int]*piece{}}
	s.open(0, s.root, 0, mostBranches)
	return s
}

func (s *Survey) open(item int, at *place, from, many int) {
	p := &piece{at, from, many}
	at.open = append(at.open, p)
	s.items[item] = p
}

// NewItem is an item that a report has left, with its number.
type NewItem struct {
	Item int
	Spot Spot
}

// Fold takes note of a report: some items are done, with their outlines, and others are new. An item without an outline
// adds no executions. An error says that the report does not fit. Then the survey is of no use any more.
func (s *Survey) Fold(done []int, outlines map[int]Outline, fresh []NewItem) error {
	nodes, were := map[int][]*place{}, map[int]*piece{}
	for _, id := range done {
		p := s.items[id]
		if p == nil {
			return fmt.Errorf("item %d is done, and was not open", id)
		}
		delete(s.items, id)
		p.at.open = slices.DeleteFunc(p.at.open, func(o *piece) bool { return o == p })
		were[id], nodes[id] = p, []*place{p.at}
		o := outlines[id]
		for k := range o {
			if k == 0 {
				p.at.sum += float64(o[0].Sum)
				continue
			}
			above := nodes[id][o[k].Parent]
			n := &place{sum: float64(o[k].Sum)}
			above.add(n)
			nodes[id] = append(nodes[id], n)
		}
	}
	for _, f := range fresh {
		if err := s.place(f, were[f.Spot.Of], nodes[f.Spot.Of]); err != nil {
			return err
		}
	}
	for _, id := range done {
		for _, n := range slices.Backward(nodes[id]) {
			s.merge(n)
		}
	}
	return nil
}

// place puts a new item where it lies.
func (s *Survey) place(f NewItem, was *piece, nodes []*place) error {
	spot, from, most := f.Spot, f.Spot.From, mostBranches
	if was == nil || spot.Node < 0 || spot.Node >= len(nodes) {
		return fmt.Errorf("item %d is of node %d of item %d, which is not known", f.Item, spot.Node, spot.Of)
	}
	at := nodes[spot.Node]
	many := spot.Many
	if spot.Node == 0 {
		if many == WholeItem {
			many = was.many - from
		}
		from, most = was.from+from, was.from+was.many
	}
	if many <= 0 || from < 0 || many > most-from || s.items[f.Item] != nil {
		return fmt.Errorf("item %d is branches %d to %d of a node, which it cannot be", f.Item, from, from+many)
	}
	for _, o := range at.open {
		if from < o.from+o.many && o.from < from+many {
			return fmt.Errorf("item %d is branches %d to %d of a node, of which another one has some", f.Item, from, from+many)
		}
	}
	s.open(f.Item, at, from, many)
	return nil
}

// WholeItem, for Spot.Many: up to the last branch of the item that it was a part of.
const WholeItem = -1

// mostBranches is how many a node has at most.
const mostBranches = 1 << 30

// merge gives up a node at which nothing is open: what is below it is below its parent.
func (s *Survey) merge(n *place) {
	p := n.parent
	if p == nil || len(n.open) > 0 {
		return
	}
	last := len(p.below) - 1
	p.below[n.index] = p.below[last]
	p.below[n.index].index = n.index
	p.below = p.below[:last]
	p.sum += n.sum
	for _, b := range n.below {
		p.add(b)
	}
	*n = place{}
}

// add puts a node below another one.
func (n *place) add(below *place) {
	below.parent, below.index = n, len(n.below)
	n.below = append(n.below, below)
}

// all gives the nodes, each before those below it.
func (s *Survey) all() []*place {
	list := []*place{s.root}
	for k := 0; k < len(list); k++ {
		list = append(list, list[k].below...)
	}
	return list
}

// Snapshot gives what makes a new survey this one: the outline of its item 0, and where the open items lie.
func (s *Survey) Snapshot() (o Outline, spots map[int]Spot) {
	index := map[*place]int{}
	for k, n := range s.all() {
		index[n] = k
		o = append(o, OutlineNode{Parent: index[n.parent], Sum: int(min(n.sum, mostExecutions))})
	}
	spots = map[int]Spot{}
	for id, p := range s.items {
		spots[id] = Spot{Node: index[p.at], From: p.from, Many: p.many}
	}
	return o, spots
}
