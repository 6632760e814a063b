package graph

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/rehearse-go/rehearse/static/chain"
	"github.com/rehearse-go/rehearse/static/finding"
	"github.com/rehearse-go/rehearse/static/flow"
)

// Version of the JSON format. It grows when a reader of the old one would be misled, not when something is added.
const Version = 1

// The types of the format are its own, so that the analysis may change without it. Actors and edges are referred to by
// index.
type (
	documentJSON struct {
		Version   int            `json:"version"`
		Precision string         `json:"precision"`
		Complete  bool           `json:"complete"`
		Partial   []string       `json:"partial"`
		Actors    []actorJSON    `json:"actors"`
		Edges     []edgeJSON     `json:"edges"`
		Methods   []methodJSON   `json:"methods,omitzero"` // not told by other precisions than instances
		Findings  *[]findingJSON `json:"findings,omitempty"`
		Missed    []finding.Kind `json:"missed,omitempty"`
		Chains    *chainsJSON    `json:"chains,omitempty"`
	}
	actorJSON struct {
		Name         string        `json:"name"`
		Package      string        `json:"package,omitempty"`
		Pos          string        `json:"pos,omitempty"`
		Environment  bool          `json:"environment,omitempty"`
		Receptionist bool          `json:"receptionist,omitempty"`
		Handlers     []handlerJSON `json:"handlers"`
		Default      bool          `json:"default,omitempty"`
		Around       string        `json:"around,omitempty"`
		Made         []string      `json:"made,omitempty"`
	}
	handlerJSON struct {
		Message string `json:"message"`
		Pos     string `json:"pos,omitempty"`
		Sends   []int  `json:"sends"`
		Known   bool   `json:"known"`
	}
	edgeJSON struct {
		Kind       flow.EdgeKind `json:"kind"`
		From       int           `json:"from"`
		To         int           `json:"to"`
		Message    string        `json:"message,omitempty"`
		In         string        `json:"in,omitempty"`
		Pos        string        `json:"pos,omitempty"`
		Conditions int           `json:"conditions"`
		Labels     []string      `json:"labels,omitempty"`
		Blocking   bool          `json:"blocking,omitempty"`
		Timeout    bool          `json:"timeout,omitempty"`
	}
	methodJSON struct {
		Actor   int        `json:"actor"`
		Message string     `json:"message"`
		Calls   []callJSON `json:"calls"`
	}
	callJSON struct {
		Actor      int    `json:"actor"`
		Message    string `json:"message"`
		Conditions int    `json:"conditions"`
		Edge       int    `json:"edge"`
	}
	findingJSON struct {
		Kind       finding.Kind `json:"kind"`
		Pos        string       `json:"pos,omitempty"`
		Text       string       `json:"text"`
		Steps      []stepJSON   `json:"steps,omitempty"`
		Edges      []int        `json:"edges,omitempty"`
		Actors     []int        `json:"actors,omitempty"`
		Unreliable bool         `json:"unreliable,omitempty"`
	}
	stepJSON struct {
		Pos  string `json:"pos,omitempty"`
		Text string `json:"text"`
	}
	chainsJSON struct {
		All   bool         `json:"all"`
		Found []methodJSON `json:"found"` // a chain is its first handler and the calls from one to the next
	}
)

func writeJSON(d Document) ([]byte, error) {
	g := d.Graph
	index := map[*flow.Actor]int{}
	doc := documentJSON{Version: Version, Precision: g.Precision, Complete: len(g.Partial) == 0, Partial: list(g.Partial),
		Actors: []actorJSON{}, Edges: []edgeJSON{}}
	for i, a := range g.Actors {
		index[a] = i
		out := actorJSON{a.Name, a.Pkg, a.Pos, a.Environment, a.Receptionist, []handlerJSON{}, a.Default, a.Around, a.Made}
		for _, h := range a.Handlers {
			out.Handlers = append(out.Handlers, handlerJSON{h.Message, h.Pos, list(h.Sends), h.Known})
		}
		doc.Actors = append(doc.Actors, out)
	}
	for _, e := range g.Edges {
		doc.Edges = append(doc.Edges, edgeJSON{e.Kind, index[e.From], index[e.To], e.Message, e.In, e.Pos, e.Conditions,
			e.Labels, e.Blocking, e.Timeout})
	}
	if g.Precision == flow.Instances {
		doc.Methods = []methodJSON{}
		for _, m := range chain.Of(g).Methods {
			doc.Methods = append(doc.Methods, methodOf(m.Handler, m.Calls, index))
		}
	}
	doc.findings(d.Findings, index)
	if c := d.Chains; c != nil {
		doc.Chains = &chainsJSON{All: c.All, Found: []methodJSON{}}
		for _, f := range c.Found {
			doc.Chains.Found = append(doc.Chains.Found, methodOf(f.From, f.Calls, index))
		}
	}
	return encode(doc)
}

// list is a list that is never null.
func list[T any](s []T) []T { return append([]T{}, s...) }

func methodOf(h chain.Handler, calls []chain.Call, index map[*flow.Actor]int) methodJSON {
	m := methodJSON{index[h.Actor], h.Message, []callJSON{}}
	for _, c := range calls {
		m.Calls = append(m.Calls, callJSON{index[c.To.Actor], c.To.Message, c.Conditions, c.Edge})
	}
	return m
}

func (doc *documentJSON) findings(r *finding.Report, index map[*flow.Actor]int) {
	if r == nil {
		return
	}
	fs := []findingJSON{}
	for _, f := range r.Findings {
		out := findingJSON{Kind: f.Kind, Pos: f.Pos, Text: f.Text, Edges: f.Edges, Unreliable: len(f.Doubt) > 0}
		for _, s := range f.Steps {
			out.Steps = append(out.Steps, stepJSON(s))
		}
		for _, a := range f.Actors {
			out.Actors = append(out.Actors, index[a])
		}
		fs = append(fs, out)
	}
	doc.Findings, doc.Missed = &fs, r.Missed
}

// encode writes one JSON value with angle brackets as they are: types have them, and nobody puts this into HTML.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("write the graph as JSON: %w", err)
	}
	return b.Bytes(), nil
}

// Read gives the graph of a JSON document. Methods, findings and chains follow from it, so they are not read.
func Read(data []byte) (*flow.Graph, error) {
	var doc documentJSON
	if err := json.Unmarshal(data, &doc); err != nil {
		return nil, fmt.Errorf("read a message flow graph: %w: want what `rehearse graph -format json` writes", err)
	}
	if doc.Version != Version {
		return nil, fmt.Errorf("read a message flow graph: version %d, but this program knows version %d: write it again "+
			"with `rehearse graph -format json`", doc.Version, Version)
	}
	g := &flow.Graph{Precision: doc.Precision, Partial: doc.Partial}
	if len(g.Partial) == 0 {
		g.Partial = nil
	}
	for i, in := range doc.Actors {
		a := &flow.Actor{Name: in.Name, Pkg: in.Package, Pos: in.Pos, Environment: in.Environment,
			Receptionist: in.Receptionist, Default: in.Default,
			Around: in.Around, Made: in.Made}
		for _, h := range in.Handlers {
			for _, s := range h.Sends {
				if s < 0 || s >= len(doc.Edges) {
					return nil, fmt.Errorf("read a message flow graph: actor %d (%s) sends by edge %d, but there are %d edges", i,
						in.Name, s, len(doc.Edges))
				}
			}
			a.Handlers = append(a.Handlers,
				flow.Handler{Message: h.Message, Pos: h.Pos, Sends: append([]int(nil), h.Sends...), Known: h.Known})
		}
		g.Actors = append(g.Actors, a)
	}
	for i, in := range doc.Edges {
		if n := len(g.Actors); in.From < 0 || in.From >= n || in.To < 0 || in.To >= n {
			return nil, fmt.Errorf("read a message flow graph: edge %d leads from actor %d to %d, but there are %d actors", i,
				in.From, in.To, n)
		}
		g.Edges = append(g.Edges, &flow.Edge{Kind: in.Kind, From: g.Actors[in.From], To: g.Actors[in.To], Message: in.Message,
			In: in.In, Pos: in.Pos,
			Conditions: in.Conditions, Labels: in.Labels, Blocking: in.Blocking, Timeout: in.Timeout})
	}
	return g, nil
}
