package dpor

import (
	"fmt"
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/trace"
)

// An item of source-DPOR and of optimal DPOR is a node: the path to it, what was explored from it so far, and what is
// still to be. What was explored sleeps, so items know all that came before them; what comes after them they need not
// know.
//
//	this file:  taking an item, giving items away, and races whose earlier step belongs to a node above the item
//	source:     ours
//	differs:    a node that is given away is handed out to the search that goes on below it. What a race would add to
//	            such a node is owed (Owed), and Join adds it to the node as it is then
//	assumes:    one item at a time owns a node (explore.Joiner). Optimal needs more (divide_wait.go): there a step that
//	            sleeps makes up for sequences that it is no part of, which rests on its branch being done
//	invariants: I1 at each node the order of the branches is that in which they were added, whoever explores them when: a
//	               branch sleeps under all later ones. That a later one is explored at the same time changes nothing, for
//	               a branch never looks at what became of an earlier one
//	            I2 a branch is given away after its first execution at the earliest, when what it accessed is known:
//	               before, the node that has it yet to come is the item
//	            I3 what an execution shows is either added at an owned node or owed to a handed-out one
//	            I4 each node above an item is owned by another one, or its last state was given back (Owed)
//	cost:       an item has the size of its path; taking it up executes the path once more
//	checked by: package parallel, divide_test.go: dividing after every execution, against brute force

var (
	_ explore.Joiner = (*Source)(nil)
	_ explore.Joiner = (*Optimal)(nil)
)

// share is what a search has to do with others.
type share struct {
	item  *explore.Item  // what was taken and not begun
	kept  []explore.Item // nodes that have nothing left, with items below
	found []explore.Item // found for nodes that were handed out
	back  []explore.Item // what must wait
}

// Take is explore.Divisible.
func (s *depthFirst) Take(item explore.Item) error {
	if search.Undivided(item) {
		return nil
	}
	nodes, err := decodeItem(item)
	if err != nil {
		return err
	}
	s.nodes, s.share.item = nodes, &item
	return nil
}

// Split is explore.Divisible.
func (s *depthFirst) Split(limit int) []explore.Item {
	if !s.started {
		item := explore.Item{}
		if s.share.item != nil {
			item = *s.share.item
		}
		s.started, s.nodes = true, nil
		return []explore.Item{item}
	}
	given := s.share.back
	s.share.back = nil
	for k := 0; k < len(s.nodes) && len(given) < limit; {
		end := s.groupEnd(k)
		if !s.nodes[k].handedOut && s.hasLeft(k, end) {
			given = append(given, s.give(k, end))
		}
		k = end
	}
	return given
}

// Owed is explore.Joiner.
func (s *depthFirst) Owed() (nodes, found []explore.Item) {
	nodes, found = s.share.kept, s.share.found
	s.share.kept, s.share.found = nil, nil
	return nodes, found
}

// groupEnd gives the end of the group of node k: the node of a macro-step with those of the choices in its middle,
// which are given away together. Those of the test function's own step are a group too.
func (s *depthFirst) groupEnd(k int) int {
	for k++; k < len(s.nodes) && s.nodes[k].inStep; k++ {
	}
	return k
}

// hasLeft reports whether a group has anything left besides what is explored at present.
func (s *depthFirst) hasLeft(k, end int) bool {
	n := &s.nodes[k]
	return s.tree.remaining(n) > 0 || s.lastInStep(k, end) >= k
}

// lastInStep gives the last choice in the middle of the group's macro-step that has a value left, -1 if there is none.
func (s *depthFirst) lastInStep(k, end int) int {
	for i := end - 1; i >= k && s.nodes[i].inStep; i-- {
		n := &s.nodes[i]
		n.done = append(n.done, n.chosen.id)
		next := s.nextValue(i, n)
		n.done = n.done[:len(n.done)-1]
		if next >= 0 {
			return i
		}
	}
	return -1
}

// give makes the item of a group, which is handed out from then on.
func (s *depthFirst) give(k, end int) explore.Item {
	last := s.lastInStep(k, end)
	for i := end - 1; i > last && s.nodes[i].inStep; i-- {
		n := &s.nodes[i]
		n.done = append(n.done, n.chosen.id)
		s.noteGaps(i, n)
	}
	if last < k {
		last = k // no value is left: the macro-step is over
	}
	item := s.itemOf(k, last+1)
	for i := range s.nodes[:end] {
		s.nodes[i].shared = true
		s.nodes[i].handedOut = s.nodes[i].handedOut || i >= k
	}
	return item
}

// itemOf is the group as an item, with its nodes before end, of which the last one's step was explored.
func (s *depthFirst) itemOf(k, end int) explore.Item {
	own := make([]node, 0, end-k)
	for i := k; i < end; i++ {
		n := s.nodes[i].copied()
		n.barred = s.barredAt(i)
		if i == end-1 {
			n.retire()
			n.retired = true
		}
		own = append(own, n)
	}
	return encodeItem(s.nodes[:k], own)
}

// copied is a copy that can be retired.
func (n *node) copied() node {
	c := *n
	c.done = slices.Clone(n.done)
	c.sleep = slices.Clone(n.sleep)
	for i := range c.sleep {
		c.sleep[i].leaves = slices.Clone(c.sleep[i].leaves)
	}
	return c
}

// keep gives back the state of node k, which has nothing left, if there are items below it.
func (s *depthFirst) keep(k int) {
	if n := &s.nodes[k]; n.shared && !n.inStep {
		n.retired = true
		s.share.kept = append(s.share.kept, encodeItem(s.nodes[:k], s.nodes[k:k+1]))
	}
}

// see fills a node of an item when it is met for the first time.
func (s *depthFirst) see(k int, tr *trace.Trace, enabled []trace.Step) {
	n := &s.nodes[k]
	known := n.enabled
	n.unseen, n.enabled = false, nil
	s.fill(k, n, tr, enabled)
	if len(known) > 0 {
		n.enabled = known // Choose compares them
	}
	if k == len(s.nodes)-1 {
		s.fresh = int(n.event)
		if n.chosen.kind == trace.Fault {
			s.fresh-- // as Start
		}
	}
}

// owe notes what a race adds to a node that was handed out.
func (s *depthFirst) owe(n *node, what func(e *encoder)) {
	k := slices.IndexFunc(s.nodes, func(o node) bool { return o.event == n.event && !o.inStep })
	e := newEncoder()
	what(e)
	s.share.found = append(s.share.found, explore.Item{Steps: pathTo(s.nodes[:k]), Rest: e.B})
}

// pathTo gives the steps that lead through the nodes.
func pathTo(nodes []node) []trace.ID {
	var path []trace.ID
	for i := range nodes {
		path = append(path, nodes[i].chosen.id)
	}
	return path
}

// Join is explore.Joiner: what was found is the first steps of a reversal, and that which is to be added if none of
// them was.
func (s *Source) Join(item explore.Item, found []byte) (explore.Item, bool, error) {
	return s.join(item, found, func(n *node, d *decoder) error {
		if !n.retired {
			return fmt.Errorf("%w: a step in the middle of which there are choices left", explore.ErrLater)
		}
		initials, l := d.List(), d.label()
		if !slices.ContainsFunc(initials, n.has) {
			n.todo = append(n.todo, l)
		}
		return d.Err
	})
}

// Ready is explore.Joiner: every item may be executed whenever it is open.
func (s *Source) Ready(item explore.Item, _ [][]byte, _ func([]trace.ID) bool) (explore.Item, []trace.ID, error) {
	return item, nil, nil
}

// join adds to the node of an item.
func (s *depthFirst) join(item explore.Item, found []byte,
	add func(n *node, d *decoder) error) (explore.Item, bool, error) {
	above, own, err := parts(item)
	if err != nil {
		return item, false, err
	}
	d, f := newDecoder(own), newDecoder(found)
	nodes := d.group()
	if d.Err != nil {
		return item, false, d.Err
	}
	n := &nodes[0]
	if n.inStep {
		return item, false, errNode // nobody knows a race with the test function's own step
	}
	if err := add(n, f); err != nil {
		return item, false, err
	}
	e := newEncoder()
	e.group(nodes)
	return explore.Item{Steps: item.Steps, Rest: joined(above, e.B)}, s.tree.remaining(n) > 0, nil
}

// has reports whether the step was explored, sleeps, or is to be explored.
func (n *node) has(id trace.ID) bool {
	return asleep(n.sleep, id, nil) || slices.ContainsFunc(n.todo, func(l label) bool { return l.id == id })
}
