// Package layered draws directed graphs in layers, as one SVG document that loads nothing. The same graph gives the
// same bytes.
//
//	layered.go  the graph, and what is done in which order
//	rank.go     layers: cycles are broken, and edges over several layers get a place in each
//	order.go    the order in a layer, with few crossings
//	place.go    coordinates
//	svg.go      the drawing
//
//	source:     K. Sugiyama, S. Tagawa, M. Toda, Methods for visual understanding of hierarchical system structures, 1981
//	differs:    a label is a node of the layout, half-way along its edge: so labels do not collide. Coordinates are the
//	            closest to the middle of the neighbours that the order allows, found by pooling (isotonic regression)
//	cost:       sweeps times edges; the places of long edges count
//	checked by: layered_test.go: on random graphs no two boxes or labels overlap
package layered

// Graph is what is drawn. The order of nodes and edges is the order in which ties are broken.
type Graph struct {
	Title string // text alternatives
	Text  string
	Nodes []Node
	Edges []Edge
}

// Node is a box.
type Node struct {
	Lines []string // the first is the name
	Hot   bool     // highlighted
	Round bool     // drawn with round ends: it is outside of what the graph is about
}

// Edge is an arrow from a node to another, or to the same.
type Edge struct {
	From, To int
	Lines    []string // its label
	Style    Style
	Hot      bool
}

// Style is how an arrow is drawn.
type Style uint8

// The styles.
const (
	Solid Style = iota
	Dashed
	Dotted
)

// SVG draws a graph.
func SVG(g *Graph) string {
	l := newLayout(g)
	l.rank()
	l.split()
	l.order()
	l.place()
	return l.draw()
}

// layout is a graph on its way to a drawing.
type layout struct {
	*Graph
	items  []item
	layers [][]int // items, from the top
	routes [][]int // of each edge: the items that it passes, from the upper end to the lower
	upward []bool  // of each edge: it leads from the lower end to the upper
	rankOf []int   // of each node
	tops   []int   // of each layer: its y, and one more for the bottom
	width  int
}

// item is a node, or a place that an edge passes.
type item struct {
	node          int // -1: a place of edge
	edge          int
	label         bool // the place has the label of its edge
	width, height int
	x             int // of the middle
	y             int // of the top
	above, below  []int
}

func newLayout(g *Graph) *layout {
	return &layout{Graph: g, routes: make([][]int, len(g.Edges)), upward: make([]bool, len(g.Edges)),
		rankOf: make([]int, len(g.Nodes))}
}
