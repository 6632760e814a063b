package search

import (
	"cmp"
	"fmt"
	"slices"
)

// Survey says how large the tree of a divided search is. It is made of the outlines of the items that are done.
//
//	this file:  the nodes at which something is open, and how the outline of an item that is done changes them
//	            surveytotal.go: the estimate
//	source:     ours; what is estimated at a node is as in treetotal.go
//	invariants: I1 a node has an open item, but for the first one, and for those that tidy will give up
//	            I2 the sums of the nodes are what was executed
//	            I3 it depends on the reports and not on their order, as far as floating point does not
//	            I4 the branches of two open items are not the same ones: a new item is a part of one that is done
//	cost:       a node of some 100 bytes for each open item, or twice as many. A report takes n log n of its own size,
//	            however much is open, and whoever has written it
//	checked by: survey_test.go against trees that are known; surveycost_test.go; estimate_test.go of internal/parallel
type Survey struct {
	Growth
	uneven bool
	nodes  []*place       // the first one, and each behind the one above it
	items  map[int]*piece // that are open
	looked int            // nodes that tidy has looked at, for tests
}

// place is a node of the tree at which, or below which, something is open.
type place struct {
	parent *place  // nil: the first one
	gone   bool    // given up: nothing is open there
	index  int     // of Snapshot and Total
	sum    float64 // executions of what is not below; they are whole
	open   []*piece
}

// piece is an open item: so many branches behind the first so many.
type piece struct {
	at         *place
	index      int // among those of the place
	from, many int
}

// NewSurvey makes the survey of a search of which nothing is known. One item is open, number 0, which stands for
// everything. The first Fold says that it is done, and what is open then: the undivided search, which is one branch of
// the first node, or the items of a Snapshot. uneven is Walk.Uneven.
func NewSurvey(uneven bool) *Survey {
	s := &Survey{uneven: uneven, nodes: []*place{{}}, items: map[int]*piece{}}
	s.open(0, s.nodes[0], 0, mostBranches)
	return s
}

func (s *Survey) open(item int, at *place, from, many int) {
	p := &piece{at, len(at.open), from, many}
	at.open = append(at.open, p)
	s.items[item] = p
}

// close takes an item from the open ones.
func (s *Survey) close(item int) *piece {
	p := s.items[item]
	if p == nil {
		return nil
	}
	delete(s.items, item)
	open := p.at.open
	last := len(open) - 1
	open[p.index] = open[last]
	open[p.index].index = p.index
	open[last] = nil
	p.at.open = open[:last]
	return p
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
		p := s.close(id)
		if p == nil {
			return fmt.Errorf("item %d is done, and was not open", id)
		}
		were[id], nodes[id] = p, []*place{p.at}
		for k, o := range outlines[id] {
			if k == 0 {
				p.at.sum += float64(o.Sum)
				continue
			}
			n := &place{parent: nodes[id][o.Parent], sum: float64(o.Sum)}
			nodes[id], s.nodes = append(nodes[id], n), append(s.nodes, n)
		}
	}
	for _, f := range fresh {
		if err := s.place(f, were[f.Spot.Of], nodes[f.Spot.Of]); err != nil {
			return err
		}
	}
	if err := s.disjoint(fresh); err != nil {
		return err
	}
	if len(s.nodes) > 2*len(s.items)+fewNodes {
		s.tidy()
	}
	if len(s.items) > MostOpen {
		return fmt.Errorf("more than %d items are open", MostOpen)
	}
	return nil
}

// MostOpen bounds the open items of a survey: an estimate takes some microseconds for each.
const MostOpen = 1 << 20

// fewNodes are not worth a look whether something is open there.
const fewNodes = 16

// place puts a new item where it lies.
func (s *Survey) place(f NewItem, was *piece, nodes []*place) error {
	spot, from, most := f.Spot, f.Spot.From, mostBranches
	if was == nil || spot.Node < 0 || spot.Node >= len(nodes) {
		return fmt.Errorf("item %d is of node %d of item %d, which is not known", f.Item, spot.Node, spot.Of)
	}
	many := spot.Many
	if spot.Node == 0 {
		if many == WholeItem {
			many = was.many - from
		}
		from, most = was.from+from, was.from+was.many
	}
	if many <= 0 || from < 0 || spot.From < 0 || many > most-from || s.items[f.Item] != nil {
		return fmt.Errorf("item %d is branches %d to %d of a node, which it cannot be", f.Item, from, from+many)
	}
	s.open(f.Item, nodes[spot.Node], from, many)
	return nil
}

// disjoint gives an error if two new items, which are in their places, have a branch in common (I4). Of one node of one
// item they may: others lie elsewhere.
func (s *Survey) disjoint(fresh []NewItem) error {
	sorted := slices.Clone(fresh)
	slices.SortFunc(sorted, func(a, b NewItem) int {
		return cmp.Or(cmp.Compare(a.Spot.Of, b.Spot.Of), cmp.Compare(a.Spot.Node, b.Spot.Node),
			cmp.Compare(a.Spot.From, b.Spot.From))
	})
	for i := 1; i < len(sorted); i++ {
		a, b := s.items[sorted[i-1].Item], s.items[sorted[i].Item]
		if sorted[i-1].Spot.Of == sorted[i].Spot.Of && a.at == b.at && b.from < a.from+a.many {
			return fmt.Errorf("item %d is branches %d to %d of a node, of which another one has some", sorted[i].Item, b.from,
				b.from+b.many)
		}
	}
	return nil
}

// WholeItem, for Spot.Many: up to the last branch of the item that it was a part of.
const WholeItem = -1

// mostBranches is how many a node has at most.
const mostBranches = 1 << 30

// tidy gives up the nodes at which nothing is open: what is below such a one is below its parent. Parents come first,
// so that theirs are known.
func (s *Survey) tidy() {
	s.looked += len(s.nodes)
	left := s.nodes[:1]
	for _, n := range s.nodes[1:] {
		if n.parent.gone {
			n.parent = n.parent.parent
		}
		if n.gone = len(n.open) == 0; n.gone {
			n.parent.sum += n.sum
			continue
		}
		left = append(left, n)
	}
	clear(s.nodes[len(left):])
	s.nodes = left
}

// Snapshot gives what makes a new survey this one: the outline of its item 0, and where the open items lie.
func (s *Survey) Snapshot() (o Outline, spots map[int]Spot) {
	s.tidy()
	for k, n := range s.nodes {
		n.index = k
		parent := 0
		if n.parent != nil {
			parent = n.parent.index
		}
		o = append(o, OutlineNode{Parent: parent, Sum: int(min(n.sum, mostExecutions))})
	}
	spots = map[int]Spot{}
	for id, p := range s.items {
		spots[id] = Spot{Node: p.at.index, From: p.from, Many: p.many}
	}
	return o, spots
}
