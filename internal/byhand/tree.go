package byhand

import (
	"github.com/rehearse-go/rehearse/trace"
)

// Tree is the choices of many executions. Executions that begin with the same steps share these nodes.
type Tree struct {
	Most  int // nodes; what would be more is left out
	Left  int // executions that were left out, or are there in part
	nodes map[nodeKey]int32
	news  []Node
	ends  []int32
}

type nodeKey struct {
	parent int32
	id     trace.ID
}

// Add adds an execution under the given conditions, and gives the node at its end, 0 if there was no room.
func (t *Tree) Add(tr *trace.Trace, under string) int32 {
	if t.nodes == nil {
		t.nodes = map[nodeKey]int32{}
	}
	at := int32(0)
	for e := tr.Explored; e < len(tr.Events); e++ {
		ev := &tr.Events[e]
		if ev.Auto {
			continue
		}
		key := nodeKey{at, ev.Step.ID}
		n, known := t.nodes[key]
		if !known {
			if len(t.nodes) >= t.Most {
				t.Left++
				return 0
			}
			n = int32(len(t.nodes) + 1)
			t.nodes[key] = n
			t.news = append(t.news, Node{Parent: at, ID: ev.Step.ID.String(), Name: line(tr.StepName(ev.Step)),
				Kind: ev.Step.Kind.String(), Under: under})
		}
		at = n
	}
	t.ends = append(t.ends, at)
	return at
}

// News gives what was added since the last call: nodes, and the ends of executions.
func (t *Tree) News() ([]Node, []int32) {
	nodes, ends := t.news, t.ends
	t.news, t.ends = nil, nil
	return nodes, ends
}
