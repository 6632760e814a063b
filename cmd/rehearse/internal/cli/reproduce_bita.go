package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/rehearse-go/rehearse/cmd/rehearse/internal/reproduce"
)

// runBita is `rehearse reproduce bita`.
func (r *reproduceRun) runBita(s Streams) int {
	if len(r.config.Tables) > 0 || r.config.Long {
		return Usage(s, "reproduce", errors.New("-table and -long are not for reproduce bita"))
	}
	if r.hunt.Seeds < 0 || r.hunt.Cap < 0 {
		return Usage(s, "reproduce", errors.New("-seeds and -cap are at least 1"))
	}
	r.hunt.Programs = r.config.Subjects
	r.hunt.Progress = func(row reproduce.HuntRow) { fmt.Fprintln(s.Err, "bita:", row.Program, "is done") }
	rows, err := r.hunt.Run()
	if err == nil && r.json {
		err = writeHunt(s.Out, rows, !r.counts)
	} else if err == nil {
		err = reproduce.HuntText(s.Out, rows, !r.counts)
	}
	if err != nil {
		fmt.Fprintln(s.Err, "rehearse reproduce:", err)
		return ExitError
	}
	for _, v := range reproduce.Judge(rows) {
		if !v.Met {
			return ExitFound
		}
	}
	return ExitOK
}

// huntJSON is a program and a strategy for machines.
type huntJSON struct {
	Program    string           `json:"program"`
	Strategy   string           `json:"strategy"`
	Found      int              `json:"found"` // runs
	Executions []int            `json:"executions"`
	Mean       float64          `json:"mean"`
	Half       float64          `json:"half"` // of the 95% interval
	After50    reproduce.Pairs  `json:"after50"`
	After200   reproduce.Pairs  `json:"after200"`
	InTime     *reproduce.Pairs `json:"inTime,omitempty"`
}

func writeHunt(w io.Writer, rows []reproduce.HuntRow, times bool) error {
	enc := json.NewEncoder(w)
	for i := range rows {
		for k := range rows[i].Cells {
			c := &rows[i].Cells[k]
			out := huntJSON{Program: rows[i].Program, Strategy: c.Strategy, Found: c.Found, Executions: c.Runs,
				After50: c.After50, After200: c.After200}
			out.Mean, out.Half = c.Mean()
			if times {
				out.InTime = &c.InTime
			}
			if err := enc.Encode(out); err != nil {
				return err
			}
		}
	}
	return nil
}
