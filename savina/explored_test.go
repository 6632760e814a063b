package savina_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/check"
	"github.com/rehearse-go/rehearse/internal/gotest"
	"github.com/rehearse-go/rehearse/internal/strategies"
	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// port is a version on one framework.
type port struct {
	name   string
	system rehearse.System
}

func (v version) ports() []port {
	return []port{{"native", v.native}, {"protoactor-go", v.protoactor}}
}

// explore explores a version in one port under one model, and gives what came of it.
func (v version) explore(t *testing.T, on port, model rehearse.Model) row {
	t.Helper()
	config := v.config
	config.Model, config.Strategy, config.Budget = model, v.strategy, v.budget
	if config.Recheck == 0 {
		config.Recheck = -1
	}
	if config.Strategy == "" {
		config.Strategy = "optimal"
	}
	what := fmt.Sprintf("%s, %s, %s under %v", v.name, v.size, on.name, model)
	r, err := rehearse.Explore(config, on.system)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	expected, bad := v.finds[model]
	found := v.judge(t, what, r, expected, bad)
	got := row{
		version: v.name, size: v.size, port: on.name, model: model.String(), strategy: config.Strategy,
		executions: r.Executions, deliveries: r.Deliveries,
	}
	switch {
	case found != nil:
		got.outcome = fmt.Sprintf("%s in execution %d", found.Violation.Kind, found.Execution)
	case v.shares:
		got.outcome = "memory is shared"
		if !strings.Contains(r.Shared, "are the same memory") {
			t.Errorf("%s: no shared memory was seen: %v", what, r)
		}
	case r.Complete || r.ForOneSeed:
		got.outcome = "complete"
		v.recount(t, what, on, model, r.Executions)
	default:
		got.outcome = "sampled"
	}
	return got
}

// consequences of anything wrong are messages and actors that are left over.
var consequences = []rehearse.ViolationKind{
	rehearse.DeadLetter, rehearse.Orphan, rehearse.OrphanDead, rehearse.Environment,
}

// judge gives the finding that was expected. It fails the test where that is missing, and for others that are neither
// consequences nor known beside it.
func (v version) judge(
	t *testing.T, what string, r rehearse.Result, expected rehearse.Expectation, bad bool,
) (found *rehearse.Finding) {
	t.Helper()
	for i := range r.Findings {
		f := &r.Findings[i]
		is := func(e rehearse.Expectation) bool { return matches(e, f.Violation) }
		switch {
		case bad && is(expected):
			if found == nil {
				found = f
			}
		case bad && (slices.Contains(consequences, f.Violation.Kind) || slices.ContainsFunc(v.beside, is)):
		default:
			t.Errorf("%s: found in execution %d: %v", what, f.Execution, &f.Violation)
		}
	}
	if bad && found == nil {
		t.Errorf("%s: %v was not found: %v", what, &expected, r)
	}
	return found
}

func matches(e rehearse.Expectation, v rehearse.Violation) bool {
	message := e.Message == "" || e.Message == v.MessageType
	return e.Kind == v.Kind && message && strings.Contains(v.Text, e.Text)
}

// recount executes all orders, if they are few, and counts how many classes they make. Where they are too many, another
// strategy that executes one of each class does: on protoactor-go always, where a stop is one more message.
func (v version) recount(t *testing.T, what string, on port, model rehearse.Model, want int) {
	t.Helper()
	if !v.naive || v.strategy != "" {
		return
	}
	strategy := "naive"
	if on.name != "native" || slices.Contains(v.uncounted, model) {
		strategy = "reverse"
	}
	all, err := strategies.New(strategy, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	classes := map[string]bool{}
	options := explore.Options{
		Conditions: explore.Conditions{Model: model, Horizon: time.Minute, MaxSteps: 100_000, Copy: true},
		Check:      &check.Checker{Levels: v.config.Checks},
		After:      func(_ *explore.Counters, tr *trace.Trace) { classes[toy.ClassKey(model, tr)] = true },
	}
	options.Budget.Executions = naiveBudget
	_, restore, err := gotest.Mute() // what the framework prints in each execution
	if err != nil {
		t.Fatal(err)
	}
	out, err := explore.Run(on.system, all, options)
	restore()
	if err != nil {
		t.Fatal(err)
	}
	if out.Reason != "complete" || len(classes) != want {
		t.Errorf("%s: %d classes, and %s makes %d in %d executions (%s)",
			what, want, strategy, len(classes), out.Executions, out.Reason)
	}
}

// naiveBudget is more than the orders of any version that is counted by naive.
const naiveBudget = 50_000
