package search

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// Delay executes every schedule that a fixed scheduler makes when it is made to put off a step at most so many times.
// The scheduler takes the step that was put off the fewest times, of these the first in the default order. To take
// another one, it has to put off all that it would take before, once each. So a message that is put off comes when
// nothing else is left but what was put off as often.
//
//	source:     [Emmi11]: few delays of a deterministic scheduler find most bugs, and their number bounds the schedules
//	            polynomially
//	differs:    there the scheduler goes round a queue; here it has no memory but the numbers of delays. Choices of the
//	            program and injected faults are no steps that could be delayed: all their values are executed
//	assumes:    the program makes no choice of its own; checked wherever a schedule passes again
//	invariants: I1 the executions are the schedules within the bound, each once, depth first
//	            I2 delays holds how often each step was put off by the path, and nodes[i].left what was not used before
//	               it
//	cost:       with n steps and k delays at most C(n+k, k) executions without choices; one node a step
//	checked by: delay_test.go against brute force over all schedules
type Delay struct {
	bound    int
	nodes    []delayNode
	delays   delayed
	depth    int
	from     int // choices that were not made again
	started  bool
	done     bool
	cutOff   bool
	diverged bool
	diverge  *trace.Incident
}

// delayNode is a state on the path.
type delayNode struct {
	steps []trace.ID // in the order of the scheduler, as far as the delays that are left reach
	count int        // of all that are enabled
	next  int
	left  int  // delays that may be used here and below
	free  bool // values of a choice
	event int
	first trace.ID // that the step being explored released
	kind  trace.Kind
	actor trace.ID
}

// NewDelay makes the strategy; the word is the number of delays.
func NewDelay(word string) (*Delay, error) {
	n, err := strconv.Atoi(word)
	if err != nil || n < 0 {
		return nil, fmt.Errorf("unknown bound %q: want a number of delays, as in delay/2 (random delays of messages are "+
			"another strategy, delays)", word)
	}
	return &Delay{bound: n, delays: delayed{}}, nil
}

// Name is "delay/" and the bound.
func (d *Delay) Name() string { return fmt.Sprintf("delay/%d", d.bound) }

var (
	_ explore.PrefixReuser = (*Delay)(nil)
	_ explore.Reporter     = (*Delay)(nil)
)

// Start moves on to the next schedule.
func (d *Delay) Start() bool {
	d.depth, d.from, d.diverge = 0, 0, nil
	if !d.started {
		d.started = true
		return true
	}
	for len(d.nodes) > 0 {
		n := &d.nodes[len(d.nodes)-1]
		if n.next+1 < len(n.steps) {
			if !n.free {
				d.delays[n.steps[n.next]]++
			}
			n.next++
			n.first = trace.ID{}
			return true
		}
		d.truncate(len(d.nodes) - 1)
	}
	d.done = true
	return false
}

// truncate gives up the nodes from k on, with what they put off.
func (d *Delay) truncate(k int) {
	for i := len(d.nodes) - 1; i >= k; i-- {
		n := &d.nodes[i]
		for _, id := range n.steps[:n.next] {
			if n.free {
				break
			}
			if d.delays[id]--; d.delays[id] == 0 {
				delete(d.delays, id)
			}
		}
	}
	d.nodes = d.nodes[:k]
}

// SharedPrefix is explore.PrefixReuser.
func (d *Delay) SharedPrefix() int { return max(len(d.nodes)-1, 0) }

// Resume is explore.PrefixReuser.
func (d *Delay) Resume(n int) { d.depth, d.from = n, n }

// Choose repeats the path, takes its new step, and goes on with the scheduler from there.
func (d *Delay) Choose(tr *trace.Trace, enabled []trace.Step) explore.Choice {
	k := d.depth
	d.depth++
	if k == len(d.nodes) {
		d.push(tr, enabled)
	}
	n := &d.nodes[k]
	i := trace.Find(enabled, n.steps[n.next])
	if i < 0 && n.kind == trace.Send {
		// Which message an actor offers to send next is the program's order; First leads it on.
		i = slices.IndexFunc(enabled,
			func(s trace.Step) bool { return s.Kind == trace.Send && tr.Actors[s.Actor].ID == n.actor })
	}
	if i < 0 || len(enabled) != n.count {
		d.diverge = &trace.Incident{Kind: trace.Divergence, Actor: -1, Message: -1, Text: fmt.Sprintf(
			"at step %d the same schedule led to other possible steps: %d before, %d now", k+1, n.count, len(enabled))}
		return explore.Choice{Index: -1}
	}
	n.kind, n.actor, n.event = enabled[i].Kind, tr.Actors[enabled[i].Actor].ID, len(tr.Events)
	return explore.Choice{Index: i, Replayed: k < len(d.nodes)-1, First: n.first}
}

// push makes the node of a state that is new.
func (d *Delay) push(tr *trace.Trace, enabled []trace.Step) {
	n := delayNode{count: len(enabled), left: d.bound, free: enabled[0].Kind.Chooses()}
	if k := len(d.nodes); k > 0 {
		above := &d.nodes[k-1]
		if n.left = above.left; !above.free {
			n.left -= above.next
		}
	}
	order := make([]*trace.Step, len(enabled))
	for i := range enabled {
		order[i] = &enabled[i]
	}
	slices.SortFunc(order, d.delays.compare)
	if reach := n.left + 1; !n.free && reach < len(order) {
		order, d.cutOff = order[:reach], true
	}
	for _, s := range order {
		n.steps = append(n.steps, s.ID)
	}
	d.nodes = append(d.nodes, n)
}

// compare is the order of the scheduler.
func (d delayed) compare(a, b *trace.Step) int {
	if c := d[a.ID] - d[b.ID]; c != 0 {
		return c
	}
	switch {
	case a.Before(b):
		return -1
	case b.Before(a):
		return 1
	}
	return int(a.Value - b.Value)
}

// Learn notes what the steps released, and whether the program made a choice of its own.
func (d *Delay) Learn(tr *trace.Trace, cut bool) {
	if d.diverge == nil && d.depth < len(d.nodes) {
		d.diverge = &trace.Incident{Kind: trace.Divergence, Actor: -1, Message: -1, Text: fmt.Sprintf(
			"the same schedule led to %d possible steps at step %d before, and now the execution ends after step %d",
			d.nodes[d.depth].count, d.depth+1, d.depth)}
	}
	d.diverged = d.diverged || d.diverge != nil
	d.truncate(min(len(d.nodes), d.depth))
	for k := d.from; k < len(d.nodes); k++ {
		n := &d.nodes[k]
		if n.event < len(tr.Events) && tr.Events[n.event].Released >= 0 && !n.free {
			n.first = tr.Messages[tr.Events[n.event].Released].ID
		}
	}
}

// Divergence describes a choice that was not ours.
func (d *Delay) Divergence() *trace.Incident { return d.diverge }

// Complete reports whether every schedule was executed: the bound left none out.
func (d *Delay) Complete() bool { return d.done && !d.diverged && !d.cutOff }

// Report is explore.Reporter.
func (d *Delay) Report() explore.Report { return explore.Report{EveryOrder: true, Within: d.within()} }

func (d *Delay) within() string {
	switch {
	case !d.done || d.diverged:
		return ""
	case d.bound == 1:
		return "1 delay"
	}
	return strconv.Itoa(d.bound) + " delays"
}
