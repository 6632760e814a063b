package stateful

import (
	"maps"
	"slices"

	"github.com/rehearse-go/rehearse/internal/causal"
	"github.com/rehearse-go/rehearse/trace"
)

// This file holds persistent sets: of a state only the steps of some actors are taken, if nothing that the others can
// bring about depends on these. What the others can bring about is not known when a state is met. It is learnt from
// what is explored below it, and looked at again when the state is left.
//
// A step is known by the message that it handles. Its lore is what it did, whenever it was executed, and which messages
// it sent: these are the only ones that can follow from it. So what can happen in a state without the steps of some
// actors is among the lore of the other pending messages and of what follows from them. All of it is there when the
// state is left. Take a sequence of steps that ends with the first one to depend on the chosen ones. It is possible
// after one of these too, up to the dependent step, whose message is known from then on. Where executions were cut in a
// state that was met before, what followed there is adopted, in the names of this one.
//
//	source:     [God96] 4.1 for persistent sets, with closure by dependency; 5.2 for sleep sets beside them
//	differs:    sets come neither from the program's text nor from races with the path: pruning by states would lose the
//	            races of what was cut (docs/decisions/0010). The summary of a state is the lore of its messages; it holds
//	            for all states, so that it says too much rather than too little
//	assumes:    as sleep.go. Where only histories tell the state (timers, futures) every step is taken. So it is where
//	            what a chosen step violates ended the execution: nothing is known of what would have followed
//	invariants: I1 when a state is left, no step that its other messages can bring about depends on a step that was taken
//	               from it
//	            I2 the explored states are without circles. The first circle gives the sets up, and the search starts
//	               anew without them: a state on a circle is left before all that follows from it is known, and a step
//	               could be put off for ever
//	            I3 every final state is met, and every step that violates something is taken in some state
//	cost:       for each state that is met or left, what follows from each of its pending messages; ids of the pending
//	            messages and the actors of each state
//	checked by: persistent_test.go against the twin, on programs for each of the rules above, and counts on subjects
type reducer struct {
	model   trace.Model
	lore    map[trace.ID]*lore
	actors  map[trace.ID]bool  // objects that are an actor's sequence of steps, or its life
	places  map[trace.ID]place // by state
	version int                // of the lore
	sleeps  bool               // there are sleep sets too
	room    causal.Footprint
}

// lore is what is known of the step that handles a message.
type lore struct {
	does  causal.Union
	sends []sent
	below causal.Union // what follows from it, as adopted from states in which others had its place
}

type sent struct {
	message, receiver trace.ID
}

// place is who is where in a state.
type place struct {
	messages []waiting  // by rank
	actors   []trace.ID // by rank
}

// waiting is a pending message.
type waiting struct {
	message, receiver trace.ID
	rank              int
}

// placeOf gives the pending messages and the actors of the present state.
func placeOf(tr *trace.Trace, st State) place {
	p := place{actors: make([]trace.ID, 0, len(st.Actors))}
	for m, rank := range st.Rank {
		p.messages = append(p.messages, waiting{tr.Messages[m].ID, tr.Actors[tr.Messages[m].Receiver].ID, rank})
	}
	slices.SortFunc(p.messages, func(a, b waiting) int { return a.rank - b.rank })
	order := make([]int, len(st.Actors))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return st.Actors[a] - st.Actors[b] })
	for _, i := range order {
		p.actors = append(p.actors, tr.Actors[i].ID)
	}
	return p
}

func newReducer(sleeps bool) *reducer {
	return &reducer{sleeps: sleeps, lore: map[trace.ID]*lore{}, places: map[trace.ID]place{}, actors: map[trace.ID]bool{}}
}

// of gives what is known of a message: what its handling does, and what comes of it.
func (r *reducer) of(message trace.ID) *lore {
	l := r.lore[message]
	if l == nil {
		l = &lore{does: causal.Union{}, below: causal.Union{}}
		r.lore[message] = l
	}
	return l
}

// learn adds what the steps of an execution did.
func (r *reducer) learn(tr *trace.Trace) {
	for i := range tr.Actors {
		r.actors[tr.Actors[i].ID], r.actors[tr.Actors[i].Life()] = true, true
	}
	var l *lore
	for e := tr.Explored; e < len(tr.Events); e++ {
		ev := &tr.Events[e]
		if !ev.Step.Kind.Chooses() {
			l = nil
			if ev.Step.Kind.Handles() {
				l = r.of(tr.Messages[ev.Step.Message].ID)
			}
		}
		if l != nil && r.hear(tr, l, int32(e)) {
			r.version++
		}
	}
}

// outside stands for what is neither an actor's sequence of steps nor its life: a future, a timer. In an equal state
// such things have other names, and nobody knows which.
var outside = trace.ID{Lo: 0x6f757473696465}

// stepOf is what a step of an actor accesses, whatever else it does.
func stepOf(actor trace.ID) causal.Access { return causal.Access{Object: actor, Write: true} }

// hear adds event e to the lore of its step. It reports whether that is news.
func (r *reducer) hear(tr *trace.Trace, l *lore, e int32) (news bool) {
	for _, m := range tr.Events[e].Sent {
		msg := &tr.Messages[m]
		if s := (sent{msg.ID, tr.Actors[msg.Receiver].ID}); !slices.Contains(l.sends, s) {
			l.sends, news = append(l.sends, s), true
			r.handDown(l.below, s.message)
		}
	}
	r.room = causal.Accesses{}.Of(r.model, tr, e, e+1, r.room[:0])
	for _, a := range r.room {
		if !r.actors[a.Object] {
			a.Object = outside
		}
		news = l.does.Add(a) || news
	}
	return news
}

// follows gives all that can follow from a pending message.
func (r *reducer) follows(w waiting) causal.Union {
	all, met := causal.Union{}, map[trace.ID]bool{w.message: true}
	all.Add(stepOf(w.receiver))
	for todo := []trace.ID{w.message}; len(todo) > 0; {
		l := r.lore[todo[len(todo)-1]]
		todo = todo[:len(todo)-1]
		if l == nil {
			continue
		}
		all.AddAll(l.does)
		all.AddAll(l.below)
		for _, s := range l.sends {
			all.Add(stepOf(s.receiver))
			if !met[s.message] {
				met[s.message] = true
				todo = append(todo, s.message)
			}
		}
	}
	return all
}

// adopt takes what followed in the state from, which was explored, for what follows in the equal state to.
func (r *reducer) adopt(from, to place) {
	names := map[trace.ID]trace.ID{}
	for i, a := range from.actors {
		old, now := trace.Actor{ID: a}, trace.Actor{ID: to.actors[i]}
		names[old.ID], names[old.Life()] = now.ID, now.Life()
	}
	for i, w := range from.messages {
		if w.message == to.messages[i].message {
			continue // what followed is known by this name
		}
		l := r.of(to.messages[i].message)
		for object, written := range r.follows(w) {
			if now, ok := names[object]; ok {
				object = now
			}
			if l.below.Add(causal.Access{Object: object, Write: written}) {
				r.version++
			}
		}
		for _, s := range l.sends {
			r.handDown(l.below, s.message)
		}
	}
}

// handDown lets what follows from a message, as adopted, follow from what its step sent. Where the chosen steps sleep,
// nothing is explored below the state. What another one can bring about was seen where they were taken. It may have
// been adopted for a message that is over.
func (r *reducer) handDown(below causal.Union, message trace.ID) {
	if !r.sleeps || len(below) == 0 {
		return
	}
	l, news := r.of(message), false
	for object, written := range below {
		news = l.below.Add(causal.Access{Object: object, Write: written}) || news
	}
	if !news {
		return
	}
	r.version++
	for _, s := range l.sends {
		r.handDown(l.below, s.message)
	}
}

// widened gives the actors all of whose steps have to be taken in a state if those of the given ones are; nil: all of
// them.
//
// This is the closure of [God96] 4.1. It begins with the steps of some actors. If another pending message may lead to a
// step that depends on one of these, the steps of its receiver are added. At the end nothing that the others can bring
// about depends on the steps in the set, which is what persistent means. Sets only grow, so the closure ends.
func (r *reducer) widened(n *node, chosen map[trace.ID]bool) map[trace.ID]bool {
	later := make([]causal.Union, len(n.place.messages))
	for i, w := range n.place.messages {
		if later[i] = n.later[w.message]; later[i] == nil {
			later[i] = r.follows(w)
			n.later[w.message] = later[i]
		}
	}
	chosen = maps.Clone(chosen)
	for grown := true; grown; {
		grown = false
		now := causal.Union{}
		for _, c := range n.all {
			if chosen[c.actor] {
				now.Add(stepOf(c.actor))
				if l := r.lore[c.id]; l != nil {
					now.AddAll(l.does)
				}
			}
		}
		for i, w := range n.place.messages {
			if chosen[w.receiver] || !now.Dependent(later[i]) {
				continue
			}
			if !slices.ContainsFunc(n.all, func(c choice) bool { return c.actor == w.receiver }) {
				return nil // who lets it happen is not known
			}
			chosen[w.receiver], grown = true, true
		}
	}
	return chosen
}

// choose leaves of what is to be taken from a new state the steps of a persistent set, the smallest that one actor
// leads to, as far as is known. The others wait.
func (s *Search) choose(tr *trace.Trace, n *node) {
	if n.state.Rank == nil {
		return
	}
	r := s.reducer
	if len(n.sleep) > 0 {
		r.learn(tr) // if all that is chosen sleeps, the state is left at once
	}
	n.version, n.later = r.version, map[trace.ID]causal.Union{}
	var best map[trace.ID]bool
	least := len(n.todo)
	for _, c := range n.todo {
		if !c.kind.Handles() {
			return
		}
	}
	tried := map[trace.ID]bool{}
	for _, c := range n.all {
		if tried[c.actor] {
			continue
		}
		tried[c.actor] = true
		if set := r.widened(n, map[trace.ID]bool{c.actor: true}); set != nil {
			if k := count(n.todo, set); k < least {
				best, least = set, k
			}
		}
	}
	if best == nil {
		return
	}
	n.chosen = best
	n.todo, n.rest = split(n.todo, best)
}

// count is how many choices a set of actors has: the smallest set is explored.
func count(cs []choice, actors map[trace.ID]bool) int {
	n := 0
	for i := range cs {
		if actors[cs[i].actor] {
			n++
		}
	}
	return n
}

// split divides the choices into those of a persistent set, by its actors, and the others.
func split(cs []choice, actors map[trace.ID]bool) (in, out []choice) {
	in = []choice{} // not nil: the state is new
	for _, c := range cs {
		if actors[c.actor] {
			in = append(in, c)
		} else {
			out = append(out, c)
		}
	}
	return in, out
}

// complete looks, when a node is to be left, whether what was taken from it is a persistent set by what is known now,
// and if not has more taken.
//
// The set was persistent by what was known when the state was met. What was explored below it may have shown more. By
// then all that the others can bring about is known (I1), since the states below are done. So the set is right at the
// latest when this finds nothing to add.
func (s *Search) complete(n *node) {
	if len(n.rest) == 0 {
		return
	}
	if n.ended {
		n.todo, n.rest = n.rest, nil
		return
	}
	if n.version == s.reducer.version {
		return
	}
	n.version, n.later = s.reducer.version, map[trace.ID]causal.Union{}
	set := s.reducer.widened(n, n.chosen)
	if set == nil {
		n.todo, n.rest = n.rest, nil
		return
	}
	n.chosen = set
	n.todo, n.rest = split(n.rest, set)
}

// meets notes who is where in the state of a node that is about to be made, and reports whether the state is new. If it
// was met before, what followed is adopted; if on this very path, the sets are given up.
func (s *Search) meets(tr *trace.Trace, n *node) (fresh bool) {
	if n.state.Rank != nil {
		n.place = placeOf(tr, n.state)
	}
	if _, met := s.visited[n.state.Key]; !met {
		if n.state.Rank != nil {
			s.reducer.places[n.state.Key] = n.place
		}
		return true
	}
	for i := range s.nodes {
		if s.nodes[i].cur.compared && s.nodes[i].state.Key == n.state.Key {
			s.circle = true
			return false
		}
	}
	if n.state.Rank != nil {
		s.reducer.adopt(s.reducer.places[n.state.Key], n.place)
	}
	return false
}

// anew forgets everything but what was counted.
func (s *Search) anew() {
	s.visited, s.nodes, s.finals, s.deepest = map[trace.ID][]int{}, nil, 0, 0
	s.reducer, s.circle = nil, false
}

// endedAt notes that the last step ended the execution, which therefore does not show what would have followed.
func (s *Search) endedAt() {
	for i := len(s.nodes) - 1; i >= 0; i-- {
		if n := &s.nodes[i]; n.cur.compared {
			n.ended, n.cur.ended = true, true
			return
		}
	}
}
