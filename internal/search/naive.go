// Package search holds the strategies that execute everything, and what all searches of a tree of choices share.
//
//	naive.go, divide.go        depth-first over all enabled steps: the baseline and the oracle for every reduction
//	delay.go, delay_random.go  all schedules within a number of delays, and some beyond
//	treewalk.go, treetotal.go  how large a tree is of which a walk has seen a part
//	outline.go, survey.go, surveytotal.go  the same of a tree that is divided among processes
//	itemencoder.go, itemdecoder.go  the items of a divided search as bytes
//	surveycodec.go             what they say of their tree, as bytes
//
// Of Naive:
//
//	source:     [Basset11] figure 3.5, without state comparison
//	assumes:    the program makes no choice of its own; checked at every node that is passed again, and where one is not
//	            reached
//	invariants: I1 the executions are the maximal paths of the choice tree, each once
//	            I2 nodes[i] was reached by the choices of nodes[:i]
//	            I3 a program that sends in another order (a loop over a map) is led on by the names of its messages
//	cost:       one node a step; an execution runs from the start, or from where it leaves the last one if the system can
//	            go back
//	checked by: toy_test.go in internal/tests/toy against a recursive enumeration, and the published counts in subjects
package search

import (
	"fmt"
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// Naive is the strategy.
type Naive struct {
	nodes    []node
	taken    explore.Item // what it is to execute
	depth    int          // steps of the current execution
	from     int          // of them: how many were not executed again
	event    int          // the event of the first step that was executed
	started  bool
	done     bool
	diverge  *trace.Incident // of the current execution
	diverged bool            // an execution diverged: what was executed is no tree any more
	walk     Walk
	told     int // executions that the walk was told of
	first    int // nodes of the first of them
	bottom   int // nodes that it is told of; 0: all
}

// node is a state on the current path: the steps enabled there and the one being explored.
type node struct {
	enabled  []trace.ID // in a node of an item: those that belong to it
	part     bool       // the node is one of an item: other steps are enabled there too, which belong to others
	end      int        // steps from here on were given away
	sends    []send     // those that are captured sends
	nothing  int        // the step that is no event: to inject no fault; -1 if there is none
	next     int
	released trace.ID // what the step being explored appended to a mailbox, zero if nothing or not yet known
}

// send is a captured send among the steps of a node. Which message an actor offers to send next is the program's order;
// that it has something to send is what identifies the step.
type send struct {
	index          int
	actor, message trace.ID
}

// NewNaive makes the strategy.
func NewNaive() *Naive { return &Naive{} }

// Name is "naive".
func (*Naive) Name() string { return "naive" }

// Start moves on to the next path; false when there is none.
func (n *Naive) Start() bool {
	n.depth, n.from, n.event, n.diverge = 0, 0, 0, nil
	if !n.started {
		n.started = true
		return true
	}
	for len(n.nodes) > 0 {
		last := &n.nodes[len(n.nodes)-1]
		if last.next+1 < last.end {
			last.take(last.next + 1)
			n.turn(last.end - last.next - 1)
			return true
		}
		n.nodes = n.nodes[:len(n.nodes)-1]
	}
	n.done = true
	n.walk.Turn(0, 0)
	return false
}

// SharedPrefix is explore.PrefixReuser: all but the last choice of the path is that of the last execution.
func (n *Naive) SharedPrefix() int { return max(len(n.nodes)-1, 0) }

// Resume is explore.PrefixReuser.
func (n *Naive) Resume(kept int) { n.depth, n.from = kept, kept }

// Choose repeats the path to the node that is being explored and goes on with first steps from there.
func (n *Naive) Choose(tr *trace.Trace, enabled []trace.Step) explore.Choice {
	i := n.depth
	n.depth++
	if i == n.from {
		n.event = len(tr.Events)
	}
	if i == len(n.nodes) {
		n.push(tr, enabled)
		return explore.Choice{Index: 0}
	}
	nd := &n.nodes[i]
	if nd.part {
		return n.lead(nd, tr, enabled)
	}
	if s := nd.stranger(tr, enabled); s >= 0 || len(nd.enabled) != len(enabled) {
		n.diverge = &trace.Incident{Kind: trace.Divergence, Actor: -1, Message: -1, Text: fmt.Sprintf(
			"at step %d the same schedule led to other possible steps: %d before, %d now, among them %s",
			i+1, len(nd.enabled), len(enabled), strange(tr, enabled, s))}
		return explore.Choice{Index: -1}
	}
	// The last node's step is new: it was chosen by Start and never taken before.
	return explore.Choice{Index: nd.place(tr, enabled), Replayed: i < len(n.nodes)-1, First: nd.released}
}

func (n *Naive) push(tr *trace.Trace, enabled []trace.Step) {
	if len(n.nodes) < cap(n.nodes) {
		n.nodes = n.nodes[:len(n.nodes)+1]
	} else {
		n.nodes = append(n.nodes, node{})
	}
	nd := &n.nodes[len(n.nodes)-1]
	nd.enabled, nd.sends, nd.nothing = slices.Grow(nd.enabled[:0], len(enabled))[:len(enabled)], nd.sends[:0], -1
	nd.part, nd.end = false, len(enabled)
	for i := range enabled {
		s := &enabled[i]
		nd.enabled[i] = s.ID
		switch s.Kind {
		case trace.Fault:
			if s.Nothing() {
				nd.nothing = i
			}
		case trace.Send:
			nd.sends = append(nd.sends, send{i, tr.Actors[s.Actor].ID, tr.Messages[s.Message].ID})
		}
	}
	nd.take(0)
}

// take makes step k the one that is explored.
func (nd *node) take(k int) {
	nd.next, nd.released = k, trace.ID{}
	for _, s := range nd.sends {
		if s.index == k {
			nd.released = s.message
		}
	}
}

// place finds the step being explored among the steps that are enabled now.
func (nd *node) place(tr *trace.Trace, enabled []trace.Step) int {
	if nd.next < len(enabled) && enabled[nd.next].ID == nd.enabled[nd.next] {
		return nd.next // as always, where the program is not restless
	}
	if i := trace.Find(enabled, nd.enabled[nd.next]); i >= 0 {
		return i
	}
	for _, s := range nd.sends {
		if s.index == nd.next {
			return slices.IndexFunc(enabled,
				func(e trace.Step) bool { return e.Kind == trace.Send && tr.Actors[e.Actor].ID == s.actor })
		}
	}
	return -1
}

// stranger is the first enabled step that the node does not know, -1 if there is none.
func (nd *node) stranger(tr *trace.Trace, enabled []trace.Step) int {
	for i := range enabled {
		if i < len(nd.enabled) && nd.enabled[i] == enabled[i].ID || slices.Contains(nd.enabled, enabled[i].ID) {
			continue
		}
		if s := &enabled[i]; s.Kind != trace.Send || !nd.sendsOf(tr.Actors[s.Actor].ID) {
			return i
		}
	}
	return -1
}

func (nd *node) sendsOf(actor trace.ID) bool {
	return slices.ContainsFunc(nd.sends, func(s send) bool { return s.actor == actor })
}

func strange(tr *trace.Trace, enabled []trace.Step, i int) string {
	if i < 0 {
		return "none that is new"
	}
	return tr.StepName(enabled[i])
}

// Learn gives up what is below when the program diverged: the tree is no longer the one that was counted. It notes what
// the steps released, to lead the program on by name when they are taken again.
func (n *Naive) Learn(tr *trace.Trace, cut bool) {
	if n.diverge == nil && n.depth < len(n.nodes) {
		// Whatever ended it, a violation or a bound too, would have ended the execution before that passed here.
		n.diverge = &trace.Incident{Kind: trace.Divergence, Actor: -1, Message: -1, Text: fmt.Sprintf(
			"the same schedule led to %d possible steps at step %d before, and now the execution ends after step %d",
			len(n.nodes[n.depth].enabled), n.depth+1, n.depth)}
	}
	n.diverged = n.diverged || n.diverge != nil
	n.nodes = n.nodes[:min(len(n.nodes), n.depth)]
	n.grow()
	i := n.from
	for e := max(n.event, tr.Explored); e < len(tr.Events) && i < len(n.nodes); e++ {
		ev := &tr.Events[e]
		if ev.Auto {
			continue
		}
		for n.nodes[i].nothing == n.nodes[i].next {
			if i++; i == len(n.nodes) {
				return
			}
		}
		if ev.Released >= 0 {
			n.nodes[i].released = tr.Messages[ev.Released].ID
		}
		i++
	}
}

// Divergence describes a choice that was not ours.
func (n *Naive) Divergence() *trace.Incident { return n.diverge }

// Complete reports whether every path was executed. After a divergence nobody knows what all paths are.
func (n *Naive) Complete() bool { return n.done && !n.diverged }

// The walk is told of every node until it knows the small branches at the bottom well enough. After that it is told of
// their executions only, since they are nearly all: the walk took a seventh of the time.
const wellEnough, small = 1 << 14, 4

func (n *Naive) grow() {
	if n.told++; n.told == 1 {
		n.first = len(n.nodes)
	}
	if n.bottom > 0 {
		n.walk.Grow(min(len(n.nodes), n.bottom))
		return
	}
	n.walk.Grow(len(n.nodes))
}

// Walk is Walker.
func (n *Naive) Walk() *Walk { return &n.walk }

// deepen tells the walk of the nodes that it was not told of, which now give something away. How many executions each
// of them has seen is guessed: the branches of a node are taken to be alike [Kilby06].
func (n *Naive) deepen() {
	if n.bottom == 0 || len(n.nodes) <= n.bottom {
		return
	}
	done := make([]float64, len(n.nodes)+1) // the part of what is at a node and below that was executed
	done[len(n.nodes)] = 1
	for i := len(n.nodes) - 1; i >= n.bottom; i-- {
		done[i] = (float64(n.nodes[i].next) + done[i+1]) / float64(len(n.nodes[i].enabled))
	}
	for i := n.bottom; i < len(n.nodes); i++ {
		next := n.nodes[i].next
		n.walk.deepen(next, done[i+1]/(float64(next)+done[i+1]))
	}
	n.bottom = 0
}

// turn is called when the last node takes its next branch, with so many left.
func (n *Naive) turn(left int) {
	if n.bottom == 0 && n.told >= wellEnough && len(n.nodes) <= n.first-small {
		n.bottom = n.first - small // the walk knows of no deeper node from here on
	}
	if n.bottom == 0 || len(n.nodes) <= n.bottom {
		n.walk.Turn(len(n.nodes), left)
	}
}

// Report is explore.Reporter.
func (n *Naive) Report() explore.Report {
	return explore.Report{EveryOrder: true,
		Estimate: n.walk.Total(func(i int) int { return n.nodes[i].end - n.nodes[i].next - 1 })}
}
