package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/rehearse-go/rehearse/cmd/rehearse/internal/reproduce"
)

// runSelection is `rehearse reproduce selection`.
func (r *reproduceRun) runSelection(s Streams) int {
	if len(r.config.Tables) > 0 || r.hunt.Seeds != 0 || r.hunt.Cap != 0 {
		return Usage(s, "reproduce", errors.New("-table, -seeds and -cap are not for reproduce selection"))
	}
	c := reproduce.Select{Tests: r.config.Subjects, Long: r.config.Long}
	c.Progress = func(test string) { fmt.Fprintln(s.Err, "selection:", test, "is done") }
	rows, figs, err := c.Run()
	if err == nil && r.json {
		err = writeSelection(s.Out, rows, figs, !r.counts)
	} else if err == nil {
		err = reproduce.SelectText(s.Out, rows, figs, !r.counts)
	}
	if err != nil {
		fmt.Fprintln(s.Err, "rehearse reproduce:", err)
		return ExitError
	}
	code := ExitOK
	for i := range rows {
		for _, b := range rows[i].Broken() {
			fmt.Fprintf(s.Err, "selection: %s DIFFERS: %s\n", rows[i].Test, b)
			code = ExitFound
		}
	}
	for i := range figs {
		if figs[i].Broken() {
			fmt.Fprintf(s.Err, "selection: %s DIFFERS\n", figs[i].What)
			code = ExitFound
		}
	}
	return code
}

// selectionJSON is a test or a figure and a strategy for machines.
type selectionJSON struct {
	Test       string  `json:"test"`
	Strategy   string  `json:"strategy"`
	Executions int     `json:"executions"`
	States     int     `json:"states,omitempty"`
	Heuristic  int     `json:"h,omitempty"`
	Backtracks int     `json:"backtracks,omitempty"`
	Seconds    float64 `json:"seconds,omitempty"`
	Published  *int    `json:"published,omitempty"` // executions
	Why        string  `json:"why,omitempty"`       // not run, or different
}

func writeSelection(w io.Writer, rows []reproduce.SelectRow, figs []reproduce.SelectFigure, times bool) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for i := range rows {
		r := &rows[i]
		for _, x := range []struct {
			strategy  string
			s         *reproduce.Selected
			published *int
		}{{"select/nomarks", &r.Without, &r.SelectionTest.Without.Executions},
			{"select", &r.With, &r.SelectionTest.With.Executions}, {"optimal", &r.Optimal, nil}} {
			out := selectionJSON{r.Test, x.strategy, x.s.Executions, x.s.States, x.s.Heuristic, x.s.Backtracks, x.s.Seconds,
				x.published, x.s.Why}
			if !times {
				out.Seconds = 0
			}
			if err := enc.Encode(out); err != nil {
				return err
			}
		}
	}
	for _, f := range figs {
		if err := enc.Encode(selectionJSON{Test: f.What, Strategy: f.Strategy, Executions: f.Ours, Published: &f.Published,
			Why: f.Why}); err != nil {
			return err
		}
	}
	return nil
}
