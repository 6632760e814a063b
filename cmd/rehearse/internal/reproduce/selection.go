package reproduce

import (
	"fmt"
	"slices"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/baseline"
	"github.com/rehearse-go/rehearse/internal/strategies"
	"github.com/rehearse-go/rehearse/published"
	"github.com/rehearse-go/rehearse/subjects"
	"github.com/rehearse-go/rehearse/trace"
)

// Select asks for table 1 of [ASTS] and the executions of its figures 4 and 7, beside ours. The zero value is all that
// takes seconds.
type Select struct {
	Tests    []string // names; empty: all
	Long     bool     // searches too that take more than a few seconds
	Progress func(test string)
}

// SelectRow is a test of the table.
type SelectRow struct {
	published.SelectionTest
	Without, With Selected // by select/nomarks and select
	Optimal       Selected // by optimal with the same declared effects
}

// Selected is what a search counted.
type Selected struct {
	Why        string // why nothing was run; "" if it was
	Executions int
	States     int
	Heuristic  int
	Backtracks int
	Blocked    int
	Seconds    float64
}

// SelectFigure is a search on the program of figure 3 of [ASTS].
type SelectFigure struct {
	What, Strategy  string
	Published, Ours int
	Why             string // they are known to differ
}

// Broken reports whether ours differs, and is not known to.
func (f *SelectFigure) Broken() bool { return f.Why == "" && f.Ours != f.Published }

// figures are the trees of figures 4 and 7: the whole tree, without the dashed edges, the shaded part, and what is left
// of that.
var figures = []SelectFigure{
	{What: "figure 4, dashed branches too", Strategy: "persistent/FIFO", Published: 24},
	{What: "figure 4 without: TransDPOR", Strategy: "trans/FIFO", Published: 10,
		Why: "at node 8 the figure draws the task p only, and line 10 of figure 2 tries m too, with three more executions"},
	{What: "figure 4, shaded: stable actors first", Strategy: "select/nomarks", Published: 6},
	{What: "figure 7: independent tasks once", Strategy: "select", Published: 2},
}

// Run counts.
func (c Select) Run() (rows []SelectRow, figs []SelectFigure, err error) {
	tests, err := published.SelectionTests()
	if err != nil {
		return nil, nil, err
	}
	var names []string
	for _, t := range tests {
		names = append(names, t.Test)
	}
	if err := known("subject", c.Tests, names); err != nil {
		return nil, nil, err
	}
	for _, t := range tests {
		if len(c.Tests) > 0 && !slices.Contains(c.Tests, t.Test) {
			continue
		}
		row, err := c.row(t)
		if err != nil {
			return nil, nil, err
		}
		rows = append(rows, row)
		if c.Progress != nil {
			c.Progress(t.Test)
		}
	}
	for _, f := range figures {
		s := subjects.Selected{Name: "figure 3", System: subjects.Registry, Calls: subjects.RegistryCalls(), Effects: subjects.RegistryEffects()}
		got, err := countTest(s, f.Strategy)
		if err != nil {
			return nil, nil, err
		}
		f.Ours = got.Executions
		figs = append(figs, f)
	}
	return rows, figs, nil
}

// million is from where a search takes more than a few seconds.
const million = 1_000_000

func (c Select) row(t published.SelectionTest) (SelectRow, error) {
	row := SelectRow{SelectionTest: t}
	if t.Ours == published.SelectionNone {
		for _, s := range []*Selected{&row.Without, &row.With, &row.Optimal} {
			s.Why = t.Why
		}
		return row, nil
	}
	s := subjects.SelectedTest(t.Test)
	for _, x := range []struct {
		strategy string
		expect   int
		into     *Selected
	}{{"select/nomarks", t.Without.Executions, &row.Without}, {"select", t.With.Executions, &row.With}, {"optimal", t.With.Executions, &row.Optimal}} {
		if x.expect > million && !c.Long {
			x.into.Why = "takes long: run it with -long"
			continue
		}
		got, err := countTest(s, x.strategy)
		if err != nil {
			return row, fmt.Errorf("%s: %w", t.Test, err)
		}
		*x.into = got
	}
	return row, nil
}

// countTest explores a test by a strategy.
func countTest(t subjects.Selected, strategy string) (got Selected, err error) {
	s, err := strategies.New(strategy, 0, 0)
	if err != nil {
		return got, err
	}
	begin := time.Now()
	out, err := explore.Run(t.System(), s, explore.Options{
		Conditions: explore.Conditions{Model: trace.Bag, Calls: t.Calls, Effects: t.Effects, Copy: true}})
	if err != nil {
		return got, err
	}
	if !out.Complete {
		return got, fmt.Errorf("%s of %s is not complete: %s", strategy, t.Name, out.Reason)
	}
	got.Executions, got.Blocked, got.Seconds = out.Executions, out.Blocked, time.Since(begin).Seconds()
	if s, ok := s.(*baseline.Select); ok {
		n := s.Counts()
		got.States, got.Heuristic, got.Backtracks = n.States, n.Heuristic, n.Backtracks
	}
	return got, nil
}

// Broken lists what differs of a row although it is recorded as exact, and what contradicts the text of [ASTS]:
// backtracking because of the choice of actors.
func (r *SelectRow) Broken() []string {
	var broken []string
	differ := func(column string, ours, theirs int, claimed bool) {
		if claimed && ours != theirs {
			broken = append(broken, fmt.Sprintf("%s: %d, published %d", column, ours, theirs))
		}
	}
	for _, x := range []struct {
		name   string
		ours   *Selected
		theirs *published.SelectionCounts
	}{{"without", &r.Without, &r.SelectionTest.Without}, {"with", &r.With, &r.SelectionTest.With}} {
		if x.ours.Why != "" {
			continue
		}
		differ(x.name+": executions", x.ours.Executions, x.theirs.Executions, true)
		differ(x.name+": states", x.ours.States, x.theirs.States, r.Ours == published.SelectionExact)
		differ(x.name+": H", x.ours.Heuristic, x.theirs.Heuristic, r.Ours == published.SelectionExact)
		differ(x.name+": backtracks", x.ours.Backtracks, 0, true)
	}
	if r.Optimal.Why == "" && r.Optimal.Executions > min(r.SelectionTest.Without.Executions, r.SelectionTest.With.Executions) {
		broken = append(broken, fmt.Sprintf("optimal: %d executions, more than the paper's best", r.Optimal.Executions))
	}
	return broken
}
