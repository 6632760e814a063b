package reproduce

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/rehearse-go/rehearse/published"
)

// layout says how a table is printed: one line for each value of the keys in lines, one group of columns for each value
// of across.
type layout struct {
	title  string
	lines  func(*published.Row) []string
	heads  []string // of the lines
	across func(*published.Row) string
}

func byReduction(r *published.Row) []string { return []string{r.Subject, r.Reduction} }
func byOrder(r *published.Row) []string     { return []string{r.Subject, r.Order} }

var layouts = map[string]layout{
	"3.1":     {"state-space reductions", byReduction, []string{"subject", "reduction"}, func(r *published.Row) string { return r.Language }},
	"3.2":     {"state-space reductions, continued", byReduction, []string{"subject", "reduction"}, func(r *published.Row) string { return r.Language }},
	"3.3":     {"size of steps", func(r *published.Row) []string { return []string{r.Subject, r.Language} }, []string{"subject", "language"}, func(r *published.Row) string { return r.Step }},
	"4.1":     {"orders of actors", byOrder, []string{"subject", "order"}, func(r *published.Row) string { return r.Reduction }},
	"4.2":     {"persistent sets without and with sleep sets", byOrder, []string{"subject", "order"}, func(r *published.Row) string { return r.Reduction }},
	"classes": {"executions of the optimal reductions under the five delivery models (counted by this project)", func(r *published.Row) []string { return []string{r.Subject, r.Reduction} }, []string{"subject", "reduction"}, func(r *published.Row) string { return r.Model }},
}

// Text prints the results of the tables in their order, and then what is to be said of their cells. With resources it
// has time and memory too, which differ from run to run.
func Text(w io.Writer, results []Result, resources bool) error {
	var b strings.Builder
	for _, table := range published.Tables() {
		var of []Result
		for _, r := range results {
			if r.Table == table {
				of = append(of, r)
			}
		}
		if len(of) > 0 {
			printTable(&b, table, of, resources)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func printTable(b *strings.Builder, table string, results []Result, resources bool) {
	l := layouts[table]
	fmt.Fprintf(b, "Table %s: %s\n\n", table, l.title)
	printGrid(b, l.grid(results, resources))
	b.WriteString("\n" + summary(results))
	for _, why := range reasons(results) {
		b.WriteString("  " + why + "\n")
	}
	b.WriteString("\n")
}

// grid arranges the cells: two lines of heads, then one line for each value of the keys.
func (l layout) grid(results []Result, resources bool) [][]string {
	var groups []string
	var lines [][]string // keys
	at := map[string]*Result{}
	for i := range results {
		r := &results[i]
		if g := l.across(&r.Row); !slices.Contains(groups, g) {
			groups = append(groups, g)
		}
		keys := l.lines(&r.Row)
		if !slices.ContainsFunc(lines, func(k []string) bool { return slices.Equal(k, keys) }) {
			lines = append(lines, keys)
		}
		at[strings.Join(keys, "\n")+"\n"+l.across(&r.Row)] = r
	}
	columns := shown(results[0].Cells, resources)
	upper, lower := make([]string, len(l.heads)), slices.Clone(l.heads)
	for _, g := range groups {
		for i, c := range columns {
			upper, lower = append(upper, ""), append(lower, c.Column)
			if i == 0 {
				upper[len(upper)-1] = g
			}
		}
	}
	grid := [][]string{upper, lower}
	if len(columns) == 1 { // the group says it all
		grid = [][]string{append(slices.Clone(l.heads), groups...)}
	}
	for _, keys := range lines {
		line := slices.Clone(keys)
		for _, g := range groups {
			r := at[strings.Join(keys, "\n")+"\n"+g]
			for i := range columns {
				line = append(line, r.text(i, resources))
			}
		}
		grid = append(grid, line)
	}
	return grid
}

// shown are the cells that are printed.
func shown(cells []Cell, resources bool) []Cell {
	return slices.DeleteFunc(slices.Clone(cells), func(c Cell) bool { return !resources && c.Status == published.Resource })
}

// text is the i-th cell that is shown; a row that the table does not have is empty.
func (r *Result) text(i int, resources bool) string {
	if r == nil {
		return ""
	}
	if r.Why != "" {
		return "-"
	}
	c := shown(r.Cells, resources)[i]
	switch {
	case c.Status == published.Resource:
		return strconv.FormatFloat(c.Ours, 'f', 1, 64) + "~" + strconv.Itoa(c.Value)
	case c.Equal():
		return "=" + strconv.Itoa(c.Value)
	}
	return strconv.FormatFloat(c.Ours, 'f', -1, 64) + "!" + strconv.Itoa(c.Value)
}

// printGrid pads the columns to the same width; the last is not padded.
func printGrid(b *strings.Builder, grid [][]string) {
	var widths []int
	for _, line := range grid {
		for i, s := range line {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], len(s))
		}
	}
	for _, line := range grid {
		var text strings.Builder
		for i, s := range line {
			fmt.Fprintf(&text, "  %-*s", widths[i], s)
		}
		b.WriteString(strings.TrimRight(text.String(), " ") + "\n")
	}
}

// summary counts the cells that count.
func summary(results []Result) string {
	equal, differ, idle, broken := 0, 0, 0, 0
	for i := range results {
		r := &results[i]
		broken += len(r.Broken())
		for _, c := range r.Cells {
			switch {
			case c.Status == published.Resource:
			case r.Why != "":
				idle++
			case c.Equal():
				equal++
			default:
				differ++
			}
		}
	}
	s := fmt.Sprintf("%d of %d counts are equal", equal, equal+differ+idle)
	if differ > 0 {
		s += fmt.Sprintf(", %d differ", differ)
	}
	if idle > 0 {
		s += fmt.Sprintf(", %d were not run", idle)
	}
	if broken > 0 {
		s += fmt.Sprintf("; %d of those that differ are recorded as exact: THIS IS A BUG", broken)
	}
	return s + ".\n"
}

// reasons says, once for each reason, which rows it is of.
func reasons(results []Result) []string {
	var order []string
	rows := map[string][]string{}
	add := func(why, row string) {
		if _, seen := rows[why]; !seen {
			order = append(order, why)
		}
		if !slices.Contains(rows[why], row) {
			rows[why] = append(rows[why], row)
		}
	}
	for i := range results {
		r := &results[i]
		row := r.Subject + " " + r.Run()
		if r.Why != "" {
			add("not run: "+r.Why, row)
			continue
		}
		for _, c := range r.Cells {
			if c.Status == published.Differs && !c.Equal() {
				add("differs: "+c.Reason, row)
			}
		}
		if cols := r.Broken(); len(cols) > 0 {
			add("recorded as exact, and differs", row+" ("+strings.Join(cols, ", ")+")")
		}
	}
	for i, why := range order {
		order[i] = why + ": " + abridged(rows[why])
	}
	return order
}

// abridged lists a few rows and says how many there are.
func abridged(rows []string) string {
	const most = 6
	if len(rows) <= most {
		return strings.Join(rows, "; ")
	}
	return fmt.Sprintf("%s; and %d more", strings.Join(rows[:most], "; "), len(rows)-most)
}
