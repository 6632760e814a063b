package layered

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/internal/tests/markup"
)

var update = flag.Bool("update", false, "write the golden anew")

// random is a graph of some nodes and edges, with cycles, loops, and edges that are there twice.
func random(r *rand.Rand) *Graph {
	g := &Graph{Title: "random"}
	for n := range 1 + r.IntN(12) {
		node := Node{Lines: []string{fmt.Sprintf("pkg.Actor%d%s", n, strings.Repeat("x", r.IntN(20)))}, Hot: r.IntN(3) == 0}
		if r.IntN(2) == 0 {
			node.Lines = append(node.Lines, "a second line")
		}
		g.Nodes = append(g.Nodes, node)
	}
	for range r.IntN(20) {
		e := Edge{From: r.IntN(len(g.Nodes)), To: r.IntN(len(g.Nodes)), Style: Style(r.IntN(3)), Hot: r.IntN(3) == 0}
		for range r.IntN(4) {
			e.Lines = append(e.Lines, strings.Repeat("m", 1+r.IntN(15)))
		}
		g.Edges = append(g.Edges, e)
	}
	return g
}

func placed(g *Graph) *layout {
	l := newLayout(g)
	l.rank()
	l.split()
	l.order()
	l.place()
	return l
}

// No two boxes or labels overlap, all are in the picture, and each edge leads from a layer to the next.
func TestRandomGraphs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		g := random(r)
		l := placed(g)
		for i := range l.items {
			a := &l.items[i]
			if a.x-a.width/2 < 0 || a.x+a.width/2 > l.width || a.y < 0 || a.y+a.height > l.tops[len(l.tops)-1] {
				t.Fatalf("%+v is outside of the picture of %+v", a, g)
			}
			for j := range i {
				b := &l.items[j]
				if a.height > 0 && b.height > 0 && abs(a.x-b.x) < (a.width+b.width)/2 &&
					a.y < b.y+b.height && b.y < a.y+a.height {
					t.Fatalf("%+v and %+v overlap in %+v", a, b, g)
				}
			}
		}
		for e := range l.routes {
			ends := g.Edges[e]
			if route := l.routes[e]; ends.From == ends.To {
				continue
			} else if first, last := l.items[route[0]].node, l.items[route[len(route)-1]].node; !l.upward[e] &&
				(first != ends.From || last != ends.To) || l.upward[e] && (first != ends.To || last != ends.From) {
				t.Fatalf("edge %+v has route %v", ends, route)
			}
			for i := 1; i < len(l.routes[e]); i++ {
				if a, b := &l.items[l.routes[e][i-1]], &l.items[l.routes[e][i]]; a.y+a.height > b.y {
					t.Fatalf("edge %+v leads from %+v to %+v", ends, a, b)
				}
			}
		}
		svg := SVG(g)
		if again := SVG(g); again != svg {
			t.Fatal("drawn twice it is not the same")
		}
		wellFormed(t, svg)
	}
}

func abs(n int) int { return max(n, -n) }

// wellFormed fails the test unless a drawing has its form.
func wellFormed(t *testing.T, svg string) {
	t.Helper()
	if bad := markup.Invalid(svg); bad != "" {
		t.Errorf("%s in\n%.4000s", bad, svg)
	}
}

// The order of a layer is improved: in this graph each edge crosses the other until it is.
func TestCrossings(t *testing.T) {
	g := &Graph{Edges: []Edge{{From: 0, To: 3}, {From: 1, To: 2}}}
	for _, name := range []string{"a", "b", "c", "d"} {
		g.Nodes = append(g.Nodes, Node{Lines: []string{name}})
	}
	l := newLayout(g)
	l.rank()
	l.split()
	before := l.crossings()
	l.order()
	if after := l.crossings(); before == 0 || after != 0 {
		t.Errorf("%d crossings before, %d after", before, after)
	}
}

// What the program calls things is text and nothing else.
func TestHostileNames(t *testing.T) {
	hostile := []string{"<script>alert(1)</script>", "\xff\x00\x1b[2J", "abc\u202edcba", `"><image href="x"/>`,
		strings.Repeat("x", 1<<20)}
	g := &Graph{Title: strings.Join(hostile, " "), Text: strings.Join(hostile, " ")}
	for i, s := range hostile {
		g.Nodes = append(g.Nodes, Node{Lines: []string{s}})
		g.Edges = append(g.Edges, Edge{From: 0, To: i, Lines: []string{s}})
	}
	svg := SVG(g)
	wellFormed(t, svg)
	for _, r := range "\u202e\x00\x1b" {
		if strings.ContainsRune(svg, r) {
			t.Errorf("%q is in the drawing", r)
		}
	}
	if len(svg) > 1<<18 {
		t.Errorf("%d bytes", len(svg))
	}
}

// The drawing of a small program, to be looked at when it changes.
func TestGolden(t *testing.T) {
	g := &Graph{Title: "bank", Text: "the test creates and asks a client, which asks a server", Nodes: []Node{
		{Lines: []string{"the test"}, Round: true},
		{Lines: []string{"bank.Client"}, Hot: true},
		{Lines: []string{"bank.Server", "2 handlers"}, Hot: true},
		{Lines: []string{"bank.Audit"}},
	}, Edges: []Edge{
		{From: 0, To: 1, Style: Dashed}, {From: 0, To: 1, Lines: []string{"Deposit", "Withdraw"}, Hot: true},
		{From: 1, To: 2, Lines: []string{"Deposit", "Withdraw"}, Hot: true},
		{From: 2, To: 1, Lines: []string{"Balance (answer)"}, Style: Dotted},
		{From: 2, To: 3, Lines: []string{"Entry"}}, {From: 3, To: 3, Lines: []string{"Tick (timer)"}},
	}}
	got := SVG(g)
	file := filepath.Join("testdata", "bank.svg")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || got != string(want) {
		t.Errorf("%s is not what is drawn now (%v): run with -update and look at it", file, err)
	}
}
