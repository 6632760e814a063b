package toy

import (
	"errors"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// outcomes is what the executions of a strategy were.
type outcomes struct {
	keys, finals, violations map[string]int // executions by class, final state, violation
}

// executeAll runs the strategy to its end, or until it is clear that it has none. Executions are not cut at their first
// violation. A strategy may leave an execution out because another one of the same class shows what it shows, and that
// is so only if the other one goes on.
func executeAll(k *Case, s explore.Strategy) (got *outcomes, out explore.Outcome, err error) {
	defer func() {
		if r := recover(); r != nil {
			// such as an assertion of the strategy: which program it was is worth more than the end of the test
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	got = &outcomes{map[string]int{}, map[string]int{}, map[string]int{}}
	sys := NewSystem(k.Program)
	sys.Ended = func(final string) {
		got.finals[final]++
		got.keys[ClassKey(k.Conditions.Model, &sys.x.tr)]++
		for _, v := range violations(&sys.x.tr) {
			got.violations[v]++
		}
	}
	enough := explore.Budget{Executions: 2*k.Want.Executions + 100}
	out, err = explore.Run(sys, s, explore.Options{Conditions: k.Conditions, Budget: enough})
	return got, out, err
}

// violations gives the keys of what went wrong in an execution. Deadlocks and orphans are in the final state.
func violations(tr *trace.Trace) []string {
	var keys []string
	for e := range tr.Events {
		for _, in := range tr.Events[e].Incidents {
			keys = append(keys, fmt.Sprintf("%s: %s: %s: %s", in.Kind, tr.Actors[in.Actor].Type.Name,
				tr.Messages[in.Message].Type.Name, in.Site))
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// differences says all that is wrong with what a strategy executed.
func differences(demand Demand, want *Enumeration, got *outcomes, out *explore.Outcome) error {
	var errs []error
	differ := func(what string, got, want any) {
		errs = append(errs, fmt.Errorf("%s: %v, the twin has %v", what, got, want))
	}
	if !out.Exhausted || !out.Complete && out.PassedOver == "" { // what it may have missed is compared all the same
		errs = append(errs, fmt.Errorf("the search is not complete: %s", out.Reason))
	}
	if len(got.keys) != want.Classes {
		differ("classes", len(got.keys), want.Classes)
	}
	for _, set := range []struct {
		what      string
		got, want map[string]int
	}{{"final states", got.finals, want.Finals}, {"violations", got.violations, want.Violations}} {
		if missed, invented := without(set.want, set.got), without(set.got, set.want); len(missed)+len(invented) > 0 {
			errs = append(errs, fmt.Errorf("%s: %d missed%s, %d invented%s", set.what, len(missed), some(missed), len(invented),
				some(invented)))
		}
	}
	if out.Classes != 0 && out.Classes != want.Classes {
		differ("classes that the strategy has counted", out.Classes, want.Classes)
	}
	switch demand {
	case Exact:
		if out.Executions != want.Classes || out.Blocked != 0 {
			differ("executions", fmt.Sprintf("%d and %d blocked", out.Executions, out.Blocked),
				fmt.Sprintf("%d classes", want.Classes))
		}
	case Every:
		if out.Executions != want.Executions || out.Blocked != 0 || !maps.Equal(got.finals, want.Finals) ||
			!maps.Equal(got.violations, want.Violations) {
			differ("executions", out.Executions, fmt.Sprintf("%d, or their ends are not equally frequent", want.Executions))
		}
	}
	return errors.Join(errs...)
}

// without gives the keys of a that b does not have.
func without(a, b map[string]int) []string {
	var keys []string
	for _, k := range slices.Sorted(maps.Keys(a)) {
		if _, ok := b[k]; !ok {
			keys = append(keys, k)
		}
	}
	return keys
}

// some prints the first of them.
func some(keys []string) string {
	if len(keys) == 0 {
		return ""
	}
	return ", such as " + strings.Join(keys[:min(len(keys), 2)], " and ")
}
