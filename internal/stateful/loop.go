package stateful

import (
	"github.com/rehearse-go/rehearse/trace"
)

// This file deals with executions without end: a path that meets one of its own states can be continued for ever. The
// first one found is followed round and round, until the bound on steps makes it a finding; the others are cut like any
// state that was met before. Depth first finds a loop if there is any; breadth first does not look for loops.

type loop struct {
	found     bool // ever
	following bool // in this execution
	from      int  // the node that was met again
	length    int  // of the loop
	at        int  // nodes before the loop was followed
}

// meetsItself cuts the execution in a state that was met before, unless it is the first that closes a loop.
//
// Equal states can do the same steps. So the steps between the two visits can be taken again and again, which is an
// execution without end.
func (s *Search) meetsItself(tr *trace.Trace, enabled []trace.Step, st State) bool {
	if s.loop.found || s.o.Breadth || st.Rank == nil {
		return false
	}
	for i := range s.nodes {
		if s.nodes[i].cur.compared && s.nodes[i].state.Key == st.Key {
			s.loop = loop{found: true, following: true, from: i, length: len(s.nodes) - i, at: len(s.nodes)}
			return s.again(tr, enabled, st)
		}
	}
	return false
}

// goRound takes the next step of the loop.
func (s *Search) goRound(tr *trace.Trace, enabled []trace.Step) bool {
	var st State
	if !enabled[0].Kind.Chooses() {
		var err error
		if st, err = s.rec.Key(); err != nil {
			s.fail(err)
			return false
		}
	}
	return s.again(tr, enabled, st)
}

// again takes the step that corresponds to the one taken a round before: with a message of the same rank, or the same
// value.
func (s *Search) again(tr *trace.Trace, enabled []trace.Step, st State) bool {
	before := s.nodes[s.loop.from+(len(s.nodes)-s.loop.at)%s.loop.length].cur
	for _, c := range choices(tr, enabled, st.Rank, false) {
		if c.kind == before.kind && c.rank == before.rank && c.value == before.value {
			s.nodes = append(s.nodes, node{cur: c})
			return true
		}
	}
	return false // equal, but not to this comparison's eyes
}

// end forgets the rounds.
func (l *loop) end(s *Search) {
	if l.following {
		s.nodes, s.depth = s.nodes[:l.at], min(s.depth, l.at)
		l.following = false
	}
}
