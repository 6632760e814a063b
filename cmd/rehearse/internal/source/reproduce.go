package source

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"text/tabwriter"

	"github.com/rehearse-go/rehearse/cmd/rehearse/internal/cli"
	"github.com/rehearse-go/rehearse/published"
	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/symbolic/solve"
	"github.com/rehearse-go/rehearse/symbolic/summary"
	"github.com/rehearse-go/rehearse/symbolic/tasks"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// apetPrograms is the package of the programs of [aPET13].
const apetPrograms = "github.com/rehearse-go/rehearse/subjects/apet"

// reproduceCommand is what `rehearse reproduce` leaves to the reader of sources; the help is there.
var reproduceCommand = cli.Command{
	Name: "reproduce", Args: "[flags] apet | tap [packages]",
	Short: "compare published counts of test cases and of targets with our own",
	Setup: func(fs *flag.FlagSet) func(cli.Streams, cli.Arguments) int {
		r := &reproduceRun{}
		fs.BoolVar(&r.counts, "counts", false, "leave out the cases: print the counts alone")
		fs.BoolVar(&r.json, "json", false, "write one JSON object a row to standard output instead of a table")
		r.tap.add(fs)
		return r.run
	},
}

// reproduceRun is one `rehearse reproduce apet`.
type reproduceRun struct {
	counts, json bool
	tap          tapRun
}

// apetResult is a row and what we make of it.
type apetResult struct {
	published.APETRow
	ours *tasks.Result
}

// differs reports whether the number is not the one that it is to be, or cannot be relied on.
func (a *apetResult) differs() bool {
	return len(a.ours.Cases) != a.Cases || a.ours.Defect != "" || a.ours.Unknown > 0
}

func (r *reproduceRun) run(s cli.Streams, a cli.Arguments) int {
	if len(a.Operands) > 0 && a.Operands[0] == "tap" && len(a.Rest) == 0 {
		return r.runTAP(s, a.Operands[1:])
	}
	if len(a.Operands) != 1 || a.Operands[0] != "apet" || len(a.Rest) > 0 {
		return cli.Usage(s, "reproduce", errors.New("want apet or tap"))
	}
	results, err := reproduceAPET(context.Background())
	if err == nil && r.json {
		err = writeAPET(s, results)
	} else if err == nil {
		err = r.print(s, results)
	}
	if err != nil {
		fmt.Fprintln(s.Err, "rehearse reproduce apet:", err)
		return cli.ExitError
	}
	for i := range results {
		if results[i].differs() {
			return cli.ExitFound
		}
	}
	return cli.ExitOK
}

// runTAP is `rehearse reproduce tap`.
func (r *reproduceRun) runTAP(s cli.Streams, packages []string) int {
	r.tap.counts, r.tap.json = r.counts, r.json
	if err := r.tap.check(); err != nil {
		return cli.Usage(s, "reproduce", err)
	}
	code, err := r.tap.run(s, packages)
	if err != nil {
		fmt.Fprintln(s.Err, "rehearse reproduce tap:", err)
		return cli.ExitError
	}
	return code
}

// reproduceAPET explores the handlers of all rows.
func reproduceAPET(ctx context.Context) ([]apetResult, error) {
	rows, err := published.APETRows()
	if err != nil {
		return nil, err
	}
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	loaded, err := summary.Load(load.Config{Dir: dir, Patterns: []string{apetPrograms}, NoTests: true})
	if err == nil && len(loaded.Problems) > 0 {
		err = errors.New(loaded.Problems[0].String())
	}
	if err != nil {
		return nil, fmt.Errorf("the programs are read from their source, in a checkout or a module that requires "+
			"github.com/rehearse-go/rehearse: %w", err)
	}
	store := term.NewStore()
	solver, err := solve.New(store, solve.Config{Engine: solve.Embedded})
	if err != nil {
		return nil, err
	}
	defer solver.Close()
	program := tasks.New(ctx, loaded, store, solver)
	var results []apetResult
	for _, row := range rows {
		config := tasks.Config{Loops: row.Loops, Switches: row.Switches, Await: tasks.AwaitMode(row.Await),
			Policy: tasks.Policy(row.Policy), Queue: row.Queue, Pruning: row.Pruning}
		ours, err := program.Cases(ctx, row.Actor, row.Message, config)
		if err != nil {
			return nil, err
		}
		results = append(results, apetResult{row, ours})
	}
	return results, nil
}

// print writes a table, and below it the cases of each row.
func (r *reproduceRun) print(s cli.Streams, results []apetResult) error {
	w := tabwriter.NewWriter(s.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "program\tloops\tswitches\tawait\tpolicy\tqueue\tpruning\tcases\texecutions\tsection")
	for i := range results {
		a := &results[i]
		mark := "="
		if a.differs() {
			mark = fmt.Sprintf("%d!", len(a.ours.Cases))
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%s\t%s\t%d\t%d\t%s%d\t%d\t%s\n",
			a.Program, a.Loops, a.Switches, a.Await, a.Policy, a.Queue, a.Pruning, mark, a.Cases, a.ours.Executions(),
			cmp.Or(a.Place, "ours"))
	}
	if err := w.Flush(); err != nil || r.counts {
		return err
	}
	for i := range results {
		a := &results[i]
		fmt.Fprintf(s.Out, "\n%s, %s, %s, queue %d, pruning %d\n", a.Program, a.Await, a.Policy, a.Queue, a.Pruning)
		a.ours.Print(s.Out)
	}
	return nil
}

// apetJSON is a row for machines.
type apetJSON struct {
	published.APETRow
	Ours       int `json:"ours"`
	Executions int `json:"executions"`
}

func writeAPET(s cli.Streams, results []apetResult) error {
	enc := json.NewEncoder(s.Out)
	for i := range results {
		if err := enc.Encode(apetJSON{results[i].APETRow, len(results[i].ours.Cases),
			results[i].ours.Executions()}); err != nil {
			return err
		}
	}
	return nil
}
