package summary_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/solve"
	"github.com/rehearse-go/rehearse/symbolic/summary"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// corpus is programs whose handlers are summarised. The shares are what was measured, less one handler: docs/summary.md
// has the table.
var corpus = []struct {
	dir, patterns   string
	exact, complete int // percent of the handlers that have a case of their own, at least
	optional        bool
}{
	{dir: "../../examples", patterns: "./...", exact: 98, complete: 77},
	{dir: "../../subjects", patterns: ".", exact: 98, complete: 74},
	{dir: "../../examples", patterns: "github.com/asynkron/protoactor-go/actor github.com/asynkron/protoactor-go/router github.com/asynkron/protoactor-go/scheduler", exact: 98, optional: true},
}

// row is a row of the table.
type row struct {
	handlers, exact, complete, paths, queries int
	why                                       map[string]int
}

// stopwatch is a solver that notes how long questions take, for the log alone.
type stopwatch struct {
	solve.Solver
	took *[]time.Duration
}

func (w stopwatch) Scope() solve.Solver { return stopwatch{w.Solver.Scope(), w.took} }

func (w stopwatch) Check(ctx context.Context, conds ...*term.Term) solve.Result {
	started := time.Now()
	defer func() { *w.took = append(*w.took, time.Since(started)) }()
	return w.Solver.Check(ctx, conds...)
}

// percentiles tells what half of the questions take at most, and what 99 of 100 do.
func (w stopwatch) percentiles() string {
	took := *w.took
	if len(took) == 0 {
		return "no questions"
	}
	slices.Sort(took)
	return fmt.Sprintf("%v a question, 99%% in %v", took[len(took)/2], took[len(took)*99/100])
}

func TestCorpus(t *testing.T) {
	for _, c := range corpus {
		if c.optional && os.Getenv("REHEARSE_CORPUS") == "" {
			continue
		}
		r := measure(t, c.dir, strings.Fields(c.patterns)...)
		if 100*r.exact < c.exact*r.handlers || 100*r.complete < c.complete*r.handlers {
			t.Errorf("%s: %d of %d handlers are exact, %d of these complete: want %d%% and %d%%; reasons:\n%s", c.dir, r.exact, r.handlers, r.complete, c.exact, c.complete, r.reasons())
		}
	}
}

// measure summarises all handlers of packages.
func measure(t *testing.T, dir string, patterns ...string) *row {
	t.Helper()
	p, err := summary.Load(load.Config{Dir: dir, Patterns: patterns, NoTests: true})
	if err != nil {
		t.Fatal(err)
	}
	store, solver := embedded(t)
	watch := stopwatch{solver, new([]time.Duration)}
	q := summary.New(p, store, watch)
	r := &row{why: map[string]int{}}
	started := time.Now() // for the log alone
	for _, h := range q.Handlers(t.Context()) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		s := q.Of(ctx, h, exec.Config{})
		cancel()
		if s.Defect != "" {
			t.Errorf("%s on %s: defect: %s", h.Actor, h.Name(), s.Defect)
		}
		if h.Message != nil {
			r.add(s)
		}
	}
	t.Logf("%s %s: %d handlers, %d exact, %d of these complete, %d paths, %d questions, %v, %s\n%s", dir, strings.Join(patterns, " "), r.handlers, r.exact, r.complete, r.paths, r.queries,
		time.Since(started).Round(time.Millisecond), watch.percentiles(), r.reasons())
	return r
}

func (r *row) add(s *summary.Summary) {
	r.handlers++
	r.paths, r.queries = r.paths+len(s.Paths), r.queries+s.Queries
	if s.Exact() {
		r.exact++
		if s.Complete() {
			r.complete++
		}
	}
	first := ""
	for _, path := range s.Paths {
		for _, m := range path.Marks {
			if m.Kind == exec.Havoc && first == "" {
				first = "inexact: " + m.What
			}
		}
	}
	for cut := range s.Cuts {
		if first == "" || strings.HasPrefix(first, "cut: ") && "cut: "+cut < first {
			first = "cut: " + cut
		}
	}
	if first != "" {
		r.why[first]++
	}
}

// reasons lists the first reasons for which handlers are not exact or not complete, with how many there are.
func (r *row) reasons() string {
	var list []string
	for why, n := range r.why {
		list = append(list, fmt.Sprintf("%5d %s", n, why))
	}
	slices.SortFunc(list, func(a, b string) int { return strings.Compare(b, a) })
	return strings.Join(list, "\n")
}
