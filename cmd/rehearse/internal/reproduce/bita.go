package reproduce

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/cover"
	"github.com/rehearse-go/rehearse/internal/sample"
	"github.com/rehearse-go/rehearse/internal/strategies"
	"github.com/rehearse-go/rehearse/subjects"
	"github.com/rehearse-go/rehearse/trace"
)

// Hunt asks how many executions strategies take until they find planted bugs, and how many orders they cover: the
// experiment of [Bita13] section VI, on programs of our own (subjects.Bita). The zero value is 20 seeds of at most
// 1,000 executions.
type Hunt struct {
	Seeds    int               // per program and strategy; 0: 20
	Cap      int               // executions until a strategy is given up, which count; 0: 1,000
	BugsOnly bool              // leave out coverage
	Programs []string          // names; empty: all but the large ones
	Progress func(row HuntRow) // called after each program; nil: nobody is told
}

// hunters are the columns: what is compared, and what is not limited by a seed.
var hunters = []struct {
	name string
	make func(seed uint64, cap int) (explore.Strategy, error)
}{
	{"PR", literal(cover.PR)}, {"PMR", literal(cover.PMR)}, {"PCR", literal(cover.PCR)}, {"chain", literal()},
	{"cover", named("cover")}, {"default", named("default")}, {"delays/100", named("delays/100")}, {"random", named("random")},
	{"pct/3", named("pct/3")}, {"pos", named("pos")}, {"surw", named("surw")}, {"optimal", named("optimal")}, {"auto", named("auto")},
}

// literal is the paper's strategy, with a random initial schedule as in its experiments.
func literal(c ...cover.Criterion) func(uint64, int) (explore.Strategy, error) {
	return func(seed uint64, _ int) (explore.Strategy, error) {
		return cover.NewLiteral(sample.NewRandom(seed), c...), nil
	}
}

func named(name string) func(uint64, int) (explore.Strategy, error) {
	return func(seed uint64, cap int) (explore.Strategy, error) { return strategies.New(name, seed, cap) }
}

// HuntRow is what was measured of one program.
type HuntRow struct {
	Program string
	Cells   []HuntCell // one a strategy
}

// HuntCell is what was measured of a program and a strategy.
type HuntCell struct {
	Strategy string
	Found    int   // runs that found the bug
	Runs     []int // executions of each, the cap where it was not found
	// Pairs that were seen in both orders, means over the seeds: after equal numbers of executions, and after equal time.
	After50, After200, InTime Pairs
}

// Pairs are pairs of receives that were seen in both orders, under two criteria.
type Pairs struct {
	PR  float64 `json:"pr"`
	PCR float64 `json:"pcr"`
}

// Mean is the mean of the runs, and half the width of its 95% confidence interval.
func (c *HuntCell) Mean() (mean, half float64) {
	n := float64(len(c.Runs))
	for _, r := range c.Runs {
		mean += float64(r) / n
	}
	if n < 2 {
		return mean, 0
	}
	variance := 0.0
	for _, r := range c.Runs {
		variance += (float64(r) - mean) * (float64(r) - mean) / (n - 1)
	}
	return mean, student(len(c.Runs)-1) * math.Sqrt(variance/n)
}

// student is the 97.5% quantile of Student's t with so many degrees of freedom. It is the expansion at the normal
// quantile (Abramowitz and Stegun 26.7.5), off by less than 1% from 3 degrees on.
func student(df int) float64 {
	const z = 1.959964
	v := float64(df)
	return z + (z*z*z+z)/(4*v) + (5*math.Pow(z, 5)+16*z*z*z+3*z)/(96*v*v) + (3*math.Pow(z, 7)+19*math.Pow(z, 5)+17*z*z*z-15*z)/(384*v*v*v)
}

const (
	// equalTime is what each strategy gets of a program where time is equal.
	equalTime = 20 * time.Millisecond
	// measured is how many seeds coverage is measured with.
	measured = 5
)

// Run measures the programs that h asks for, in their order.
func (h Hunt) Run() ([]HuntRow, error) {
	h.Seeds, h.Cap = orElse(h.Seeds, 20), orElse(h.Cap, 1000)
	var names []string
	for _, p := range subjects.Bita() {
		names = append(names, p.Name)
	}
	if err := known("program", h.Programs, names); err != nil {
		return nil, err
	}
	var rows []HuntRow
	for _, p := range subjects.Bita() {
		if len(h.Programs) == 0 && p.Large || len(h.Programs) > 0 && !slices.Contains(h.Programs, p.Name) {
			continue
		}
		row, err := h.program(p)
		if err != nil {
			return rows, err
		}
		rows = append(rows, row)
		if h.Progress != nil {
			h.Progress(row)
		}
	}
	return rows, nil
}

func orElse(n, otherwise int) int {
	if n == 0 {
		return otherwise
	}
	return n
}

func (h Hunt) program(p subjects.Planted) (HuntRow, error) {
	row := HuntRow{Program: p.Name}
	for _, x := range hunters {
		cell := HuntCell{Strategy: x.name}
		for seed := range uint64(h.Seeds) {
			fresh := func() (explore.Strategy, error) { return x.make(seed+1, h.Cap) }
			if err := h.hunt(p, fresh, &cell); err != nil {
				return row, fmt.Errorf("%s with %s, seed %d: %w", p.Name, x.name, seed+1, err)
			}
			if h.BugsOnly || seed >= measured {
				continue
			}
			if err := h.measure(p, fresh, &cell); err != nil {
				return row, fmt.Errorf("%s with %s, seed %d: %w", p.Name, x.name, seed+1, err)
			}
		}
		row.Cells = append(row.Cells, cell)
	}
	return row, nil
}

// hunt adds a run until the bug is found.
func (h Hunt) hunt(p subjects.Planted, fresh func() (explore.Strategy, error), cell *HuntCell) error {
	s, err := fresh()
	if err != nil {
		return err
	}
	found := false
	o := h.options(p)
	o.Check, o.Budget.Executions = &check.Checker{}, h.Cap
	o.Found = func(f explore.Found) bool { found = f.Violations[0].Kind == p.Kind; return !found }
	out, err := explore.Run(p.Make(), s, o)
	switch {
	case err != nil:
		return err
	case found:
		cell.Found++
		cell.Runs = append(cell.Runs, out.Executions)
	default:
		cell.Runs = append(cell.Runs, h.Cap)
	}
	return nil
}

func (h Hunt) options(p subjects.Planted) explore.Options {
	return explore.Options{Conditions: explore.Conditions{Model: p.Model, Copy: true}}
}

// measure adds what is covered if bugs end nothing.
func (h Hunt) measure(p subjects.Planted, fresh func() (explore.Strategy, error), cell *HuntCell) error {
	count := func(a *cover.Achieved) Pairs {
		n := float64(min(h.Seeds, measured))
		return Pairs{float64(a.Covered(cover.PR)) / n, float64(a.Covered(cover.PCR)) / n}
	}
	s, err := fresh()
	if err != nil {
		return err
	}
	achieved, o := cover.NewAchieved(), h.options(p)
	var now, at50, at200, inTime Pairs
	begin, counting, executions, late := time.Now(), time.Duration(0), 0, false
	o.After = func(_ *explore.Counters, tr *trace.Trace) {
		from := time.Now()
		late = late || from.Sub(begin)-counting > equalTime
		achieved.Observe(tr)
		now = count(achieved)
		if executions++; executions <= 50 {
			at50 = now
		}
		if executions <= 200 {
			at200 = now
		}
		if !late {
			inTime = now
		}
		counting += time.Since(from) // which is not the strategy's time
	}
	o.Stop = func() bool { return executions >= 200 && late }
	if _, err := explore.Run(p.Make(), s, o); err != nil {
		return err
	}
	cell.After50.add(at50)
	cell.After200.add(at200)
	cell.InTime.add(inTime)
	return nil
}

func (p *Pairs) add(q Pairs) { p.PR, p.PCR = p.PR+q.PR, p.PCR+q.PCR }
