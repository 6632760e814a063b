package stateful

import (
	"slices"

	"github.com/rehearse-go/rehearse/trace"
)

// This file holds sleep sets, and how they go together with states that were met before. A step sleeps if what follows
// it was explored before a step that is independent of it was taken. With sleep sets every state is still met, by fewer
// deliveries.
//
//	source:     [God96] 5.2: a state that is met again is cut only if all that slept when it was explored sleeps now too;
//	            if not, just the difference is explored, and what slept both times is what sleeps from now on
//	differs:    a state is met again up to identities, so that what slept is remembered by its rank in the state
//	assumes:    bag, fifo and causal, without faults. Where only histories tell the state (timers, futures) nothing
//	            sleeps. Invariants over several actors may hold in one order of independent steps and not in the other:
//	            they are judged in one of them
//	checked by: toy_test.go: as many states as without, and the same violations

// awake gives the steps to be taken at a new node, and those that sleep; nil if the state was met before and all was
// done.
//
// When the state was met first, each step that was awake was taken from it. What lies behind one that slept was met
// elsewhere (L4). A step that slept then and is awake now has nobody else who takes it, so it is taken. A step that
// slept both times is taken by nobody here, and need not be. So the set that is kept for a state only shrinks, and each
// step is taken from it once at most ([God96] 5.2).
func (s *Search) awake(tr *trace.Trace, n *node, all []choice, compared bool) (todo, sleep []choice) {
	if s.o.Sleep {
		sleep = s.inherited(tr, n, all, compared)
	}
	if !compared {
		return all, sleep
	}
	before, met := s.visited[n.state.Key]
	if !met {
		s.visited[n.state.Key] = ranks(sleep)
		// Not nil even if all sleep: the state is new.
		return slices.DeleteFunc(all, func(c choice) bool { return sleeps(c, sleep) }), sleep
	}
	now := ranks(sleep)
	both := slices.DeleteFunc(slices.Clone(before), func(r int) bool { return !slices.Contains(now, r) })
	if len(both) == len(before) {
		return nil, nil
	}
	s.visited[n.state.Key] = both
	for _, c := range all {
		if slices.Contains(before, c.rank) && !slices.Contains(now, c.rank) {
			todo = append(todo, c)
		}
	}
	return todo, slices.DeleteFunc(sleep, func(c choice) bool { return !slices.Contains(both, c.rank) })
}

// inherited gives those of the steps that sleep because of the step that led here: what slept or was taken before it
// and is independent of it. In the middle of a step they are handed on.
func (s *Search) inherited(tr *trace.Trace, n *node, all []choice, compared bool) []choice {
	if len(s.nodes) == 0 || compared && n.state.Rank == nil {
		return nil
	}
	s.note(tr)
	last := &s.nodes[len(s.nodes)-1]
	if last.cur.compared && last.state.Rank == nil {
		return nil
	}
	var sleep []choice
	for _, c := range slices.Concat(last.sleep, last.done) {
		if c.ended || !c.kind.Handles() || c.varies || c.foot.Dependent(last.cur.foot) {
			continue
		}
		if !compared {
			sleep = append(sleep, c)
		} else if i := slices.IndexFunc(all, func(a choice) bool { return a.id == c.id }); i >= 0 {
			all[i].foot, all[i].varies = c.foot, c.varies
			sleep = append(sleep, all[i])
		}
	}
	return sleep
}

func sleeps(c choice, sleep []choice) bool {
	return slices.ContainsFunc(sleep, func(o choice) bool { return o.id == c.id })
}

// ranks names choices as an equal state names them.
func ranks(cs []choice) []int {
	var rs []int
	for _, c := range cs {
		rs = append(rs, c.rank)
	}
	return rs
}

// commutes reports whether steps of different actors are independent under the model.
func commutes(m trace.Model) bool {
	return m == trace.Bag || m == trace.FIFO || m == trace.Causal
}
