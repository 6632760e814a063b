package stateful

import (
	"fmt"
	"reflect"
	"time"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// Recorder follows one execution after the other and gives the keys of their states. It has to see every step: Step
// before each, and Key where a key is wanted.
type Recorder struct {
	Comparison Comparison
	Model      trace.Model // whose order of pending messages counts

	types  types
	enc    encoder
	x      explore.Inspector
	seen   int           // events that are accounted for
	now    time.Duration // of the last advance
	faults int           // injected so far, of those that are allowed
	runner int32         // the actor that handled the last message, -1 if none
	actors []history
	sent   []trace.ID       // by message: what determines it
	shown  map[int32][]word // messages as they were before the step that handles them

	stepped int32 // the actor of the last step, with what State told of it before
	stood   any

	// Replaced names the first actor that got another instance by no injected fault: a supervisor restarted it. What the
	// old one holds is no part of states: a program that restarts in circles would never meet one again.
	Replaced string
	// Omitted is the first that the system told of what its states leave out, "" if nothing.
	Omitted string
}

// instance is what State and Kept tell of an actor. An injected restart replaces it. The old one handles nothing any
// more, but the test function may hold it and look at it at the end, so that it stays a part of the state. There are no
// more of them than faults allowed.
type instance struct {
	state, kept any
}

// history is what an actor was told.
type history struct {
	full   trace.ID      // hashes everything that ever happened to it
	told   []word        // what happened since it was last settled, or ever if it is kept
	values []int32       // messages that went into told, whose memory it may still hold
	clock  time.Duration // of its last event
	kept   bool          // told is part of its state for good
	last   []word        // the last message that it handled
	before []word        // its value before the step that is being taken, nil if it was not settled
	former []instance    // those that injected restarts have replaced
}

// Begin starts an execution. The error says that its states cannot be compared at all.
func (r *Recorder) Begin(x explore.Execution) error {
	inspector, ok := x.(explore.Inspector)
	if !ok {
		return fmt.Errorf("the system under test (%T) does not tell its states: use a strategy that compares none, such as "+
			"naive", x)
	}
	r.x, r.seen, r.now, r.faults, r.runner, r.actors, r.sent, r.stepped = inspector, 0, 0, 0, -1,
		r.actors[:0], r.sent[:0], -1
	r.shown, r.enc.types = map[int32][]word{}, &r.types
	return nil
}

// Step notes what a step is about to change. A Choose of the program is part of the step in which it happens: nothing
// is noted.
func (r *Recorder) Step(s trace.Step) error {
	if s.Kind == trace.Fault && s.Fault() == trace.Restart {
		h := &r.actors[s.Actor]
		h.former = append(h.former, r.present(s.Actor))
	}
	if s.Kind.Chooses() {
		return nil
	}
	if err := r.catchUp(); err != nil {
		return err
	}
	r.stepped, r.stood = s.Actor, r.x.State(s.Actor)
	r.enc.reset(r.x)
	if s.Message >= 0 && s.Kind.Handles() {
		if err := r.show(s.Message); err != nil {
			return err
		}
	}
	h := &r.actors[s.Actor]
	h.before = nil
	if !h.kept && r.x.Settled(s.Actor) {
		r.enc.begin(s.Actor)
		if err := r.value(s.Actor); err != nil {
			return err
		}
		h.before = r.enc.words
	}
	return nil
}

// show linearises a message that is about to be handled.
func (r *Recorder) show(m int32) error {
	msg := &r.x.Trace().Messages[m]
	r.enc.begin(-1)
	r.enc.put(msg.Type.Hash)
	r.enc.refer(msg.Sender)
	if err := r.contents(m); err != nil {
		return err
	}
	r.shown[m] = r.enc.words
	return nil
}

// contents linearises what a message holds, and whether a fault doubled it: what comes of that is no finding. A task,
// by which a released handler goes on, holds what only the system understands: what determines it stands for it.
func (r *Recorder) contents(m int32) error {
	r.enc.putBool(r.faults > 0 && r.x.Trace().Doubled(m))
	if r.x.Trace().Messages[m].Kind == trace.Task {
		r.enc.put(r.sent[m].Hi)
		r.enc.put(r.sent[m].Lo)
		return nil
	}
	err := r.enc.any(r.x.Trace().Messages[m].Value)
	if err == nil {
		err = r.enc.any(r.x.Attached(m))
	}
	if err != nil {
		return refused("message "+r.x.Trace().MessageName(m), err)
	}
	return nil
}

func (r *Recorder) present(actor int32) instance {
	return instance{r.x.State(actor), r.x.Kept(actor)}
}

func (r *Recorder) value(actor int32) error { return r.values(actor, r.present(actor)) }

// values linearises instances of an actor.
func (r *Recorder) values(actor int32, of ...instance) error {
	for _, i := range of {
		err := r.enc.any(i.state)
		if err == nil {
			err = r.enc.any(i.kept)
		}
		if err != nil {
			return refused("actor "+r.x.Trace().ActorName(actor), err)
		}
	}
	return nil
}

// refused is the error for a state that cannot be compared.
func refused(what string, err error) error {
	return fmt.Errorf("the state of %s cannot be compared: %w; use a strategy that compares no states, such as naive",
		what, err)
}

// catchUp accounts for the events since the last call.
func (r *Recorder) catchUp() error {
	tr := r.x.Trace()
	for n := len(r.actors); n < len(tr.Actors); n++ {
		// The test itself may do at the end whatever it has learnt by then.
		r.actors = append(r.actors, history{full: tr.Actors[n].ID, kept: n == 0})
	}
	for r.seen < len(tr.Events) {
		end := r.seen + 1
		for end < len(tr.Events) && tr.Events[end].Step.Kind.Chooses() {
			end++
		}
		if err := r.account(tr.Events[r.seen:end]); err != nil {
			return err
		}
		r.seen = end
	}
	return nil
}

// account adds the events of a step to the history of its actor: the first of them, and the values that it picked. What
// a step sends may depend on all that it picked, whichever event the system counts it to.
func (r *Recorder) account(events []trace.Event) error {
	tr := r.x.Trace()
	h := &r.actors[events[0].Step.Actor]
	r.noteReplaced(&events[0])
	if !h.kept && h.before != nil {
		h.told, h.values = append(h.told[:0], h.before...), h.values[:0]
	}
	h.before = nil
	for i := range events {
		if err := r.hear(h, &events[i]); err != nil {
			return err
		}
	}
	for _, e := range events {
		for _, c := range e.Created {
			r.actors[c].full, r.actors[c].clock = h.full.WithID(tr.Actors[c].ID), e.Time
			h.told = append(h.told, word{unit, uint64(c)})
		}
		for _, m := range e.Sent {
			for int(m) >= len(r.sent) {
				r.sent = append(r.sent, trace.ID{})
			}
			r.sent[m] = h.full.WithID(tr.Messages[m].ID)
			h.values = append(h.values, m)
		}
	}
	return nil
}

// noteReplaced notes that a system message has put another instance in the place of one that others may hold.
func (r *Recorder) noteReplaced(e *trace.Event) {
	tr, actor := r.x.Trace(), e.Step.Actor
	if r.Replaced != "" || !e.Changes || e.Step.Message < 0 || tr.Messages[e.Step.Message].Kind != trace.System ||
		actor != r.stepped {
		return
	}
	old, now := reflect.ValueOf(r.stood), reflect.ValueOf(r.x.State(actor))
	if old.Kind() == reflect.Pointer && (now.Kind() != reflect.Pointer || old.Pointer() != now.Pointer()) {
		r.Replaced = tr.ActorName(actor)
	}
}

// hear adds what an event told its actor.
func (r *Recorder) hear(h *history, e *trace.Event) error {
	h.kept = h.kept || e.Registered > 0
	h.clock = e.Time
	if e.Step.Kind == trace.Advance {
		r.now = e.Time
	}
	if e.Step.Kind == trace.Fault && e.Step.Value != 0 {
		r.faults++
	}
	h.full = h.full.With(uint64(e.Step.Kind)).With(uint64(e.Time))
	h.told = append(h.told, word{plain, uint64(e.Step.Kind)}, word{plain, uint64(e.Time)})
	m := e.Step.Message
	if m < 0 || e.Step.Kind == trace.Send || e.Step.Kind == trace.Fault {
		h.full = h.full.WithID(e.Step.ID)
		h.told = append(h.told, word{plain, uint64(e.Step.Value)})
		return nil
	}
	h.full = h.full.WithID(r.sent[m])
	if r.shown[m] == nil {
		r.enc.reset(r.x)
		if err := r.show(m); err != nil {
			return err
		}
	}
	h.told = append(h.told, r.shown[m]...)
	h.values = append(h.values, m)
	h.last, r.runner = r.shown[m], e.Step.Actor
	return nil
}
