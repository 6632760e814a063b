package guide

import (
	"cmp"
	"slices"

	"github.com/rehearse-go/rehearse/trace"
)

// tree holds the choices that executions met, and which of them have nothing left to try.
type tree struct {
	root *node
	at   *node
	path []*kid
	over bool // nothing is left
	met  map[trace.ID]bool
}

// node is a place where a step is chosen.
type node struct {
	met  bool
	kids []kid
}

// kid is a choice.
type kid struct {
	id    trace.ID
	take  bool
	done  bool // everything below was tried
	fails int32
	node  *node
}

func newTree() tree { return tree{root: &node{}, met: map[trace.ID]bool{}} }

// begin goes back to the root.
func (t *tree) begin() { t.at, t.path = t.root, t.path[:0] }

func (t *tree) closed() bool { return t.over }

// expand notes what may be chosen.
func (n *node) expand(list []option, enabled []trace.Step) {
	n.met = true
	n.kids = make([]kid, len(list))
	for i, o := range list {
		n.kids[i] = kid{id: enabled[o.index].ID, take: o.take}
	}
}

// pick gives the choice with the least cost that has something left below; choices of equal cost in their order.
func (n *node) pick(cost func(*kid) int) *kid {
	var best *kid
	least := 0
	for i := range n.kids {
		k := &n.kids[i]
		if k.done {
			continue
		}
		if c := cost(k); best == nil || c < least {
			best, least = k, c
		}
	}
	return best
}

// descend takes a choice.
func (t *tree) descend(k *kid) {
	if k.node == nil {
		k.node = &node{}
	}
	t.path = append(t.path, k)
	t.at = k.node
}

// close says that there is nothing to try below the present place: no execution comes here again. The choices on the
// way have failed once more.
func (t *tree) close() {
	for _, k := range t.path {
		k.fails++
	}
	t.at.kids, t.at.met = nil, true
	for len(t.path) > 0 {
		last := t.path[len(t.path)-1]
		t.path = t.path[:len(t.path)-1]
		last.done, last.node = true, nil
		above := t.root
		if len(t.path) > 0 {
			above = t.path[len(t.path)-1].node
		}
		if slices.ContainsFunc(above.kids, func(k kid) bool { return !k.done }) {
			return
		}
	}
	t.over = true
}

// sortOptions puts steps of the next entry first, in the order in which their messages were sent; then fillers in the
// default order.
func sortOptions(list []option, enabled []trace.Step, tr *trace.Trace) {
	slices.SortFunc(list, func(a, b option) int {
		s, t := &enabled[a.index], &enabled[b.index]
		switch {
		case a.take != b.take:
			if a.take {
				return -1
			}
			return 1
		case a.take && s.Message != t.Message:
			return cmp.Compare(s.Message, t.Message)
		case s.Before(t):
			return -1
		}
		return 1
	})
}
