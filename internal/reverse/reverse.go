package reverse

import (
	"fmt"
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/causal"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/trace"
)

// Search is optimal by reverse search. The classes are the nodes of a tree that is defined by its parent function
// alone. So it can be walked without remembering where one has been.
//
// A fixed memoryless scheduler S takes the enabled step with the least key (depth, identity). A class T is read as
// steps of S and deviations. S would take t after the steps C, but a step of T that depends on t comes before it. Then
// the least such step x and its past P are taken instead. The parent of T takes back the last deviation. It is what S
// makes of the steps C, t, P in this order. So every chain of parents ends at the class that S alone leads to, and the
// children of a class are found on its record:
//
//	visit(T): report T
//	          for each step t of S in T, after steps C, and each x that could come before it instead, with its past P:
//	              if S makes T of C t P (decided on T's record, nothing is executed): visit(what S makes of C P x)
//
//	source:     the reverse search of [AF96] applied to Mazurkiewicz traces; close in spirit to [TruSt22]. The argument
//	            is ours: docs/decisions/0008
//	differs:    the argument speaks of all programs; where steps of different actors depend on each other otherwise than
//	            by messages the search may miss classes, sees that, and is not complete (doubt.go). Declared effects are
//	            reckoned with: effects.go, overtake.go
//	assumes:    see package causal; Foreseer tells what actors accept
//	invariants: I1 one execution a class, none blocked, or Report gives an IncompleteReason
//	            I2 levels[k+1] was reached by a child of levels[k]
//	            I3 class describes the last execution where recorded is set
//	cost:       one execution a class, and looking at what is new of it, at n/64 words a step, and at the pairs of steps
//	            that make children; memory: one execution, the children that are left, and what is new of each level. The
//	            number of deviations of a class bounds the levels
//	checked by: reverse_test.go and effects_test.go against brute force, and against dpor.Optimal on the subjects
type Search struct {
	env     explore.Env
	model   trace.Model
	faulty  bool // faults may be injected
	losses  bool // messages may be lost or doubled
	order   *causal.Order
	x       explore.Execution
	accepts causal.Acceptance

	levels    []*record
	class     class      // the class at hand
	recorded  bool       // it is that of the last execution
	plan      []trace.ID // the choices of the next execution that are forced
	labels    []stepLabel
	displaced []displaced
	parent    *path   // of the class that the next execution is a child of,
	shared    int     // with which it has so many choices in common
	taken     []taken // the choices of the current execution
	kept      int     // of them begin the next execution,
	leaves    int32   // and so many steps were possible behind these; 0: nobody knows
	depth     int
	started   bool
	done      bool
	refused   bool // a forced step was not enabled
	blocked   int
	classes   int
	depths    []int32 // by event: first part of the key of S
	declared  deepness
	diverge   *trace.Incident
	diverged  bool
	doubt     string // why the search is not complete although it is done
	cutOff    bool   // classes beyond a bound were left out
	walk      search.Walk
	parts     int // items that the children of a class make at most, when they are given away
}

// taken is a choice of the current execution.
type taken struct {
	id      trace.ID
	event   int32 // index that the event has, or would have
	inStep  bool  // in the middle of a macro-step
	least   bool  // S would have taken it: of an in-step one, the first value
	kind    trace.Kind
	first   trace.ID // of a release: the message
	other   []trace.ID
	enabled int32    // so many steps were possible
	advance trace.ID // the clock's advance, where that was another choice
}

// stepLabel says how a choice of a class is read.
type stepLabel uint8

const (
	byS       stepLabel = iota
	deviating           // in the past of a deviation
	deviation           // the deviation itself
)

// New makes the strategy.
func New() *Search {
	r := &Search{walk: search.Walk{Uneven: true}, parts: mostParts}
	r.class.unplain = never
	return r
}

// Name is "reverse".
func (*Search) Name() string { return "reverse" }

var _ explore.PrefixReuser = (*Search)(nil)

// Bind is explore.Binder.
func (r *Search) Bind(e explore.Env) error {
	c := e.Conditions
	r.env = e
	r.model, r.faulty = c.Model, c.Faults.On()
	r.losses = r.faulty && (c.Faults.Kinds.Has(trace.Drop) || c.Faults.Kinds.Has(trace.Duplicate))
	r.order = causal.For(c)
	r.declared = deepness{on: r.order.Heeds()}
	return nil
}

// Open is explore.ExecutionObserver.
func (r *Search) Open(x explore.Execution) {
	r.x = x
	r.accepts = causal.AcceptanceOf(x)
}

// Close is explore.ExecutionObserver.
func (*Search) Close() {}

// Start takes the next child of the deepest level that has one.
func (r *Search) Start() bool {
	r.depth, r.diverge, r.refused = 0, nil, false
	if !r.started {
		r.started = true
		return true
	}
	for len(r.levels) > 0 {
		top := r.levels[len(r.levels)-1]
		if top.more() {
			c := top.take()
			r.lead(top, c)
			if len(top.children) == 0 && len(top.spreads) == 0 {
				top.path.cut(int(c.at)) // nothing else begins like it
			}
			r.walk.Turn(len(r.levels), top.left())
			return true
		}
		r.levels = r.levels[:len(r.levels)-1]
	}
	r.done = true
	r.walk.Turn(0, 0)
	return false
}

// lead makes a child of the class of rec the next one.
func (r *Search) lead(rec *record, c child) {
	r.plan, r.labels = rec.plan(c, r.plan[:0], r.labels[:0])
	r.displaced = rec.displacedBy(c, r.displaced[:0])
	r.parent, r.shared = rec.path, int(c.at)
	r.keep()
}

// keep finds what the next execution has in common with the last one.
func (r *Search) keep() {
	r.kept, r.leaves = 0, 0
	for r.kept < len(r.plan) && r.kept < len(r.taken) && r.taken[r.kept].id == r.plan[r.kept] {
		r.kept++
	}
	if r.kept < len(r.taken) {
		t := &r.taken[r.kept]
		r.leaves = t.enabled
		end := int(t.event)
		if t.kind == trace.Fault {
			end-- // whether the handler runs shows in the event before, which is that of the delivery
		}
		r.class.cut(end)
		r.order.Truncate(end)
		r.forgetBases(end)
	}
	r.taken = r.taken[:r.kept]
}

// SharedPrefix is explore.PrefixReuser.
func (r *Search) SharedPrefix() int { return r.kept }

// Resume is explore.PrefixReuser.
func (r *Search) Resume(n int) { r.depth = n }

// Choose follows the plan, then S.
func (r *Search) Choose(tr *trace.Trace, enabled []trace.Step) explore.Choice {
	k := r.depth
	r.depth++
	if k < r.kept {
		t := &r.taken[k]
		i := trace.Find(enabled, t.id)
		if i < 0 {
			r.diverge = &trace.Incident{Kind: trace.Divergence, Actor: -1, Message: -1, Text: fmt.Sprintf(
				"at step %d the same schedule led to other possible steps: one that was taken before is not among the %d now", k+1,
				len(enabled))}
		}
		return explore.Choice{Index: i, Replayed: true, First: t.first}
	}
	if n := int32(len(enabled)); k == r.kept && r.leaves > 0 && r.leaves != n {
		r.diverge = &trace.Incident{Kind: trace.Divergence, Actor: -1, Message: -1, Text: fmt.Sprintf(
			"at step %d the same schedule led to other possible steps: %d before, %d now", k+1, r.leaves, n)}
		return explore.Choice{Index: -1}
	}
	r.extend(tr, enabled)
	least := r.least(enabled)
	i := least
	if k < len(r.plan) {
		if i = trace.Find(enabled, r.plan[k]); i < 0 {
			r.refused = true
			return explore.Choice{Index: -1}
		}
	}
	s := &enabled[i]
	t := taken{id: s.ID, event: int32(len(tr.Events) - tr.Explored), kind: s.Kind, least: i == least,
		inStep: s.Kind.Chooses(), enabled: int32(len(enabled))}
	if t.inStep {
		for j := range enabled {
			if j != i {
				t.other = append(t.other, enabled[j].ID)
			}
		}
	}
	if a := slices.IndexFunc(enabled, func(s trace.Step) bool { return s.Kind == trace.Advance }); a >= 0 {
		r.doubt = doubtClock // where S has no other step it may still come earlier: before steps that it does not need
		if a != i {
			t.advance = enabled[a].ID
		}
	}
	r.taken = append(r.taken, t)
	return explore.Choice{Index: i}
}

// extend brings order and depths up to date.
func (r *Search) extend(tr *trace.Trace, enabled []trace.Step) {
	end := len(tr.Events)
	if len(enabled) > 0 && enabled[0].Kind == trace.Fault {
		end--
	}
	r.extendTo(tr, end)
}

// extendTo extends happens-before up to the event end, and notes the depth of each new step, which is a part of the key
// of S. A depth does not change when the step is moved, unless effects are declared.
func (r *Search) extendTo(tr *trace.Trace, end int) {
	from := r.order.Len()
	r.order.Extend(tr, end)
	r.depths = r.depths[:from]
	if r.declared.on {
		r.extendBases(from)
		return
	}
	for e := from; e < r.order.Len(); e++ {
		st := r.order.Step(int32(e))
		r.depths = append(r.depths, r.depthOf(st, r.order.Parent(int32(e)), r.order.Own(int32(e))))
	}
}

// depthOf is the first part of the key: greater than that of what the step needs.
func (r *Search) depthOf(s *trace.Step, parent, own int32) int32 {
	if s.Kind == trace.Advance {
		return trace.LastDepth
	}
	if !r.queues() {
		return s.Depth
	}
	d := r.after(parent)
	if own >= 0 && s.Kind != trace.Timer {
		d = max(d, r.after(own))
	}
	return d
}

// after is the least depth that is greater than that of event e. All comes after an advance of the clock that comes
// after it, whatever its depth. Were that greater, S would let the clock advance before it takes what an advance has
// sent.
func (r *Search) after(e int32) int32 {
	if e < 0 || r.order.Step(e).Kind == trace.Advance {
		return 1
	}
	return r.depths[e] + 1
}

func (r *Search) queues() bool { return r.model.Queues() }

// least gives the step that S takes.
func (r *Search) least(enabled []trace.Step) int {
	if !r.queues() && !r.declared.on || enabled[0].Kind.Chooses() {
		return leastValue(enabled)
	}
	best, bestDepth := -1, int32(0)
	for i := range enabled {
		s := &enabled[i]
		d := int32(trace.LastDepth)
		switch {
		case s.Kind == trace.Advance:
		case r.declared.on:
			d = max(r.baseOf(s.Message), r.floorOf(r.order.Last(s.Actor)))
		default:
			d = r.depthOf(s, r.order.Arrival(s.Message), r.order.Last(s.Actor))
		}
		if best < 0 || d < bestDepth || d == bestDepth && s.ID.Less(enabled[best].ID) {
			best, bestDepth = i, d
		}
	}
	return best
}

// leastValue is the first step in the default order; of the values of a choice, the least.
func leastValue(enabled []trace.Step) int {
	if !enabled[0].Kind.Chooses() {
		return trace.First(enabled)
	}
	best := 0
	for i := range enabled {
		if enabled[i].Value < enabled[best].Value {
			best = i
		}
	}
	return best
}

// Learn finds the children of the class that was executed.
func (r *Search) Learn(tr *trace.Trace, cut bool) {
	if r.diverge == nil && (r.depth < r.kept || r.depth == r.kept && r.leaves > 0) {
		r.diverge = &trace.Incident{Kind: trace.Divergence, Actor: -1, Message: -1, Text: fmt.Sprintf(
			"the same schedule led on after step %d before, and now the execution ends there", r.depth)}
	}
	if r.diverge != nil || r.refused {
		r.recorded = false
		r.diverged = r.diverged || r.diverge != nil
		if r.refused {
			r.blocked++
			r.doubt = doubtRefused
		}
		return
	}
	r.classes++
	end := 0
	if k := len(r.taken); k > 0 {
		end = int(r.taken[k-1].event) + 1
	}
	r.extendTo(tr, min(len(tr.Events), tr.Explored+end))
	r.keepReleases(tr)
	r.levels = append(r.levels, r.record(tr))
	r.recorded = true
	r.walk.Grow(len(r.levels))
}

// Report is explore.Reporter.
func (r *Search) Report() explore.Report {
	all := r.counts()
	all.Estimate = r.walk.Total(func(i int) int { return r.levels[i].left() })
	return all
}

// Walk is search.Walker.
func (r *Search) Walk() *search.Walk { return &r.walk }

// counts is the report without an estimate.
func (r *Search) counts() explore.Report {
	return explore.Report{OnePerClass: true, Classes: r.classes, IncompleteReason: r.doubt}
}

// keepReleases notes for releases which message they have released: where a release is forced later, it has to be of
// the same one.
func (r *Search) keepReleases(tr *trace.Trace) {
	for k := r.kept; k < len(r.taken); k++ {
		t := &r.taken[k]
		if e := r.order.First() + int(t.event); e < len(tr.Events) && tr.Events[e].Released >= 0 {
			t.first = tr.Messages[tr.Events[e].Released].ID
		}
	}
}

// Divergence describes a choice that was not ours.
func (r *Search) Divergence() *trace.Incident { return r.diverge }

// Complete reports whether an execution of every class was executed.
func (r *Search) Complete() bool { return r.done && !r.diverged && !r.cutOff && r.doubt == "" }

// HappensBefore is explore.ClassRepresentative.
func (r *Search) HappensBefore(i, j int32) bool { return r.order.InOrder(i, j) }
