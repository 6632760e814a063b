// Package export writes executions for other programs. Each format is a pure function of pictures, so the same
// executions give the same bytes.
//
//	export.go  the table of formats
//	json.go    everything that a picture has
//	dot.go     Graphviz: steps as nodes, messages as edges
//	shiviz.go  the log that ShiViz draws, with vector clocks
//	chrome.go  the trace event format of Chrome and Perfetto
//	clocks.go  vector clocks of the steps of a picture
//
//	checked by: export_test.go; grammar_test.go has small parsers of the formats
package export

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/rehearse-go/rehearse/internal/render"
	"github.com/rehearse-go/rehearse/internal/report"
)

// Execution is an execution under a name, such as "bank.TestDay-1".
type Execution struct {
	Name    string
	Picture *report.Picture
}

// Format is how executions are written.
type Format struct {
	Name   string
	Suffix string // of files that are written in it where nothing else is said
	Doc    string
	Single bool // a file holds one execution
	write  func([]Execution) ([]byte, error)
}

// formats is the table, in the order in which help lists them. A suffix that two have belongs to the first.
var formats = []Format{
	{"svg", ".svg", "the picture", true, func(es []Execution) ([]byte, error) { return []byte(es[0].Picture.SVG()), nil }},
	{"mermaid", ".mmd", "a sequence diagram for Markdown", true, writeMermaid},
	{"text", ".txt", "the diagram of the terminal", false, writeText},
	{"json", ".json", "all that the picture has", false, writeJSON},
	{"dot", ".dot", "Graphviz", false, writeDOT},
	{"shiviz", ".log", "a log for ShiViz", false, writeShiViz},
	{"chrome", ".trace", "trace events, for Perfetto or chrome://tracing", false, writeChrome},
}

// Formats lists the formats.
func Formats() []Format { return append([]Format(nil), formats...) }

// Names lists the names of the formats.
func Names() (names []string) {
	for i := range formats {
		names = append(names, formats[i].Name)
	}
	return names
}

// Named finds a format by its name.
func Named(name string) (Format, bool) {
	for _, f := range formats {
		if f.Name == name {
			return f, true
		}
	}
	return Format{}, false
}

// ForFile finds the format of files with such a name.
func ForFile(path string) (Format, bool) {
	for _, f := range formats {
		if strings.EqualFold(filepath.Ext(path), f.Suffix) {
			return f, true
		}
	}
	return Format{}, false
}

// Write writes executions, also none. The error is that a format is for exactly one.
func (f Format) Write(es []Execution) ([]byte, error) {
	if f.Single && len(es) != 1 {
		return nil, fmt.Errorf("a file of format %s holds one execution, and there are %d", f.Name, len(es))
	}
	return f.write(es)
}

// closing is what a picture says of the execution as a whole, in lines. It is what the picture leaves out, what decides
// and was not handled, and what went wrong when all was over. Formats of steps have it behind the last one.
func closing(p *report.Picture) (lines []string) {
	if p.Before > 0 {
		lines = append(lines, "left out before the first step shown: "+render.Count(p.Before, "step", "steps"))
	}
	for _, m := range p.Missing {
		lines = append(lines, "decides, and was not handled: "+line(m))
	}
	for _, n := range p.Notes {
		lines = append(lines, line(n))
	}
	for _, e := range p.End {
		lines = append(lines, "✗ "+line(e))
	}
	return lines
}

// mermaidRows bounds a Mermaid diagram, in steps: what shows it gives up where there are many more.
const mermaidRows = 100

func writeMermaid(es []Execution) ([]byte, error) {
	return []byte(es[0].Picture.Mermaid(mermaidRows)), nil
}

func writeText(es []Execution) ([]byte, error) {
	var b strings.Builder
	for i, e := range es {
		if i > 0 {
			b.WriteString("\n")
		}
		text := strings.TrimRight(e.Picture.Text(report.TextOptions{}), "\n")
		b.WriteString(line(e.Name) + "\n" + line(e.Picture.Title) + "\n\n" + text + "\n")
	}
	return []byte(b.String()), nil
}
