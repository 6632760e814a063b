// Package agree compares what strategies make of one program. A reduction must execute the classes that are there, come
// to the same ends and find the same violations as the strategy that executes everything. It is for tests of what
// actors can do, in any System.
//
//	source:     the definition of a class, causal.Order.Key; what is compared it with is search.Naive
//	assumes:    Program.State depends on what happened and not on the order of independent steps
//	cost:       two explorations a strategy: with the checks, and without them, so that executions come to their end
//	checked by: agree_test.go, with a program that breaks isolation and results that are wrong
package agree

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/causal"
	"github.com/rehearse-go/rehearse/internal/strategies"
	"github.com/rehearse-go/rehearse/trace"
)

// Program is a program with what tells its executions apart.
type Program struct {
	System     explore.System
	Conditions explore.Conditions
	State      func() string          // what the last execution ended in; nil: its ends are not compared
	Before     func()                 // called before each execution, which then runs from the start; may be nil
	Check      func() explore.Checker // nil: violations are not compared
	Limit      int                    // executions of one exploration; 0: 20,000
}

// Shown is what a strategy shows of a program.
type Shown struct {
	explore.Outcome
	Strategy   string
	Classes    map[trace.ID]string // the end of each
	Violations []string            // keys of the distinct ones, sorted
	// why the strategy is not complete although nothing is left to execute, "" if there is no such reason
	Doubt   string
	Refused error // the strategy does not fit the program or its conditions
	Torn    error // executions of one class came to different ends
}

// Ends gives the different ends, sorted.
func (s *Shown) Ends() []string {
	return slices.Compact(slices.Sorted(maps.Values(s.Classes)))
}

// String is a line of a table.
func (s *Shown) String() string {
	if s.Refused != nil {
		return fmt.Sprintf("%-18s refuses: %v", s.Strategy, s.Refused)
	}
	return fmt.Sprintf("%-18s %6d executions %5d blocked %5d classes %4d ends, violations %q, complete %v %s",
		s.Strategy, s.Executions, s.Blocked, len(s.Classes), len(s.Ends()), s.Violations, s.Complete, s.Doubt)
}

// Show explores the program with the strategy of that name. The error is an operating problem, or an execution of a
// class that came to another end than the one before. Then the record does not show all that it depends on.
func (p *Program) Show(name string) (*Shown, error) {
	s := &Shown{Strategy: name, Classes: map[trace.ID]string{}}
	if p.Check != nil {
		found := map[string]bool{}
		_, err := p.explore(s, p.Check(), func(f explore.Found) bool {
			for i := range f.Violations {
				found[f.Violations[i].Key()] = true
			}
			return true
		}, nil)
		if err != nil || s.Refused != nil {
			return s, err
		}
		s.Violations = slices.Sorted(maps.Keys(found))
	}
	var torn error
	executions := 0
	out, err := p.explore(s, nil, nil, func(c *explore.Counters, tr *trace.Trace) {
		if c.Executions == executions {
			return // blocked
		}
		executions = c.Executions
		end := ""
		if p.State != nil {
			end = p.State()
		}
		o := causal.For(p.Conditions)
		o.Extend(tr, len(tr.Events))
		key := o.Key()
		if other, ok := s.Classes[key]; ok && other != end && torn == nil {
			torn = fmt.Errorf("%s: executions of one class end in %q and in %q; the last one is\n%s", name,
				other, end, steps(tr))
		}
		s.Classes[key] = end
	})
	s.Outcome, s.Torn = out, torn
	if err == nil {
		err = torn
	}
	return s, err
}

// explore runs a fresh strategy.
func (p *Program) explore(s *Shown, c explore.Checker, found func(explore.Found) bool,
	after func(*explore.Counters, *trace.Trace)) (explore.Outcome, error) {
	limit := p.Limit
	if limit == 0 {
		limit = 20_000
	}
	strategy, err := strategies.New(s.Strategy, 1, 0)
	if err != nil {
		return explore.Outcome{}, err
	}
	if s.Refused = explore.BindTo(strategy, explore.Env{Conditions: p.Conditions}); s.Refused != nil {
		return explore.Outcome{}, nil
	}
	out, err := explore.Run(p.System, strategy,
		explore.Options{Conditions: p.Conditions, Budget: explore.Budget{Executions: limit},
			Check: c, Found: found, After: after, Before: p.Before})
	r := explore.ReportOf(strategy)
	if err != nil && err == r.Err {
		s.Refused, err = err, nil
	}
	s.Doubt = r.IncompleteReason
	return out, err
}

// steps lists the steps of an execution.
func steps(tr *trace.Trace) string {
	var b strings.Builder
	for i := tr.Explored; i < len(tr.Events); i++ {
		fmt.Fprintf(&b, "%d %s\n", i, tr.StepName(tr.Events[i].Step))
	}
	return b.String()
}
