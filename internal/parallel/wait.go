package parallel

import (
	"fmt"

	"github.com/rehearse-go/rehearse/trace"
)

// This file: items that must wait (explore.Joiner.Ready).
//
// There is no deadlock. An item waits only while there are open items below what was taken before at its node, as the
// strategy promises. Order the open items as an undivided search would meet them: depth first, branches in the order in
// which they were taken. What an item waits for comes before it, so the first one waits for nothing: it is executed, or
// ready to be. Each lease executes something or ends an item, and a search has an end. Nor does an idle worker starve:
// what others give back when it asks is ready, or waits for what is. While there is only one ready item the rest of the
// search has to come after it, whoever does it.

// ready gives an open item as it is to be handed out, with what was found for its node. false: it has to wait. The
// tally stays as it is, for it says what the reports say: what was found is added once more when the item is done,
// which changes nothing.
func (t *Tally) ready(id int) (p Part, ok bool, err error) {
	p = t.open[id]
	if t.tree == nil {
		return p, true, nil
	}
	if key, waits := t.tree.waits[id]; waits && t.tree.unfinished(key) {
		return p, false, nil
	}
	item, err := p.item()
	if err != nil {
		return p, false, err
	}
	item, wait, err := t.tree.joiner.Ready(item, t.tree.nodes[p.key()].waiting,
		func(steps []trace.ID) bool { return t.tree.unfinished(keyOf(steps)) })
	if err != nil {
		return p, false, fmt.Errorf("item %d: %w", id, err)
	}
	delete(t.tree.waits, id)
	if wait != nil {
		t.tree.waits[id] = keyOf(wait)
		return p, false, nil
	}
	p.Rest = item.Rest
	return p, true, nil
}

// unfinished reports whether there are open items at or below a node.
func (t *tree) unfinished(key trace.ID) bool {
	n := t.nodes[key]
	return n != nil && n.below > 0
}

// keyOf names the node that the steps lead to.
func keyOf(steps []trace.ID) (key trace.ID) {
	for _, id := range steps {
		key = key.WithID(id)
	}
	return key
}
