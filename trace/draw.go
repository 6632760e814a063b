package trace

import (
	"fmt"
	"slices"
)

// This file has what Go chooses by itself as steps, where a System knows each draw. Like the values of a Choose they
// are in-step choices of the step in which they are drawn, and come before what the code does that draws.
//
//	invariants: I1 value 0 is what Go does where nobody asks for anything else; it is the first in the default order
//	            I2 what a step sends and creates has the same identities whatever is drawn: the order of sends to several
//	               actors, which a map may decide, changes nobody's name, and a schedule from which draws are taken out
//	               still names its messages
//	            I3 so have later draws of the part

// DrawStep gives the step by which a draw takes a value, right after the given event.
func (t *Trace) DrawStep(event int32, value int) Step {
	e := t.Origin(event)
	n := 0 // draws of the part before
	for t.Events[event].Step.Kind == Draw {
		n, event = n+1, event-1
	}
	id := e.ID.With(uint64(Draw)<<32 + uint64(n))
	s := Step{ID: id, Kind: Draw, Actor: e.Actor, Message: -1, Depth: e.Depth}
	return s.DrawInstead(int32(value)) // the values of a draw are in their order
}

// DrawInstead gives the step by which the same draw takes another value.
func (s Step) DrawInstead(value int32) Step {
	s.ID.Lo = s.ID.Lo&^0xffffffff | uint64(uint32(value))
	s.Value = value
	return s
}

// NameDraw says what the value of a draw means, for people.
func (t *Trace) NameDraw(s Step, what string) {
	if t.drawn == nil {
		t.drawn = map[ID]string{}
	}
	t.drawn[s.ID] = what
}

// Extent is how much an event has done so far.
type Extent struct {
	sent, created, stopped, cancelled, due, touched, incidents int
	changes                                                    bool
}

// Extent gives that of an event.
func (t *Trace) Extent(event int32) Extent {
	e := &t.Events[event]
	return Extent{len(e.Sent), len(e.Created), len(e.Stopped), len(e.Cancelled), len(e.Due), len(e.Touched),
		len(e.Incidents), e.Changes}
}

// Hand hands what an event has done since it had that extent to a later event, as if it had happened there. Draws that
// are known only when the code has run come before what it does. No identity depends on which of the two has done it,
// as long as draws alone lie between.
func (t *Trace) Hand(from, to int32, since Extent) {
	a, b := &t.Events[from], &t.Events[to]
	for _, m := range a.Sent[since.sent:] {
		t.Messages[m].SentBy = to
	}
	for _, c := range a.Created[since.created:] {
		t.Actors[c].Creator = to
	}
	hand(&a.Sent, &b.Sent, since.sent)
	hand(&a.Created, &b.Created, since.created)
	hand(&a.Stopped, &b.Stopped, since.stopped)
	hand(&a.Cancelled, &b.Cancelled, since.cancelled)
	hand(&a.Due, &b.Due, since.due)
	hand(&a.Touched, &b.Touched, since.touched)
	hand(&a.Incidents, &b.Incidents, since.incidents)
	if a.Changes && !since.changes {
		a.Changes, b.Changes = false, true
	}
}

// hand moves what comes behind the first n.
func hand[E any](from, to *[]E, n int) {
	*to = append(*to, (*from)[n:]...)
	*from = (*from)[:n]
}

// DrawName says what the draw of a step took, for people.
func (t *Trace) DrawName(s Step) string {
	if what, ok := t.drawn[s.ID]; ok {
		return what
	}
	return fmt.Sprintf("Go chooses %d", s.Value)
}

// Origin is the step after which what the event sends and creates is named: the event's own, or that before its draws.
// So names do not depend on what is drawn.
func (t *Trace) Origin(event int32) *Step {
	for t.Events[event].Step.Kind == Draw {
		event--
	}
	return &t.Events[event].Step
}

// EndDraw is a draw of Go's in a final check, behind all steps. No strategy is asked for it.
type EndDraw struct {
	N        int    // of its values; 1: it makes no difference
	Value    int    // the one taken
	Place    string // "map at bank_test.go:12"
	What     string // what the value means, for people
	Explored bool   // its other values are for the exploration to try; else somebody has said that they are not tried
}

// Forces gives what has a replay's final checks draw the same, nil if they draw nothing.
func (t *Trace) Forces() (ends []ForcedEnd) {
	if !slices.ContainsFunc(t.Ends, func(e EndDraw) bool { return e.N > 1 }) {
		return nil
	}
	for i := range t.Ends {
		ends = append(ends, ForcedEnd{t.Ends[i].Value, t.Ends[i].What})
	}
	return ends
}

// ForcedEnd is the value of a draw in a final check that a schedule forces.
type ForcedEnd struct {
	Value int    `json:"value"`
	Draw  string `json:"draw,omitempty"` // what the value means
}
