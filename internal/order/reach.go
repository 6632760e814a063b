package order

import "github.com/rehearse-go/rehearse/trace"

// reach is SGR, [Basset11] 4.2, 8. In the graph of who has ever sent to whom, let another actor be reached from an
// actor, but not the other way round. Then that actor comes before the other one.
//
// What the source leaves open and its counts settle: the graph is one for the whole exploration and never forgets. It
// includes the calls and replies of set-up, which is not explored. What it does not order is ordered by age. SUBTLE:
// that relation is not transitive, so the way of sorting shows in the counts: a stable merge sort, which sorts fewer
// than seven by insertion.
type reach struct {
	nodes map[trace.ID]int
	edges [][]bool // from, to
	begun bool

	// for sorting
	stack  []int
	seen   []bool
	buffer []int32
}

func newReach() *reach { return &reach{nodes: map[trace.ID]int{}} }

func (*reach) Name() string { return "SGR" }

// Actors sorts by a relation that is no order, as the publication does. So the sort has to be the same one each time.
func (r *reach) Actors(into []int32, tr *trace.Trace, enabled []trace.Step) []int32 {
	r.learn(tr)
	from := len(into)
	into = byAge(into, enabled)
	own := into[from:]
	r.buffer = append(r.buffer[:0], own...)
	mergeSort(r.buffer, own, func(a, b int32) bool { return r.first(tr, b, a) })
	return into
}

// learn adds the sends of the last event; at the very first state those of all events.
func (r *reach) learn(tr *trace.Trace) {
	from := len(tr.Events) - 1
	if !r.begun {
		r.begun, from = true, 0
	}
	for _, e := range tr.Events[from:] {
		for _, m := range e.Sent {
			msg := &tr.Messages[m]
			r.add(r.node(tr.Actors[msg.Sender].ID), r.node(tr.Actors[msg.Receiver].ID))
		}
	}
}

// node gives the number of an actor in the graph.
func (r *reach) node(id trace.ID) int {
	n, ok := r.nodes[id]
	if !ok {
		n = len(r.edges)
		r.nodes[id] = n
		r.edges = append(r.edges, nil)
	}
	return n
}

func (r *reach) add(from, to int) {
	for len(r.edges[from]) <= to {
		r.edges[from] = append(r.edges[from], false)
	}
	r.edges[from][to] = true
}

// first reports whether a comes strictly before b.
func (r *reach) first(tr *trace.Trace, a, b int32) bool {
	x, y := r.node(tr.Actors[a].ID), r.node(tr.Actors[b].ID)
	forth, back := r.reaches(x, y), r.reaches(y, x)
	if forth != back {
		return forth
	}
	return a < b
}

// reaches walks the graph.
func (r *reach) reaches(from, to int) bool {
	for len(r.seen) < len(r.edges) {
		r.seen = append(r.seen, false)
	}
	clear(r.seen)
	r.stack = append(r.stack[:0], from)
	for len(r.stack) > 0 {
		n := r.stack[len(r.stack)-1]
		r.stack = r.stack[:len(r.stack)-1]
		for next, edge := range r.edges[n] {
			if !edge || r.seen[next] {
				continue
			}
			if next == to {
				return true
			}
			r.seen[next] = true
			r.stack = append(r.stack, next)
		}
	}
	return false
}

// mergeSort sorts dst, of which src is a copy. after reports whether its first argument has to come after its second.
func mergeSort(src, dst []int32, after func(a, b int32) bool) {
	n := len(dst)
	if n < 7 {
		for i := 1; i < n; i++ {
			for j := i; j > 0 && after(dst[j-1], dst[j]); j-- {
				dst[j-1], dst[j] = dst[j], dst[j-1]
			}
		}
		return
	}
	mid := n / 2
	mergeSort(dst[:mid], src[:mid], after)
	mergeSort(dst[mid:], src[mid:], after)
	if !after(src[mid-1], src[mid]) {
		copy(dst, src)
		return
	}
	p, q := 0, mid
	for i := range dst {
		if q >= n || p < mid && !after(src[p], src[q]) {
			dst[i] = src[p]
			p++
		} else {
			dst[i] = src[q]
			q++
		}
	}
}
