package dpor

import "github.com/rehearse-go/rehearse/internal/bitset"

// This file saves optimal from building the same sequences again. Optimal has to look at all races of an execution, old
// ones too: an event that is new may be a part of the sequence that reverses an old race.
//
//	lemma:      L7 of docs/algorithms.md: a race of old steps leads to the sequence to which it led before, if no
//	            part of that is gone and all that is new happens after one of the two steps. Then notdep(e, E) of
//	            [AAJS14] has nothing new. What made that sequence needless still does: what sleeps at an old node
//	            stays as it is, and its wakeup tree only grows
//	invariants: I1 races[e] are the races with event e as the later step, as they were when they were looked at last;
//	               those of the events from depthFirst.stable on are gone
//	cost:       n/64 words for each new event, 16 bytes a race
//	checked by: settled_test.go builds each sequence that is saved and compares
type settledRaces struct {
	races  [][]settledRace
	new    int32         // the first event that is new, or part of a macro-step that is
	common bitset.Packed // old events before all that is new

	saved func(n *node, r *reversal, led bool) // tests: called for each race of which no sequence is built; or nil
}

// settledRace is a race that was turned round.
type settledRace struct {
	i, end int32 // the earlier step; the parts of the sequence are before this event
	led    bool  // what turning it round came to
}

// begin prepares for the races of an execution.
func (q *settledRaces) begin(s *depthFirst, end int32) {
	q.new = min(s.stable, int32(s.fresh), end)
	if q.new < end {
		q.new = s.order.Head(q.new)
	}
	q.common = s.order.Common(q.new, end, q.common)
	s.labels = s.labels[:min(len(s.labels), int(q.new))]
	q.races = q.races[:min(len(q.races), int(q.new))]
	s.stable = end
}

// find gives what turning a race round came to, if that would be the same now.
func (q *settledRaces) find(r *reversal) (led, ok bool) {
	if r.last < 0 || int(r.last) >= len(q.races) || !q.common.Has(r.i) && !q.common.Has(r.last) {
		return false, false
	}
	for _, x := range q.races[r.last] {
		if x.i == r.i {
			return x.led, x.end <= q.new
		}
	}
	return false, false
}

// note remembers what turning a race round to the sequence came to.
func (q *settledRaces) note(r *reversal, end int32, led bool) {
	if r.last < 0 {
		return
	}
	for int(r.last) >= len(q.races) {
		if len(q.races) < cap(q.races) {
			q.races = q.races[:len(q.races)+1]
			q.races[len(q.races)-1] = q.races[len(q.races)-1][:0]
		} else {
			q.races = append(q.races, nil)
		}
	}
	at := &q.races[r.last]
	for k := range *at {
		if (*at)[k].i == r.i {
			(*at)[k] = settledRace{r.i, end, led}
			return
		}
	}
	*at = append(*at, settledRace{r.i, end, led})
}

// end gives the event before which all parts of the sequence are.
func (v *sequence) end() (end int32) {
	for i := range v.parts {
		end = max(end, v.parts[i].end)
	}
	return end
}
