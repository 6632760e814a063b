package layered

// rank gives each node a layer, such that all edges lead downwards but for those that close a cycle.
func (l *layout) rank() {
	l.breakCycles()
	// Longest paths: each node is below all that lead to it. There are no more rounds than nodes, since no cycle is left.
	for changed := true; changed; {
		changed = false
		for e := range l.Edges {
			upper, lower := l.ends(e)
			if upper != lower && l.rankOf[lower] < l.rankOf[upper]+1 {
				l.rankOf[lower], changed = l.rankOf[upper]+1, true
			}
		}
	}
}

// ends are the nodes of an edge, the upper one first.
func (l *layout) ends(e int) (upper, lower int) {
	if l.upward[e] {
		return l.Edges[e].To, l.Edges[e].From
	}
	return l.Edges[e].From, l.Edges[e].To
}

// breakCycles turns the edges that lead back to a node on the way to their sender, in a search that begins with the
// first node.
func (l *layout) breakCycles() {
	out := make([][]int, len(l.Nodes))
	for e := range l.Edges {
		out[l.Edges[e].From] = append(out[l.Edges[e].From], e)
	}
	const fresh, open, done = 0, 1, 2
	state := make([]int, len(l.Nodes))
	var visit func(n int)
	visit = func(n int) {
		state[n] = open
		for _, e := range out[n] {
			switch to := l.Edges[e].To; state[to] {
			case fresh:
				visit(to)
			case open:
				l.upward[e] = to != n
			}
		}
		state[n] = done
	}
	for n := range l.Nodes {
		if state[n] == fresh {
			visit(n)
		}
	}
}

// split makes the items. Nodes are on even layers; an edge has a place on each layer in between, and its label on the
// odd one below its upper end.
func (l *layout) split() {
	deepest := 0
	for n := range l.Nodes {
		deepest = max(deepest, l.rankOf[n])
	}
	l.layers = make([][]int, 2*deepest+1)
	for n := range l.Nodes {
		w, h := boxSize(l.Nodes[n].Lines)
		l.add(2*l.rankOf[n], item{node: n, edge: -1, width: w + 2*l.loops(n), height: h})
	}
	for e := range l.Edges {
		upper, lower := l.ends(e)
		if upper == lower {
			continue
		}
		from, to := 2*l.rankOf[upper], 2*l.rankOf[lower]
		last := upper
		l.routes[e] = []int{upper}
		for layer := from + 1; layer < to; layer++ {
			it := item{node: -1, edge: e, width: passWidth}
			if layer == from+1 && len(l.Edges[e].Lines) > 0 {
				it.label = true
				it.width, it.height = labelSize(l.Edges[e].Lines)
			}
			i := l.add(layer, it)
			l.connect(last, i)
			l.routes[e] = append(l.routes[e], i)
			last = i
		}
		l.connect(last, lower)
		l.routes[e] = append(l.routes[e], lower)
	}
}

// loops is the room that the arrows of a node to itself need at each of its sides.
func (l *layout) loops(n int) (width int) {
	for e := range l.Edges {
		if l.Edges[e].From == n && l.Edges[e].To == n {
			w, _ := labelSize(l.Edges[e].Lines)
			width = max(width, w+loopWidth)
		}
	}
	return width
}

func (l *layout) add(layer int, it item) int {
	l.items = append(l.items, it)
	l.layers[layer] = append(l.layers[layer], len(l.items)-1)
	return len(l.items) - 1
}

func (l *layout) connect(upper, lower int) {
	l.items[upper].below = append(l.items[upper].below, lower)
	l.items[lower].above = append(l.items[lower].above, upper)
}
