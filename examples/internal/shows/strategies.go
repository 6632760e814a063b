package shows

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/trace"
)

// affordable is how many executions a strategy gets: many more than the reductions need.
const affordable = "20000x"

// naive makes as many executions as there are orders. After so many it says how many it has left. Where it expects more
// than all that it gets, it is given up, since what it does not complete is compared with less. With REHEARSE_TOY it
// goes on in any case, and gets what the others do.
const (
	probe = "300x"
	small = 3_000
)

// published are reductions that fit the models in which messages need not arrive in the order of some mailbox.
var published = []string{"persistent/LCA", "persistent+sleep/LCA"}

// Strategies explores a program with a bug completely, and its fixed version, if there is one. Under the conditions of
// cfg all strategies must find the same violations: the expected one in the first and none in the other.
func Strategies(t *testing.T, cfg rehearse.Config, buggy, fixed rehearse.System) {
	t.Helper()
	everything := os.Getenv("REHEARSE_TOY") != ""
	cfg = faultless(cfg)
	unset(t)
	if !slices.ContainsFunc(agreed(t, "with the bug", cfg, buggy, everything), func(f rehearse.Finding) bool { return f.Expected }) {
		t.Errorf("no finding is the expected one")
	}
	if fixed == nil {
		return
	}
	cfg.Expect = nil
	for _, f := range agreed(t, "fixed", cfg, fixed, everything) {
		t.Errorf("fixed: %s", f.Violation.Text)
	}
}

// unset takes the settings of this run back, which would win over those that the test compares. It takes back the file
// of results too: these explorations are no examples of what Rehearse does.
func unset(t *testing.T) {
	t.Helper()
	for _, variable := range os.Environ() {
		if name, _, _ := strings.Cut(variable, "="); strings.HasPrefix(name, "REHEARSE_") {
			t.Setenv(name, "")
		}
	}
}

// agreed explores with every strategy that fits and gives what all of them find. What naive finds before it is given up
// is among that.
func agreed(t *testing.T, version string, cfg rehearse.Config, sys rehearse.System, everything bool) []rehearse.Finding {
	t.Helper()
	reference, optimal := naive(t, version, cfg, sys, everything), -1 // executions
	for _, name := range reductions(cfg, sys) {
		r, ok := explored(t, version, name, affordable, cfg, sys)
		if !ok {
			continue
		}
		judge(t, version, name, r, &optimal)
		if !reference.Complete {
			for _, key := range keys(reference) {
				if !slices.Contains(keys(r), key) {
					t.Errorf("%s: %s does not find %q, which naive found", version, name, key)
				}
			}
			reference = r
		} else if got, want := keys(r), keys(reference); !slices.Equal(got, want) {
			t.Errorf("%s: %s finds %q, want %q", version, name, got, want)
		}
	}
	return reference.Findings
}

// naive gives what naive finds, in all executions where there are few.
func naive(t *testing.T, version string, cfg rehearse.Config, sys rehearse.System, everything bool) rehearse.Result {
	t.Helper()
	budget := affordable
	if !everything {
		r, ok := explored(t, version, "naive", probe, cfg, sys)
		if !ok || r.Complete || r.Estimate.Total > small {
			return r
		}
		budget = fmt.Sprintf("%dx", small)
	}
	r, _ := explored(t, version, "naive", budget, cfg, sys)
	return r
}

// reductions are the strategies that are compared with naive.
func reductions(cfg rehearse.Config, sys rehearse.System) []string {
	names := []string{"source", "optimal", "reverse", "stateful"}
	model := cfg.Model
	if model == trace.DefaultModel {
		model = sys.DefaultModel()
	}
	if !model.Queues() {
		names = append(names, published...)
	}
	return names
}

// explored gives the result of a strategy and prints it; false if the strategy refuses the program or its conditions,
// which must have a reason.
func explored(t *testing.T, version, name, budget string, cfg rehearse.Config, sys rehearse.System) (rehearse.Result, bool) {
	t.Helper()
	cfg.Strategy, cfg.Budget = name, budget
	r, err := rehearse.Explore(cfg, sys)
	if err != nil {
		if !refuses(name, cfg, err) {
			t.Errorf("%s: %s: %v", version, name, err)
		}
		t.Logf("%-12s %-20s refuses: %.100s", version, name, strings.TrimPrefix(err.Error(), "rehearse: "))
		return r, false
	}
	why := ""
	if !r.Complete {
		why = r.String()
	}
	t.Logf("%-12s %-20s %6d executions %5d blocked %5d classes %2d violations  %s", version, name, r.Executions, r.Blocked, r.Classes, len(r.Findings), why)
	return r, true
}

// refuses reports whether the error says what in the program or its conditions does not fit the strategy.
func refuses(name string, cfg rehearse.Config, err error) bool {
	base, _, _ := strings.Cut(name, "/")
	switch base {
	case "persistent", "persistent+sleep":
		return cfg.Faults != "" && strings.Contains(err.Error(), fmt.Sprintf("strategy %s does not fit injected faults: ", base))
	case "stateful":
		return strings.Contains(err.Error(), "stateful") // what cannot be compared is named
	}
	return false
}

// judge compares the counts with what the strategy promises.
func judge(t *testing.T, version, name string, r rehearse.Result, optimal *int) {
	t.Helper()
	if r.PassedOver != "" && (name == "reverse" || name == "stateful") {
		return // it does not answer for the program, and has said why
	}
	if doubts := name == "optimal" && strings.Contains(r.PassedOver, "where messages may also arrive twice"); !r.Complete && !doubts {
		t.Errorf("%s: %s is not complete: %s", version, name, r)
	}
	if name != "optimal" && name != "reverse" {
		return
	}
	if *optimal < 0 {
		*optimal = r.Executions
	}
	if r.Blocked > 0 || r.Executions != *optimal {
		t.Errorf("%s: %s has %d executions and %d blocked ones, want %d and none", version, name, r.Executions, r.Blocked, *optimal)
	}
}

// keys are those of the violations found, sorted.
func keys(r rehearse.Result) []string {
	var keys []string
	for _, f := range r.Findings {
		keys = append(keys, f.Violation.Key())
	}
	slices.Sort(keys)
	return keys
}
