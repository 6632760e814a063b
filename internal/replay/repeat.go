package replay

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// Repeat executes the schedule of a trace once more, step for step, and compares the effects: the program made a
// choice of its own iff they differ. Strategy and explore.Diverger.
type Repeat struct {
	first   *trace.Trace
	steps   []int32 // the chosen events of first
	next    int
	checked int // events compared so far
	started bool
	diverge *trace.Incident
}

// TiedTimers is the site of a divergence that timers bring about which are due at the same instant.
const TiedTimers = "timers due at the same instant"

// NewRepeat repeats the execution recorded in first.
func NewRepeat(first *trace.Trace) *Repeat {
	r := &Repeat{first: first}
	for e := first.Explored; e < len(first.Events); e++ {
		if !first.Events[e].Auto {
			r.steps = append(r.steps, int32(e))
		}
	}
	return r
}

// Name is "repeat".
func (*Repeat) Name() string { return "repeat" }

// Start wants one execution.
func (r *Repeat) Start() bool {
	first := !r.started
	r.started = true
	return first
}

// Choose takes the step that was taken in the first execution.
func (r *Repeat) Choose(tr *trace.Trace, enabled []trace.Step) explore.Choice {
	r.compare(tr, over(tr, enabled))
	if r.diverge == nil && enabled[0].Kind == trace.Fault && !r.injects(enabled) {
		return explore.Choice{Index: trace.First(enabled)} // nothing, which is no event
	}
	if r.diverge != nil || r.next == len(r.steps) {
		// At the end of the first execution the loop ended it: a violation, or a bound.
		return explore.Choice{Index: -1}
	}
	e := &r.first.Events[r.steps[r.next]]
	r.next++
	var first trace.ID
	if e.Released >= 0 {
		first = r.first.Messages[e.Released].ID
	}
	if i := trace.Find(enabled, e.Step.ID); i >= 0 {
		return explore.Choice{Index: i, First: first}
	}
	if e.Step.Kind == trace.Send {
		// The program sent in another order this time; release by name.
		for i := range enabled {
			if s := &enabled[i]; s.Kind == trace.Send && s.Actor < int32(len(r.first.Actors)) &&
				tr.Actors[s.Actor].ID == r.first.Actors[e.Step.Actor].ID {
				return explore.Choice{Index: i, First: first}
			}
		}
	}
	r.report(tr, len(tr.Events),
		fmt.Sprintf("%s was possible in the first run and is not in the second", r.first.StepName(e.Step)), e.Step.Actor)
	return explore.Choice{Index: -1}
}

// Pick is explore.Picker. Where the second run differs, Choose says how.
func (r *Repeat) Pick(tr *trace.Trace, o explore.Offer) (trace.Step, explore.Choice, bool) {
	r.compare(tr, len(tr.Events))
	if r.diverge != nil || r.next == len(r.steps) {
		return trace.Step{}, explore.Choice{}, false
	}
	e := &r.first.Events[r.steps[r.next]]
	s, ok := o.Find(e.Step.Actor, e.Step.ID)
	if !ok {
		return s, explore.Choice{}, false
	}
	r.next++
	var c explore.Choice
	if e.Released >= 0 {
		c.First = r.first.Messages[e.Released].ID
	}
	return s, c, true
}

// injects reports whether one of these faults came next in the first execution.
func (r *Repeat) injects(enabled []trace.Step) bool {
	return r.next < len(r.steps) && trace.Find(enabled, r.first.Events[r.steps[r.next]].Step.ID) >= 0
}

// over counts the events that are over when the program asks. A Choose is asked for in the middle of an event, which it
// and the choices in it follow in the trace. So may be the question for a fault.
func over(tr *trace.Trace, enabled []trace.Step) int {
	n := len(tr.Events)
	if k := enabled[0].Kind; !k.Chooses() {
		return n
	}
	for n > 0 && tr.Events[n-1].Step.Kind.Chooses() && tr.Events[n-1].Step.Kind != trace.Fault {
		n--
	}
	return max(n-1, 0)
}

// compare checks the events that are over, up to n.
func (r *Repeat) compare(tr *trace.Trace, n int) {
	for ; r.diverge == nil && r.checked < n; r.checked++ {
		if r.checked >= len(r.first.Events) {
			r.report(tr, r.checked, "the second run went on with "+tr.StepName(tr.Events[r.checked].Step),
				tr.Events[r.checked].Step.Actor)
			return
		}
		if d := trace.SameEffects(r.first, tr, r.checked); d != "" {
			r.report(tr, r.checked, d, r.first.Events[r.checked].Step.Actor)
		}
	}
}

func (r *Repeat) report(tr *trace.Trace, event int, text string, actor int32) {
	has := r.first
	if event >= len(has.Events) {
		has = tr
	}
	r.diverge = &trace.Incident{Kind: trace.Divergence, Actor: actor, Message: -1,
		Text: fmt.Sprintf("the same schedule was executed twice and step %d differed: %s", has.StepNumber(event), text)}
	if event < len(r.first.Events) {
		s := r.first.Events[event].Step
		r.diverge.Text += "\n  in " + r.first.StepName(s)
		if s.Message >= 0 {
			r.diverge.Type = r.first.Messages[s.Message].Type.Name
		}
	}
	if names := r.tied(tr, event); names != nil {
		r.diverge.Site = TiedTimers
		r.diverge.Text += "\n  Timers that are due at the same instant fire in random order, and the clock's last advance " +
			"sent " +
			strings.Join(names, " and ") + " in another order. Give them different delays, or set them in different steps."
	}
}

// tied gives the messages that timers sent in the last advance of the clock up to event, if the second run has the same
// in another order. Other messages are no sign of a tie: a goroutine that one timer wakes may have drawn a number and
// sent something else.
func (r *Repeat) tied(tr *trace.Trace, event int) []string {
	for e := min(event, len(r.first.Events)-1, len(tr.Events)-1); e >= 0; e-- {
		if r.first.Events[e].Step.Kind != trace.Advance || tr.Events[e].Step.Kind != trace.Advance {
			continue
		}
		first, second := sentBy(r.first, e), sentBy(tr, e)
		if slices.Equal(first, second) {
			return nil
		}
		slices.Sort(first)
		slices.Sort(second)
		if !slices.Equal(first, second) {
			return nil
		}
		return slices.Compact(first)
	}
	return nil
}

// sentBy names what an event sent, and to whom, in the order in which it did. Nothing tells who sends what a timer
// sends.
func sentBy(tr *trace.Trace, event int) (names []string) {
	for _, m := range tr.Events[event].Sent {
		msg := &tr.Messages[m]
		names = append(names, trace.ShortType(msg.Type.Name)+" to "+tr.ActorName(msg.Receiver))
	}
	return names
}

// Learn compares the end.
func (r *Repeat) Learn(tr *trace.Trace, cut bool) {
	if r.diverge != nil {
		return
	}
	r.compare(tr, len(tr.Events))
	if r.diverge == nil && len(tr.Events) < len(r.first.Events) {
		s := r.first.Events[len(tr.Events)].Step
		r.report(tr, len(tr.Events), "the second run ended before "+r.first.StepName(s), s.Actor)
	}
}

// Divergence describes the first difference, nil if there was none.
func (r *Repeat) Divergence() *trace.Incident { return r.diverge }

// Complete is false.
func (*Repeat) Complete() bool { return false }
