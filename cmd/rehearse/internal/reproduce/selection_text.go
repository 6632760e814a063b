package reproduce

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/rehearse-go/rehearse/published"
)

// SelectText prints the table and the figures. Times make it differ from machine to machine.
func SelectText(w io.Writer, rows []SelectRow, figs []SelectFigure, times bool) error {
	var b strings.Builder
	b.WriteString("Table 1 of [ASTS]: executions / states / H; =5 as published, 5!7 published is 7, - not run\n\n")
	tw := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprint(tw, "test\tstable actors first\ttasks selected too\toptimal with facts\tproven stable\tbacktracks")
	if times {
		fmt.Fprint(tw, "\tseconds: ours, published\twith tasks\toptimal")
	}
	fmt.Fprintln(tw)
	t := &tally{}
	for i := range rows {
		t.row(tw, &rows[i], times)
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	t.write(&b, rows)
	b.WriteString("\nThe program of figure 3: executions\n\n")
	tw = tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, f := range figs {
		fmt.Fprintf(tw, "%s\t%s\t%s\t%s\n", f.What, f.Strategy, beside(f.Ours, f.Published), f.Why)
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// tally counts over the rows.
type tally struct{ cells, equal, states, heuristic, ran, best int }

func (t *tally) row(w io.Writer, r *SelectRow, times bool) {
	fmt.Fprintf(w, "%s\t%s\t%s", r.Test, t.counts(&r.Without, &r.SelectionTest.Without), t.counts(&r.With, &r.SelectionTest.With))
	if r.Optimal.Why != "" {
		fmt.Fprint(w, "\t-\t-\t-")
	} else {
		t.ran++
		if r.Optimal.Executions <= min(r.SelectionTest.Without.Executions, r.SelectionTest.With.Executions) {
			t.best++
		}
		states, h := r.Without.States+r.With.States, r.Without.Heuristic+r.With.Heuristic
		fmt.Fprintf(w, "\t%d\t%.1f%%\t%d", r.Optimal.Executions, 100*float64(states-h)/float64(states), r.Without.Backtracks+r.With.Backtracks)
	}
	if times {
		fmt.Fprintf(w, "\t%s\t%s\t%s", seconds(&r.Without, &r.SelectionTest.Without), seconds(&r.With, &r.SelectionTest.With), seconds(&r.Optimal, nil))
	}
	fmt.Fprintln(w)
}

// counts prints the three counts of a search beside the published ones.
func (t *tally) counts(ours *Selected, theirs *published.SelectionCounts) string {
	t.cells += 3
	if ours.Why != "" {
		return "-"
	}
	t.states += ours.States
	t.heuristic += ours.Heuristic
	var s []string
	for _, c := range [][2]int{{ours.Executions, theirs.Executions}, {ours.States, theirs.States}, {ours.Heuristic, theirs.Heuristic}} {
		if c[0] == c[1] {
			t.equal++
		}
		s = append(s, beside(c[0], c[1]))
	}
	return strings.Join(s, " / ")
}

func beside(ours, theirs int) string {
	if ours == theirs {
		return fmt.Sprintf("=%d", ours)
	}
	return fmt.Sprintf("%d!%d", ours, theirs)
}

// seconds prints our time, and theirs.
func seconds(ours *Selected, theirs *published.SelectionCounts) string {
	s := "-"
	if ours.Why == "" {
		s = fmt.Sprintf("%.3f", ours.Seconds)
	}
	if theirs != nil {
		s += fmt.Sprintf(", %.3f", float64(theirs.Milliseconds)/1000)
	}
	return s
}

// write prints the sums, and why cells are not equal.
func (t *tally) write(b *strings.Builder, rows []SelectRow) {
	b.WriteByte('\n')
	for i := range rows {
		switch r := &rows[i]; {
		case r.Why != "":
			fmt.Fprintf(b, "%s: %s\n", r.Test, r.Why)
		case r.Without.Why != "":
			fmt.Fprintf(b, "%s, stable actors first: %s\n", r.Test, r.Without.Why)
		}
	}
	fmt.Fprintf(b, "%d of %d cells are as published. ", t.equal, t.cells)
	if t.states > 0 {
		fmt.Fprintf(b, "In %.2f%% of %d states an actor is proven stable, or nothing is left to do.\n", 100*float64(t.states-t.heuristic)/float64(t.states), t.states)
	}
	fmt.Fprintf(b, "Optimal with facts executes no more than the paper's best column in %d of the %d tests that were run.\n", t.best, t.ran)
}
