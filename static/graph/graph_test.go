package graph_test

import (
	"bytes"
	"flag"
	"fmt"
	"html"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/static/chain"
	"github.com/rehearse-go/rehearse/static/finding"
	"github.com/rehearse-go/rehearse/static/flow"
	"github.com/rehearse-go/rehearse/static/graph"
	"github.com/rehearse-go/rehearse/static/internal/sketch"
)

var update = flag.Bool("update", false, "write the golden files anew")

// bank is a graph with every kind of edge, two packages, generic names, and a cycle of requests.
const bank = `
	actor bank.Client receptionist: bank.Pay bank.Tick
	actor bank.Account default: bank.Withdraw bank.Balance
	package example.com/audit
	actor audit.Log[map[string]*audit.Entry]: *audit.Entry bank.Withdraw
	actor audit.Unused: *audit.Entry
	env - -> bank.Client - create
	env - -> bank.Client bank.Pay send
	bank.Client - -> bank.Account - create label bank.Owner
	bank.Client bank.Pay -> bank.Account bank.Withdraw request blocking timeout if 1 label audit.Ref
	bank.Client bank.Pay -> bank.Account bank.Balance request if 2
	bank.Client bank.Pay -> bank.Client bank.Tick timer
	bank.Account bank.Withdraw -> audit.Log[map[string]*audit.Entry] bank.Withdraw forward if 3
	bank.Account bank.Balance -> bank.Client bank.Total respond
	bank.Account bank.Balance -> bank.Client - watch
	bank.Account - -> audit.Log[map[string]*audit.Entry] - create
	audit.Log[map[string]*audit.Entry] bank.Withdraw -> bank.Client bank.Tick request blocking
	bank.Account bank.Other -> bank.Client bank.Tick send
`

func document(text string) graph.Document {
	g := sketch.Parse(text)
	return graph.Document{Graph: g, Findings: finding.Of(g)}
}

func render(t *testing.T, d graph.Document, f graph.Format) []byte {
	t.Helper()
	out, err := graph.Render(d, f)
	if err != nil {
		t.Fatal(err)
	}
	again, err := graph.Render(d, f)
	if err != nil || !bytes.Equal(out, again) {
		t.Fatalf("%s: the second time differs (%v)", f, err)
	}
	return out
}

func TestGoldens(t *testing.T) {
	partial := "partial bank/x.go:3: cannot find package \"x\"\npartial \"quoted\" & <odd>"
	for name, d := range map[string]graph.Document{
		"bank":    document(bank),
		"plain":   {Graph: sketch.Parse(bank)},
		"partial": document(partial + bank),
		"empty":   document(""),
	} {
		for _, f := range []graph.Format{graph.Text, graph.DOT, graph.JSON, graph.Mermaid} {
			golden(t, filepath.Join("testdata", name+"."+string(f)), render(t, d, f))
		}
	}
}

func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs (-update writes it anew):\n%s", file, got)
	}
}

func TestChainsGolden(t *testing.T) {
	g := sketch.Parse(bank)
	f := chain.Of(g)
	from, to := chain.Handler{Actor: g.Actors[1], Message: "bank.Pay"}, chain.Handler{Actor: g.Actors[1], Message: "bank.Tick"}
	found, all := f.Between(from, to, 10)
	d := graph.Document{Graph: g, Chains: &graph.Chains{From: []chain.Handler{from}, To: []chain.Handler{to}, Found: found, All: all}}
	golden(t, "testdata/chains.text", render(t, d, graph.Text))
	golden(t, "testdata/chains.json", render(t, d, graph.JSON))
}

// Writing and reading again changes nothing.
func TestJSONRoundTrip(t *testing.T) {
	for seed := range uint64(300) {
		g := sketch.Random(rand.New(rand.NewPCG(seed, 3)))
		if seed%3 == 0 {
			g.Partial = []string{"why \"<&>\"", "and\nwhy"}
		}
		data := render(t, graph.Document{Graph: g}, graph.JSON)
		back, err := graph.Read(data)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(g, back) {
			t.Fatalf("seed %d: read back differently:\n%s", seed, data)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	for in, want := range map[string]string{
		"":               "want what `rehearse graph -format json` writes",
		"[]":             "want what `rehearse graph -format json` writes",
		`{"version":99}`: "version 99, but this program knows version 1",
		`{"version":1,"actors":[{"name":"A"}],"edges":[{"from":0,"to":1}]}`:           "edge 0 leads from actor 0 to 1, but there are 1 actors",
		`{"version":1,"actors":[{"name":"A"}],"edges":[{"from":-1,"to":0}]}`:          "edge 0 leads from actor -1",
		`{"version":1,"actors":[{"name":"A","handlers":[{"sends":[0]}]}],"edges":[]}`: "actor 0 (A) sends by edge 0, but there are 0 edges",
	} {
		if _, err := graph.Read([]byte(in)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", in, err, want)
		}
	}
}

func TestFormats(t *testing.T) {
	if f, err := graph.ParseFormat("dot"); err != nil || f != graph.DOT {
		t.Errorf("dot: %v, %v", f, err)
	}
	want := `unknown format "png": want one of text, dot, json, mermaid, svg`
	if _, err := graph.ParseFormat("png"); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if _, err := graph.Render(document(""), "png"); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// Names that every format could take for something of its own.
var nasty = []string{`p.T["x"]`, `p.T[map[string]*q.U[<-chan int]]`, `p.back\slash\N`, "p.new\nline", "p.back`tick", "p.a|b", "p.#35;", "p.&lt;", "p.<b>bold</b>", "p.{}", "p.end", "p.ünï-コード", "p.%%", "p.;"}

func nastyGraph() *flow.Graph {
	g := &flow.Graph{Precision: "instances"}
	for i, name := range nasty {
		g.Actors = append(g.Actors, &flow.Actor{Name: name, Pkg: nasty[(i+1)%len(nasty)], Pos: "a b.go:1"})
	}
	for i, name := range nasty {
		g.Edges = append(g.Edges, &flow.Edge{Kind: flow.Send, From: g.Actors[i], To: g.Actors[(i+3)%len(nasty)], Message: name, Pos: fmt.Sprintf("x.go:%d", i)})
	}
	return g
}

// Forty actors in four packages, each sending ten messages to two others: eighty arrows, not eight hundred.
func forty() *flow.Graph {
	g := &flow.Graph{Precision: "instances"}
	for i := range 40 {
		g.Actors = append(g.Actors, &flow.Actor{Name: fmt.Sprintf("p%d.Actor%d", i/10, i), Pkg: fmt.Sprintf("example.com/p%d", i/10), Pos: fmt.Sprintf("p%d/a.go:%d", i/10, i)})
	}
	for i, a := range g.Actors {
		for _, to := range []int{(i + 1) % 40, (i * 7) % 40} {
			for m := range 20 {
				g.Edges = append(g.Edges, &flow.Edge{Kind: flow.Send, From: a, To: g.Actors[to], Message: fmt.Sprintf("p.M%02d", m%10)})
			}
		}
	}
	return g
}

func TestFortyActors(t *testing.T) {
	d := graph.Document{Graph: forty()}
	dot := string(render(t, d, graph.DOT))
	pairs := map[[2]*flow.Actor]bool{}
	for _, e := range d.Graph.Edges {
		pairs[[2]*flow.Actor{e.From, e.To}] = true
	}
	if n := strings.Count(dot, " -> "); n != len(pairs) {
		t.Errorf("%d arrows, want one for each of %d pairs", n, len(pairs))
	}
	if n := strings.Count(dot, "subgraph cluster_"); n != 4 {
		t.Errorf("%d clusters, want 4", n)
	}
	if n := strings.Count(dot, `p.M00\np.M01\np.M02\np.M03\np.M04\np.M05\np.M06\np.M07\np.M08\np.M09"`); n != len(pairs) {
		t.Errorf("%d arrows have the ten messages, once each, in order; want all", n)
	}
}

func TestLongLabelsAreCut(t *testing.T) {
	g := sketch.Parse("actor A: x\nactor B: y")
	for i := range 30 {
		g.Edges = append(g.Edges, &flow.Edge{Kind: flow.Send, From: g.Actors[0], To: g.Actors[1], Message: fmt.Sprintf("m.M%02d", i)})
	}
	d := graph.Document{Graph: g}
	if dot := string(render(t, d, graph.DOT)); !strings.Contains(dot, `m.M10\nand 19 more"`) {
		t.Errorf("the label is not cut after 11 of 30 messages:\n%s", dot)
	}
	if text := string(render(t, d, graph.JSON)); strings.Count(text, `"message": "m.M`) < 30 {
		t.Error("JSON lacks messages")
	}
}

func TestSizes(t *testing.T) {
	for _, c := range []struct {
		name, graph string
		want        graph.Size
	}{
		{"nothing", "", graph.Size{}},
		{"places of one message count once", `
			actor A: x
			env - -> A x send
			env - -> A x send
		`, graph.Size{Nodes: 2, Edges: 1, Labels: 1}},
		{"creating and sending are two edges; who lives in references is a label, a place is none", `
			actor A: x y
			actor B: x
			env - -> A - create label .B=s.B label a.go:3
			env - -> A x send label .To=s.B
			A x -> B x send label .To=s.A label a.go:4
			A y -> B x request label .To=s.B
			A y -> B x request label .To=s.A
			A y -> B - watch
		`, graph.Size{Nodes: 3, Edges: 3, Labels: 1 + 2 + 3}},
		{"an actor that nothing leads to is a node", "actor A: x", graph.Size{Nodes: 1}},
	} {
		if got := graph.SizeOf(sketch.Parse(c.graph)); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// Where Graphviz is there it must accept what it gets; elsewhere the grammar's check in escape_test.go has to do.
func TestSVG(t *testing.T) {
	if _, err := exec.LookPath("dot"); err != nil {
		t.Skip("no Graphviz here")
	}
	for _, d := range []graph.Document{document(bank), {Graph: nastyGraph()}, {Graph: forty()}, document("")} {
		svg := string(render(t, d, graph.SVG))
		for _, a := range d.Graph.Actors {
			if !a.Environment && !strings.Contains(svg, a.Pos) {
				t.Errorf("the picture lacks %s", a.Name)
			}
		}
		for _, e := range d.Graph.Edges {
			first, _, _ := strings.Cut(e.Message, "\n")
			if !strings.Contains(html.UnescapeString(svg), ">"+first) {
				t.Errorf("the picture lacks %q", first)
			}
		}
	}
}

// Whatever the handler, the text tells each place that sends.
func TestTextHasEveryEdge(t *testing.T) {
	for seed := range uint64(200) {
		g := sketch.Random(rand.New(rand.NewPCG(seed, 5)))
		text := string(render(t, graph.Document{Graph: g}, graph.Text))
		for _, e := range g.Edges {
			if n := strings.Count(text, " "+e.Pos); n != 1 {
				t.Fatalf("seed %d: %s is there %d times:\n%s", seed, e.Pos, n, text)
			}
		}
	}
}

// The other precisions do not know handlers, so nothing is said of them.
func TestOtherPrecisions(t *testing.T) {
	g := sketch.Parse("actor A: x\nA - -> A x send")
	g.Precision = flow.Branches
	d := graph.Document{Graph: g}
	if text := string(render(t, d, graph.Text)); !strings.Contains(text, "in its handlers\n") || strings.Contains(text, "at start") {
		t.Errorf("says what it cannot know:\n%s", text)
	}
	if data := string(render(t, d, graph.JSON)); strings.Contains(data, `"methods"`) {
		t.Errorf("tells methods that it cannot know:\n%s", data)
	}
}

// An actor with middleware is marked, in the text and in JSON, from which a graph comes back with it.
func TestAround(t *testing.T) {
	g := sketch.Parse("actor A receptionist: x\nactor B: y\nactor C: y\nenv - -> A - create\nenv - -> B - create\nenv - -> C - create")
	g.Actors[slices.IndexFunc(g.Actors, func(a *flow.Actor) bool { return a.Name == "A" })].Around = "sender middleware"
	b := g.Actors[slices.IndexFunc(g.Actors, func(a *flow.Actor) bool { return a.Name == "B" })]
	b.Around, b.Made = "receiver middleware", []string{"y"}
	text := string(render(t, graph.Document{Graph: g}, graph.Text))
	for _, want := range []string{"receptionist, sender middleware\n", "   receiver middleware\n"} {
		if strings.Count(text, want) != 1 {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	again, err := graph.Read(render(t, graph.Document{Graph: g}, graph.JSON))
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range again.Actors {
		if a.Around != g.Actors[i].Around || !slices.Equal(a.Made, g.Actors[i].Made) {
			t.Errorf("%s came back with %q and %q", a.Name, a.Around, a.Made)
		}
	}
}
