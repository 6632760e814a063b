package target_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse/symbolic/internal/toysys"
	"github.com/rehearse-go/rehearse/symbolic/target"
	"github.com/rehearse-go/rehearse/trace"
)

// This file counts what comes of the comparison with the twin, and says whether it is enough.

// whole is how many systems the full comparison has, and least how many places each feature needs there under each
// model: that can be reached, and that cannot.
const (
	whole = 1000
	least = 50
)

// tally counts places. It is kept in a file where REHEARSE_TOY_TALLY names one, after each twenty systems: a run goes
// on where the last one was cut.
type tally struct {
	Seeds    map[uint64]bool
	Targets  int
	Verdicts map[string]int // by verdict, and by which search
	// by feature: places that can be reached by a way that uses it, and places of systems with it that cannot
	Yes, No map[string]map[trace.Model]int
	Back    map[string]int // by feature: of these those that the search backward has decided by itself
	Why     map[string]int // where a search forward has decided: why the one backward gave up
	Open    map[string]int // places where the search gave up, by reason
	Async   map[string]int // comparisons with timers that fire at any point
	Said    map[string]int // by the executions of ways
}

func newTally() *tally {
	return &tally{Seeds: map[uint64]bool{}, Verdicts: map[string]int{}, Yes: map[string]map[trace.Model]int{}, No: map[string]map[trace.Model]int{}, Back: map[string]int{},
		Why: map[string]int{}, Open: map[string]int{}, Async: map[string]int{}, Said: map[string]int{}}
}

// read takes over what was counted before.
func (c *tally) read(t *testing.T) {
	t.Helper()
	if text, err := os.ReadFile(os.Getenv("REHEARSE_TOY_TALLY")); err == nil {
		if err := json.Unmarshal(text, c); err != nil {
			t.Fatal(err)
		}
	}
}

// add adds another tally.
func (c *tally) add(o *tally) {
	maps.Copy(c.Seeds, o.Seeds)
	c.Targets += o.Targets
	for _, m := range [][2]map[string]int{{c.Verdicts, o.Verdicts}, {c.Back, o.Back}, {c.Why, o.Why}, {c.Open, o.Open}, {c.Async, o.Async}, {c.Said, o.Said}} {
		for k, n := range m[1] {
			m[0][k] += n
		}
	}
	for _, m := range [][2]map[string]map[trace.Model]int{{c.Yes, o.Yes}, {c.No, o.No}} {
		for f, by := range m[1] {
			for model, n := range by {
				count(m[0], f, model, n)
			}
		}
	}
}

// keep writes the file, if there is one.
func (c *tally) keep(t *testing.T) {
	t.Helper()
	name := os.Getenv("REHEARSE_TOY_TALLY")
	if name == "" {
		return
	}
	text, err := json.Marshal(c)
	if err == nil {
		err = os.WriteFile(name, text, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func count(m map[string]map[trace.Model]int, at string, model trace.Model, n int) {
	if m[at] == nil {
		m[at] = map[trace.Model]int{}
	}
	m[at][model] += n
}

var positions = regexp.MustCompile(`[^ ]*\.go:[0-9:]+|step [0-9]+|[0-9]+`)

// note counts an answer.
func (c *tally) note(s *toysys.System, m trace.Model, l int, want *toysys.Reached, a *target.Answer) {
	_, yes := want.Runs[l]
	verdict := a.Verdict.String()
	switch {
	case a.Verdict == target.GaveUp:
		verdict += map[bool]string{true: ", reachable", false: ", unreachable"}[yes]
		c.Open[positions.ReplaceAllString(reason(a), "#")]++
	case a.Forward != "":
		verdict += ", by a search forward"
		c.Why[positions.ReplaceAllString(a.Forward, "#")]++
	}
	c.Verdicts[verdict]++
	c.Verdicts[verdict+" under "+m.String()]++
	features, to := s.Features(), c.No
	if c.Targets++; yes {
		features, to = want.Used[l], c.Yes
	}
	for _, f := range features {
		count(to, f, m, 1)
		if a.Verdict != target.GaveUp && a.Forward == "" {
			c.Back[f]++
		}
	}
}

// reason gives why both searches gave up.
func reason(a *target.Answer) string {
	if i := slices.IndexFunc(a.Reasons, func(r string) bool { return strings.HasPrefix(r, "the search forward") }); i >= 0 {
		return a.Reasons[i]
	}
	return a.Why
}

// check fails if too little was compared, or if the search gave up too often.
func (c *tally) check(t *testing.T, open int) {
	t.Helper()
	t.Logf("%d systems, %d places: %v", len(c.Seeds), c.Targets, c.Verdicts)
	t.Log("gave up:", c.Open)
	t.Log("timers at any point:", c.Async)
	t.Log("ways that were executed:", c.Said)
	for _, why := range slices.SortedFunc(maps.Keys(c.Why), func(a, b string) int { return c.Why[b] - c.Why[a] }) {
		t.Logf("a search forward decided %5d: %s", c.Why[why], why)
	}
	c.enough(t, open)
	for _, f := range toysys.AllFeatures {
		line, all := fmt.Sprintf("| %-11s |", f), 0
		for _, m := range toysys.Models {
			yes, no := c.Yes[f][m], c.No[f][m]
			line, all = line+fmt.Sprintf(" %d / %d |", yes, no), all+yes+no
			if len(c.Seeds) >= whole && (yes < least || no < least) {
				t.Errorf("%v: by ways with %s %d places can be reached, and %d of systems with it cannot: want %d of each", m, f, yes, no, least)
			}
		}
		t.Logf("%s %d%% |", line, 100*c.Back[f]/max(all, 1))
	}
}

// enough fails if the search has given up too often, or too few places are decided.
func (c *tally) enough(t *testing.T, open int) {
	t.Helper()
	up := c.Verdicts["gave up, reachable"] + c.Verdicts["gave up, unreachable"] + c.Verdicts["too large"]
	if n := len(c.Seeds); c.Targets < 35*n || 100*up > open*c.Targets || c.Verdicts["found"] < 10*n || c.Verdicts["infeasible"] < 3*n {
		t.Errorf("%d places of %d systems, %d of them undecided: want 35 of each, at most %d%% undecided, and of each 10 that are found backward and 3 that are infeasible", c.Targets, n, up, open)
	}
	if c.Async["both"] == 0 || c.Async["neither"] == 0 {
		t.Errorf("no comparison with timers at any point: %v", c.Async)
	}
}
