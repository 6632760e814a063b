package target

import (
	"fmt"
	"go/types"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/system"
	"github.com/rehearse-go/rehearse/trace"
)

// Target is what a search is to reach: by the last message that is handled.
type Target struct {
	system.Goal
	Name string // for people

	// Fn, if it is set, is the function that handles the last message, and Message, if it is set, the type of that
	// message.
	Fn      *ssa.Function
	Message types.Type

	// Impossible says why nothing reaches the target, where a look at the source has shown it; "" means nothing.
	Impossible string
}

// Verdict says what came of a search.
type Verdict uint8

// The verdicts.
const (
	GaveUp     Verdict = iota // for the reason in Answer.Why
	Found                     // a way that was followed symbolically as a whole; nothing was executed yet
	Infeasible                // no way within the bounds: all that matters is modelled exactly, and nothing was cut
	Covered                   // the way was executed and reaches the target; a search never says so
)

func (v Verdict) String() string { return [...]string{"gave up", "found", "infeasible", "covered"}[v] }

// Range is a range of numbers.
type Range struct{ Least, Most int64 }

// Config bounds a search. A zero value means the default.
type Config struct {
	Model   trace.Model
	Async   bool // timers fire at any point, and not only where nothing else can happen
	Steps   int  // messages that are handled, Started not counted: 8
	Outside int  // messages from outside: as many as Steps
	Actors  int  // that steps create: 4

	// Usual has come from outside only what the driver sends: to the same actors messages of the same types, as often as
	// the search likes, with any values.
	Usual bool

	// Own has the driver send its own messages, all of them in its order, and nothing else come from outside.
	Own bool

	// Probes is how many messages from outside are tried first, one after the other, with all that follows in the default
	// order. None is the default.
	Probes int

	// Wanders is how many executions there are, where the search backward finds nothing, in which chance decides which
	// messages come from outside, and in what order all is handled. Walks is in how many orders the driver is executed as
	// it is, where they find nothing. Such ways may be longer than Steps. None is the default of both.
	Wanders, Walks int

	Timeout time.Duration // a minute: half of it for the search backward
	Queries int           // to the solver: 100,000
	Nodes   int           // 200,000
	Follows int           // plans that are followed: 500
	Runs    int           // executions of the search forward, if there is one: 5,000

	// Numbers restricts the integers of messages from outside; nil: those of their types.
	Numbers *Range

	// Strings are those that strings of messages from outside are one of; nil: any.
	Strings []string

	// Assume restricts messages from outside. It has comparisons of Message.Field with numbers, strings and truth values,
	// as in Go. Or it has names of functions of the program, of a message, that give a bool. Each restricts the messages
	// of the type that it names. What the driver sends is none of them where Own is set.
	Assume []string

	Exec   exec.Config   // bounds of the summaries; of one handler's work: 200,000, some seconds
	Follow system.Config // bounds of following one plan; of its work: 1,000,000

	// Without turns parts of the search off, for those who measure what they are worth.
	Without Parts
}

// Parts are parts of the search that may be turned off.
type Parts struct {
	Constants bool // fields that no handler writes have their initial value at once
	Seen      bool // nodes that were met before are not looked at again
	Forward   bool // closed chains are simulated forward
	Judge     bool // a search forward decides where this one gives up
}

// work is what the summary of one handler may cost. A large program has handlers with thousands of paths through maps
// and slices, which would take all of the time of every search.
const work = 200_000

// followWork is what following one plan may cost: some fifty times what it did where it was measured.
const followWork = 1_000_000

// defaults fills in what is not set. It fails if a bound is negative.
func (c Config) defaults() (Config, error) {
	if c.Steps == 0 {
		c.Steps = 8
	}
	for _, d := range []struct {
		field *int
		value int
	}{{&c.Outside, c.Steps}, {&c.Actors, 4}, {&c.Queries, 100000}, {&c.Nodes, 200000}, {&c.Follows, 500}, {&c.Runs, 5000},
		{&c.Exec.Work, work}, {&c.Follow.Work, followWork}} {
		if *d.field == 0 {
			*d.field = d.value
		}
		if *d.field < 0 {
			return c, fmt.Errorf("a bound of the search is negative: want at least 1, or 0 for the default")
		}
	}
	if c.Steps < 0 || c.Timeout < 0 || c.Wanders < 0 || c.Walks < 0 || c.Probes < 0 {
		return c, fmt.Errorf("a bound of the search is negative: want at least 1, or 0 for the default")
	}
	if c.Timeout == 0 {
		c.Timeout = time.Minute
	}
	if c.Numbers != nil && c.Numbers.Least > c.Numbers.Most {
		return c, fmt.Errorf("no number is at least %d and at most %d", c.Numbers.Least, c.Numbers.Most)
	}
	return c, nil
}

// Counts says what a search has done.
type Counts struct {
	Nodes    int // that were looked at
	Queries  int // to the solver, those of following plans not included
	Seen     int // nodes that were met before
	Followed int // plans that were executed symbolically
	Refused  int // of these, those that could not be followed
	Runs     int // executions of the search forward, which decides where the one backward gave up
	// executions by chance, and those of what is tried first: for this target, and those for all targets that nobody has
	// asked for before
	Walks int
}

// Answer is what came of a search.
type Answer struct {
	Verdict Verdict
	Way     *system.Way // of Found

	Why     string   // of GaveUp: the first reason
	Forward string   // not empty where a search forward has decided: why the one backward gave up
	Reasons []string // of GaveUp: all that keep an exhausted search from Infeasible, with places
	Bounds  string   // of Infeasible: within which bounds

	Nearest *Nearest // of all but Found: how far it came
	Counts  Counts
}

// Nearest is the point that came nearest to a way, as text for people.
type Nearest struct {
	Steps []string // what is handled, in a possible order
	// what does not fit there, all of it together: conditions with their places, and what the actors hold instead; or what
	// nothing sends
	Blocks []string
	Help   string // what would help
}
