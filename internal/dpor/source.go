package dpor

import (
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// Source is source-DPOR: it executes every class once (L3). Rarely it begins an execution that turns out to be of a
// class that was executed before, and cuts it (L4). Where programs choose values, one class may also be executed to its
// end twice.
//
//	source:     [AAJS14] algorithm 1, with sleep sets: lines S1 to S12 of docs/algorithms.md, which rest on its lemmas L2
//	            to L4
//	differs:    races are looked for when the execution is over; undelivered messages take part as steps that never
//	            happened. If an initial of the reversal sleeps, none is added. A step with choices in its middle sleeps
//	            under all of them or under none, so a class in which one would sleep is executed again. SUBTLE: that is
//	            needed. A race may show under the sleeping choice alone, and only this node can lead to its other order
//	assumes:    see package causal
//	cost:       few executions a class, most often one; memory of one path; an execution looks at what is new of it, and
//	            at the races of old steps that slept (slept.go, L7)
//	checked by: twin_test.go against brute force, counts in subjects
type Source struct {
	depthFirst
	rank Ranking
	old  oldEvents
}

// Ranking orders the steps of a state; the first is preferred. It must depend on the trace and the steps only.
type Ranking interface {
	Rank(tr *trace.Trace, enabled []trace.Step) []int
}

// NewSource makes the strategy; a nil rank prefers the default order.
func NewSource(rank Ranking) *Source {
	s := &Source{rank: rank}
	s.tree = s
	return s
}

// Name is "source", with the order of actors behind a slash if one was given.
func (s *Source) Name() string { return named("source", s.rank) }

var _ explore.PrefixReuser = (*Source)(nil)

// first is lines S2 and S3: any step that does not sleep will do.
func (s *Source) first(n *node, tr *trace.Trace, enabled []trace.Step) int {
	return preferred(s.rank, n, tr, enabled)
}

// preferred gives the first step in the ranking that is not asleep, -1 if there is none.
func preferred(rank Ranking, n *node, tr *trace.Trace, enabled []trace.Step) int {
	if rank != nil {
		for _, i := range rank.Rank(tr, enabled) {
			if !asleep(n.sleep, enabled[i].ID, nil) {
				return i
			}
		}
		return -1
	}
	best := -1
	for i := range enabled {
		if !asleep(n.sleep, enabled[i].ID, nil) && (best < 0 || enabled[i].Before(&enabled[best])) {
			best = i
		}
	}
	return best
}

// next is line S4. Nothing in the backtrack set sleeps: what is added is awake (S9), and a step goes to sleep at a node
// after it was taken there.
func (*Source) next(n *node) (label, bool) {
	if len(n.todo) == 0 {
		return label{}, false
	}
	l := n.todo[0]
	n.todo = n.todo[1:]
	return l, true
}

func (*Source) remaining(n *node) int { return len(n.todo) }

// postpones: never. A step may be begun before what sleeps there is done: what counts is only that it sleeps
// (divide.go, I1).
func (*Source) postpones(*node, *label) bool { return false }

func (*Source) alternatives(_, _ *node, _ *label) bool { return true }

// skips: a step sleeps under all choices in its middle or under none. Where it is awake it is executed under all of
// them, also under those that could sleep.
func (*Source) skips(*node, []trace.ID) bool { return false }

func (*Source) executed(*node, *leaf) {}

// repeats: an execution of the same class came before if a step on the path sleeps under the choices that it took (L4).
func (s *Source) repeats() bool {
	for k := len(s.nodes) - 1; k >= 0; k-- {
		if s.nodes[k].inStep {
			path := s.fullPath(k + 1)
			if k = s.headOf(k); k >= 0 && asleep(s.nodes[k].sleep, s.nodes[k].chosen.id, path) {
				return true
			}
		}
	}
	return false
}

// races is lines S5 to S9, for the races of the execution whose later step is new. An old race, of two steps that
// earlier executions had too, was reversed then. It is looked at again only where its reversal may need more now: if an
// initial slept, and what follows is new (L7).
func (s *Source) races(end int32) {
	s.reach.measure(s.order, end)
	try := func(n *node, r reversal) bool { return s.try(n, &r, end) }
	s.eachRace(int32(s.fresh), end, try)
	tr, turn := s.x.Trace(), s.turner(try)
	s.old.truncate(min(s.stable, int32(s.fresh)))
	s.old.extend(&s.depthFirst, end)
	s.stable = end
	for _, o := range s.old.list {
		if o.event >= int32(s.fresh) || s.env.GivesUp() {
			return
		}
		if o.slept {
			s.racesOf(tr, o.event, turn)
		}
		s.cancelledFirings(tr, o.event, turn) // whether one that sleeps may come first depends on what follows now
	}
}

// try is lines S8 and S9: it adds one initial of the reversal to the node's backtrack set, unless one is there, is
// taken or sleeps. Any initial will do: each leads to the class of the reversal (L2, L3). It reports whether there is
// one.
func (s *Source) try(n *node, r *reversal, end int32) bool {
	fallback, found := label{}, false
	covered := false
	var initials []trace.ID
	r.initials(&s.depthFirst, n.sleep, end, func(id trace.ID) {
		initials = append(initials, id)
		if id == n.chosen.id || asleep(n.sleep, id, nil) ||
			slices.ContainsFunc(n.todo, func(l label) bool { return l.id == id }) {
			covered = true
		}
		for _, l := range n.enabled {
			if l.id == id && !found {
				fallback, found = l, true
			}
		}
	})
	if !covered && found {
		n.todo = append(n.todo, fallback)
		if n.handedOut {
			s.owe(n, func(e *encoder) {
				e.List(initials)
				e.label(&fallback)
			})
		}
	}
	return covered || found
}

// Bind is explore.Binder.
func (s *Source) Bind(e explore.Env) error {
	if err := bind(s.rank, e); err != nil {
		return err
	}
	return s.depthFirst.Bind(e)
}

// Open is explore.ExecutionObserver.
func (s *Source) Open(x explore.Execution) {
	s.depthFirst.Open(x)
	open(s.rank, x)
}
