package stateful

import (
	"fmt"
	"slices"

	"github.com/rehearse-go/rehearse/internal/causal"
	"github.com/rehearse-go/rehearse/trace"
)

// node is a point on the current path.
type node struct {
	cur   choice   // the step that is taken
	todo  []choice // those that are to be taken later
	done  []choice // those that were taken before; only kept where there are sleep sets
	sleep []choice // those that need not be taken
	state State    // if it is one

	// of persistent sets
	all     []choice                  // that are possible
	rest    []choice                  // those that are not to be taken, as far as is known
	chosen  map[trace.ID]bool         // actors whose steps are
	place   place                     // who is where
	later   map[trace.ID]causal.Union // what can follow from the pending messages, by version
	version int                       // of the lore by which chosen was found
	ended   bool                      // a step from here ended the execution
}

// take moves on to the next step.
func (n *node) take() {
	if n.cur.id != (trace.ID{}) {
		n.done = append(n.done, n.cur)
	}
	n.cur, n.todo = n.todo[0], n.todo[1:]
}

// choice is a step as it is found again in another execution: by its identity, or, if it releases a captured send, by
// who sends. Which of its messages an actor offers to send next is the program's order (a loop over a map).
type choice struct {
	id       trace.ID
	kind     trace.Kind
	actor    trace.ID // who takes it
	released trace.ID // what it appended to a mailbox, zero if nothing or not yet known
	rank     int      // of its message in the state, -1 if it has none
	value    int32    // of a Choose
	compared bool     // it is taken from a state
	ended    bool     // it ended the execution

	foot   causal.Footprint // for sleep sets: what it accessed
	varies bool             // and that depends on values that it picks
}

// choices makes the choices of a state of its enabled steps. A message is known by its rank in the state too: in an
// equal state, reached otherwise, it has another identity and the same rank.
func choices(tr *trace.Trace, enabled []trace.Step, rank map[int32]int, compared bool) []choice {
	all := make([]choice, len(enabled))
	for i := range enabled {
		e := &enabled[i]
		all[i] = choice{id: e.ID, kind: e.Kind, actor: tr.Actors[e.Actor].ID, rank: -1, value: e.Value, compared: compared}
		if e.Kind == trace.Send {
			all[i].released = tr.Messages[e.Message].ID
		}
		if r, ok := rank[e.Message]; ok {
			all[i].rank = r
		}
	}
	return all
}

// nothing reports whether the choice was to inject no fault, which is no event.
func (c *choice) nothing() bool { return c.kind == trace.Fault && c.value == int32(trace.NoFault) }

// place finds the step among those that are enabled now, -1 if it is not there.
func (c *choice) place(tr *trace.Trace, enabled []trace.Step) int {
	if i := trace.Find(enabled, c.id); i >= 0 || c.kind != trace.Send {
		return i
	}
	return slices.IndexFunc(enabled,
		func(e trace.Step) bool { return e.Kind == trace.Send && tr.Actors[e.Actor].ID == c.actor })
}

// missing is the divergence of a program that does not repeat its execution.
func (c *choice) missing(depth int, tr *trace.Trace, enabled []trace.Step) *trace.Incident {
	names := tr.StepName(enabled[0])
	if len(enabled) > 1 {
		names += fmt.Sprintf(" and %d others", len(enabled)-1)
	}
	return &trace.Incident{Kind: trace.Divergence, Actor: -1, Message: -1, Text: fmt.Sprintf(
		"at step %d the same schedule led to other possible steps: the one that was taken before is not there, but %s",
		depth+1, names)}
}

// ended is the divergence of a program that ended before what it did the last time.
func ended(depth, before int) *trace.Incident {
	return &trace.Incident{Kind: trace.Divergence, Actor: -1, Message: -1, Text: fmt.Sprintf(
		"the same schedule went on to step %d before, and now the execution ends after step %d", before, depth)}
}
