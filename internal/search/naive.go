// Package search holds the strategies that execute everything.
//
// Naive is depth-first over all enabled steps: the baseline and the oracle for every reduction.
//
//	source:     [Basset11] figure 3.5, without state comparison
//	assumes:    the program makes no choice of its own; checked at every node that is passed again
//	invariants: I1 the executions are the maximal paths of the choice tree, each once
//	            I2 nodes[i] was reached by the choices of nodes[:i]
//	cost:       one node a step; every execution runs from the start
//	checked by: naive_test.go against a recursive enumeration, and the published counts in subjects
package search

import (
	"fmt"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// Naive is the strategy.
type Naive struct {
	nodes   []node
	depth   int // steps of the current execution
	started bool
	done    bool
	diverge *trace.Incident
}

// node is a state on the current path: the steps enabled there and the one being explored.
type node struct {
	enabled []trace.ID
	next    int
}

// NewNaive makes the strategy.
func NewNaive() *Naive { return &Naive{} }

// Name is "naive".
func (*Naive) Name() string { return "naive" }

// Start moves on to the next path; false when there is none.
func (n *Naive) Start() bool {
	n.depth, n.diverge = 0, nil
	if !n.started {
		n.started = true
		return true
	}
	for len(n.nodes) > 0 {
		last := &n.nodes[len(n.nodes)-1]
		if last.next++; last.next < len(last.enabled) {
			return true
		}
		n.nodes = n.nodes[:len(n.nodes)-1]
	}
	n.done = true
	return false
}

// Choose repeats the path to the node that is being explored and goes on with first steps from there.
func (n *Naive) Choose(tr *trace.Trace, enabled []trace.Step) explore.Choice {
	i := n.depth
	n.depth++
	if i == len(n.nodes) {
		n.push(enabled)
		return explore.Choice{Index: 0}
	}
	nd := &n.nodes[i]
	if !nd.matches(enabled) {
		n.diverge = &trace.Incident{Kind: trace.Divergence, Actor: -1, Message: -1, Text: fmt.Sprintf(
			"at step %d the same schedule led to other possible steps: %d before, %d now, among them %s",
			i+1, len(nd.enabled), len(enabled), strange(tr, nd, enabled))}
		return explore.Choice{Index: -1}
	}
	// The last node's step is new: it was chosen by Start and never taken before.
	return explore.Choice{Index: trace.Find(enabled, nd.enabled[nd.next]), Replayed: i < len(n.nodes)-1}
}

func (n *Naive) push(enabled []trace.Step) {
	if len(n.nodes) < cap(n.nodes) {
		n.nodes = n.nodes[:len(n.nodes)+1]
	} else {
		n.nodes = append(n.nodes, node{})
	}
	nd := &n.nodes[len(n.nodes)-1]
	nd.enabled, nd.next = nd.enabled[:0], 0
	for i := range enabled {
		nd.enabled = append(nd.enabled, enabled[i].ID)
	}
}

func (nd *node) matches(enabled []trace.Step) bool {
	if len(nd.enabled) != len(enabled) {
		return false
	}
	for i := range enabled {
		if nd.enabled[i] != enabled[i].ID && !contains(nd.enabled, enabled[i].ID) {
			return false
		}
	}
	return true
}

func contains(ids []trace.ID, id trace.ID) bool {
	for _, o := range ids {
		if o == id {
			return true
		}
	}
	return false
}

func strange(tr *trace.Trace, nd *node, enabled []trace.Step) string {
	for i := range enabled {
		if !contains(nd.enabled, enabled[i].ID) {
			return tr.StepName(enabled[i])
		}
	}
	return "none that is new"
}

// Learn gives up when the program diverged: the tree below is no longer the one that was counted.
func (n *Naive) Learn(_ *trace.Trace, cut bool) {
	n.nodes = n.nodes[:min(len(n.nodes), n.depth)]
}

// Divergence describes a choice that was not ours.
func (n *Naive) Divergence() *trace.Incident { return n.diverge }

// Complete reports whether every path was executed.
func (n *Naive) Complete() bool { return n.done }
