package reverse

import (
	"fmt"
	"strconv"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// Bounded is reverse search among the classes with few deviations from the memoryless scheduler: the level of a class
// in the search tree is the number of its deviations. It goes down to a bound depth first, or level by level as far as
// the budget allows.
//
//	source:     ours; the idea of looking near one schedule first, and of saying how far one came, is that of [Emmi11]
//	assumes:    as Search
//	invariants: I1 the executions are those of Search on the levels within the bound, each class once
//	            I2 level by level: pending holds the records of this level and of the next, those of this level first;
//	               each has children
//	cost:       one execution a class. Depth first: memory as Search. Level by level: the records of all classes on the
//	            frontier that have children, of 17 bytes a choice that they do not share and about 100 bytes a child,
//	            until their last child was executed
//	checked by: bounded_test.go: the classes of each level are those of Search, and those that brute force counts by
//	            their deviations
type Bounded struct {
	reverse    *Search
	bound      int       // deviations; -1: level by level
	base       int       // of an item: deviations of its first class
	pending    []*record // level by level: of the classes whose children are to be visited
	here       int       // of them: on the level that is being visited
	level      int       // of the class that was executed last, or is
	completeTo int       // deviations up to which all classes were executed, -1 if none
}

const iterative = "iterative"

// BoundWords are what may follow the slash in the name of a bounded reverse search.
func BoundWords() []string { return []string{"a number of deviations", iterative} }

// NewBounded makes the search that the word asks for: a number of deviations, or "iterative" for 0, 1, 2 and so on
// until nothing is left.
func NewBounded(word string) (*Bounded, error) {
	b := &Bounded{reverse: New(), bound: -1, completeTo: -1}
	if word == iterative {
		return b, nil
	}
	n, err := strconv.Atoi(word)
	if err != nil || n < 0 {
		return nil, fmt.Errorf("unknown bound %q: want a number of deviations, as in reverse/3, or reverse/%s", word,
			iterative)
	}
	b.bound = n
	return b, nil
}

// Name is "reverse/" and the bound.
func (b *Bounded) Name() string {
	if b.bound < 0 {
		return b.reverse.Name() + "/" + iterative
	}
	return fmt.Sprintf("%s/%d", b.reverse.Name(), b.bound)
}

var (
	_ explore.PrefixReuser        = (*Bounded)(nil)
	_ explore.ClassRepresentative = (*Bounded)(nil)
	_ explore.Reporter            = (*Bounded)(nil)
)

// Start is explore.Strategy: depth first that of Search, else the next class of this level, or the first of the next.
func (b *Bounded) Start() bool {
	r := b.reverse
	if b.bound >= 0 {
		more := r.Start()
		if !more && !r.diverged && r.blocked == 0 {
			b.completeTo = b.bound
		}
		return more
	}
	if !r.started {
		return r.Start()
	}
	r.depth, r.diverge, r.refused = 0, nil, false
	if b.here == 0 {
		if !r.diverged && r.blocked == 0 {
			b.completeTo = b.level
		}
		b.here = len(b.pending)
		b.level++
	}
	if len(b.pending) == 0 {
		r.done = true
		r.walk.Turn(0, 0)
		return false
	}
	rec := b.pending[0]
	c := rec.take()
	if !rec.more() {
		b.pending[0] = nil
		b.pending = b.pending[1:]
		b.here--
	}
	r.lead(rec, c)
	return true
}

// Learn leaves out what has more deviations than the bound, or puts it off.
func (b *Bounded) Learn(tr *trace.Trace, cut bool) {
	r := b.reverse
	n := len(r.levels)
	r.Learn(tr, cut)
	if len(r.levels) == n {
		return
	}
	rec := r.levels[n]
	switch {
	case b.bound < 0:
		r.levels = r.levels[:n]
		if rec.more() {
			b.pending = append(b.pending, rec)
		}
	case b.base+n == b.bound && rec.more():
		rec.children, rec.spreads, rec.outline, r.cutOff = nil, nil, nil, true
	}
}

// Report is explore.Reporter. The estimate is of the classes within the bound. Level by level there is none before the
// end.
func (b *Bounded) Report() explore.Report {
	r := b.reverse.counts()
	if b.bound >= 0 || b.reverse.done {
		r = b.reverse.Report()
	}
	r.Within, r.Undivided = b.within(), b.undivided()
	return r
}

// within says up to how many deviations all classes were executed, "" if that is not known of any number.
func (b *Bounded) within() string {
	switch {
	case b.completeTo < 0 || b.reverse.doubt != "":
		return ""
	case b.completeTo == 1:
		return "1 deviation"
	}
	return strconv.Itoa(b.completeTo) + " deviations"
}

// The methods that follow are those of Search. It is not embedded: an item of this search has to have the number of
// deviations too.

// Choose is explore.Strategy.
func (b *Bounded) Choose(tr *trace.Trace, enabled []trace.Step) explore.Choice {
	return b.reverse.Choose(tr, enabled)
}

// Complete reports whether an execution of every class was executed, and none was beyond the bound.
func (b *Bounded) Complete() bool { return b.reverse.Complete() }

// Divergence describes a choice that was not ours.
func (b *Bounded) Divergence() *trace.Incident { return b.reverse.Divergence() }

// Bind is explore.Binder.
func (b *Bounded) Bind(e explore.Env) error { return b.reverse.Bind(e) }

// Open is explore.ExecutionObserver.
func (b *Bounded) Open(x explore.Execution) { b.reverse.Open(x) }

// Close is explore.ExecutionObserver.
func (b *Bounded) Close() { b.reverse.Close() }

// SharedPrefix is explore.PrefixReuser.
func (b *Bounded) SharedPrefix() int { return b.reverse.SharedPrefix() }

// Resume is explore.PrefixReuser.
func (b *Bounded) Resume(n int) { b.reverse.Resume(n) }

// HappensBefore is explore.ClassRepresentative.
func (b *Bounded) HappensBefore(i, j int32) bool { return b.reverse.HappensBefore(i, j) }
