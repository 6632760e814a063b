package target_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/symbolic/internal/toysys"
	"github.com/rehearse-go/rehearse/symbolic/target"
	"github.com/rehearse-go/rehearse/trace"
)

// This file counts what comes of the comparison with the twin, and says whether it is enough.

// tally counts places.
type tally struct {
	systems  map[uint64]bool
	verdicts map[string]int                 // by verdict, and by which search
	models   map[trace.Model]map[string]int // the same by model
	yes, no  map[string]map[trace.Model]int // by feature: places that can be reached by a way that uses it, and places of systems with it that cannot
	open     map[string]int                 // places where the search gave up, by reason
	async    map[string]int                 // comparisons with timers that fire at any point
	said     map[string]int                 // by the executions of ways
}

func newTally() *tally {
	return &tally{map[uint64]bool{}, map[string]int{}, map[trace.Model]map[string]int{}, map[string]map[trace.Model]int{}, map[string]map[trace.Model]int{}, map[string]int{},
		map[string]int{}, map[string]int{}}
}

func count[K comparable](m map[K]map[trace.Model]int, at K, model trace.Model) {
	if m[at] == nil {
		m[at] = map[trace.Model]int{}
	}
	m[at][model]++
}

var positions = regexp.MustCompile(`[^ ]*\.go:[0-9:]+|step [0-9]+|[0-9]+`)

// note counts an answer.
func (c *tally) note(s *toysys.System, m trace.Model, l int, want *toysys.Reached, a *target.Answer) {
	c.systems[s.Seed] = true
	_, yes := want.Runs[l]
	verdict := a.Verdict.String()
	if a.Verdict != target.GaveUp && a.Counts.Runs > 0 || strings.Contains(a.Bounds, "forward") {
		verdict += ", by a search forward"
	}
	if a.Verdict == target.GaveUp {
		verdict += map[bool]string{true: ", reachable", false: ", unreachable"}[yes]
		why := a.Why
		for _, r := range a.Reasons {
			if strings.HasPrefix(r, "the search forward") {
				why = r
			}
		}
		c.open[positions.ReplaceAllString(why, "#")]++
	}
	c.verdicts[verdict]++
	if c.models[m] == nil {
		c.models[m] = map[string]int{}
	}
	c.models[m][verdict]++
	if yes {
		for _, f := range want.Used[l] {
			count(c.yes, f, m)
		}
		return
	}
	for _, f := range s.Features() {
		count(c.no, f, m)
	}
}

// check fails if too little was compared, or if the search gave up too often.
func (c *tally) check(t *testing.T) {
	t.Helper()
	t.Logf("%d systems, places: %v", len(c.systems), c.verdicts)
	for _, m := range toysys.Models {
		t.Logf("%v: %v", m, c.models[m])
	}
	t.Log("gave up:", c.open)
	t.Log("timers at any point:", c.async)
	t.Log("ways that were executed:", c.said)
	c.enough(t)
	least := 50 * len(c.systems) / 1000
	for _, f := range toysys.AllFeatures {
		line := fmt.Sprintf("%-12s", f)
		for _, m := range toysys.Models {
			line += fmt.Sprintf(" %v %d/%d", m, c.yes[f][m], c.no[f][m])
			if least > 0 && (c.yes[f][m] < least || c.no[f][m] < least) {
				t.Errorf("%v: by ways with %s %d places can be reached, and %d of systems with it cannot: want %d of each", m, f, c.yes[f][m], c.no[f][m], least)
			}
		}
		t.Log(line)
	}
}

// enough fails if the search has given up too often, or too few places are decided.
func (c *tally) enough(t *testing.T) {
	t.Helper()
	all, up := 0, 0
	for verdict, n := range c.verdicts {
		if all += n; strings.HasPrefix(verdict, "gave up") || verdict == "too large" {
			up += n
		}
	}
	if n := len(c.systems); all < 35*n || 50*up > all || c.verdicts["found"] < 10*n || c.verdicts["infeasible"] < 3*n {
		t.Errorf("%d places of %d systems, %d of them undecided: want 35 of each, at most 2%% undecided, and of each 10 that are found backward and 3 that are infeasible", all, n, up)
	}
	if c.async["both"] == 0 || c.async["neither"] == 0 {
		t.Errorf("no comparison with timers at any point: %v", c.async)
	}
}
