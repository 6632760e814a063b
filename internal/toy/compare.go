package toy

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// Models are the five delivery models, TimerModes the two timer modes.
var (
	Models     = []trace.Model{trace.Bag, trace.FIFO, trace.Causal, trace.Mailbox, trace.MailboxSerial}
	TimerModes = []trace.TimerMode{trace.Quiescent, trace.Async}
)

// Demand says how much a strategy promises.
type Demand int

// What may be demanded of a strategy, from the weakest.
const (
	Cover Demand = iota // at least one execution of every class
	Exact               // exactly one execution of every class, and nothing blocked
	Every               // every execution, once
)

// CompareOptions say which programs a strategy is compared on. The zero value compares 2,000 random programs with all features under
// each delivery model and timer mode. Programs with a single execution are passed over, they show nothing; so are under Async
// those without timers, which were compared under Quiescent.
type CompareOptions struct {
	Demand   Demand
	Models   []trace.Model     // nil: all five
	Timers   []trace.TimerMode // nil: both if the features include timers, else quiescent
	Features Features          // zero: Full
	Seed     uint64            // of the first program
	Programs int               // to compare under each model and timer mode; 0: 2,000
	Limit    int               // programs with more executions than this are passed over, and counted; 0: 3,000
}

func (o *CompareOptions) defaults() {
	if o.Features == (Features{}) {
		o.Features = Full
	}
	if o.Models == nil {
		o.Models = Models
	}
	if o.Timers == nil {
		o.Timers = TimerModes[:1]
		if o.Features.Timers {
			o.Timers = TimerModes
		}
	}
	if o.Programs == 0 {
		o.Programs = 2000
	}
	if o.Limit == 0 {
		o.Limit = 3000
	}
}

// Case is a program with what the dumb twin knows of it.
type Case struct {
	Name       string
	Program    *Program
	Conditions explore.Conditions
	Want       Enumeration
}

// Cases makes the programs that the options ask for, for several strategies to be compared on. It also gives the number of
// programs that were too large. The error is a case that shows the definition of classes to be wrong.
func Cases(o CompareOptions) (cases []Case, skipped int, err error) {
	o.defaults()
	for _, model := range o.Models {
		for _, timers := range o.Timers {
			enough := len(cases) + o.Programs
			for seed := o.Seed; len(cases) < enough; seed++ {
				p := Random(seed, o.Features)
				if timers == trace.Async && !p.Has(After) {
					continue
				}
				c := NewCase(fmt.Sprintf("seed %d", seed), p, explore.Conditions{Model: model, Timers: timers}, o.Limit)
				switch {
				case c.Want.Ambiguous != "":
					return nil, skipped, fmt.Errorf("%s: two executions of one class end differently:\n%s", c, c.Want.Ambiguous)
				case c.Want.Over:
					skipped++
				case c.Want.Executions > 1:
					cases = append(cases, c)
				}
			}
		}
	}
	return cases, skipped, nil
}

// NewCase has the twin enumerate a program.
func NewCase(name string, p *Program, cond explore.Conditions, limit int) Case {
	return Case{name, p, cond, Enumerate(p, cond.Model, cond.Timers, limit)}
}

func (c Case) String() string {
	return fmt.Sprintf("%s under %s, timers %s\n%s", c.Name, c.Conditions.Model, c.Conditions.Timers, c.Program)
}

// Comparison counts what was compared.
type Comparison struct {
	Programs  int // compared, over all models and timer modes
	Branching int // programs with more than one class
	Skipped   int // programs that had more executions than the limit
	Total     int // executions that there are
	Known     int // classes that there are
	explore.Counters
}

func (c Comparison) String() string {
	return fmt.Sprintf("%d programs (%d with more than one class; %d were too large), %d classes and %d executions in all; executed %d, blocked %d, %d deliveries",
		c.Programs, c.Branching, c.Skipped, c.Known, c.Total, c.Executions, c.Blocked, c.Deliveries)
}

// Compare runs a strategy on random programs and compares what it executed with what the dumb twin enumerates. The error is the
// first difference, with its program.
func Compare(newStrategy func() explore.Strategy, o CompareOptions) (Comparison, error) {
	cases, skipped, err := Cases(o)
	if err != nil {
		return Comparison{}, err
	}
	c, err := CompareOn(cases, newStrategy, o.Demand)
	c.Skipped = skipped
	return c, err
}

// CompareOn is Compare on given cases.
func CompareOn(cases []Case, newStrategy func() explore.Strategy, demand Demand) (Comparison, error) {
	var c Comparison
	for i := range cases {
		if err := c.add(&cases[i], newStrategy(), demand); err != nil {
			return c, fmt.Errorf("%s%w", cases[i], err)
		}
	}
	return c, nil
}

func (c *Comparison) add(k *Case, s explore.Strategy, demand Demand) error {
	got, out, err := executeAll(k.Program, s, k.Conditions)
	if err != nil {
		return err
	}
	c.Programs++
	if k.Want.Classes > 1 {
		c.Branching++
	}
	c.Total += k.Want.Executions
	c.Known += k.Want.Classes
	c.Executions += out.Executions
	c.Blocked += out.Blocked
	c.Classes += out.Classes
	c.Deliveries += out.Deliveries
	c.Replayed += out.Replayed
	c.Depth = max(c.Depth, out.Depth)
	return differences(demand, &k.Want, got, &out)
}

// seen is what the executions of a strategy were.
type seen struct {
	keys, finals, violations map[string]int // executions by class, final state, violation
}

// executeAll runs the strategy to its end. Executions are not cut at their first violation: what a strategy may leave out because
// another execution of the same class shows it, it may leave out only if that goes on.
func executeAll(p *Program, s explore.Strategy, cond explore.Conditions) (*seen, explore.Outcome, error) {
	got := &seen{map[string]int{}, map[string]int{}, map[string]int{}}
	sys := NewSystem(p)
	sys.Ended = func(final string) {
		got.finals[final]++
		got.keys[ClassKey(cond.Model, &sys.x.tr)]++
		for _, v := range violations(&sys.x.tr) {
			got.violations[v]++
		}
	}
	out, err := explore.Run(sys, s, explore.Options{Conditions: cond})
	return got, out, err
}

// violations gives the keys of what went wrong in an execution. Deadlocks and orphans are in the final state.
func violations(tr *trace.Trace) []string {
	var keys []string
	for e := range tr.Events {
		for _, in := range tr.Events[e].Incidents {
			keys = append(keys, fmt.Sprintf("%s: %s: %s: %s", in.Kind, tr.Actors[in.Actor].Type.Name, tr.Messages[in.Message].Type.Name, in.Site))
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// differences says all that is wrong with what a strategy executed.
func differences(demand Demand, want *Enumeration, got *seen, out *explore.Outcome) error {
	var errs []error
	differ := func(what string, got, want any) {
		errs = append(errs, fmt.Errorf("%s: %v, the twin has %v", what, got, want))
	}
	if !out.Complete {
		errs = append(errs, fmt.Errorf("the search is not complete: %s", out.Reason))
	}
	if len(got.keys) != want.Classes {
		differ("classes", len(got.keys), want.Classes)
	}
	if !sameKeys(got.finals, want.Finals) {
		differ("final states", got.finals, want.Finals)
	}
	if !sameKeys(got.violations, want.Violations) {
		differ("violations", got.violations, want.Violations)
	}
	if out.Classes != 0 && out.Classes != want.Classes {
		differ("classes that the strategy has counted", out.Classes, want.Classes)
	}
	switch demand {
	case Exact:
		if out.Executions != want.Classes || out.Blocked != 0 {
			differ("executions", fmt.Sprintf("%d and %d blocked", out.Executions, out.Blocked), fmt.Sprintf("%d classes", want.Classes))
		}
	case Every:
		if out.Executions != want.Executions || out.Blocked != 0 || !maps.Equal(got.finals, want.Finals) || !maps.Equal(got.violations, want.Violations) {
			differ("executions", fmt.Sprintf("%d ending in %v with %v", out.Executions, got.finals, got.violations),
				fmt.Sprintf("%d ending in %v with %v", want.Executions, want.Finals, want.Violations))
		}
	}
	return errors.Join(errs...)
}

func sameKeys(a, b map[string]int) bool {
	if len(a) != len(b) {
		return false
	}
	for k := range a {
		if _, ok := b[k]; !ok {
			return false
		}
	}
	return true
}
