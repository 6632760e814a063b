// Package replay holds the strategies that follow a schedule: Replay, forgiving, for schedules kept in files; Repeat,
// strict, for an execution of this process.
package replay

import (
	"fmt"
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// Replay follows a schedule once: the head of the forced steps if it is enabled. Else the first step in the default
// order that is not among the forced steps still to come. If there is none, the schedule is stale at its head, which is
// dropped.
type Replay struct {
	forced   []trace.Forced
	coming   map[trace.ID]int // forced steps still to come
	next     int
	started  bool
	stale    []Stale
	happened happened
	joined   bool     // what handles a message releases the first send of its handler as well: see Split
	first    trace.ID // which one, zero: the program's first
}

// Stale is a forced step that could not be taken.
type Stale struct {
	Number int // of the forced step, from 1
	Step   trace.Forced
	Why    string
}

func (s Stale) String() string {
	return fmt.Sprintf("step %d (%s) is no longer enabled: %s", s.Number, Describe(s.Step), s.Why)
}

// Describe is the name for people, as in "Withdraw from Client#1 to Account".
func Describe(f trace.Forced) string {
	switch {
	case f.Kind == trace.Choose:
		return fmt.Sprintf("%s chooses %d", f.Actor, f.Value)
	case f.Kind == trace.Draw:
		return f.Actor + ": " + f.Draw
	case f.Kind == trace.Fault:
		return f.FaultName()
	case f.Message == "":
		return f.Kind.String() + " of " + f.Actor
	case f.From != "" && f.Kind != trace.Send:
		return fmt.Sprintf("%s from %s to %s", trace.ShortType(f.Message), f.From, f.Actor)
	}
	return fmt.Sprintf("%s %s of %s", f.Kind, trace.ShortType(f.Message), f.Actor)
}

// New follows these steps.
func New(forced []trace.Forced) *Replay {
	r := &Replay{forced: forced, coming: make(map[trace.ID]int, len(forced))}
	r.happened.events, r.happened.messages = map[trace.ID]int{}, map[trace.ID]int{}
	for _, f := range forced {
		r.coming[f.ID]++
	}
	return r
}

// Name is "replay".
func (*Replay) Name() string { return "replay" }

// Start wants one execution.
func (r *Replay) Start() bool {
	first := !r.started
	r.started = true
	return first
}

// Choose takes the head, or fills in by the default order.
func (r *Replay) Choose(tr *trace.Trace, enabled []trace.Step) explore.Choice {
	if c := r.release(tr, enabled); c.Index >= 0 {
		return c
	}
	for r.next < len(r.forced) {
		head := r.forced[r.next]
		if c := r.find(tr, head, enabled); c.Index >= 0 {
			r.pop()
			return c
		}
		if i := r.filler(tr, enabled); i >= 0 {
			return explore.Choice{Index: i}
		}
		if !head.Optional {
			r.stale = append(r.stale, Stale{r.next + 1, head, r.why(tr, head)})
		}
		r.pop()
	}
	return explore.Choice{Index: trace.First(enabled)}
}

// release gives the release that belongs to the step before where the schedule is joined, Index -1 if there is none.
func (r *Replay) release(tr *trace.Trace, enabled []trace.Step) explore.Choice {
	first := r.first
	r.first = trace.ID{}
	if n := len(tr.Events); r.joined && n > 0 {
		if s := &tr.Events[n-1].Step; s.Kind.Handles() || s.Kind == trace.Start {
			own := func(e trace.Step) bool { return e.Kind == trace.Send && e.Actor == s.Actor }
			return explore.Choice{Index: slices.IndexFunc(enabled, own), First: first}
		}
	}
	return explore.Choice{Index: -1}
}

func (r *Replay) pop() {
	r.first = r.forced[r.next].First
	r.coming[r.forced[r.next].ID]--
	r.next++
}

// find gives the choice that takes the head, Index -1 if it is not enabled. A send that the program now makes in
// another order is released by name. SUBTLE: only before one that is still to come. A send that the schedule does not
// force (minimising dropped it) was released before by the default order, and no send of a handler overtakes another.
func (r *Replay) find(tr *trace.Trace, head trace.Forced, enabled []trace.Step) explore.Choice {
	i := trace.Find(enabled, head.ID)
	if i < 0 && head.Kind == trace.Send && !head.First.IsZero() {
		for j := range enabled {
			if s := &enabled[j]; s.Kind == trace.Send && r.coming[s.ID] > 0 && tr.ActorName(s.Actor) == head.Actor &&
				sends(tr, s.Actor, head.First) {
				i = j
			}
		}
	}
	if r.joined && i >= 0 && passes(tr, enabled, i) {
		i = -1 // not in the versions of then
	}
	return explore.Choice{Index: i, First: head.First}
}

// sends reports whether the actor sent the message with this identity.
func sends(tr *trace.Trace, actor int32, id trace.ID) bool {
	for i := range tr.Messages {
		if m := &tr.Messages[i]; m.ID == id && m.Sender == actor {
			return true
		}
	}
	return false
}

// filler is the first enabled step in the default order that is not still to come. It passes no system message: the
// default order takes that first, and where it is still to come the message waits.
func (r *Replay) filler(tr *trace.Trace, enabled []trace.Step) int {
	best := -1
	for i := range enabled {
		if r.coming[enabled[i].ID] <= 0 && (best < 0 || enabled[i].Before(&enabled[best])) && !passes(tr, enabled, i) {
			best = i
		}
	}
	return best
}

// passes reports whether the i-th step takes a user message where its actor could take a system message.
func passes(tr *trace.Trace, enabled []trace.Step, i int) bool {
	class := func(s *trace.Step) trace.MessageKind {
		if s.Kind != trace.Deliver {
			return trace.Answer
		}
		return tr.Messages[s.Message].Kind
	}
	if c := class(&enabled[i]); c != trace.User && c != trace.Timeout {
		return false
	}
	return slices.ContainsFunc(enabled,
		func(s trace.Step) bool { return s.Actor == enabled[i].Actor && class(&s) == trace.System })
}

func (r *Replay) why(tr *trace.Trace, head trace.Forced) string {
	r.happened.extend(tr)
	if n, ok := r.happened.events[head.ID]; ok && n == 0 {
		return "it already happened before step 1"
	} else if ok {
		return fmt.Sprintf("it already happened as step %d", n)
	}
	if head.Kind == trace.Fault {
		return "the step that it belongs to did not happen, or not so that this could have gone wrong"
	}
	if i, ok := r.happened.messages[head.ID]; ok {
		m := &tr.Messages[i]
		return fmt.Sprintf("%s was sent, but %s does not take it", trace.ShortType(m.Type.Name), tr.ActorName(m.Receiver))
	}
	if head.From != "" {
		return fmt.Sprintf("%s never sent %s", head.From, trace.ShortType(head.Message))
	}
	return "nothing led to it"
}

// happened are the first event and the first message of each identity. They are kept, since a schedule of 100,000 steps
// may have as many stale ones.
type happened struct {
	events         map[trace.ID]int // their step numbers
	messages       map[trace.ID]int // their indices
	event, message int              // up to which they are kept
	number         int              // of the last step
}

// extend adds what has happened since.
func (h *happened) extend(tr *trace.Trace) {
	for ; h.event < len(tr.Events); h.event++ {
		if tr.Counted(h.event) {
			h.number++
		}
		keepFirst(h.events, tr.Events[h.event].Step.ID, h.number)
	}
	for ; h.message < len(tr.Messages); h.message++ {
		keepFirst(h.messages, tr.Messages[h.message].ID, h.message)
	}
}

func keepFirst(places map[trace.ID]int, id trace.ID, at int) {
	if _, known := places[id]; !known {
		places[id] = at
	}
}

// Learn notes the forced steps that the end of the execution left over. cut: the loop ended it, so that says nothing.
func (r *Replay) Learn(tr *trace.Trace, cut bool) {
	if cut {
		return
	}
	for ; r.next < len(r.forced); r.next++ {
		if head := r.forced[r.next]; !head.Optional {
			r.stale = append(r.stale, Stale{r.next + 1, head, r.why(tr, head)})
		}
	}
}

// Stale lists the forced steps that could not be taken.
func (r *Replay) Stale() []Stale { return r.stale }

// Used is the number of forced steps that were taken or dropped.
func (r *Replay) Used() int { return r.next }

// Complete is false.
func (*Replay) Complete() bool { return false }
