// Package reproduce runs the subjects as the published tables did and compares the counts, cell by cell.
//
//	reproduce.go  what is asked for, and the comparison
//	programs.go   rows to subjects
//	long.go       which rows take more than a few seconds
//	explore.go    rows to strategies; one exploration; what its columns count
//	text.go       the tables for people
package reproduce

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/internal/strategies"
	"github.com/rehearse-go/rehearse/published"
)

// Config says what to reproduce. The zero value is everything that takes seconds.
type Config struct {
	Tables   []string       // names; empty: all
	Subjects []string       // names, as the tables have them; empty: all
	Long     bool           // rows too that take more than a few seconds
	Progress func(r Result) // called after each row; nil: nobody is told
}

// Result is a row of a table beside ours.
type Result struct {
	published.Row
	Program  string // our subject, "" if there is none
	Strategy string
	Why      string // why nothing was run; "" if it was
	Cells    []Cell // beside those of the row
}

// Cell is a published number beside ours.
type Cell struct {
	published.Cell
	Ours float64 // meaningless if Result.Why is not empty
}

// Equal reports whether both are the same number.
func (c Cell) Equal() bool { return c.Ours == float64(c.Value) }

// Broken lists the columns of a row that ran, are recorded as exact, and differ.
func (r *Result) Broken() []string {
	var columns []string
	for _, c := range r.Cells {
		if r.Why == "" && c.Status == published.Exact && !c.Equal() {
			columns = append(columns, c.Column)
		}
	}
	return columns
}

// Run explores the rows that cfg asks for, in the order of the tables. The results come in that order too.
func Run(cfg Config) ([]Result, error) {
	rows, err := selected(cfg)
	if err != nil {
		return nil, err
	}
	done := map[string]Count{} // tables share explorations
	var results []Result
	for _, row := range rows {
		r, err := compare(row, cfg.Long, done)
		if err != nil {
			return results, err
		}
		results = append(results, r)
		if cfg.Progress != nil {
			cfg.Progress(r)
		}
	}
	return results, nil
}

// selected gives the rows that are asked for; those of table classes are two each, one a strategy.
func selected(cfg Config) ([]published.Row, error) {
	all, err := published.Rows()
	if err != nil {
		return nil, err
	}
	if err := known("table", cfg.Tables, published.Tables()); err != nil {
		return nil, err
	}
	var subjects []string
	var rows []published.Row
	for _, r := range all {
		if len(cfg.Tables) > 0 && !slices.Contains(cfg.Tables, r.Table) {
			continue
		}
		if !slices.Contains(subjects, r.Subject) {
			subjects = append(subjects, r.Subject)
		}
		if len(cfg.Subjects) > 0 && !slices.Contains(cfg.Subjects, r.Subject) {
			continue
		}
		for _, strategy := range counters(&r) {
			r.Reduction = strategy
			rows = append(rows, r)
		}
	}
	return rows, known("subject", cfg.Subjects, subjects)
}

// counters are the reductions that count a row.
func counters(r *published.Row) []string {
	if r.Table == "classes" {
		return []string{"optimal", "reverse"}
	}
	return []string{r.Reduction}
}

func known(what string, asked, all []string) error {
	for _, a := range asked {
		if !slices.Contains(all, a) {
			return fmt.Errorf("unknown %s %q: want one of %s", what, a, strings.Join(all, ", "))
		}
	}
	return nil
}

// compare runs what a row tells of, unless it was run for another row.
func compare(row published.Row, long bool, done map[string]Count) (Result, error) {
	r := Result{Row: row, Strategy: strategyOf(&row)}
	model, err := modelOf(&row)
	if err != nil {
		return r, err
	}
	p, ok := programOf(&row)
	r.Program = p.name
	key := p.name + " " + r.Strategy + " " + model.String()
	count, again := done[key]
	switch {
	case !ok:
		r.Why = "its source is not published"
	case !again && !long && takesLong(&row):
		r.Why = "takes long: run it with -long"
	case !again:
		s, err := strategies.New(r.Strategy, 0, 0)
		if err != nil {
			return r, err
		}
		if count, err = explored(p, s, model); err != nil {
			return r, err
		}
		done[key] = count
	}
	for _, c := range row.Cells {
		cell := Cell{Cell: c}
		if r.Why == "" {
			cell.Ours = count.value(&row, c.Column)
		}
		r.Cells = append(r.Cells, cell)
	}
	return r, nil
}
