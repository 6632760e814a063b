package search

import (
	"fmt"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// RandomDelay samples what Delay executes: the places of the delays are drawn, as are the values that the program
// chooses. It is for programs of which even few delays are too many to execute them all.
//
//	source:     [Emmi11], with places drawn as in random testing
//	differs:    the number of steps, among which the places are drawn, is the most that an execution had so far; a place
//	            where there is nothing to be put off, or that an execution does not reach, is lost. The first execution
//	            has no delays. With the option first the places of all executions are drawn among as many steps as
//	            execution 0 has, so that processes can share them (first.go)
//	invariants: I1 no execution has more delays than the bound
//	cost:       nothing is kept but the delays of one execution
//	checked by: delay_random_test.go
type RandomDelay struct {
	Range
	FirstSteps
	bound  int
	base   trace.ID    // of the seed
	draw   trace.ID    // of the execution
	number uint64      // the same
	places map[int]int // delays by step
	delays delayed
	step   int
	asked  uint64
}

var (
	_ explore.Numbered = (*RandomDelay)(nil)
	_ explore.Sharer   = (*RandomDelay)(nil)
	_ explore.Reporter = (*RandomDelay)(nil)
)

// delayed says how often a step was put off.
type delayed map[trace.ID]int

// Name is "delay/", the bound, "/random", and the option.
func (d *RandomDelay) Name() string { return fmt.Sprintf("delay/%d/random%s", d.bound, d.Suffix()) }

// Start draws the places of the next execution.
func (d *RandomDelay) Start() bool {
	n, ok := d.Next()
	if !ok {
		return false
	}
	d.number, d.draw = n, d.base.With(n)
	d.places, d.delays, d.step, d.asked = map[int]int{}, delayed{}, 0, 0
	for i := 0; i < d.bound && d.Longest > 0; i++ {
		d.places[int(d.ask()%uint64(d.Longest))]++
	}
	return true
}

func (d *RandomDelay) ask() uint64 {
	d.asked++
	return d.draw.With(d.asked).Hi
}

// rare is how seldom a fault is injected where one may be: once in so many questions.
const rare = 8

// Choose takes the step of the scheduler after it was made to put off so many.
func (d *RandomDelay) Choose(_ *trace.Trace, enabled []trace.Step) explore.Choice {
	if enabled[0].Kind.Chooses() {
		if enabled[0].Nothing() && d.ask()%rare > 0 {
			return explore.Choice{}
		}
		return explore.Choice{Index: int(d.ask() % uint64(len(enabled)))}
	}
	best := 0
	for put := d.places[d.step]; ; put-- {
		best = 0
		for i := range enabled {
			if d.delays.compare(&enabled[i], &enabled[best]) < 0 {
				best = i
			}
		}
		if put == 0 || len(enabled) == 1 {
			break
		}
		d.delays[enabled[best].ID]++
	}
	d.step++
	d.Step(d.number, d.step)
	return explore.Choice{Index: best}
}

// Learn notes that the execution is over.
func (d *RandomDelay) Learn(*trace.Trace, bool) { d.First.Learn(d.number) }

// Report is explore.Reporter.
func (d *RandomDelay) Report() explore.Report {
	return d.ReportOf(fmt.Sprintf("delay/%d/random", d.bound), d.number)
}

// Complete is false: sampling proves nothing.
func (*RandomDelay) Complete() bool { return false }

// ParseDelay makes the strategy that the words behind "delay/" ask for: a number of delays, and maybe "/random".
func ParseDelay(words string, seed uint64) (explore.Strategy, error) {
	number, rest, some := strings.Cut(words, "/")
	d, err := NewDelay(number)
	switch {
	case err != nil:
		return nil, err
	case !some:
		return d, nil
	case rest == "random", rest == "random/"+firstWord:
		r := &RandomDelay{bound: d.bound, base: trace.ID{Hi: seed}}
		r.On = rest != "random"
		r.FirstAlone = r.On
		return r, nil
	}
	return nil, fmt.Errorf("unknown option %q: want a number of delays, and maybe random behind it, as in "+
		"delay/2/random, or random/first", rest)
}

// DelayWords are what may follow the slash in the name.
func DelayWords() []string {
	return []string{"a number of delays", "a number of delays/random",
		"a number of delays/random/first"}
}
