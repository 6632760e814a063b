package explain

import (
	"slices"

	"github.com/rehearse-go/rehearse/trace"
)

// graph is what must come before what in one execution. An event follows the one that made its message available, the
// one that created its actor, and the previous one of its actor.
type graph struct {
	tr        *trace.Trace
	enabler   []int32 // of each event: the event that made its message available, -1 if there is none
	previous  []int32 // of each event: the previous one of its actor, -1 if there is none
	put       []int32 // of each message: the event that made it available, or else sent it
	released  []bool  // of each message: an event released it
	handledIn []int32 // of each message: the event in which it was handled, past the end if it was not
	captures  bool    // the execution released captured sends: the mailbox model

	last int32  // the event of which past was asked last, -1 if none was,
	in   []bool // and what that was

	indices map[trace.ID]int32 // of events, by step; nil: nobody has asked
}

func newGraph(tr *trace.Trace) *graph {
	g := &graph{tr: tr, enabler: tr.Enablers(), last: -1}
	g.previous, g.released = make([]int32, len(tr.Events)), make([]bool, len(tr.Messages))
	for m := range tr.Messages {
		g.put = append(g.put, tr.Messages[m].SentBy)
		g.handledIn = append(g.handledIn, int32(len(tr.Events)))
	}
	last := make([]int32, len(tr.Actors))
	for a := range last {
		last[a] = -1
	}
	for e := range tr.Events {
		ev := &tr.Events[e]
		g.previous[e] = last[ev.Step.Actor]
		last[ev.Step.Actor] = int32(e)
		if s := &ev.Step; s.Kind == trace.Timer {
			g.put[s.Message] = int32(e)
		} else if s.Message >= 0 && s.Kind.Handles() {
			g.handledIn[s.Message] = min(g.handledIn[s.Message], int32(e))
		}
		if ev.Released >= 0 {
			g.put[ev.Released], g.released[ev.Released], g.captures = int32(e), true, true
		}
	}
	return g
}

// past marks the events that must precede e, e itself included. What it gives is not changed: it is asked for the
// same event for every delivery that may come after it.
func (g *graph) past(e int32) []bool {
	if e >= 0 && e == g.last {
		return g.in
	}
	in := make([]bool, len(g.tr.Events))
	if e < 0 {
		return in
	}
	g.last, g.in = e, in
	stack := []int32{e}
	add := func(e int32) {
		if e >= 0 {
			stack = append(stack, e)
		}
	}
	for len(stack) > 0 {
		e := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if in[e] {
			continue
		}
		in[e] = true
		s := &g.tr.Events[e].Step
		if s.Kind == trace.Advance {
			g.pastOfTime(in, e)
			continue
		}
		add(g.enabler[e])
		add(g.previous[e])
		if by := g.tr.Actors[s.Actor].Creator; by < e {
			add(by)
		}
	}
	return in
}

// pastOfTime marks what must precede the advance e. Where it was a choice these are the advances before it. What set
// the timer is among what stays before anyway, or else the run shows that time did not pass. Where it was none, time
// moved because nothing else could happen, and everything before it is its cause.
func (g *graph) pastOfTime(in []bool, e int32) {
	for i := range e {
		in[i] = in[i] || !g.movable(e) || g.tr.Events[i].Step.Kind == trace.Advance
	}
}

// swapOf is the swap of two events, to be executed.
func (g *graph) swapOf(first, second int32) *swap {
	return &swap{first: g.tr.Events[first].Step.ID, second: g.tr.Events[second].Step.ID, from: g.tr}
}

// sent reports whether the execution has the message with this identity.
func (g *graph) sent(id trace.ID) bool {
	return slices.ContainsFunc(g.tr.Messages, func(m trace.Message) bool { return m.ID == id })
}

// seconds lists the messages of the actor that could have come earlier. First is the one it handled last, then those
// that it did not handle, and then the others that it handled, latest first.
func (g *graph) seconds(actor int32) []int32 {
	var list []int32
	at := g.deliveries(actor)
	handled := map[int32]bool{}
	for i := len(at) - 1; i >= 0; i-- {
		m := g.tr.Events[at[i]].Step.Message
		handled[m] = true
		list = append(list, m)
	}
	var pending []int32
	for m := range g.tr.Messages {
		if msg := &g.tr.Messages[m]; msg.Receiver == actor && msg.Kind.Handled() && int(msg.SentBy) >= g.tr.Explored &&
			!handled[int32(m)] {
			pending = append(pending, int32(m))
		}
	}
	return slices.Insert(list, min(1, len(list)), pending...)
}

// at gives the event with this step, -1 if there is none.
func (g *graph) at(id trace.ID) int32 {
	if g.indices == nil {
		g.indices = make(map[trace.ID]int32, len(g.tr.Events))
		for e := range g.tr.Events {
			g.indices[g.tr.Events[e].Step.ID] = int32(e)
		}
	}
	if e, ok := g.indices[id]; ok {
		return e
	}
	return -1
}

// indexIn gives the index that the actor has in another trace, -1 if it is not there.
func (g *graph) indexIn(other *trace.Trace, actor int32) int32 {
	id := g.tr.Actors[actor].ID
	return int32(slices.IndexFunc(other.Actors, func(a trace.Actor) bool { return a.ID == id }))
}

// deliveries lists the explored events in which the actor handled something.
func (g *graph) deliveries(actor int32) []int32 {
	var at []int32
	for e := g.tr.Explored; e < len(g.tr.Events); e++ {
		if s := &g.tr.Events[e].Step; s.Actor == actor && s.Kind.Handles() {
			at = append(at, int32(e))
		}
	}
	return at
}

// suspects lists the actors: those of the violation first, then the others by their last event, latest first.
func (g *graph) suspects(v trace.Violation) []int32 {
	var list []int32
	add := func(a int32) {
		if a >= 0 && !slices.Contains(list, a) {
			list = append(list, a)
		}
	}
	if v.Event >= 0 && v.Event < len(g.tr.Events) {
		add(g.tr.Events[v.Event].Step.Actor)
	}
	for a := range g.tr.Actors {
		if v.Actor != "" && g.tr.ActorName(int32(a)) == v.Actor {
			add(int32(a))
		}
	}
	for a := range g.tr.Actors {
		if slices.ContainsFunc(v.Waits, func(w trace.Wait) bool { return w.Actor == g.tr.Actors[a].Type.Name }) {
			add(int32(a))
		}
	}
	for e := len(g.tr.Events) - 1; e >= g.tr.Explored; e-- {
		add(g.tr.Events[e].Step.Actor)
	}
	return list
}

// stops lists the deliveries that may have stopped the receiver of the dead letter that the event late reports. They
// are those of its receiver if that is known, else of all other actors, latest first.
func (g *graph) stops(late int32) []int32 {
	receiver := int32(-1)
	for _, in := range g.tr.Events[late].Incidents {
		if in.Kind == trace.DeadLetter && in.Message >= 0 {
			receiver = g.tr.Messages[in.Message].Receiver
		}
	}
	var list []int32
	for e := late - 1; e >= int32(g.tr.Explored); e-- {
		s := &g.tr.Events[e].Step
		if s.Kind.Handles() && s.Actor != g.tr.Events[late].Step.Actor && (receiver < 0 || s.Actor == receiver) {
			list = append(list, e)
		}
	}
	return list
}
