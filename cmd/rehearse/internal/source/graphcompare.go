package source

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/cmd/rehearse/internal/cli"
	"github.com/rehearse-go/rehearse/static/flow"
	"github.com/rehearse-go/rehearse/static/graph"
	"github.com/rehearse-go/rehearse/static/load"
)

// comparison is a row of table 2 of [TAP18]: one subject, its graph with each precision.
type comparison struct {
	Packages string     `json:"packages"`
	Load     float64    `json:"load_seconds"` // reading and building the functions, once for all precisions
	Partial  bool       `json:"partial"`
	Matching int        `json:"handlers_matching"` // the pattern that the paper's optimisations are for
	Handlers int        `json:"handlers"`
	Graphs   []measured `json:"graphs"`
}

type measured struct {
	Precision string  `json:"precision"`
	Nodes     int     `json:"nodes"`
	Edges     int     `json:"edges"`
	Labels    int     `json:"labels"`
	Seconds   float64 `json:"seconds"` // of the analysis
}

// runs of each analysis, of which the time is the average, as in the table.
const runs = 5

// compareAll prints a row for each operand.
func (g *graphRun) compareAll(s cli.Streams, packages []string) error {
	var rows []comparison
	if g.drivers != "" {
		var err error
		if rows, err = g.compareParts(packages); err != nil {
			return err
		}
		packages = nil
	}
	for _, p := range packages {
		row, err := g.compareOne(p)
		if err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
		rows = append(rows, row)
	}
	var b strings.Builder
	if g.format == graph.JSON {
		e := json.NewEncoder(&b)
		e.SetIndent("", " ")
		if err := e.Encode(map[string]any{"version": 1, "rows": rows}); err != nil {
			return err
		}
	} else {
		compareText(&b, rows)
	}
	return g.write(s, []byte(b.String()))
}

func (g *graphRun) compareOne(packages string) (comparison, error) {
	row := comparison{Packages: packages}
	start := time.Now()
	p, err := g.load([]string{packages})
	if err != nil {
		return row, err
	}
	row.Load = time.Since(start).Seconds()
	row.Matching, row.Handlers = flow.Pattern(p)
	for _, precision := range precisions {
		mfg, seconds, err := g.timed(p, precision)
		if err != nil {
			return row, err
		}
		row.add(precision, mfg, graph.SizeOf(mfg), seconds)
	}
	return row, nil
}

// timed gives the graph of a program, and the seconds that it takes.
func (g *graphRun) timed(p *load.Program, precision string) (mfg *flow.Graph, seconds float64, err error) {
	start := time.Now()
	for range runs {
		if mfg, err = g.analyse(p, precision); err != nil {
			return nil, 0, err
		}
	}
	return mfg, time.Since(start).Seconds() / runs, nil
}

func (row *comparison) add(precision string, mfg *flow.Graph, size graph.Size, seconds float64) {
	row.Partial = row.Partial || len(mfg.Partial) > 0
	row.Graphs = append(row.Graphs, measured{precision, size.Nodes, size.Edges, size.Labels, seconds})
}

// compareParts gives a row for each operand, where the tests of other packages make the actors of all. One program is
// read, and what is in an operand counts in its row. Seconds are those of the whole.
func (g *graphRun) compareParts(packages []string) ([]comparison, error) {
	start := time.Now()
	p, err := g.load(slices.Concat(packages, strings.Split(g.drivers, ",")))
	if err != nil {
		return nil, err
	}
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	rows := make([]comparison, len(packages))
	for i, operand := range packages {
		rows[i].Packages, rows[i].Load = operand, time.Since(start).Seconds()
	}
	for _, precision := range precisions {
		mfg, seconds, err := g.timed(p, precision)
		if err != nil {
			return nil, err
		}
		for i, operand := range packages {
			paths, err := packagePaths(dir, []string{operand})
			if err != nil {
				return nil, err
			}
			counts := func(a *flow.Actor) bool { return slices.Contains(paths, a.Pkg) }
			rows[i].add(precision, mfg, graph.SizeIn(mfg, counts), seconds)
			rows[i].Matching, rows[i].Handlers = flow.PatternIn(p, paths)
		}
	}
	return rows, nil
}

// compareText aligns the columns.
func compareText(w io.Writer, rows []comparison) {
	width := len("packages")
	for _, r := range rows {
		width = max(width, len(r.Packages))
	}
	head, columns := strings.Repeat(" ", width), fmt.Sprintf("%-*s", width, "packages")
	for _, p := range precisions {
		head += fmt.Sprintf("   %-28s", p)
		columns += fmt.Sprintf("   %5s %5s %6s %9s", "nodes", "edges", "labels", "seconds")
	}
	fmt.Fprintf(w, "%s\n%s   %9s   %9s\n", strings.TrimRight(head, " "), columns, "load", "by type")
	for _, r := range rows {
		line := fmt.Sprintf("%-*s", width, r.Packages)
		for _, m := range r.Graphs {
			line += fmt.Sprintf("   %5d %5d %6d %9.4f", m.Nodes, m.Edges, m.Labels, m.Seconds)
		}
		line += fmt.Sprintf("   %9.3f   %9s", r.Load, fmt.Sprintf("%d of %d", r.Matching, r.Handlers))
		if r.Partial {
			line += "   partial"
		}
		fmt.Fprintln(w, line)
	}
}
