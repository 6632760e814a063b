package baseline

import (
	"slices"

	"github.com/rehearse-go/rehearse/internal/causal"
	"github.com/rehearse-go/rehearse/trace"
)

// node is a state on the current path.
type node struct {
	event   int32 // of internal/causal: the one that the choice made here begins
	enabled []offer
	order   []int32 // actors with enabled steps, computed when the state was visited first
	all     bool    // all steps are explored: not all are deliveries

	queue  []int // of enabled: to be explored, in this order
	at     int   // of queue: being explored
	delay  bool  // dcute
	stable bool  // select: the actor chosen first is proven stable
	aged   bool  // select: messages of an actor are explored in the order of their sending
	frozen bool  // trans

	sleep sleepSet
	fresh sleeper // the step being explored, with what it accessed so far
}

// offer is an enabled step.
type offer struct {
	step    trace.ID
	actor   int32
	message int32
}

// reset makes n the node of a state that is visited first.
func (n *node) reset(event int32, enabled []trace.Step) {
	*n = node{event: event, enabled: n.enabled[:0], order: n.order[:0], queue: n.queue[:0],
		sleep: n.sleep[:0], fresh: n.fresh}
	for i := range enabled {
		n.enabled = append(n.enabled, offer{enabled[i].ID, enabled[i].Actor, enabled[i].Message})
		// Values, faults, a clock that may advance: nothing is known of what they leave out.
		n.all = n.all || !enabled[i].Kind.Handles()
	}
}

// begin chooses the first actor. It reports whether there is a step to take: not if all are asleep.
func (n *node) begin() bool {
	if n.all {
		for i := range n.enabled {
			n.queue = append(n.queue, i)
		}
	} else if a := n.wakeful(); a >= 0 {
		n.add(a)
	}
	n.at = -1
	return n.skip()
}

// wakeful is the first actor in the order that has a step which is not asleep, -1 if there is none.
func (n *node) wakeful() int32 {
	for _, a := range n.order {
		for _, o := range n.enabled {
			if o.actor == a && !n.sleep.has(o.step) {
				return a
			}
		}
	}
	return -1
}

// add queues the steps of an actor, in the order of the pool. It reports whether there are any and they were not queued
// before.
func (n *node) add(a int32) bool {
	if n.all || n.queued(a) {
		return false
	}
	before := len(n.queue)
	for i, o := range n.enabled {
		if o.actor == a {
			n.queue = append(n.queue, i)
		}
	}
	if added := n.queue[before:]; n.aged {
		slices.SortFunc(added, func(i, j int) int { return int(n.enabled[i].message - n.enabled[j].message) })
	}
	return len(n.queue) > before
}

func (n *node) queued(a int32) bool {
	return slices.ContainsFunc(n.queue, func(i int) bool { return n.enabled[i].actor == a })
}

// offers reports whether the actor has an enabled step.
func (n *node) offers(a int32) bool { return slices.Contains(n.order, a) }

// note adds what the step being explored accessed; with values chosen in its midst that differs from one execution to
// the next.
func (n *node) note(f causal.Footprint) {
	for _, a := range f {
		if !slices.Contains(n.fresh.footprint, a) {
			n.fresh.footprint = append(n.fresh.footprint, a)
		}
	}
}

// explores reports whether the step is among those queued, though it may be asleep.
func (n *node) explores(step trace.ID) bool {
	return slices.ContainsFunc(n.queue, func(i int) bool { return n.enabled[i].step == step })
}

// addAll queues everything.
func (n *node) addAll() {
	for _, a := range n.order {
		n.add(a)
	}
}

// skip moves on to the next queued step that is not asleep.
func (n *node) skip() bool {
	for n.at+1 < len(n.queue) {
		before := n.at
		n.at++
		o := n.enabled[n.queue[n.at]]
		if before < 0 || n.enabled[n.queue[before]].actor != o.actor {
			n.frozen = false
		}
		if !n.sleep.has(o.step) {
			n.fresh = sleeper{step: o.step, footprint: n.fresh.footprint[:0]}
			return true
		}
	}
	return false
}

// next moves on to the next step to explore; false: the state is done.
func (n *node) next(r reduction, sleeps bool) bool {
	if sleeps && !n.all {
		n.sleep = append(n.sleep, n.fresh)
		n.fresh.footprint = nil // its memory was given away
	}
	return n.skip() || r.more(n) && n.skip()
}

// taken is the step being explored.
func (n *node) taken() offer { return n.enabled[n.queue[n.at]] }
