package dpor

import (
	"slices"

	"github.com/rehearse-go/rehearse/internal/bitset"
	"github.com/rehearse-go/rehearse/internal/causal"
	"github.com/rehearse-go/rehearse/trace"
)

// This file: the races of an execution, and the reversal of each.
//
//	source:     [AAJS14] races that can be reversed, and the sequence notdep(e, E).e' that reverses one: lines S5 to S7
//	            and O3 to O5 of docs/algorithms.md, lemma L2
//	differs:    the later step need not have happened. Messages that are undelivered at the end, or when the clock
//	            advances, and timers that were cancelled race too. Of what they would have done only what is known before
//	            they run counts
//	checked by: twin_test.go and small_test.go, against brute force

// reversal is v of S7 and O5: what follows pre(E, i) when a race is reversed. It has the events that do not happen
// after i, then the later step of the race.
type reversal struct {
	i     int32
	end   int32 // the events before this one may be a part
	last  int32 // the later step as an event, -1 if it did not happen
	cause int32 // the event that makes the last step possible, -1 if it was possible before all
	// what the last step does is not known where it is moved to: it did not happen, or its actor's state is another there
	open  bool
	step  trace.ID // the last step
	actor trace.ID // its actor
	kind  trace.Kind
	first trace.ID         // of a release: the message, if it was taken
	foot  causal.Footprint // of the last step, as far as it is known where it is moved to

	suffers bool // the last step suffers the fault that it suffered after it
}

// eachRace calls f for every race whose later step is among the events [from, end) or was possible at the end, or when
// the clock advanced, and did not happen. f reports whether the later step can be taken where it is moved to.
func (s *depthFirst) eachRace(from, end int32, f func(n *node, r reversal) bool) {
	tr, turn := s.x.Trace(), s.turner(f)
	for e := from; e < end; e++ {
		if s.env.GivesUp() {
			return
		}
		s.racesOf(tr, e, turn)
		if tr.Events[s.order.First()+int(e)].Step.Kind == trace.Advance {
			s.pendingRaces(tr, e, turn)
		}
		s.cancelledFirings(tr, e, turn)
	}
	s.pendingRaces(tr, end, turn)
	s.missedAdvances(tr, from, turn)
}

// cancelledFirings calls turn for the timers that could have fired before event e, which cancelled them.
func (s *depthFirst) cancelledFirings(tr *trace.Trace, e int32, turn func(i int32, r reversal) bool) {
	s.order.CancelledFirings(e, func(m int32) {
		fire := tr.FiringOf(m)
		turn(s.order.Head(e), reversal{end: e, last: -1, open: true, cause: s.order.Arrival(m), step: fire.ID,
			kind: fire.Kind, actor: tr.Actors[fire.Actor].ID, foot: causal.Firing(tr, m)})
	})
}

// turner wraps f: races are found by event, and f gets the node at which the earlier event i was chosen. An event that
// was never a choice has no node, and nothing is to be explored there.
func (s *depthFirst) turner(f func(n *node, r reversal) bool) func(i int32, r reversal) bool {
	return func(i int32, r reversal) bool {
		n := s.nodeOf(i)
		if n == nil {
			return true // never a choice: the driver's start, an advance
		}
		r.i = i
		return f(n, r)
	}
}

// racesOf calls turn for the races whose later step is event e.
func (s *depthFirst) racesOf(tr *trace.Trace, e int32, turn func(i int32, r reversal) bool) {
	st := &tr.Events[s.order.First()+int(e)].Step
	s.order.Races(e, s.accepts, func(i int32) bool {
		if st.Kind == trace.Advance && s.setsClock(i, e) {
			return true
		}
		return turn(i, reversal{end: e, last: e, cause: s.order.Parent(e), open: s.order.Reorders(i, e), step: st.ID,
			kind: st.Kind, actor: tr.Actors[st.Actor].ID, foot: s.order.Repeating(e)})
	})
}

// setsClock reports whether the clock could not have advanced in event e without the macro-step of i, which set the
// timer or led to the step that did. Then the two are no race. After an advance in vain any step lets the clock advance
// again.
//
// SUBTLE: a step that was taken while the clock could advance already may have set a timer too, and nothing shows that.
// So if one does not need i, the clock may do without i.
func (s *depthFirst) setsClock(i, e int32) bool {
	k, found := slices.BinarySearchFunc(s.nodes, e, func(n node, e int32) int { return int(n.event - e) })
	if !found {
		return false
	}
	for k = s.headOf(k); k >= 0 && !s.nodes[k].advance.IsZero(); k = s.headOf(k - 1) {
	}
	if k < 0 {
		return false
	}
	set := s.nodes[k].event // the macro-step after which the clock could advance
	if i != set && !s.order.Before(i, set) {
		return false
	}
	for k++; s.nodes[k].event < e; k++ {
		if n := &s.nodes[k]; !n.inStep && !s.order.Before(i, n.event) {
			return false
		}
	}
	return true
}

// missedAdvances calls turn where the clock could have advanced and, one step later, could not any more.
//
// SUBTLE: that step may be one of several that cancelled timers, in any order. So an earlier step that it does not need
// may be the one before which the clock could advance, behind that step.
func (s *depthFirst) missedAdvances(tr *trace.Trace, from int32, turn func(i int32, r reversal) bool) {
	for k := range s.nodes {
		n := &s.nodes[k]
		if n.advance.IsZero() || n.chosen.id == n.advance || n.event < from {
			continue
		}
		next := s.groupEnd(k)
		if next < len(s.nodes) && !s.nodes[next].advance.IsZero() {
			continue
		}
		for j := k; j >= 0 && s.nodes[j].chosen.kind != trace.Advance; j-- {
			if m := &s.nodes[j]; !m.inStep && (j == k || !s.order.Before(m.event, n.event)) {
				turn(m.event, reversal{end: n.event + 1, last: -1, cause: -1, step: n.advance, kind: trace.Advance, open: true,
					actor: tr.Actors[0].ID, foot: causal.Advancing()})
			}
		}
	}
}

// pendingRaces calls turn for the races of messages that wait at event end. Their deliveries did not happen, so the
// pseudocode has no races for them. Yet in another class they do happen before a step of this execution: where their
// receiver stops, say, or where the clock advances first.
func (s *depthFirst) pendingRaces(tr *trace.Trace, end int32, turn func(i int32, r reversal) bool) {
	s.order.Pending(end, func(m int32) {
		s.order.RacesOfPending(m, end, s.accepts, func(i int32) bool {
			st := tr.DeliveryOf(m)
			return turn(i, reversal{end: end, last: -1, open: true, cause: s.order.Arrival(m), step: st.ID, kind: st.Kind,
				actor: tr.Actors[st.Actor].ID, foot: s.order.Handling(m)})
		})
	})
}

// initials calls f for the initials of the reversal (S8): the steps of it before which no other one of it happens. If
// it is open what the last step does, this is known only where the step sleeps, or if nothing else is a part.
//
// SUBTLE: one that is open and sleeps may depend on what came after it, independent of it as it was taken. So all up to
// the end of the execution is a part then.
func (r *reversal) initials(s *depthFirst, sleep []sleeper, end int32, f func(id trace.ID)) {
	o := s.order
	later := int32(-1) // the macro-step of the later step
	if r.last >= 0 {
		later = o.Head(r.last)
	}
	first := r.open && r.cause < r.i
	known := slices.IndexFunc(sleep, func(q sleeper) bool { return q.id == r.step })
	if !r.open || known < 0 {
		end = r.end
	}
	until := s.reach.after(r.i, end)
	for k := r.i + 1; k < until; k++ {
		s.looked++
		if o.Before(r.i, k) {
			continue
		}
		until = s.reach.with(until, k, end)
		if k == later || r.last >= 0 && o.Before(r.last, k) {
			continue
		}
		first = first && known >= 0 && sleep[known].independentOf(o, k)
		if o.Head(k) == k && r.minimal(o, k, o.Past(k)) {
			f(o.Step(k).ID)
		}
	}
	switch {
	case first:
		f(r.step)
	case !r.open && r.minimal(o, later, o.Past(later)):
		f(o.Step(later).ID)
	}
}

// minimal reports whether no event of the reversal is in the past of the macro-step at event k.
//
// The past of a macro-step is closed under happens-before. So it suffices to look at it, and not at the pasts of what
// is in it.
func (r *reversal) minimal(o *causal.Order, k int32, past *bitset.Packed) bool {
	free := true
	past.Each(r.i+1, func(j int32) bool {
		free = j >= k || o.Before(r.i, j)
		return free
	})
	return free
}
