package explorer

import "github.com/rehearse-go/rehearse/internal/byhand"

// tree is the choices of executions. Node 0 is the root.
type tree struct {
	nodes []node
}

// node is a step that was taken behind that of its parent.
type node struct {
	byhand.Node
	first, last, next int32 // children, and the next child of its parent; 0: none
	children          int32
	executions        int32 // that go through it, or end there
	wrong             bool  // one of them ends in a violation
}

// Row is a node as the page lists it. A chain of nodes without another branch is one row, named by its last.
type Row struct {
	Node       int32    `json:"node"`  // the last of the chain
	Names      []string `json:"names"` // of the steps of the chain, the first and the last ones if there are many
	Length     int      `json:"length"`
	Kind       string   `json:"kind"`
	Children   int32    `json:"children"`
	Executions int32    `json:"executions"`
	Wrong      bool     `json:"wrong"`
}

func newTree() *tree { return &tree{nodes: make([]node, 1)} }

// add adds what an exploration has told.
func (t *tree) add(nodes []byhand.Node, ends []int32) {
	for _, n := range nodes {
		if n.Parent < 0 || int(n.Parent) >= len(t.nodes) {
			continue // of a process that makes no sense
		}
		i := int32(len(t.nodes))
		t.nodes = append(t.nodes, node{Node: n})
		p := &t.nodes[n.Parent]
		if p.children++; p.first == 0 {
			p.first = i
		} else {
			t.nodes[p.last].next = i
		}
		p.last = i
	}
	for _, e := range ends {
		t.up(e, func(n *node) { n.executions++ })
	}
}

// up calls f for a node and those above it.
func (t *tree) up(i int32, f func(*node)) {
	for i >= 0 && int(i) < len(t.nodes) {
		f(&t.nodes[i])
		if i == 0 {
			return
		}
		i = t.nodes[i].Parent
	}
}

// mark says that an execution that ends there violates something.
func (t *tree) mark(i int32) {
	if i > 0 {
		t.up(i, func(n *node) { n.wrong = true })
	}
}

// mostNames is how many steps of a chain are named.
const mostNames = 12

// rows lists children of a node, from the given one on, at most so many.
func (t *tree) rows(of int32, from, most int) []Row {
	rows := []Row{}
	if of < 0 || int(of) >= len(t.nodes) {
		return rows
	}
	n := 0
	for c := t.nodes[of].first; c > 0 && len(rows) < most; c = t.nodes[c].next {
		if n++; n > from {
			rows = append(rows, t.row(c))
		}
	}
	return rows
}

// row follows a chain to its end.
func (t *tree) row(c int32) Row {
	r := Row{Kind: t.nodes[c].Kind}
	for {
		n := &t.nodes[c]
		r.Length++
		if len(r.Names) == mostNames {
			r.Names = append(r.Names[:mostNames-1], n.Name) // the last stays
		} else {
			r.Names = append(r.Names, n.Name)
		}
		if n.children != 1 || t.nodes[n.first].executions != n.executions {
			r.Node, r.Children, r.Executions, r.Wrong = c, n.children, n.executions, n.wrong
			return r
		}
		c = n.first
	}
}

// path gives the identities of the steps that lead to a node, and the conditions under which they were taken.
func (t *tree) path(i int32) (ids []string, under string, ok bool) {
	if i < 1 || int(i) >= len(t.nodes) {
		return nil, "", false
	}
	under = t.nodes[i].Under
	for ; i > 0; i = t.nodes[i].Parent {
		ids = append(ids, t.nodes[i].ID)
	}
	for a, b := 0, len(ids)-1; a < b; a, b = a+1, b-1 {
		ids[a], ids[b] = ids[b], ids[a]
	}
	return ids, under, true
}
