package rehearse

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/render"
	"github.com/rehearse-go/rehearse/internal/report"
	"github.com/rehearse-go/rehearse/trace"
)

// Result is what an exploration did and found. It never claims more than was done: unless Complete, there are orders
// that were not executed.
type Result struct {
	explore.Counters
	explore.Verdict // what keeps it from being Complete, and what people should know

	// every execution under the stated model, timers and bound on faults was executed, or one of every class, to its end
	// or first violation. No timer was left out, and all order was ours.
	Complete   bool
	ForOneSeed bool // Complete but for OneSeed
	Unrepeated int  // repeats that were to be made (Config.Recheck), and for which no time was left
	// why it stopped: complete, done (the strategy had nothing left, but Complete is false), budget, found, stopped
	// (before -timeout, or by StoppedBy), replayed (nothing was explored), error
	Reason string
	// Complete but for Uncontrolled, which is no more than the order of goroutines that handlers start and wait for: it
	// repeats, and others were not explored
	OneOrder bool
	Strategy string
	Budget   string
	Seed     uint64
	Model    Model
	Timers   TimerMode
	Faults   trace.Faults // that were allowed
	Horizon  time.Duration
	Saved    int       // saved schedules that were replayed first
	Findings []Finding // distinct violations
	Warnings []Violation
	Timed    bool // the program sets timers
	// who stopped it, where that is not -timeout: "rehearse swarm stop"; else ""
	StoppedBy string
	Tasks     int // that processes of a swarm have answered (rehearse swarm); 0 elsewhere
	// how far Config.Guide was followed: "guide followed: 3 of 3 entries, 2 steps filled in"; "" if there is none
	Guided string
	// what became of the facts file: "facts of 12 handlers were used", or why not; "" if there is none, or no use for it
	Facts string
	// of the executions that the strategy makes until it has nothing left; zero if it cannot tell
	Estimate explore.Estimate
}

// Finding is a violation with the shortest schedule that was found for it.
type Finding struct {
	Violation Violation
	Expected  bool            // it is the known bug that Config.Expect states
	Execution int             // that found it, from 1; 0: a saved schedule did
	CutShort  int             // of the executions before that one, as in Counters.Blocked; the others are in Executions
	Schedule  *trace.Schedule // nil where there is nothing to replay
	Switches  int             // of actor, when the schedule is replayed
	Culprit   string          // which order decides, in words
	Diagram   string          // the execution as a sequence diagram
	Picture   *report.Picture // the same to be drawn, as by its method SVG; nil where there is no execution to show
	// the execution in which what decides comes the other way round, and nothing goes wrong; nil where none is known
	Flipped *report.Picture
	States  string // of the actors before the failing step
	Logs    string // of the program in this execution
	Note    string // what people should know about the schedule, "" if nothing
	File    string // where the schedule was saved, "" if it was not
	Replay  string // the command that replays it
}

// has reports whether there is a finding of the same violation.
func (r *Result) has(v *Violation) bool {
	key := v.Key()
	return slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Violation.Key() == key })
}

// exact keeps the word complete for what is.
func (r *Result) exact() {
	if r.Reason == "complete" && !r.Complete {
		r.Reason = "done"
	}
}

// String gives one line: how it ended, what was executed, and how much that means.
func (r Result) String() string {
	var b strings.Builder
	b.WriteString(r.ending())
	if r.Complete && r.Faults.On() {
		b.WriteString(" with " + r.Faults.Words())
	}
	fmt.Fprintf(&b, ": %s, %s", render.Count(r.Executions, "execution", "executions"),
		render.Count(r.Deliveries+r.Replayed, "delivery", "deliveries"))
	if r.Blocked > 0 {
		fmt.Fprintf(&b, ", %s more cut short", render.Thousands(r.Blocked))
	}
	if r.States > 0 {
		fmt.Fprintf(&b, ", %s", render.Count(r.States, "state", "states"))
	}
	b.WriteString(r.repeats())
	if r.Tasks > 0 {
		b.WriteString(", " + render.Count(r.Tasks, "task", "tasks"))
	}
	b.WriteString(r.estimated())
	if word := r.word(); word != "" {
		b.WriteString(", " + word)
	}
	fmt.Fprintf(&b, " (strategy %s, budget %s, seed %d, model %s, timers %s", r.Strategy, r.Budget,
		r.Seed, r.Model, r.Timers)
	if r.Faults.On() {
		fmt.Fprintf(&b, ", faults %s", r.Faults)
	}
	b.WriteByte(')')
	for _, text := range r.limits() {
		b.WriteString("; " + text)
	}
	return trace.Visible(b.String())
}

// limits lists what the executions were not, or what nobody looked at, each in a few words: a result is worth so much
// less.
func (r Result) limits() []string {
	var all []string
	for _, limit := range []struct {
		is   bool
		text string
	}{
		{r.Uncontrolled != "" && r.OneOrder,
			"goroutines ran in one order wherever a step was repeated, and the others were not explored: " + r.Uncontrolled},
		{r.Uncontrolled != "" && !r.OneOrder, "the program chose an order of its own: " + r.Uncontrolled},
		{r.Diverged, "the program did not repeat an execution, so nobody knows what else it does"},
		{r.Varied != "", r.Varied +
			" held something else when the execution was repeated (a package variable, a file, a clock, a map keyed by " +
			"pointers, random numbers?): what depends on it was not explored"},
		{r.Drawn != "", "the program depends on what Go chooses by itself (the order of a map, select, random numbers), of " +
			"which one sample was explored: " + r.Drawn},
		{r.OneSeed != "", "what Go chooses by itself was not explored, or not all of it: " + r.OneSeed},
		{r.Draws && r.Drawn == "" && r.Complete,
			fmt.Sprintf("steps or checks draw random numbers of Go's (for a loop over a map, a new map, math/rand): "+
				"%s went alike with others, and no more were "+
				"tried", render.Count(r.Redrawn, "execution", "executions"))},
		{r.Shared != "", "actors share memory, and the strategy counts on their steps being independent: " + r.Shared +
			": use naive, which does not"},
		{r.Bounded, "executions were cut because they did not come to an end"},
		{r.Ended, "FailNow cut executions, and what would have come after it was not executed"},
		{r.PassedOver != "", r.PassedOver},
		{r.Bypassed != "", r.Bypassed},
		{r.Facts != "", r.Facts},
		{r.Remarks != "", r.Remarks},
		{r.Unseen != "" && r.Complete, "for shared memory nobody looked behind " + few(r.Unseen, 3)},
		{r.timersUntried(), "the program sets timers, which fired only when nothing else could happen: -timers async lets " +
			"them fire at any point"},
		{r.Beyond != "", fmt.Sprintf("timers beyond the horizon of %s were left out: %s; raise Config.Horizon",
			r.Horizon, r.Beyond)},
	} {
		if limit.is {
			all = append(all, limit.text)
		}
	}
	return all
}

// repeats says how often the result was put to the test.
func (r Result) repeats() string {
	if r.Rechecked == 0 && r.Unrepeated == 0 && !r.Complete {
		return ""
	}
	s := ", no repeats"
	if r.Rechecked > 0 {
		s = ", " + render.Count(r.Rechecked, "repeat", "repeats")
	}
	if r.Unrepeated > 0 {
		s += fmt.Sprintf(" (no time for %s more)", render.Thousands(r.Unrepeated))
	}
	return s
}

// few gives the first elements of a list, and says how many more there are.
func few(list string, n int) string {
	all := strings.Split(list, ", ")
	if len(all) <= n {
		return list
	}
	return fmt.Sprintf("%s and %d more", strings.Join(all[:n], ", "), len(all)-n)
}

// timersUntried reports whether all is well so far, and there are timers that might fire earlier.
func (r Result) timersUntried() bool {
	return r.Timed && r.Timers == trace.Quiescent && len(r.Findings) == 0 &&
		(r.Complete || r.Reason == "done" || r.Reason == "budget")
}

// estimated says how many executions there are in all.
func (r Result) estimated() string {
	e := r.Estimate
	if r.Complete || e.Total < 1 || e.Total >= report.TooMany {
		return ""
	}
	done := r.Executions + r.Blocked
	if e.Low == e.High && e.Total == float64(done) {
		return "" // that is all there is
	}
	if r.Classes == 0 || r.Classes != r.Executions {
		return ", of an estimated " + report.Estimate(e)
	}
	share := "less than 1%"
	if percent := 100 * float64(done) / e.Total; percent >= 1 {
		share = fmt.Sprintf("about %.0f%%", min(percent, 99))
	}
	return ", " + share + " of an estimated " + report.Estimate(e) + " classes"
}

func (r Result) ending() string {
	if r.Guided != "" {
		return r.Guided
	}
	if r.Within == "" {
		return r.stopped()
	}
	if r.Reason == "done" {
		return "complete up to " + r.Within
	}
	return r.stopped() + ", complete up to " + r.Within
}

func (r Result) stopped() string {
	switch {
	case r.Complete:
		return "complete"
	case r.ForOneSeed && r.Reason == "done":
		return "complete for one seed of Go's choices"
	case r.OneOrder && r.Reason == "done":
		return "complete for one order of goroutines"
	case r.Reason == "budget":
		return "budget reached"
	case r.Reason == "found":
		return "stopped at a finding"
	case r.Reason == "stopped" && r.StoppedBy != "":
		return "stopped by " + r.StoppedBy
	case r.Reason == "stopped" && strings.HasSuffix(r.Budget, "x"):
		return "stopped before -timeout, at a quarter of what was left"
	case r.Reason == "stopped":
		return "stopped before -timeout"
	case r.Reason == "replayed":
		return "replayed only"
	case r.Reason == "error":
		return "ended by an error"
	}
	return "strategy done"
}

// word says what the executions are of all that there are.
func (r Result) word() string {
	switch {
	case r.Complete, r.Reason == "replayed", (r.OneOrder || r.ForOneSeed) && r.Reason == "done":
		return ""
	case r.Bounded || r.Beyond != "" || r.Within != "":
		return "bounded"
	}
	return "sampled"
}
