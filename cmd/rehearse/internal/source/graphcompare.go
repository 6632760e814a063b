package source

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/cmd/rehearse/internal/cli"
	"github.com/rehearse-go/rehearse/static/flow"
	"github.com/rehearse-go/rehearse/static/graph"
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
		var size graph.Size
		start := time.Now()
		for range runs {
			mfg, err := g.analyse(p, precision)
			if err != nil {
				return row, err
			}
			size = graph.SizeOf(mfg)
			row.Partial = row.Partial || len(mfg.Partial) > 0
		}
		row.Graphs = append(row.Graphs,
			measured{precision, size.Nodes, size.Edges, size.Labels, time.Since(start).Seconds() / runs})
	}
	return row, nil
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
