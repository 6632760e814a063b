package baseline

import (
	"fmt"
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/causal"
	"github.com/rehearse-go/rehearse/internal/order"
	"github.com/rehearse-go/rehearse/trace"
)

// Search is one of the algorithms as a strategy.
type Search struct {
	name      string
	reduction reduction
	sleeps    bool
	order     order.Order
	selects   *selecting // nil but for select
	hb        *causal.Order

	nodes       []node
	depth       int // choices of the current execution
	started     bool
	done        bool
	restart     bool // the order settled on another one, or tasks may not be marked: what was executed counts for nothing
	blocked     bool // the current execution was cut because everything is asleep
	closed      bool // the current execution came to its natural end
	hasDiverged bool // an execution diverged: what was executed is no tree any more
	diverge     *trace.Incident

	tr        *trace.Trace
	actors    []int32 // buffer
	footprint causal.Footprint
}

func newSearch(name string, o order.Order, r reduction, sleeps bool) *Search {
	return &Search{name: name, order: o, reduction: r, sleeps: sleeps}
}

// Name is the algorithm's, and its order's after a slash if that was asked for; select's options.
func (s *Search) Name() string {
	if s.selects != nil {
		return s.name + s.selects.o.suffix()
	}
	if o := s.order.Name(); o != "auto" {
		return s.name + "/" + o
	}
	return s.name
}

// Start moves on to the next path; false when there is none.
func (s *Search) Start() bool {
	if s.hb == nil {
		panic("baseline: a search was started before it was asked whether it fits")
	}
	s.depth, s.diverge, s.blocked, s.closed = 0, nil, false, false
	if !s.started || s.restart {
		s.forget(0)
		if s.selects != nil && s.selects.strays {
			s.prepare()
			s.hb = s.relation(s.selects.conditions)
			s.selects.counts = Counts{}
		}
		s.started, s.restart = true, false
		s.nodes = s.nodes[:0]
		return true
	}
	for len(s.nodes) > 0 {
		last := &s.nodes[len(s.nodes)-1]
		if last.next(s.reduction, s.sleeps) {
			s.forget(last.event)
			return true
		}
		s.nodes = s.nodes[:len(s.nodes)-1]
	}
	s.done = true
	return false
}

// SharedPrefix is the number of choices that the next execution shares with the last.
func (s *Search) SharedPrefix() int { return max(0, len(s.nodes)-1) }

// Resume says that the system has gone back to the state after n choices.
func (s *Search) Resume(n int) { s.depth = n }

// forget cuts the record back to the first n events.
func (s *Search) forget(n int32) {
	s.hb.Truncate(int(n))
}

// Open is explore.ExecutionObserver.
func (s *Search) Open(x explore.Execution) { order.Open(s.order, x) }

// Choose repeats the path to the node that is being explored and goes on with the first steps by the order from there.
func (s *Search) Choose(tr *trace.Trace, enabled []trace.Step) explore.Choice {
	s.tr = tr
	i := s.depth
	s.depth++
	if i < len(s.nodes) {
		return s.repeat(i, tr, enabled)
	}
	s.learn(tr)
	if !s.push(tr, enabled) {
		s.depth--
		s.blocked = true
		return explore.Choice{Index: -1}
	}
	return explore.Choice{Index: s.nodes[i].queue[s.nodes[i].at]}
}

// repeat takes the step of a node that is on the path already.
func (s *Search) repeat(i int, tr *trace.Trace, enabled []trace.Step) explore.Choice {
	n := &s.nodes[i]
	stranger := slices.IndexFunc(enabled, func(e trace.Step) bool {
		return !slices.ContainsFunc(n.enabled, func(o offer) bool { return o.step == e.ID })
	})
	if stranger >= 0 || len(enabled) != len(n.enabled) {
		among := "none that is new"
		if stranger >= 0 {
			among = tr.StepName(enabled[stranger])
		}
		s.diverged(fmt.Sprintf("at step %d the same schedule led to other possible steps: %d before, %d now, among them %s",
			i+1, len(n.enabled), len(enabled), among))
		return explore.Choice{Index: -1}
	}
	// The last node's step is new: it was chosen by Start and never taken before.
	return explore.Choice{Index: trace.Find(enabled, n.taken().step), Replayed: i < len(s.nodes)-1}
}

func (s *Search) diverged(text string) {
	s.diverge = &trace.Incident{Kind: trace.Divergence, Actor: -1, Message: -1, Text: text}
	s.hasDiverged = true
}

// learn takes in the events that are over.
func (s *Search) learn(tr *trace.Trace) {
	from := int32(s.hb.Len())
	s.hb.Extend(tr, len(tr.Events))
	for e := from; e < int32(s.hb.Len()); e++ {
		s.stray(e)
		s.races(e)
	}
}

// push makes a node of the state that was reached. It reports whether there is a step to take: not if all are asleep.
func (s *Search) push(tr *trace.Trace, enabled []trace.Step) bool {
	d := len(s.nodes)
	if d < cap(s.nodes) {
		s.nodes = s.nodes[:d+1]
	} else {
		s.nodes = append(s.nodes, node{})
	}
	n := &s.nodes[d]
	n.reset(int32(s.hb.Len()), enabled)
	n.order = s.order.Actors(n.order, tr, enabled)
	if s.sleeps && d > 0 {
		s.inherit(n, &s.nodes[d-1])
	}
	if begun := s.begin(n, d); !begun {
		s.nodes = s.nodes[:d]
		return false
	}
	return true
}

// begin chooses the first actor of a state at that depth.
func (s *Search) begin(n *node, d int) bool {
	if s.selects != nil {
		return s.selectAt(n, d)
	}
	return n.begin()
}

// inherit gives n what sleeps above it and does not depend on what happened since.
func (s *Search) inherit(n, above *node) {
	f := s.footprint[:0]
	for e := above.event; e < int32(s.hb.Len()); e++ {
		if s.event(e).Step.Kind == trace.Advance {
			return
		}
		f = s.hb.Footprint(f, e)
	}
	n.sleep = above.sleep.after(n.sleep, f)
	s.footprint = f
}

func (s *Search) event(e int32) *trace.Event { return &s.tr.Events[s.hb.First()+int(e)] }

// nodeOf gives the state at which event e was chosen, nil if it was not.
func (s *Search) nodeOf(e int32) *node {
	i, ok := slices.BinarySearchFunc(s.nodes, e, func(n node, e int32) int { return int(n.event - e) })
	if !ok || s.event(e).Auto {
		return nil
	}
	return &s.nodes[i]
}

// Close takes in the end of an execution at which nothing was left to do.
func (s *Search) Close() {
	s.closed = true
	if s.depth == 0 || s.diverge != nil || s.depth < len(s.nodes) {
		return
	}
	s.learn(s.tr)
	s.actors = s.order.Actors(s.actors[:0], s.tr, nil)
	if s.selects != nil {
		s.selects.counts.States++
	}
}

// Learn looks at the end of an execution, which may have come before there was anything to choose.
func (s *Search) Learn(tr *trace.Trace, _ bool) {
	s.tr = tr
	if s.diverge == nil && s.depth < len(s.nodes) {
		s.diverged(fmt.Sprintf("the same schedule led to %d possible steps at step %d before, and now the execution ends "+
			"after step %d",
			len(s.nodes[s.depth].enabled), s.depth+1, s.depth))
	}
	if s.diverge != nil {
		s.nodes = s.nodes[:min(len(s.nodes), s.depth)]
		return
	}
	switch {
	case s.closed:
	case s.blocked:
		s.learn(tr)
	default:
		// Cut: what would have come is not known, nor are its races.
		s.learn(tr)
		for i := range s.nodes {
			s.nodes[i].addAll()
		}
	}
	if o, ok := s.order.(order.Observer); ok && o.Observe(tr) {
		s.restart = true
	}
}

// Divergence describes a choice that was not ours.
func (s *Search) Divergence() *trace.Incident { return s.diverge }

// Complete reports whether an execution of every class was executed. After a divergence nobody knows.
func (s *Search) Complete() bool {
	return s.done && !s.hasDiverged && (s.selects == nil || s.selects.o.sound())
}
