package search

import (
	"encoding/binary"
	"fmt"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// An item of Naive is the path to a node and the steps there that nobody has taken: Item.Steps is the path, Item.Rest
// the rest.
//
//	this file:  taking an item, and giving away the steps not taken at each node of the path
//	invariants: I1 each step of a node belongs to one item, so the executions of the items are those of the search, each
//	               once
//	            I2 a delivery is counted where the step is new: at the last node of the item, and below it
//	cost:       taking up an item runs its path once more
//	checked by: divide_test.go, which divides after every execution; process tests of the root package
var _ explore.Divisible = (*Naive)(nil)

// Take is explore.Divisible.
func (n *Naive) Take(item explore.Item) error {
	n.taken = item
	if len(item.Rest) == 0 && len(item.Steps) == 0 {
		return nil
	}
	b, err := trimmed(item)
	if err != nil {
		return err
	}
	get := func() (id trace.ID) {
		id.Hi, id.Lo, b = binary.BigEndian.Uint64(b), binary.BigEndian.Uint64(b[8:]), b[16:]
		return id
	}
	add := func(nd *node, id trace.ID) {
		if actor, message := get(), get(); !actor.IsZero() {
			nd.sends = append(nd.sends, send{len(nd.enabled), actor, message})
		}
		nd.enabled = append(nd.enabled, id)
	}
	part := func() node { return node{part: true, nothing: -1} }
	for _, id := range item.Steps {
		nd := part()
		nd.released = get()
		add(&nd, id)
		nd.end = 1
		n.nodes = append(n.nodes, nd)
	}
	last := part()
	for len(b) > 0 {
		add(&last, get())
	}
	last.end = len(last.enabled)
	last.take(0)
	n.walk.Below(len(item.Steps))
	n.nodes = append(n.nodes, last)
	return nil
}

// The rest of an item. Of each step of the path it has what was released: the actor of a captured send and its message,
// zero if it is none. Then it has of each step that is left its identity, that actor and that message. 16 bytes each.
const perStep = 3 * 16

// trimmed gives the rest of an item if its length is right.
func trimmed(item explore.Item) ([]byte, error) {
	if open := len(item.Rest) - perStep*len(item.Steps); open <= 0 || open%perStep != 0 {
		return nil, fmt.Errorf("naive: an item of %d steps with %d bytes is not one of this strategy",
			len(item.Steps), len(item.Rest))
	}
	return item.Rest, nil
}

// Split is explore.Divisible: one item for each node that has steps left.
func (n *Naive) Split(max int) []explore.Item {
	if !n.started {
		n.started, n.nodes = true, nil
		return []explore.Item{n.taken}
	}
	var items []explore.Item
	n.deepen()
	for i := range n.nodes {
		if nd := &n.nodes[i]; nd.next+1 < nd.end && len(items) < max {
			items = append(items, n.item(i))
			n.walk.Give(i, nd.end-nd.next-1)
			nd.end = nd.next + 1
		}
	}
	return items
}

// item is what node i has left.
func (n *Naive) item(i int) explore.Item {
	var item explore.Item
	put := func(ids ...trace.ID) {
		for _, id := range ids {
			item.Rest = binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(item.Rest, id.Hi), id.Lo)
		}
	}
	for k := range n.nodes[:i] {
		nd := &n.nodes[k]
		actor, message := nd.sendAt(nd.next)
		item.Steps = append(item.Steps, nd.enabled[nd.next])
		put(nd.released, actor, message)
	}
	nd := &n.nodes[i]
	for k := nd.next + 1; k < nd.end; k++ {
		actor, message := nd.sendAt(k)
		put(nd.enabled[k], actor, message)
	}
	return item
}

func (nd *node) sendAt(k int) (actor, message trace.ID) {
	for _, s := range nd.sends {
		if s.index == k {
			return s.actor, s.message
		}
	}
	return trace.ID{}, trace.ID{}
}

// lead chooses at a node of an item.
func (n *Naive) lead(nd *node, tr *trace.Trace, enabled []trace.Step) explore.Choice {
	i := n.depth - 1
	for k := range enabled {
		if enabled[k].Nothing() {
			nd.nothing = -1
			for j, id := range nd.enabled {
				if id == enabled[k].ID {
					nd.nothing = j
				}
			}
		}
	}
	at := nd.place(tr, enabled)
	if at < 0 {
		n.diverge = &trace.Incident{Kind: trace.Divergence, Actor: -1, Message: -1, Text: fmt.Sprintf(
			"at step %d the same schedule led to other possible steps: the one that was possible before is not among the %d "+
				"now, in another process or execution",
			i+1, len(enabled))}
	}
	return explore.Choice{Index: at, Replayed: i < len(n.nodes)-1, First: nd.released}
}
