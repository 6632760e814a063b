// Package graph shows message flow graphs: as text, DOT, Mermaid, SVG and JSON, and their size as in table 2 of
// [TAP18].
//
//	graph.go    what can be shown, in which formats
//	picture.go  nodes, clusters and merged arrows: what all pictures share
//	text.go     for terminals; every edge with its place
//	dot.go      Graphviz; svg.go runs it
//	mermaid.go  for Markdown
//	json.go     everything, versioned, both ways
//	size.go     nodes, edges, labels
//
// The same graph gives the same bytes.
package graph

import (
	"fmt"
	"strings"

	"github.com/rehearse-go/rehearse/static/chain"
	"github.com/rehearse-go/rehearse/static/finding"
	"github.com/rehearse-go/rehearse/static/flow"
)

// Document is a graph with what was asked about it.
type Document struct {
	Graph    *flow.Graph
	Findings *finding.Report // nil: not looked for
	Chains   *Chains         // nil: not asked for
}

// Chains are the answer to "how does one handler lead to another?"
type Chains struct {
	From, To []chain.Handler
	Found    []chain.Chain
	All      bool // there are no others
}

// Format is how a document is written.
type Format string

// The formats.
const (
	Text    Format = "text"
	DOT     Format = "dot"
	JSON    Format = "json"
	Mermaid Format = "mermaid"
	SVG     Format = "svg"
)

// writers is the table of formats, in the order in which help lists them.
var writers = []struct {
	format Format
	write  func(Document) ([]byte, error)
}{
	{Text, writeText},
	{DOT, writeDOT},
	{JSON, writeJSON},
	{Mermaid, writeMermaid},
	{SVG, writeSVG},
}

// ParseFormat checks the name of a format.
func ParseFormat(name string) (Format, error) {
	var all []string
	for _, w := range writers {
		if string(w.format) == name {
			return w.format, nil
		}
		all = append(all, string(w.format))
	}
	return "", fmt.Errorf("unknown format %q: want one of %s", name, strings.Join(all, ", "))
}

// Render gives the whole document, or an error and nothing. Pictures (DOT, Mermaid, SVG) draw what takes part in a
// finding in red and leave chains out.
func Render(d Document, f Format) ([]byte, error) {
	for _, w := range writers {
		if w.format == f {
			return w.write(d)
		}
	}
	_, err := ParseFormat(string(f))
	return nil, err
}
