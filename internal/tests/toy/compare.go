package toy

import (
	"fmt"
	"os"
	"strconv"

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

// CompareOptions say which programs a strategy is compared on. The zero value compares 4,000: random programs with all
// features, 400 under each delivery model and timer mode. Without the variable REHEARSE_TOY, which multiplies them, it
// is the first quarter of them. Programs with a single execution are passed over, they show nothing; so are under Async
// those without timers, which were compared under Quiescent.
type CompareOptions struct {
	Demand   Demand
	Models   []trace.Model     // nil: all five
	Timers   []trace.TimerMode // nil: both if the features include timers, else quiescent
	Features Features          // zero: Full
	Faults   trace.Faults      // to inject; zero: none
	Seed     uint64            // of the first program
	Programs int               // to compare under each model and timer mode; 0: 400
	Limit    int               // programs with more executions than this are passed over, and counted; 0: 1,000
}

// scaleVar is the variable that makes comparisons larger than those of the default test run.
const scaleVar = "REHEARSE_TOY"

// scale gives how many programs are compared where the sample is n, by the value of the variable: the first quarter if
// it is not set.
func scale(n int, s string) (int, error) {
	if s == "" {
		return (n + 3) / 4, nil
	}
	times, err := strconv.Atoi(s)
	if err != nil || times < 1 {
		return 0, fmt.Errorf("%s=%q: want how many times as many programs to compare, as in %s=10", scaleVar, s, scaleVar)
	}
	return n * times, nil
}

// Scale is scale for tests with samples of their own: a quarter of n, or with the variable REHEARSE_TOY so many times
// n.
func Scale(t interface {
	Helper()
	Fatal(...any)
}, n int) int {
	t.Helper()
	n, err := scale(n, os.Getenv(scaleVar))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func (o *CompareOptions) defaults() error {
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
		o.Programs = 400
	}
	if o.Limit == 0 {
		o.Limit = 1000
	}
	var err error
	o.Programs, err = scale(o.Programs, os.Getenv(scaleVar))
	return err
}

// Case is a program with what the dumb twin knows of it.
type Case struct {
	Name       string
	Program    *Program
	Conditions explore.Conditions
	Want       Enumeration
}

// Cases makes the programs that the options ask for, for several strategies to be compared on. It also gives the number
// of programs that were too large. The error is a case that shows the definition of classes to be wrong.
func Cases(o CompareOptions) (cases []Case, skipped int, err error) {
	if err := o.defaults(); err != nil {
		return nil, 0, err
	}
	for _, model := range o.Models {
		for _, timers := range o.Timers {
			enough := len(cases) + o.Programs
			for seed := o.Seed; len(cases) < enough; seed++ {
				p := Random(seed, o.Features)
				if timers == trace.Async && !p.Has(After) {
					continue
				}
				c := NewCase(fmt.Sprintf("seed %d", seed), p,
					explore.Conditions{Model: model, Timers: timers, Faults: o.Faults}, o.Limit)
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
	cond.Effects = p.Effects()
	return Case{name, p, cond, Enumerate(p, cond, limit)}
}

func (c Case) String() string {
	return fmt.Sprintf("%s under %s, timers %s, faults %s\n%s", c.Name, c.Conditions.Model, c.Conditions.Timers,
		c.Conditions.Faults, c.Program)
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
	return fmt.Sprintf("%d programs (%d with more than one class; %d were too large), %d classes and %d executions in "+
		"all; executed %d, blocked %d, %d deliveries",
		c.Programs, c.Branching, c.Skipped, c.Known, c.Total, c.Executions, c.Blocked, c.Deliveries)
}

// Compare runs a strategy on random programs and compares what it executed with what the dumb twin enumerates. The
// error is the first difference, with its program.
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
			return c, minimised(cases[i], newStrategy, demand, err)
		}
	}
	return c, nil
}

// minimised gives the difference for the smallest program that shows one, beside the one that was found.
func minimised(k Case, newStrategy func() explore.Strategy, demand Demand, err error) error {
	limit := max(10*k.Want.Executions, 100)
	small := k
	small.Program = Minimise(k.Program, func(p *Program) bool {
		try := NewCase(k.Name, p, k.Conditions, limit)
		if try.Want.Over {
			return false
		}
		differs := new(Comparison).add(&try, newStrategy(), demand)
		if differs != nil {
			err = differs
		}
		return differs != nil
	})
	return fmt.Errorf("%s%w\nfound with\n%s", small, err, k.Program)
}

func (c *Comparison) add(k *Case, s explore.Strategy, demand Demand) error {
	got, out, err := executeAll(k, s)
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

// Check is CompareOn for tests whose programs are to show something: a quarter of them have several classes, and fewer
// executions are made than there are.
func Check(t interface {
	Helper()
	Errorf(string, ...any)
	Log(...any)
}, name string, cases []Case, newStrategy func() explore.Strategy, demand Demand) {
	t.Helper()
	c, err := CompareOn(cases, newStrategy, demand)
	if err != nil {
		t.Errorf("%s: %v", name, err)
	}
	if c.Branching < c.Programs/4 {
		t.Errorf("%s: only %d of %d programs have more than one class", name, c.Branching, c.Programs)
	}
	if c.Executions >= c.Total {
		t.Errorf("%s: %d executions of %d: nothing was reduced", name, c.Executions, c.Total)
	}
	t.Log(name, c)
}

// AnsweredFor gives the cases for which a strategy does not say that it may miss classes. It says so exactly where its
// search is not complete.
func AnsweredFor[S interface {
	explore.Strategy
	explore.Reporter
}](t interface {
	Helper()
	Fatalf(string, ...any)
}, cases []Case, newStrategy func() S) []Case {
	t.Helper()
	var sure []Case
	for _, k := range cases {
		s := newStrategy()
		out, err := explore.Run(NewSystem(k.Program), s, explore.Options{Conditions: k.Conditions})
		if why := s.Report().IncompleteReason; err != nil || out.Complete != (why == "") || out.PassedOver != why {
			t.Fatalf("%s\nwhy %q, %+v, %v", k, why, out, err)
		}
		if out.Complete {
			sure = append(sure, k)
		}
	}
	return sure
}
