package stateful

import (
	"cmp"
	"fmt"
	"slices"
	"sort"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// This file puts a global state together: units, which are linearised one by one and refer to each other. First come
// the actors, then the pending messages, then each piece of memory that is shown in more than one place.

// State is a global state to be compared.
type State struct {
	Key trace.ID
	// Rank numbers the pending messages. Two states with equal keys are equal by the map that takes messages to messages
	// of the same rank. Nil where only equal messages are taken for equal: ByHistory.
	Rank map[int32]int
	// Actors are the numbers of the actors by that map, nil where Rank is.
	Actors []int
}

// Key gives the present state. The error names what cannot be compared.
func (r *Recorder) Key() (State, error) {
	if err := r.catchUp(); err != nil {
		return State{}, err
	}
	d, why := r.x.Disclosed()
	switch d {
	case explore.Hidden:
		return State{}, fmt.Errorf("the state of the program cannot be compared: %s; use a strategy that compares no "+
			"states, such as naive", why)
	case explore.ByHistory:
		return State{Key: r.byHistory()}, nil
	}
	r.Omitted = cmp.Or(r.Omitted, why)
	u, err := r.units()
	if err != nil {
		return State{}, err
	}
	switch r.Comparison {
	case Generic:
		return u.generic(), nil
	case Literal, LiteralGeneric:
		return r.literal(u), nil
	}
	return u.canonical(), nil
}

// units is a linearised state.
type units struct {
	words    [][]word
	actors   int
	messages []int32 // unit actors+i is messages[i]
}

func (r *Recorder) units() (*units, error) {
	tr := r.x.Trace()
	r.enc.reset(r.x)
	u := &units{actors: len(tr.Actors)}
	q := r.queue()
	u.messages = q.messages
	for a := range int32(len(tr.Actors)) {
		if err := r.actorUnit(a, q); err != nil {
			return nil, err
		}
		u.words = append(u.words, r.enc.words)
	}
	for i := range q.messages {
		if err := r.messageUnit(i, q); err != nil {
			return nil, err
		}
		u.words = append(u.words, r.enc.words)
	}
	u.words = append(u.words, shared(r.enc.spans)...)
	return u, nil
}

// actorUnit linearises an actor.
func (r *Recorder) actorUnit(a int32, q *queue) error {
	tr, e, h := r.x.Trace(), &r.enc, &r.actors[a]
	e.begin(a)
	actor, st := &tr.Actors[a], r.x.Status(a)
	e.put(actor.Type.Hash)
	e.putString(actor.Name)
	e.putActor(actor.Parent)
	e.putBool(st.Stopped)
	e.putBool(st.Blocked)
	e.putString(st.Awaits)
	e.putActor(st.On)
	e.put(uint64(h.clock))
	if a == 0 {
		e.put(uint64(r.now))
		e.put(uint64(r.faults))
	}
	q.known(e, a)
	e.put(uint64(len(h.former)))
	if err := r.values(a, h.former...); err != nil {
		return err
	}
	if !h.kept && r.x.Settled(a) {
		e.put(0)
		return r.value(a)
	}
	e.put(1 + uint64(len(h.told)))
	e.words = append(e.words, h.told...)
	if err := r.value(a); err != nil {
		return err
	}
	return r.held(h)
}

// held shows the memory behind the messages that an actor in the middle of a handler may still hold: others may change
// it.
func (r *Recorder) held(h *history) error {
	e, tr := &r.enc, r.x.Trace()
	for i, m := range h.values {
		if tr.Messages[m].Kind == trace.Task {
			continue
		}
		words, spans := len(e.words), len(e.spans)
		e.put(uint64(i))
		if err := e.any(tr.Messages[m].Value); err != nil {
			return refused("message "+tr.MessageName(m), err)
		}
		if len(e.spans) == spans {
			e.words = e.words[:words]
		}
	}
	return nil
}

func (r *Recorder) messageUnit(i int, q *queue) error {
	m, e := q.messages[i], &r.enc
	msg := &r.x.Trace().Messages[m]
	e.begin(int32(len(r.actors) + i))
	e.put(uint64(msg.Kind))
	e.put(msg.Type.Hash)
	e.putActor(msg.Sender)
	e.putActor(msg.Receiver)
	e.put(uint64(r.x.Trace().Events[msg.SentBy].Time))
	q.order(e, i)
	return r.contents(m)
}

// putActor refers to an actor; -1 is nobody.
func (e *encoder) putActor(a int32) {
	if a < 0 {
		e.put(0)
		return
	}
	e.refer(a)
}

// shared makes a unit of each piece of memory that is shown more than once, wholly or in part: who shows it, and where
// in it.
func shared(spans []span) [][]word {
	slices.SortFunc(spans, func(a, b span) int {
		switch {
		case a.start != b.start:
			return compare(a.start, b.start)
		case a.unit != b.unit:
			return compare(a.unit, b.unit)
		}
		return compare(a.number, b.number)
	})
	var pieces [][]span
	for i := 0; i < len(spans); {
		j, end := i+1, spans[i].end
		for ; j < len(spans) && spans[j].start < end; j++ {
			end = max(end, spans[j].end)
		}
		if j > i+1 {
			pieces = append(pieces, spans[i:j])
		}
		i = j
	}
	// Addresses say nothing: the order is that of the units that show them.
	first := func(p []span) span {
		return slices.MinFunc(p, func(a, b span) int {
			if a.unit != b.unit {
				return compare(a.unit, b.unit)
			}
			return compare(a.number, b.number)
		})
	}
	sort.Slice(pieces, func(i, j int) bool {
		a, b := first(pieces[i]), first(pieces[j])
		return a.unit < b.unit || a.unit == b.unit && a.number < b.number
	})
	var all [][]word
	for _, p := range pieces {
		words := []word{{kind: open}}
		for i, s := range p {
			if i > 0 {
				words = append(words, word{kind: next})
			}
			words = append(words, word{unit, uint64(s.unit)}, word{plain, s.number},
				word{plain, uint64(s.start - p[0].start)}, word{plain, uint64(s.end - s.start)})
		}
		all = append(all, append(words, word{kind: shut}))
	}
	return all
}

// byHistory hashes what every actor was told, under the identities of this program's actors and messages.
func (r *Recorder) byHistory() trace.ID {
	tr := r.x.Trace()
	var actors, messages trace.ID
	for a := range r.actors {
		h := r.actors[a].full.WithID(tr.Actors[a].ID)
		if st := r.x.Status(int32(a)); st.Stopped {
			h = h.With(1)
		}
		if r.Model == trace.Mailbox && r.x.Arrangement().Overdue(int32(a)) {
			h = h.With(2)
		}
		actors = add(actors, h)
	}
	q := r.queue()
	for i, m := range q.messages {
		r.enc.begin(-1)
		q.order(&r.enc, i)
		h := r.sent[m]
		for _, w := range r.enc.words {
			if w.kind == plain || w.kind == unit && int(w.x) < len(tr.Actors) {
				h = h.With(w.x)
			}
		}
		messages = add(messages, h.WithID(tr.Messages[m].ID))
	}
	return seed.With(uint64(len(tr.Actors))).With(uint64(r.now)).With(uint64(r.faults)).WithID(actors).WithID(messages)
}
