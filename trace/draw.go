package trace

import "fmt"

// This file has what Go chooses by itself as steps, where a System knows each draw: like the values of a Choose they are glued to the step in which they are
// drawn, and come before what the code does that draws.
//
//	invariants: I1 value 0 is what Go does where nobody asks for anything else; it is the first in the default order
//	            I2 what a step sends and creates has the same identities whatever is drawn: the order of sends to several actors, which a map may
//	            decide, changes nobody's name, and a schedule from which draws are taken out still names its messages
//	            I3 so have later draws of the part

// DrawStep gives the step by which a draw takes a value, right after the given event.
func (t *Trace) DrawStep(event int32, value int) Step {
	e := t.origin(event)
	n := 0 // draws of the part before
	for t.Events[event].Step.Kind == Draw {
		n, event = n+1, event-1
	}
	id := e.ID.With(uint64(Draw)<<32 + uint64(n))
	id.Lo = id.Lo&^0xffffffff | uint64(uint32(value)) // the values of a draw are in their order
	return Step{ID: id, Kind: Draw, Actor: e.Actor, Message: -1, Depth: e.Depth, Value: int32(value)}
}

// NameDraw says what the value of a draw means, for people.
func (t *Trace) NameDraw(s Step, what string) {
	if t.drawn == nil {
		t.drawn = map[ID]string{}
	}
	t.drawn[s.ID] = what
}

func (t *Trace) drawName(s Step) string {
	if what, ok := t.drawn[s.ID]; ok {
		return what
	}
	return fmt.Sprintf("Go chooses %d", s.Value)
}

// Origin is the step after which what the event sends and creates is named: the event's own, or that before its draws. So names do not depend on what is drawn.
func (t *Trace) Origin(event int32) *Step { return t.origin(event) }

// origin is the step after which what the event sends and creates is named.
func (t *Trace) origin(event int32) *Step {
	for t.Events[event].Step.Kind == Draw {
		event--
	}
	return &t.Events[event].Step
}
