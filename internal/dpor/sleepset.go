package dpor

import (
	"slices"

	"github.com/rehearse-go/rehearse/internal/causal"
	"github.com/rehearse-go/rehearse/trace"
)

// This file: sleep sets.
//
//	source:     [God96] sleep sets: lines S10, S12, O13, O16 of docs/algorithms.md, lemma L4
//	differs:    what sleeps is a macro-step under the choices in its middle that were made (leaf), so a step may sleep
//	            under some and be awake under others; dependence is asked of the footprint that it had when it was
//	            explored
//	checked by: twin_test.go and small_test.go, against brute force

// sleeper is a step of which at least one leaf sleeps. It sleeps itself if all its leaves do.
type sleeper struct {
	id     trace.ID
	leaves []leaf
	here   bool // explored from this node
	late   bool // so, and something below it may not be done yet (divide_wait.go)
	idle   bool // optimal: a wakeup sequence did not wake it (markIdle); it makes needless only what it is a part of
}

// leaf is a macro-step with the choices in its middle that were made. It sleeps if it was explored from a state above
// and nothing since depends on it; one that was not explored is awake.
type leaf struct {
	path  []trace.ID
	foot  causal.Footprint
	awake bool
	fault bool // an injected fault is a part of it
}

// asleep reports whether the step sleeps under all choices that begin with path.
func asleep(sleep []sleeper, id trace.ID, path []trace.ID) bool {
	for i := range sleep {
		if sleep[i].id == id {
			return sleep[i].asleep(path, false)
		}
	}
	return false
}

// asleep reports whether the step sleeps under all choices that begin with path; without faults, if they are spent.
func (q *sleeper) asleep(path []trace.ID, spent bool) bool {
	any := false
	for i := range q.leaves {
		l := &q.leaves[i]
		if l.fault && spent {
			continue
		}
		if len(l.path) >= len(path) && slices.Equal(l.path[:len(path)], path) {
			if l.awake {
				return false
			}
			any = true
		}
	}
	return any
}

// sleepsAsKnown is asleep, of as many of the choices as the step is known to have. SUBTLE: what sleeps does here what
// it did where it was explored, where all that it could choose was noted. A choice that is not among that it has not
// here: a message to an actor that has stopped cannot be lost, say.
func sleepsAsKnown(sleep []sleeper, id trace.ID, path []trace.ID) bool {
	i := slices.IndexFunc(sleep, func(q sleeper) bool { return q.id == id })
	if i < 0 {
		return false
	}
	known := 0
	for _, l := range sleep[i].leaves {
		for known < min(len(l.path), len(path)) && slices.Equal(l.path[:known+1], path[:known+1]) {
			known++
		}
	}
	return sleep[i].asleep(path[:known], false)
}

// independentOf reports whether event e is independent of the step, whichever of the explored choices it takes.
func (q *sleeper) independentOf(o *causal.Order, e int32) bool {
	return !slices.ContainsFunc(q.leaves, func(l leaf) bool { return o.DependsOn(e, l.foot) })
}

// inherit is lines S10 and O13: what still sleeps after the macro-step that was taken at the node above, whose events
// end before end. spent says that no fault may be injected any more.
//
// A sleeping step that is independent of the step taken could have come before it, and did in an execution that was
// explored. So it leads to nothing new behind the step either (L4). One that depends on the step taken wakes: in the
// other order the two are another class.
func inherit(o *causal.Order, above *node, end int32, spent bool) []sleeper {
	return stillAsleep(above.sleep, above.chosen.id, spent, func(l *leaf) bool {
		for e := above.event; e < end; e++ {
			if o.DependsOn(e, l.foot) {
				return true
			}
		}
		return false
	})
}

// stillAsleep gives what of the sleeping steps still sleeps after the step taken, which wakes some leaves. Where faults
// are spent there are no leaves with faults, asleep or awake.
func stillAsleep(sleep []sleeper, taken trace.ID, spent bool, wakes func(l *leaf) bool) []sleeper {
	var still []sleeper
	for _, q := range sleep {
		if q.id == taken {
			continue
		}
		kept, sleeps := sleeper{id: q.id, idle: q.idle}, false
		for _, l := range q.leaves {
			if l.fault && spent {
				continue
			}
			l.awake = l.awake || wakes(&l)
			sleeps = sleeps || !l.awake
			kept.leaves = append(kept.leaves, l)
		}
		if sleeps {
			still = append(still, kept)
		}
	}
	return still
}

// keep notes a leaf of the chosen step.
func (n *node) keep(l leaf) {
	for i := range n.leaves {
		if slices.Equal(n.leaves[i].path, l.path) {
			n.leaves[i] = l
			return
		}
	}
	n.leaves = append(n.leaves, l)
}

// keepKnown notes what is known of the chosen step from an earlier branch or from above, under choices that begin with
// path and were not explored now; false: nothing is.
func (n *node) keepKnown(path []trace.ID) bool {
	known := false
	for i := range n.sleep {
		if n.sleep[i].id != n.chosen.id {
			continue
		}
		for _, l := range n.sleep[i].leaves {
			if len(l.path) >= len(path) && slices.Equal(l.path[:len(path)], path) {
				n.keep(l)
				known = true
			}
		}
	}
	return known
}

// retire is lines S12 and O16: it puts the chosen step to sleep, since it was explored with all choices that it has
// here. It may have more choices elsewhere, such as a fault that is asked about no more. They keep it awake no longer.
//
// All that begins with the step was explored by then. An execution that has the step later, behind steps independent of
// it, is of a class that was met (L4).
func (n *node) retire() {
	if n.inStep {
		n.done = append(n.done, n.chosen.id)
		return
	}
	n.slept = true
	for i := range n.sleep {
		if q := &n.sleep[i]; q.id == n.chosen.id {
			q.leaves, q.here, q.late = n.leaves, true, q.late || n.unfinished
			n.leaves, n.unfinished = nil, false
			return
		}
	}
	n.sleep = append(n.sleep, sleeper{id: n.chosen.id, leaves: n.leaves, here: true, late: n.unfinished})
	n.leaves, n.unfinished = nil, false
}
