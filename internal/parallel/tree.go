package parallel

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// This file: nodes above open items, to which what is found below may be added (explore.Joiner).
//
//	invariants: I1 a node has an open item, or a state with nothing left, as long as there are open items below it
//	            I2 what is found for a node is added to its state, or waits while its item is open: that may be executed
//	               just now. It is added when that item is done, to what it left
//	            I3 what becomes of a report depends on the reports before it only, not on what is handed out: a file
//	               tells all

// tree holds the nodes by what leads to them. A nil tree has none.
type tree struct {
	joiner explore.Joiner
	nodes  map[trace.ID]*place
	bare   []trace.ID // nodes without open items, unless some came since
	// open items that wait, as far as they were asked: until there are no open items below this node
	waits map[int]trace.ID
}

// place is a node.
type place struct {
	steps   []byte   // that lead to it
	state   Part     // with nothing left; nothing if an item is open
	item    int      // the open item, 0 if there is none
	below   int      // open items here and below
	waiting [][]byte // found while the item was open
}

// key names the node that the steps lead to.
func (p *Part) key() (key trace.ID) {
	p.eachKey(func(k trace.ID) { key = k })
	return key
}

// eachKey calls f for the nodes on the way to that of an item, the first node first.
func (p *Part) eachKey(f func(trace.ID)) {
	item, err := p.item()
	if err != nil {
		panic(fmt.Sprintf("parallel: %v", err))
	}
	key := trace.ID{}
	f(key)
	for _, id := range item.Steps {
		key = key.WithID(id)
		f(key)
	}
}

func (t *tree) open(p Part) {
	if t == nil {
		return
	}
	var n *place
	p.eachKey(func(k trace.ID) {
		if t.nodes[k] == nil {
			t.nodes[k] = &place{}
		}
		n = t.nodes[k]
		n.below++
	})
	n.item, n.state, n.steps = p.ID, Part{}, p.Steps
}

func (t *tree) close(p Part) {
	if t == nil {
		return
	}
	var n *place
	p.eachKey(func(k trace.ID) {
		n = t.nodes[k]
		if n.below--; n.below == 0 {
			t.bare = append(t.bare, k)
		}
	})
	n.item = 0
	delete(t.waits, p.ID)
}

// settle adds what a report found for nodes above, and gives the items that are open because of it.
func (t *Tally) settle(r *Report) (opened []int, err error) {
	if t.tree == nil {
		return nil, nil
	}
	touched, err := t.tree.note(r, t.Sum.Unsound || r.Sum.Unsound)
	if err != nil {
		return nil, err
	}
	for _, n := range touched {
		id, err := t.joinAt(n)
		if err != nil {
			return nil, err
		}
		if id != 0 {
			opened = append(opened, id)
		}
	}
	for i := range r.Wait {
		n := t.tree.nodes[r.Wait[i].key()]
		n.waiting = append(n.waiting, r.Wait[i].Rest)
	}
	t.tree.forget()
	return opened, nil
}

// note takes note of what a report says of nodes, and gives those to which may be added now: they were left by it, or
// nobody has them.
func (t *tree) note(r *Report, unsound bool) (touched []*place, err error) {
	for i := range r.New {
		touched = append(touched, t.nodes[r.New[i].key()])
	}
	for i := range r.Kept {
		if n := t.nodes[r.Kept[i].key()]; n != nil && n.item == 0 {
			n.state = r.Kept[i]
			touched = append(touched, n)
		}
	}
	for i := range r.Owed {
		n := t.nodes[r.Owed[i].key()]
		switch known := n != nil && (n.item != 0 || len(n.state.Rest) > 0); {
		case !known && unsound:
			continue // its item was given up
		case !known:
			return nil, errors.New("it found something for a node that nobody knows")
		case n.item == 0:
			touched = append(touched, n)
		}
		n.waiting = append(n.waiting, r.Owed[i].Rest)
	}
	return touched, nil
}

// joinAt adds what waits for a node that nobody executes. It gives the item that is open because of it, 0 if none is.
func (t *Tally) joinAt(n *place) (opened int, err error) {
	if len(n.waiting) == 0 {
		return 0, nil
	}
	p, some := n.state, false
	if n.item != 0 {
		p = t.open[n.item]
	}
	item, err := p.item()
	for i := 0; i < len(n.waiting) && err == nil; i++ {
		left := false
		item, left, err = t.tree.joiner.Join(item, n.waiting[i])
		some = some || left
	}
	if n.item != 0 && errors.Is(err, explore.ErrLater) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	n.waiting = nil
	p.Rest = item.Rest
	switch {
	case n.item != 0:
		t.open[n.item] = p
	case !some:
		n.state = p
	default:
		t.last++
		p.ID = t.last
		t.open[p.ID] = p
		t.tree.open(p)
		return p.ID, nil
	}
	return 0, nil
}

// forget drops nodes without items below, for which nothing can be found any more.
func (t *tree) forget() {
	for _, k := range t.bare {
		if n := t.nodes[k]; n != nil && n.below == 0 {
			delete(t.nodes, k)
		}
	}
	t.bare = t.bare[:0]
}

// snapshot gives the states of nodes, and what waits.
func (t *tree) snapshot() (kept, wait []Part) {
	if t == nil {
		return nil, nil
	}
	keys := slices.SortedFunc(maps.Keys(t.nodes), trace.ID.Compare)
	for _, k := range keys {
		n := t.nodes[k]
		if len(n.state.Rest) > 0 {
			kept = append(kept, n.state)
		}
		for _, found := range n.waiting {
			wait = append(wait, Part{Steps: n.steps, Rest: found})
		}
	}
	return kept, wait
}
