package tap

import (
	"fmt"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/static/load"
	"github.com/rehearse-go/rehearse/symbolic/system"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// Setting is one of the settings that [TAP18] 7.2 compares.
type Setting string

// The settings of [TAP18] Table 3.
const (
	Random   Setting = "Random" // every transition that is possible, each as likely as any other
	H1       Setting = "H1"     // a handler is explored atomically
	H2       Setting = "H2"     // new actors are unlikely, what meets requests is likely
	H1H2     Setting = "H1+H2"  // both
	Feedback Setting = "H+F"    // both, and unsatisfiable cores lead to the statements that define their variables
)

// Settings lists them in the order of the table.
func Settings() []Setting { return []Setting{Random, H1, H2, H1H2, Feedback} }

// Config says how to search. A zero value means the default.
type Config struct {
	Atomic   bool               // H1: a handler is explored atomically
	Weights  map[string]float64 // of rules by name; those not named have 1
	Feedback bool               // F
	FIFO     bool               // messages from one actor to another keep their order; else a bag
	// every order of transitions that the print has, also where others lead to the same (select.go)
	Literal bool
	Seed    uint64

	Runs    int // messages that are handled: 12
	First   int // the bound on them that is tried first: 2. Runs: there is one bound only
	Share   int // steps for each message of a bound at a turn, times a number that grows now and then (luby): 200
	Actors  int // in a configuration: 6
	Outside int // messages from outside: 6
	Loops   int // visits of a block in one run: 3
	Calls   int // depth of calls: 12

	Steps  int // transitions in all: 20,000
	Checks int // questions to the solver: 5,000
	// for one of them, as solve.Config has it: 1. What it does not know then is taken to be possible until the end
	Effort  int
	Seconds float64          // 0: no limit
	Now     func() time.Time // the clock of Seconds
}

// The weights of H2. All others have 1.
const (
	weightNew     = 0.05 // of Actor Entry-New Actor
	weightMatches = 1000 // of the rules that take a pending event, or a message from outside
)

// Of gives the configuration of a setting.
//
// Differs: [TAP18] 5.2 gives "a much lower weight" to Actor Entry-New Actor and "more weights" to rules that consume
// pending events, and no number. With these here an actor is introduced once in about twenty times that one could be,
// and something that can be matched nearly always is. With 8 in place of 1000, a search for a hundred pongs (Figure 11)
// leaves a match aside some twenty times, and does not come back from it. Messages from outside count as matches, which
// the text does not say. Config.Weights and Seed change all that.
func Of(s Setting) Config {
	c := Config{Atomic: s == H1 || s == H1H2 || s == Feedback, Feedback: s == Feedback}
	if s == H2 || s == H1H2 || s == Feedback {
		c.Weights = map[string]float64{ActorEntryNew{}.Name(): weightNew, AnswerNew{}.Name(): weightNew,
			EventMatchingInternal{}.Name(): weightMatches, EventMatchingExternal{}.Name(): weightMatches,
			CreationMatching{}.Name(): weightMatches}
	}
	return c
}

func (c Config) checked() (Config, error) {
	for _, d := range []struct {
		n   *int
		def int
	}{{&c.Runs, 12}, {&c.First, 2}, {&c.Share, 200}, {&c.Effort, 1}, {&c.Actors, 6}, {&c.Outside, 6}, {&c.Loops, 3},
		{&c.Calls, 12}, {&c.Steps, 20_000}, {&c.Checks, 5_000}} {
		if *d.n < 0 {
			return c, fmt.Errorf("tap: a bound of the search is %d: use 0 for the default, or more", *d.n)
		}
		if *d.n == 0 {
			*d.n = d.def
		}
	}
	for name, w := range c.Weights {
		if w <= 0 {
			return c, fmt.Errorf("tap: the weight of %q is %v: it must be positive", name, w)
		}
		if !contains(Rules(), name) {
			return c, fmt.Errorf("tap: there is no rule %q: there are %s", name, strings.Join(Rules(), ", "))
		}
	}
	if c.Seconds > 0 && c.Now == nil {
		return c, fmt.Errorf("tap: a limit in seconds needs a clock: set Now to time.Now")
	}
	return c, nil
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// Verdict says what came of a search.
type Verdict string

// The verdicts.
const (
	Found      Verdict = "found"      // a path, with a satisfiable condition
	Infeasible Verdict = "infeasible" // nothing within the bounds, and all was modelled
	GaveUp     Verdict = "gave up"    // Reason says why
)

// Answer is what came of a search.
type Answer struct {
	Verdict Verdict
	Reason  string   // why it gave up; of several, what came first
	Reasons []string // all that was not modelled, sorted
	Cuts    []string // the bounds that were met, sorted

	Steps   int     // transitions that were taken
	Checks  int     // questions to the solver
	Seconds float64 // by the clock of the configuration, 0 without

	Actors  int         // of the answer
	Runs    int         // messages that they handle
	Plan    system.Plan // the order in which they do
	Outside []Message   // from outside, in the order of the plan
	Assumed []string    // what is taken to be so, with places
	Rules   []string    // the transitions that lead to the answer
}

// Message is a message from outside, with its values.
type Message struct {
	To     int // index of Start.Actors
	Type   string
	Values map[string]term.Value // by the parts that matter; others are anything
}

// position tells where a goal is.
func position(p *load.Program, g system.Goal) string {
	if g.Pos.IsValid() {
		return p.Position(g.Pos)
	}
	return g.Block.String()
}
