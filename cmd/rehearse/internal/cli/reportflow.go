package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/cmd/rehearse/internal/layered"
	"github.com/rehearse-go/rehearse/internal/record"
	"github.com/rehearse-go/rehearse/internal/render"
	"github.com/rehearse-go/rehearse/trace"
)

// This file draws message flow graphs for findings. The command for sources makes them, once for each package.

// flows are the message flow graphs of packages, by import path.
type flows struct {
	s     Streams
	known map[string]*flowGraph
}

func newFlows(s Streams) *flows { return &flows{s: s, known: map[string]*flowGraph{}} }

// flowGraph is what is read of the JSON of rehearse graph.
type flowGraph struct {
	Version int      `json:"version"`
	Partial []string `json:"partial"`
	Actors  []struct {
		Name        string `json:"name"`
		Environment bool   `json:"environment"`
	} `json:"actors"`
	Edges []struct {
		Kind     string `json:"kind"`
		From     int    `json:"from"`
		To       int    `json:"to"`
		Message  string `json:"message"`
		Blocking bool   `json:"blocking"`
	} `json:"edges"`

	problem string // why there is none
}

// flowVersion is that of the format that this command reads.
const flowVersion = 1

// of gives the graph for a finding, and what is to be known of it.
func (fs *flows) of(r *record.Record, f *record.Finding) (svg, note string) {
	if f.Picture == nil {
		return "", ""
	}
	g := fs.known[r.Package]
	if g == nil {
		g = fs.read(r.Package)
		fs.known[r.Package] = g
	}
	if g.problem != "" {
		return "", "The message flow graph could not be made: " + g.problem
	}
	return g.draw(f)
}

// read has the command for sources analyse a package.
func (fs *flows) read(pkg string) *flowGraph {
	var out, problems bytes.Buffer
	fmt.Fprintf(fs.s.Err, "rehearse: reading the message flow graph of %s\n", pkg)
	code, err := sourceCompanion.run("", Streams{Out: &out, Err: &problems}, []string{"graph", "-format", "json", pkg})
	if err == nil && code != ExitOK {
		err = errors.New(firstLine(problems.String()))
	}
	g := &flowGraph{}
	if err == nil {
		err = json.NewDecoder(io.LimitReader(&out, 64<<20)).Decode(g)
	}
	if err == nil && g.Version != flowVersion {
		err = fmt.Errorf("its format has version %d, this command reads %d", g.Version, flowVersion)
	}
	if err == nil {
		err = g.check()
	}
	if err != nil {
		g.problem = firstLine(err.Error())
	}
	return g
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}

// check finds references to actors that there are not.
func (g *flowGraph) check() error {
	for i, e := range g.Edges {
		if n := len(g.Actors); e.From < 0 || e.From >= n || e.To < 0 || e.To >= n {
			return fmt.Errorf("edge %d leads from actor %d to %d of %d", i, e.From, e.To, n)
		}
	}
	return nil
}

// mostActors bounds a drawing. Of larger graphs, those are drawn that take part, and their neighbours.
const mostActors = 24

// mostLabel bounds the label of an arrow, in lines, and each of its lines and names, in runes.
const (
	mostLabel = 8
	mostName  = 60
)

// draw draws the graph with what takes part in a finding.
func (g *flowGraph) draw(f *record.Finding) (svg, note string) {
	n := len(g.Actors)
	d := &flowDrawing{g: g, hot: make([]bool, n), shown: make([]bool, n), at: make([]int, n)}
	d.part(f)
	d.choose()
	d.out.Title = "message flow graph"
	d.nodes()
	d.edges()
	if len(d.out.Nodes) == 0 {
		return "", "The message flow graph has no actor that takes part in this execution."
	}
	var notes []string
	if n -= len(d.out.Nodes); n > 0 {
		notes = append(notes, render.Count(n, "actor type is", "actor types are")+
			" not drawn: none of them deals with an actor of this execution.")
	}
	if len(g.Partial) > 0 {
		notes = append(notes, fmt.Sprintf("The graph is partial: %s.", g.Partial[0]))
	}
	return layered.SVG(&d.out), strings.Join(notes, " ")
}

// flowDrawing is a drawing in the making.
type flowDrawing struct {
	g     *flowGraph
	hot   []bool // of each actor: it takes part
	shown []bool
	at    []int // of each actor that is shown: its node
	sent  map[[3]string]bool
	out   layered.Graph
}

// part notes which actors and messages the execution has.
func (d *flowDrawing) part(f *record.Finding) {
	p := f.Picture
	names := make([]string, len(p.Lifelines))
	active := make([]bool, len(p.Lifelines))
	d.sent = map[[3]string]bool{}
	for i := range p.Lifelines {
		if names[i] = p.Lifelines[i].Full; i == 0 {
			names[i] = "" // the environment
		}
	}
	for i := range p.Arrows {
		a := &p.Arrows[i]
		active[a.From], active[a.To] = true, true
		d.sent[[3]string{names[a.From], names[a.To], a.Type}] = true
	}
	for i := range p.Rows {
		if h := p.Rows[i].Lifeline; h >= 0 {
			active[h] = true
		}
	}
	for i := range d.g.Actors {
		for h := range names {
			if active[h] && names[h] == d.name(i) {
				d.hot[i] = true
			}
		}
	}
}

// name is that of an actor as the execution has it.
func (d *flowDrawing) name(actor int) string {
	if d.g.Actors[actor].Environment {
		return ""
	}
	return d.g.Actors[actor].Name
}

// choose picks the actors that are drawn.
func (d *flowDrawing) choose() {
	all := len(d.g.Actors) <= mostActors
	for i := range d.shown {
		d.shown[i] = all || d.hot[i]
	}
	for _, e := range d.g.Edges {
		if d.hot[e.From] {
			d.shown[e.To] = true
		}
		if d.hot[e.To] {
			d.shown[e.From] = true
		}
	}
}

func (d *flowDrawing) nodes() {
	for i, a := range d.g.Actors {
		if !d.shown[i] {
			continue
		}
		n := layered.Node{Lines: []string{render.Shorten(a.Name, mostName)}, Hot: d.hot[i]}
		if a.Environment {
			n.Lines, n.Round = []string{"the test, and what is outside"}, true
		}
		d.at[i] = len(d.out.Nodes)
		d.out.Nodes = append(d.out.Nodes, n)
	}
}

// edges merges the edges between two actors, by how they are drawn.
func (d *flowDrawing) edges() {
	type key struct {
		from, to int
		style    layered.Style
		hot      bool
	}
	at := map[key]int{}
	var told []string
	for _, e := range d.g.Edges {
		if !d.shown[e.From] || !d.shown[e.To] {
			continue
		}
		k := key{d.at[e.From], d.at[e.To], styleOf(e.Kind), d.sent[[3]string{d.name(e.From), d.name(e.To), e.Message}]}
		if e.Kind == "create" {
			k.hot = false
		}
		if e.From == e.To {
			k.style, k.hot = layered.Solid, false
		}
		i, ok := at[k]
		if !ok {
			i = len(d.out.Edges)
			at[k] = i
			d.out.Edges = append(d.out.Edges, layered.Edge{From: k.from, To: k.to, Style: k.style, Hot: k.hot})
		}
		line := flowLabel(e.Kind, e.Message, e.Blocking)
		if lines := d.out.Edges[i].Lines; !slices.Contains(lines, line) {
			d.out.Edges[i].Lines = append(lines, line)
		}
	}
	for i := range d.out.Edges {
		e := &d.out.Edges[i]
		told = append(told, fmt.Sprintf("%s to %s: %s.", d.out.Nodes[e.From].Lines[0], d.out.Nodes[e.To].Lines[0],
			strings.Join(e.Lines, ", ")))
		if n := len(e.Lines); n > mostLabel {
			e.Lines = append(e.Lines[:mostLabel-1:mostLabel-1], fmt.Sprintf("and %d more", n-mostLabel+1))
		}
	}
	d.out.Text = strings.Join(told, " ")
}

func styleOf(kind string) layered.Style {
	switch kind {
	case "create", "watch":
		return layered.Dashed
	case "respond":
		return layered.Dotted
	}
	return layered.Solid
}

// flowLabel is what an arrow says of an edge.
func flowLabel(kind, message string, blocking bool) string {
	s := render.Shorten(trace.ShortType(message), mostName)
	switch {
	case kind == "create":
		return "creates"
	case kind == "watch":
		return "watches"
	case kind == "request" && blocking:
		return s + " (waits)"
	case kind == "respond":
		return s + " (answer)"
	case kind == "timer":
		return s + " (timer)"
	case kind == "forward":
		return s + " (forwarded)"
	}
	return s
}
