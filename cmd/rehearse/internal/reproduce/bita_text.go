package reproduce

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/subjects"
)

// Goals of the comparison. Our strategy finds every bug in every run, within ours times the mean of the best strategy
// that does so too. So does auto, within auto times that mean. And the sum of our means is the least of all.
const (
	oursWithin = 4
	autoWithin = 6
)

// Verdict says whether a goal of the comparison is met.
type Verdict struct {
	Goal string
	Met  bool
	Why  string // the programs or numbers that show it
}

// cell gives that of a strategy.
func (r *HuntRow) cell(strategy string) *HuntCell {
	for i := range r.Cells {
		if r.Cells[i].Strategy == strategy {
			return &r.Cells[i]
		}
	}
	panic("reproduce: no column " + strategy)
}

// best gives the strategy with the least mean of those that found the bug in every run, nil if none did.
func (r *HuntRow) best() *HuntCell {
	var best *HuntCell
	least := math.Inf(1)
	for i := range r.Cells {
		c := &r.Cells[i]
		if mean, _ := c.Mean(); c.Found == len(c.Runs) && mean < least {
			best, least = c, mean
		}
	}
	return best
}

// Judge compares the strategies. Sums are of all programs.
func Judge(rows []HuntRow) []Verdict {
	verdicts := []Verdict{finds(rows, "cover"), within(rows, "cover", oursWithin), within(rows, "auto", autoWithin)}
	for _, p := range subjects.Bita() {
		if !p.Large && !slices.ContainsFunc(rows, func(r HuntRow) bool { return r.Program == p.Name }) {
			return verdicts
		}
	}
	return append(verdicts, leastSum(rows, "cover"))
}

func finds(rows []HuntRow, strategy string) Verdict {
	v := Verdict{Goal: strategy + " finds every bug in every run", Met: true}
	for i := range rows {
		if c := rows[i].cell(strategy); c.Found < len(c.Runs) {
			v.Met = false
			v.Why += fmt.Sprintf(" %s: %d of %d", rows[i].Program, c.Found, len(c.Runs))
		}
	}
	return v
}

func within(rows []HuntRow, strategy string, times float64) Verdict {
	v := Verdict{Goal: fmt.Sprintf("%s takes at most %g times as many executions as the best of the row", strategy, times), Met: true}
	worst := 0.0
	for i := range rows {
		best := rows[i].best()
		if best == nil {
			continue
		}
		mean, _ := rows[i].cell(strategy).Mean()
		least, _ := best.Mean()
		if ratio := mean / least; ratio > worst {
			worst = ratio
			v.Why = fmt.Sprintf(" at most %.1f times, in %s, where %s is best", ratio, rows[i].Program, best.Strategy)
		}
	}
	v.Met = worst <= times
	return v
}

func leastSum(rows []HuntRow, strategy string) Verdict {
	v := Verdict{Goal: strategy + " has the least sum of means"}
	other, who := math.Inf(1), ""
	for _, c := range rows[0].Cells {
		// auto is made of it.
		if s := sum(rows, c.Strategy); c.Strategy != strategy && c.Strategy != "auto" && s < other {
			other, who = s, c.Strategy
		}
	}
	ours := sum(rows, strategy)
	v.Met = ours < other
	v.Why = fmt.Sprintf(" %.1f; the next is %s with %.1f", ours, who, other)
	return v
}

func sum(rows []HuntRow, strategy string) float64 {
	total := 0.0
	for i := range rows {
		mean, _ := rows[i].cell(strategy).Mean()
		total += mean
	}
	return total
}

// HuntText prints what was measured, and the verdicts. Without times it leaves out what differs from run to run.
func HuntText(w io.Writer, rows []HuntRow, times bool) error {
	var b strings.Builder
	b.WriteString("Executions until the bug is found: mean ± half of the 95% interval; [k]: found in k runs only, the others count as the cap\n\n")
	printGrid(&b, huntGrid(rows, func(c *HuntCell) string {
		mean, half := c.Mean()
		s := number(mean)
		if half >= 0.05 {
			s += "±" + number(half)
		}
		if c.Found < len(c.Runs) {
			s += fmt.Sprintf("[%d]", c.Found)
		}
		return s
	}, true))
	pairs := func(title string, of func(*HuntCell) Pairs) {
		b.WriteString("\nPairs of receives seen in both orders, PR/PCR, " + title + "\n\n")
		printGrid(&b, huntGrid(rows, func(c *HuntCell) string { return fmt.Sprintf("%.0f/%.0f", of(c).PR, of(c).PCR) }, false))
	}
	pairs("after 50 executions", func(c *HuntCell) Pairs { return c.After50 })
	pairs("after 200 executions", func(c *HuntCell) Pairs { return c.After200 })
	if times {
		pairs(fmt.Sprintf("after %v each", equalTime), func(c *HuntCell) Pairs { return c.InTime })
	}
	b.WriteString("\n")
	for _, v := range Judge(rows) {
		met := "met"
		if !v.Met {
			met = "MISSED"
		}
		fmt.Fprintf(&b, "%s: %s:%s\n", met, v.Goal, v.Why)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// huntGrid arranges the cells, with a line of sums.
func huntGrid(rows []HuntRow, text func(*HuntCell) string, sums bool) [][]string {
	head := []string{"program"}
	for _, x := range hunters {
		head = append(head, x.name)
	}
	grid := [][]string{head}
	for i := range rows {
		line := []string{rows[i].Program}
		for k := range rows[i].Cells {
			line = append(line, text(&rows[i].Cells[k]))
		}
		grid = append(grid, line)
	}
	if sums {
		line := []string{"sum of means"}
		for _, x := range hunters {
			line = append(line, number(sum(rows, x.name)))
		}
		grid = append(grid, line)
	}
	return grid
}

// number has one digit behind the point where it says something.
func number(x float64) string {
	if x >= 100 {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.1f", x)
}
