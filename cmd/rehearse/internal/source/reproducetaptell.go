package source

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/rehearse-go/rehearse/cmd/rehearse/internal/cli"
	"github.com/rehearse-go/rehearse/published"
)

// tapTable is what came of all packages.
type tapTable struct {
	published []published.TAPRow
	rows      []*tapRow
	results   []*tapResult
	load      time.Duration
	confirm   time.Duration
	graphs    time.Duration
	notes     []string
}

// tapRow counts one package.
type tapRow struct {
	path            string
	targets, panics int
	executed        int            // by tests without faults
	faults          int            // with faults only
	walked          int            // by nothing but executions of the driver as it is
	covered         map[string]int // of all seeds
}

// add adds a program, with a row for each package.
func (t *tapTable) add(p *tapProject) {
	rows := map[string]*tapRow{}
	for _, x := range p.targets {
		row := rows[packageOf(x)]
		if row == nil {
			row = &tapRow{path: packageOf(x), covered: map[string]int{}}
			rows[row.path] = row
			t.rows = append(t.rows, row)
		}
		row.targets++
		if x.Panic {
			row.panics++
		}
		switch p.known.of(x) {
		case knownExecuted:
			row.executed++
		case knownFaults:
			row.faults++
		}
	}
	for _, x := range p.results {
		row := rows[x.Package]
		if x.Verdict == verdictCovered {
			row.covered[x.Setting]++
		} else if x.Walked {
			row.walked++
		}
		if x.Setting == ours && x.Known == knownEnding {
			row.executed--
		}
	}
	t.results = append(t.results, p.results...)
	t.load += p.load
	t.confirm += p.confirm
	t.graphs += p.graphs
	for _, n := range p.notes {
		t.notes = append(t.notes, p.path+": "+n)
	}
}

// tell prints the table.
func (t *tapTable) tell(s cli.Streams, r *tapRun) error {
	w := tabwriter.NewWriter(s.Out, 0, 0, 2, ' ', 0)
	t.packages(w, r)
	w.Flush()
	fmt.Fprintln(s.Out)
	t.settings(w, r)
	w.Flush()
	fmt.Fprintln(s.Out)
	t.theirs(w)
	w.Flush()
	t.twin(s.Out, r)
	t.reasons(s.Out, r)
	t.missed(s.Out)
	if !r.counts {
		fmt.Fprintf(s.Out, "\nreading %.0f s, message flow graphs %.0f s, confirming %.0f s, beside the searches\n",
			t.load.Seconds(), t.graphs.Seconds(), t.confirm.Seconds())
	}
	list(s.Out, "notes:", t.notes)
	return nil
}

// packages prints a line for each package: how many targets each setting covers.
func (t *tapTable) packages(w io.Writer, r *tapRun) {
	fmt.Fprintf(w, "package\ttargets\tpanics\tby tests\tby faults\t%s\tdriver as it is\n", strings.Join(r.chosen, "\t"))
	sum := &tapRow{path: "all", covered: map[string]int{}}
	for _, row := range append(slices.Clone(t.rows), sum) {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d", strings.TrimPrefix(row.path, "github.com/rehearse-go/rehearse/"), row.targets,
			row.panics, row.executed, row.faults)
		for _, setting := range r.chosen {
			fmt.Fprintf(w, "\t%s", mean(row.covered[setting], row.targets, len(r.seedsOf(setting))))
			sum.covered[setting] += row.covered[setting]
		}
		fmt.Fprintf(w, "\t%d\n", row.walked)
		sum.targets, sum.panics, sum.executed, sum.faults = sum.targets+row.targets, sum.panics+row.panics,
			sum.executed+row.executed, sum.faults+row.faults
		sum.walked += row.walked
	}
}

func percent(n, of int) string {
	if of == 0 {
		return "0"
	}
	return fmt.Sprintf("%d (%.0f%%)", n, 100*float64(n)/float64(of))
}

// mean is percent for the mean of several seeds.
func mean(n, of, seeds int) string {
	if seeds < 2 || of == 0 {
		return percent(n, of)
	}
	each := float64(n) / float64(seeds)
	return fmt.Sprintf("%.1f (%.0f%%)", each, 100*each/float64(of))
}

// tapKinds are the kinds of targets: of implicit panics it is rarely known whether they are possible, so they are
// counted apart.
var tapKinds = []struct {
	name string
	has  func(*tapResult) bool
}{
	{"blocks", func(r *tapResult) bool { return r.Panic == "" }},
	{"panics", func(r *tapResult) bool { return r.Panic != "" }},
}

// tapSum is what came of all targets of a kind in one setting.
type tapSum struct {
	Targets, Covered, Executed, OfExecuted, Unconfirmed, NotCounted, Infeasible, GaveUp int
	Claims, Spurious, Unfollowed, Uncounted, Unsure, Late                               int
	Steps, Queries, Actors, Messages                                                    int
	Median, Total                                                                       float64
}

func sumTAP(results []*tapResult, setting string, has func(*tapResult) bool) (x tapSum) {
	var seconds []float64
	for _, r := range results {
		if r.Setting != setting || !has(r) {
			continue
		}
		x.Targets++
		switch r.Verdict {
		case verdictCovered:
			x.Covered++
			x.Actors, x.Messages = x.Actors+r.Actors, x.Messages+r.Messages
		case verdictUnconfirmed:
			x.Unconfirmed++
		case verdictUncounted:
			x.NotCounted++
		case verdictInfeasible:
			x.Infeasible++
		default:
			x.GaveUp++
		}
		if r.Known == knownExecuted {
			if x.OfExecuted++; r.Verdict == verdictCovered {
				x.Executed++
			}
		}
		if r.Late {
			x.Late++
		}
		x.Claims, x.Spurious, x.Unfollowed = x.Claims+r.Claims, x.Spurious+r.Spurious, x.Unfollowed+r.Unfollowed
		x.Uncounted, x.Unsure = x.Uncounted+r.Uncounted, x.Unsure+r.Unsure
		x.Steps, x.Queries = x.Steps+r.Steps, x.Queries+r.Queries
		x.Total += r.Seconds
		seconds = append(seconds, r.Seconds)
	}
	if slices.Sort(seconds); len(seconds) > 0 {
		x.Median = seconds[len(seconds)/2]
	}
	return x
}

// settings prints a line for each setting.
func (t *tapTable) settings(w io.Writer, r *tapRun) {
	fmt.Fprint(w, "setting\t\ttargets\tcovered\tof those by tests\tnot confirmed\tnot counted\tinfeasible\tgave "+
		"up\tclaims\tspurious\tnot followed\tclaims not counted\tunsure\tsteps\tsolver calls\tactors\tmessages")
	if !r.counts {
		fmt.Fprint(w, "\tseconds: median\tall")
	}
	fmt.Fprintln(w)
	for _, setting := range r.chosen {
		for _, kind := range tapKinds {
			x := sumTAP(t.results, setting, kind.has)
			seeds := len(r.seedsOf(setting))
			x.Targets /= seeds
			fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%d of %d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%s\t%s", setting, kind.name, x.Targets, mean(x.Covered, x.Targets, seeds), x.Executed, x.OfExecuted,
				x.Unconfirmed, x.NotCounted, x.Infeasible, x.GaveUp, x.Claims, x.Spurious, x.Unfollowed, x.Uncounted, x.Unsure, x.Steps, x.Queries, each(x.Actors, x.Covered), each(x.Messages, x.Covered))
			if !r.counts {
				fmt.Fprintf(w, "\t%.3f\t%.0f", x.Median, x.Total)
			}
			fmt.Fprintln(w)
		}
	}
}

func each(n, of int) string {
	if of == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f", float64(n)/float64(of))
}

// theirs prints the paper's table.
func (t *tapTable) theirs(w io.Writer) {
	fmt.Fprintln(w, "[TAP18], table 3\ttargets\tRandom\tH1\tH2\tH1+H2\tH+F")
	for _, row := range t.published {
		fmt.Fprintf(w, "%s\t", row.Subjects)
		if row.Targets > 0 {
			fmt.Fprint(w, row.Targets)
		}
		for _, n := range row.Settings {
			if row.Targets > 0 {
				fmt.Fprintf(w, "\t%s", percent(n, row.Targets))
			} else {
				fmt.Fprintf(w, "\t%d", n)
			}
		}
		fmt.Fprintln(w)
	}
}

// reasons prints why targets are not covered, the most frequent reasons first.
func (t *tapTable) reasons(w io.Writer, r *tapRun) {
	for _, setting := range r.chosen {
		counts := map[string]int{}
		for _, x := range t.results {
			if x.Setting == setting && x.Verdict != verdictCovered && x.Verdict != verdictInfeasible {
				counts[x.Verdict+": "+x.Reason]++
			}
		}
		var keys []string
		for k := range counts {
			keys = append(keys, k)
		}
		slices.SortFunc(keys, func(a,
			b string) int {
			return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a, b))
		})
		var lines []string
		for _, k := range keys {
			lines = append(lines, fmt.Sprintf("%4d %s", counts[k], k))
		}
		if len(lines) > 0 {
			fmt.Fprintln(w)
			list(w, setting+", not covered and not infeasible:", lines)
		}
	}
}

// missed prints the blocks that only injected faults reach, and those that tests execute and our search does not reach.
func (t *tapTable) missed(w io.Writer) {
	var faults, ending, missed []string
	for _, x := range t.results {
		if x.Setting != ours {
			continue
		}
		line := fmt.Sprintf("%s: %s", x.Target, x.Verdict)
		if x.Why != "" {
			line += ": " + x.Why
		}
		if x.Walked {
			line += " (reached where the driver is executed as it is)"
		}
		switch {
		case x.Known == knownFaults:
			faults = append(faults, line)
		case x.Known == knownEnding:
			ending = append(ending, line)
		case x.Known == knownExecuted && x.Verdict != verdictCovered:
			missed = append(missed, line)
		}
	}
	if len(faults) > 0 {
		fmt.Fprintln(w)
		list(w, "blocks that tests execute only where faults are injected:", faults)
	}
	if len(ending) > 0 {
		fmt.Fprintln(w)
		list(w, "blocks that tests execute only where an execution is ended whose actors wait for each other, which the "+
			"program does not do:", ending)
	}
	if len(missed) > 0 {
		fmt.Fprintln(w)
		list(w, "blocks that tests execute without faults, and ours does not reach:", missed)
	}
}

// writeTAP writes the line of a setting and target.
func writeTAP(w io.Writer, x *tapResult, counts bool) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	told := *x
	if counts {
		told.Seconds = 0
	}
	return enc.Encode(told)
}
