package tasks

import (
	"github.com/rehearse-go/rehearse/symbolic/exec"
	"github.com/rehearse-go/rehearse/symbolic/term"
)

// Deed is something that the scheduler has done for an actor of the case, such as to send its message. What it leaves
// to package exec is among the events of the path.
type Deed struct {
	exec.Event
	By    int // the actor: 0 is the tested one, then those that were created; -1 if none was running
	After int // how many events of the path came before
}

// note notes a deed of the actor that runs.
func (s *scheduler) note(op string, to *term.Term, msg exec.Value) {
	d := Deed{Event: exec.Event{Op: op, To: to, Msg: msg}, By: -1, After: s.m.Events()}
	if s.running != nil {
		d.By = s.running.obj.number
	}
	if to != nil {
		d.To = s.reached(to)
	}
	if msg != nil {
		if face, ok := s.m.Held(msg).(exec.Face); ok {
			d.Type = face.Type
		}
	}
	s.deeds = append(s.deeds, d)
}

// reached gives the actor that a message is for. One to a future is for who has asked; for nobody if the future is
// complete.
func (s *scheduler) reached(to *term.Term) *term.Term {
	for _, f := range s.asked {
		switch {
		case f.ref != to:
		case f.done:
			return s.store.Uint(to.Sort, 0)
		default:
			return f.asker.ref
		}
	}
	return to
}
