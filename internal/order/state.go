package order

import (
	"reflect"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// state is a state as stability sees it.
type state struct {
	x      explore.Execution
	insp   explore.Inspector // x, nil if it is none
	knows  explore.ReferenceGraph
	find   finder
	tr     *trace.Trace
	opaque bool    // there are timers, futures or the like: any actor may be sent anything
	actors []being // by actor
}

// being is an actor in a state.
type being struct {
	tasks  []task
	wild   bool // nobody knows what it will send, nor to whom
	gone   bool // it has stopped
	looked bool // fields is known
	fields holding
}

// task is a message that an actor has not handled.
type task struct {
	message int32
	row     int32 // of what is declared of its handler, -1 if nothing is
	looked  bool
	args    holding
}

// open is told of the execution whose values are looked at.
func (s *state) open(x explore.Execution) {
	s.x = x
	s.insp, _ = x.(explore.Inspector)
	s.knows, _ = x.(explore.ReferenceGraph)
	s.find.x = s.insp
	if s.find.seen == nil {
		s.find.seen, s.find.bare = map[visit]bool{}, map[reflect.Type]bool{}
	}
}

// read takes in the state that was reached.
func (s *state) read(tr *trace.Trace, c *chains) {
	s.tr = tr
	for len(s.actors) < len(tr.Actors) {
		s.actors = append(s.actors, being{})
	}
	s.actors = s.actors[:len(tr.Actors)]
	s.opaque = s.insp == nil
	if s.insp != nil {
		d, _ := s.insp.Disclosed()
		s.opaque = d != explore.ByValue
	}
	for a := range s.actors {
		b := &s.actors[a]
		*b = being{tasks: b.tasks[:0]}
		b.gone = s.x.Status(int32(a)).Stopped
		b.wild = s.insp == nil || !b.gone && !s.insp.Settled(int32(a))
	}
	s.x.Pending(func(m int32) {
		msg := &tr.Messages[m]
		b := &s.actors[msg.Receiver]
		row := int32(-1)
		if msg.Kind == trace.User {
			row = c.row(tr.Actors[msg.Receiver].Type, msg.Type)
		}
		if !b.gone {
			b.tasks = append(b.tasks, task{message: m, row: row})
		}
	})
}

// fieldsRefer reports whether the value of an actor refers to another one, or what the system keeps for it does.
func (s *state) fieldsRefer(actor, to int32) bool {
	b := &s.actors[actor]
	if b.gone {
		return false
	}
	if !b.looked {
		b.looked, b.fields = true, s.lookAt(actor)
	}
	return b.fields.has(to)
}

// lookAt gives the actors to which an actor refers now, by its value and by what its system keeps for it.
func (s *state) lookAt(actor int32) (h holding) {
	v := s.x.State(actor)
	if s.actors[actor].wild || v == nil && actor != 0 {
		// What a handler that waits has in its variables nobody sees. The test function of which nothing is known has
		// returned.
		return holding{any: true}
	}
	h = s.find.of(v)
	kept := s.find.of(s.insp.Kept(actor))
	h.any = h.any || kept.any
	h.actors = append(h.actors, kept.actors...)
	return h
}

// argsRefer reports whether a pending message refers to an actor.
func (s *state) argsRefer(t *task, to int32) bool {
	if !t.looked {
		t.looked = true
		if s.insp == nil {
			t.args = holding{any: true}
		} else {
			t.args = s.find.of(s.tr.Messages[t.message].Value)
			if attached := s.insp.Attached(t.message); attached != nil {
				t.args.add(s.tr.Messages[t.message].Sender) // to whom a reply is wanted
			}
		}
	}
	return t.args.has(to)
}

// refers reports whether an actor, as it handles a task, has a reference to another one.
func (s *state) refers(by int32, t *task, to int32) bool {
	return s.knows != nil && s.knows.Knows(by, to) || s.argsRefer(t, to) || s.fieldsRefer(by, to)
}

// held reports whether anybody else who may run before the actor does, or a message pending for anybody else, refers to
// the actor. However a reference gets to who uses it, it comes from one of these.
func (s *state) held(c *chains, actor int32) bool {
	for a := range s.actors {
		if int32(a) == actor || s.actors[a].gone {
			continue
		}
		if s.knows != nil && s.knows.Knows(int32(a), actor) || s.fieldsRefer(int32(a), actor) && s.runs(c, int32(a), actor) {
			return true
		}
		for i := range s.actors[a].tasks {
			if s.argsRefer(&s.actors[a].tasks[i], actor) {
				return true
			}
		}
	}
	return false
}

// runs reports whether actor a may take a step before another one does.
func (s *state) runs(c *chains, a, before int32) bool {
	if len(s.actors[a].tasks) > 0 || s.actors[a].wild {
		return true
	}
	for b := range s.actors {
		if int32(b) == before {
			continue
		}
		for _, t := range s.actors[b].tasks {
			if c.lead(t.row, s.tr.Actors[a].Type) {
				return true
			}
		}
	}
	return false
}

// among reports whether an actor of a type that a chain leads through, other than the given one, refers to it.
func (s *state) among(c *chains, ch *chain, actor int32) bool {
	for a := range s.actors {
		if int32(a) == actor || s.actors[a].gone || !ch.any && !c.leadsThrough(ch, s.tr.Actors[a].Type) {
			continue
		}
		if s.knows != nil && s.knows.Knows(int32(a), actor) || s.fieldsRefer(int32(a), actor) {
			return true
		}
	}
	return false
}
