package report

import (
	"reflect"

	"github.com/rehearse-go/rehearse/internal/render"
	"github.com/rehearse-go/rehearse/trace"
)

// This file has the states of actors in the course of an execution.

// mostLooks bounds how many states are printed in one execution. Where all actors at each step would be more, only the
// actor that takes the step is looked at.
const mostLooks = 100_000

// Seen is what was seen of the states of actors in one execution, printed. Only what differs from before is kept.
type Seen struct {
	events []int32 // in the order of changes
	states []State // State.Lifeline is an actor
	last   []string
	unseen map[int32]string // by actor: why its state is not told
	near   bool             // only the actor that takes a step is looked at
}

// NewSeen makes room for the states of an execution of about so many events and actors.
func NewSeen(events, actors int) *Seen {
	return &Seen{unseen: map[int32]string{}, near: events*actors > mostLooks}
}

// Look takes in the states after an event. value gives the value of an actor, nil if it is not known, and whether the
// actor has stopped: then it has no state.
func (s *Seen) Look(tr *trace.Trace, event int32, value func(actor int32) (v any, stopped bool)) {
	if !s.near {
		for a := 1; a < len(tr.Actors); a++ {
			s.look(tr, event, int32(a), value)
		}
		return
	}
	if a := tr.Events[event].Step.Actor; a > 0 {
		s.look(tr, event, a, value)
	}
	for _, a := range tr.Events[event].Created {
		s.look(tr, event, a, value)
	}
}

func (s *Seen) look(tr *trace.Trace, event, a int32, value func(int32) (any, bool)) {
	v, stopped := value(a)
	for len(s.last) <= int(a) {
		s.last = append(s.last, "")
	}
	text := ""
	switch {
	case stopped:
		text = "stopped"
	case v == nil:
		s.unseen[a] = "its value is not known"
		return
	case reflect.TypeOf(v).Kind() == reflect.Func:
		s.unseen[a] = "it is a function, and what a function holds is not seen"
		return
	default:
		text = render.ValueNamed(v, PictureText, tr.ActorName)
	}
	if text != s.last[a] {
		s.last[a] = text
		s.events, s.states = append(s.events, event), append(s.states, State{int(a), text})
	}
}

// states puts what was seen into the rows: that of all events of a row, the last of each actor.
func (b *pictureBuilder) states() {
	s := b.o.Seen
	if s == nil {
		return
	}
	b.p.Looked = true
	for a, why := range s.unseen {
		if int(a) < len(b.p.Lifelines) {
			b.p.Lifelines[a].Unseen = why
		}
	}
	for i, e := range s.events {
		if int(e) < len(b.rowOf) && s.states[i].Lifeline < len(b.p.Lifelines) {
			b.p.Rows[b.rowOf[e]].state(s.states[i])
		}
	}
	b.p.dropUnchanged()
	if s.near {
		b.p.Notes = append(b.p.Notes, "The execution is long, so at each step only the actor that takes it was looked at. "+
			"A state that another actor changes shows at the next step of its own actor.")
	}
}

// state sets the state of an actor when the row is over.
func (r *Row) state(s State) {
	for i := range r.States {
		if r.States[i].Lifeline == s.Lifeline {
			r.States[i].Text = s.Text
			return
		}
	}
	r.States = append(r.States, s)
}

// dropUnchanged leaves out states that were another one only in the middle of a row.
func (p *Picture) dropUnchanged() {
	last := make([]string, len(p.Lifelines))
	for i := range p.Rows {
		var changed []State
		for _, s := range p.Rows[i].States {
			if last[s.Lifeline] != s.Text {
				last[s.Lifeline] = s.Text
				changed = append(changed, s)
			}
		}
		p.Rows[i].States = changed
	}
}
