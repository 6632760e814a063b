package rehearse

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// Result is what an exploration did and found. It never claims more than was done: unless Complete, there are orders that
// were not executed.
type Result struct {
	explore.Counters
	Complete     bool   // every execution under the stated model and timers was executed, to its end or first violation; no timer was left out, all order was ours
	Bounded      bool   // an execution exceeded MaxSteps and was cut there
	Reason       string // why it stopped: complete (the strategy had nothing left), budget, found, stopped (before -timeout), replayed (nothing was explored)
	Uncontrolled string // an order that the program chose, "" if none
	Beyond       string // a timer that was left out because it is due after Horizon, "" if none
	Strategy     string
	Budget       string
	Seed         uint64
	Model        Model
	Timers       TimerMode
	Horizon      time.Duration
	Saved        int       // saved schedules that were replayed first
	Findings     []Finding // distinct violations
	Warnings     []Violation
	Estimate     float64 // of the executions that there are, by the strategy; 0 if it has none
}

// Finding is a violation with the shortest schedule that was found for it.
type Finding struct {
	Violation Violation
	Expected  bool            // it is the known bug that Config.Expect states
	Execution int             // that found it, from 1; 0: a saved schedule did
	Schedule  *trace.Schedule // nil where there is nothing to replay
	Switches  int             // of actor, when the schedule is replayed
	Culprit   string          // which order decides, in words
	Diagram   string          // the execution as a sequence diagram
	States    string          // of the actors before the failing step
	Logs      string          // of the program in this execution
	Note      string          // what people should know about the schedule, "" if nothing
	File      string          // where the schedule was saved, "" if it was not
	Replay    string          // the command that replays it
}

// String gives one line: how it ended, what was executed, and how much that means.
func (r Result) String() string {
	var b strings.Builder
	b.WriteString(r.ending())
	fmt.Fprintf(&b, ": %s, %s", count(r.Executions, "execution"), strings.Replace(count(r.Deliveries+r.Replayed, "delivery"), "deliverys", "deliveries", 1))
	if r.Blocked > 0 {
		fmt.Fprintf(&b, ", %s cut short", count(r.Blocked, "more"))
	}
	if r.Rechecked > 0 {
		fmt.Fprintf(&b, ", %s executed twice", thousands(r.Rechecked))
	}
	if !r.Complete && r.Estimate >= 1 && r.Estimate < 1e15 {
		fmt.Fprintf(&b, ", of an estimated %s", thousands(int(r.Estimate)))
	}
	if word := r.word(); word != "" {
		b.WriteString(", " + word)
	}
	fmt.Fprintf(&b, " (strategy %s, budget %s, seed %d, model %s, timers %s)", r.Strategy, r.Budget, r.Seed, r.Model, r.Timers)
	if r.Uncontrolled != "" {
		b.WriteString("; the program chose an order of its own: " + r.Uncontrolled)
	}
	if r.Beyond != "" {
		fmt.Fprintf(&b, "; timers beyond the horizon of %s were left out: %s; raise Config.Horizon", r.Horizon, r.Beyond)
	}
	return b.String()
}

func (r Result) ending() string {
	switch {
	case r.Complete:
		return "complete"
	case r.Reason == "budget":
		return "budget reached"
	case r.Reason == "found":
		return "stopped at a finding"
	case r.Reason == "stopped":
		return "stopped before -timeout"
	case r.Reason == "replayed":
		return "replayed only"
	}
	return "strategy done"
}

// word says what the executions are of all that there are.
func (r Result) word() string {
	switch {
	case r.Complete, r.Reason == "replayed":
		return ""
	case r.Bounded:
		return "bounded"
	}
	return "sampled"
}

func count(n int, what string) string {
	if n != 1 && what != "more" {
		what += "s"
	}
	return thousands(n) + " " + what
}

// thousands groups digits: 1,000.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
