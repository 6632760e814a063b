package source

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/cmd/rehearse/internal/cli"
	"github.com/rehearse-go/rehearse/internal/formats"
	"github.com/rehearse-go/rehearse/internal/render"
	"github.com/rehearse-go/rehearse/static/finding"
	"github.com/rehearse-go/rehearse/static/graph"
)

// This file writes the findings of a graph for services that show them at their lines.

// graphRules are the kinds of findings.
var graphRules = []formats.Rule{
	{Name: string(finding.RequestCycle), Doc: "requests that can wait for each other"},
	{Name: string(finding.Unhandled), Doc: "a message to an actor that has no branch for it"},
	{Name: string(finding.UnusedActor), Doc: "an actor that nothing creates"},
	{Name: string(finding.UnsentMessage), Doc: "a message that nobody sends"},
	{Name: string(finding.UnusedHandler), Doc: "a handler that nothing leads to"},
}

// mostDrawn is the longest diagram that GitHub draws, in bytes.
const mostDrawn = 50_000

// serve writes findings as annotations with a summary, or as SARIF.
func (g *graphRun) serve(s cli.Streams, d graph.Document) (int, error) {
	fs := graphFindings(d)
	code := cli.ExitOK
	if len(fs) > 0 {
		code = cli.ExitFound
	}
	if g.service == cli.FormatSARIF {
		return code, g.serveSARIF(s, d, fs)
	}
	parts := []string{cli.SummaryOfFindings("rehearse graph", fs)}
	if n := len(d.Graph.Partial); n > 0 {
		partial := fmt.Sprintf("The graph is partial, so there may be more; the first of %d reasons: %s", n,
			d.Graph.Partial[0])
		fs = append(fs, formats.Finding{Rule: "partial", Level: formats.Note, Title: "rehearse graph: partial",
			Message: partial})
		parts = append(parts, formats.Markdown(partial)+"\n\n")
	}
	if err := formats.Annotations(s.Out, fs); err != nil {
		return cli.ExitError, err
	}
	if drawn, err := graph.Render(d, graph.Mermaid); err == nil && len(drawn) < mostDrawn {
		parts = append(parts, formats.Fence("mermaid", string(drawn)))
	}
	return code, cli.AddSummary(parts...)
}

// serveSARIF writes findings that have places: GitHub refuses a document for one result without. What is missing is
// told in the document and on the error stream.
func (g *graphRun) serveSARIF(s cli.Streams, d graph.Document, fs []formats.Finding) error {
	var unseen []string
	for _, why := range d.Graph.Partial {
		unseen = append(unseen, "The graph is partial, so there may be more: "+why)
	}
	with := placed(fs)
	if n := len(fs) - len(with); n > 0 {
		text := fmt.Sprintf("%s without a place left out: -format text lists all", render.Count(n, "finding", "findings"))
		fmt.Fprintln(s.Err, "rehearse graph:", text)
		unseen = append(unseen, text)
	}
	g.tellPartial(s, d)
	var b bytes.Buffer
	if err := formats.SARIF(&b, "rehearse graph", cli.Version(), graphRules, with, unseen...); err != nil {
		return err
	}
	return g.write(s, b.Bytes())
}

func placed(fs []formats.Finding) (all []formats.Finding) {
	for _, f := range fs {
		if f.File != "" {
			all = append(all, f)
		}
	}
	return all
}

// graphFindings are the findings of a graph with their places.
func graphFindings(d graph.Document) (fs []formats.Finding) {
	if d.Findings == nil {
		return nil
	}
	for _, f := range d.Findings.Findings {
		_, message, _ := strings.Cut(f.String(), string(f.Kind)+": ")
		x := formats.Finding{Rule: string(f.Kind), Level: formats.Warning, Title: "rehearse graph: " + string(f.Kind),
			Message: message, Key: f.Text}
		if i := strings.LastIndexByte(f.Pos, ':'); i > 0 {
			if line, err := strconv.Atoi(f.Pos[i+1:]); err == nil {
				x.File, x.Line = cli.RepositoryPath(filepath.FromSlash(f.Pos[:i])), line
			}
		}
		fs = append(fs, x)
	}
	return fs
}
