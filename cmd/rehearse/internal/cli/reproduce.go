package cli

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/rehearse-go/rehearse/cmd/rehearse/internal/reproduce"
	"github.com/rehearse-go/rehearse/published"
)

var reproduceCommand = Command{
	Name: "reproduce", Args: "[flags] [bita | selection | apet | tap [packages]]",
	Short: "compare published counts with our own, cell by cell; or strategies with each other",
	Long: `Reproduce explores the subjects of the literature as the published tables did and prints each table with our counts beside
the published ones. Tables: 3.1, 3.2, 3.3, 4.1 and 4.2 of [Basset11], and classes, which is ours: how many executions
the optimal reductions leave under each delivery model. docs/reproduction.md says what differs and why.

  =5   ours is 5, as published
  5!7  ours is 5, published is 7; below the table is why
  5~7  time (seconds) or memory (megabytes of objects on the heap): ours on this machine, theirs on theirs
  -    not run; below the table is why

The exit code is 1 if a cell differs that is recorded as exact.

Reproduce bita repeats the experiment of [Bita13] on programs of our own: how many executions strategies take until they find a
planted bug, and how many pairs of receives they see in both orders. PR, PMR, PCR and chain are the paper's, cover and
auto ours. docs/coverage.md has the goals; the exit code is 1 if one is missed.

Reproduce selection prints table 1 of [ASTS] beside our counts, and the executions of its figures 4 and 7; beside that those of
optimal with the same declared effects. docs/selection.md has the rules; the exit code is 1 if a cell differs that is recorded as exact.

Reproduce apet counts the test cases of the programs of [aPET13] beside the published ones, and prints them (-counts: leaves them out): constraints,
order, result and state as terms, and one example. The programs are read from their source. The exit code is 1 if a count differs.

Reproduce tap repeats the experiment of [TAP18] on programs of our own: it searches for ways to all blocks and implicit panics of actors, of the examples and subjects or of the
packages that are named, by the search of rehearse target (ours) and by the five settings of the paper's engine. What is found is executed before it counts as covered.
The budget of a target is a number of steps, so that the table repeats (-counts). docs/target.md has the result, and what the columns mean.
`,
	Setup: func(fs *flag.FlagSet) func(Streams, Arguments) int {
		r := &reproduceRun{flags: fs}
		fs.Func("table", "only these tables: names with commas between, of "+strings.Join(published.Tables(), ", "),
			listInto(&r.config.Tables))
		fs.Func("subject", "only these subjects: names with commas between, as the tables have them",
			listInto(&r.config.Subjects))
		fs.BoolVar(&r.config.Long, "long", false, "run the rows too that take more than a few seconds")
		fs.BoolVar(&r.counts, "counts", false, "leave out time and memory: what is printed is then the same on every machine")
		fs.BoolVar(&r.json, "json", false, "write one JSON object a cell to standard output instead of tables")
		fs.IntVar(&r.hunt.Seeds, "seeds", 0, "bita: runs of each program and strategy (default: 20)")
		fs.IntVar(&r.hunt.Cap, "cap", 0, "bita: executions after which a run is given up (default: 1000)")
		tapFlags(fs)
		return r.run
	},
}

// reproduceRun is one `rehearse reproduce`.
type reproduceRun struct {
	flags        *flag.FlagSet
	config       reproduce.Config
	counts, json bool
	hunt         reproduce.Hunt
}

func listInto(list *[]string) func(string) error {
	return func(s string) error {
		*list = append(*list, splitList(s)...)
		return nil
	}
}

// splitList splits at commas, but for those in parentheses: the programs have parameters.
func splitList(s string) (names []string) {
	depth, from := 0, 0
	for i, c := range s {
		switch {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ',' && depth == 0:
			names, from = append(names, s[from:i]), i+1
		}
	}
	return append(names, s[from:])
}

func (r *reproduceRun) run(s Streams, a Arguments) int {
	tap := len(a.Operands) > 0 && a.Operands[0] == "tap" && len(a.Rest) == 0
	if err := r.foreign(tap); err != nil {
		return Usage(s, "reproduce", err)
	}
	if tap {
		return r.runTAP(s, a.Operands[1:])
	}
	if len(a.Operands) == 1 && a.Operands[0] == "bita" && len(a.Rest) == 0 {
		return r.runBita(s)
	}
	if len(a.Operands) == 1 && a.Operands[0] == "selection" && len(a.Rest) == 0 {
		return r.runSelection(s)
	}
	if len(a.Operands) == 1 && a.Operands[0] == "apet" && len(a.Rest) == 0 {
		return r.runAPET(s)
	}
	if r.hunt.Seeds != 0 || r.hunt.Cap != 0 {
		return Usage(s, "reproduce", errors.New("-seeds and -cap are for reproduce bita"))
	}
	if len(a.Operands)+len(a.Rest) > 0 {
		return Usage(s, "reproduce",
			fmt.Errorf("unexpected argument %q: want bita, selection, apet, tap or nothing; tables and subjects go after "+
				"-table and -subject", append(a.Operands, a.Rest...)[0]))
	}
	r.config.Progress = func(x reproduce.Result) { fmt.Fprintln(s.Err, progressLine(&x)) }
	results, err := reproduce.Run(r.config)
	if err != nil {
		fmt.Fprintln(s.Err, "rehearse reproduce:", err)
		return ExitError
	}
	if r.json {
		err = r.writeJSON(s.Out, results)
	} else {
		err = reproduce.Text(s.Out, results, !r.counts)
	}
	if err != nil {
		fmt.Fprintln(s.Err, "rehearse reproduce:", err)
		return ExitError
	}
	return reproduced(results)
}

// runAPET is `rehearse reproduce apet`: a matter of the command that reads sources.
func (r *reproduceRun) runAPET(s Streams) int {
	if len(r.config.Tables) > 0 || len(r.config.Subjects) > 0 || r.config.Long || r.hunt.Seeds != 0 || r.hunt.Cap != 0 {
		return Usage(s, "reproduce", errors.New("-table, -subject, -long, -seeds and -cap are not for reproduce apet"))
	}
	args := []string{"reproduce", "apet"}
	if r.counts {
		args = append(args, "-counts")
	}
	if r.json {
		args = append(args, "-json")
	}
	return sourceCompanion.do(s, "reproduce", args)
}

// reproduced is the exit code that the results justify.
func reproduced(results []reproduce.Result) int {
	for i := range results {
		if len(results[i].Broken()) > 0 {
			return ExitFound
		}
	}
	return ExitOK
}

// progressLine tells of a row that is done.
func progressLine(r *reproduce.Result) string {
	line := fmt.Sprintf("table %s: %s %s with %s", r.Table, r.Subject, r.Run(), r.Strategy)
	switch {
	case r.Why != "":
		return line + ": not run: " + r.Why
	case len(r.Broken()) > 0:
		return line + ": DIFFERS"
	}
	return line
}

// cellJSON is a cell for machines.
type cellJSON struct {
	Table     string           `json:"table"`
	Subject   string           `json:"subject"`
	Reduction string           `json:"reduction,omitempty"`
	Language  string           `json:"language,omitempty"`
	Step      string           `json:"step,omitempty"`
	Order     string           `json:"order,omitempty"`
	Model     string           `json:"model,omitempty"`
	Program   string           `json:"program,omitempty"` // our subject
	Strategy  string           `json:"strategy"`          // ours
	Column    string           `json:"column"`
	Published int              `json:"published"`
	Ours      *float64         `json:"ours"` // null if it was not run
	Status    published.Status `json:"status"`
	Equal     bool             `json:"equal"`
	Why       string           `json:"why,omitempty"` // not run, or different
}

func (r *reproduceRun) writeJSON(w io.Writer, results []reproduce.Result) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for i := range results {
		x := &results[i]
		for j := range x.Cells {
			c := &x.Cells[j]
			if r.counts && c.Status == published.Resource {
				continue
			}
			out := cellJSON{Table: x.Table, Subject: x.Subject, Reduction: x.Reduction, Language: x.Language, Step: x.Step,
				Order: x.Order, Model: x.Model,
				Program: x.Program, Strategy: x.Strategy, Column: c.Column, Published: c.Value, Status: c.Status, Why: x.Why}
			if x.Why == "" {
				out.Ours, out.Equal = &c.Ours, c.Equal()
				if !out.Equal {
					out.Why = c.Reason
				}
			}
			if err := enc.Encode(out); err != nil {
				return err
			}
		}
	}
	return nil
}
