package explore

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/trace"
)

// This file tries what Go may choose in final checks. They come behind all steps, so no strategy has to know of them.
// When it has ended, each execution whose final checks have drawn is executed again, step for step, with the other
// values of the draws. A worker process does so right behind the execution: what it reports is done (Options.EndsStop).
//
//	source:     own. An execution with a list of draws stands for all that begin like it; each value that was not
//	            taken behind the forced ones makes one more list
//	assumes:    final checks draw the same after the same steps and draws (tr.Ends), and classes of executions have
//	            the same final checks
//	invariants: I1 each list of draws of an execution is executed once, or its places are told (Outcome.OneSeed)
//	cost:       one execution for each list but the first, and a copy of the record of each execution that draws
//	checked by: actor/ends_test.go, against a brute-force enumeration

// ends is what the loop knows of draws in final checks.
type ends struct {
	kept    []keptEnd
	events  int             // in all that is kept
	left    map[string]bool // places of draws whose other values were not tried
	running bool
}

// keptEnd is an execution that is to be executed again.
type keptEnd struct {
	keptExecution
	end int // its events before its final checks
}

// noteEnds keeps the execution that is over, if its final checks have drawn.
func (r *run) noteEnds() {
	if !slices.ContainsFunc(r.tr.Ends, func(d trace.EndDraw) bool { return d.Explored }) || !r.counts {
		return
	}
	e := &r.ends
	if !r.o.Ends || r.left || e.events+len(r.tr.Events) > maxKeptEvents {
		e.leave(r.tr.Ends)
		return
	}
	e.events += len(r.tr.Events)
	e.kept = append(e.kept, keptEnd{keptExecution{trace: r.tr.Clone(), under: r.c.asked()}, r.end})
}

// leave notes draws whose other values are not tried.
func (e *ends) leave(draws []trace.EndDraw) {
	for i := range draws {
		if draws[i].Explored {
			if e.left == nil {
				e.left = map[string]bool{}
			}
			e.left[draws[i].Place+" in "+FinalCheck.String()] = true
		}
	}
}

// exploreEnds executes what is kept with the other values.
func (r *run) exploreEnds() error {
	r.ends.running = true
	defer func() { r.ends.running = false }()
	for i := range r.ends.kept {
		k := &r.ends.kept[i]
		todo := otherEnds(nil, 0, k.trace.Ends)
		for len(todo) > 0 {
			if !r.mayTryEnds() {
				r.ends.leave(k.trace.Ends)
				break
			}
			last := todo[len(todo)-1]
			drawn, err := r.executeEnd(k, last)
			if err != nil {
				return err
			}
			todo = otherEnds(todo[:len(todo)-1], len(last), drawn)
		}
		k.trace = nil
	}
	r.ends.kept, r.ends.events = r.ends.kept[:0], 0
	return nil
}

// mayTryEnds reports whether there is time for one more execution.
func (r *run) mayTryEnds() bool {
	over := r.o.EndsStop
	if over == nil {
		over = r.o.Stop
	}
	switch {
	case r.stopped, r.late(), over != nil && over(), r.out.Diverged:
		return false
	}
	n := r.o.Budget.Executions
	return n <= 0 || r.out.Executions+r.out.Blocked < n
}

// otherEnds adds a list for each value that was not taken, behind the first so many draws.
func otherEnds(todo [][]uint32, from int, drawn []trace.EndDraw) [][]uint32 {
	for i := len(drawn) - 1; i >= from; i-- {
		for v := drawn[i].N - 1; v >= 0 && drawn[i].Explored; v-- {
			if v == drawn[i].Value {
				continue
			}
			var values []uint32
			for _, d := range drawn[:i] {
				values = append(values, uint32(d.Value))
			}
			todo = append(todo, append(values, uint32(v)))
		}
	}
	return todo
}

// executeEnd executes what is kept with given draws, and gives those that there were.
func (r *run) executeEnd(k *keptEnd, values []uint32) ([]trace.EndDraw, error) {
	c := k.under
	c.EndDraws = values
	before := *k.trace
	before.Events = before.Events[:k.end]
	if err := r.execute(&untilEnd{r.o.Repeat(&before), k.end}, c); err != nil {
		return nil, err
	}
	if r.stopped {
		r.out.Reason = "found"
	}
	if r.left {
		r.ends.leave(k.trace.Ends) // the time was up in the middle
	}
	drawn := r.tr.Ends
	for i, v := range values {
		if i < len(drawn) && drawn[i].Value == int(v) {
			continue
		}
		if !r.cut && !r.left && !r.out.Diverged {
			place := k.trace.Ends[min(i, len(k.trace.Ends)-1)].Place
			r.out.Uncontrolled = cmp.Or(r.out.Uncontrolled,
				place+" in a final check was drawn from otherwise when the same steps were taken again")
		}
		return nil, nil
	}
	return drawn, nil
}

// places names what was not tried.
func (e *ends) places() string {
	return strings.Join(slices.Sorted(maps.Keys(e.left)), ", ")
}

// untilEnd repeats an execution up to its final checks.
type untilEnd struct {
	Strategy
	end int
}

// Learn is Strategy.Learn.
func (u *untilEnd) Learn(tr *trace.Trace, cut bool) {
	whole := tr.Events
	tr.Events = whole[:min(u.end, len(whole))]
	u.Strategy.Learn(tr, cut)
	tr.Events = whole
}

// Divergence is Diverger.Divergence.
func (u *untilEnd) Divergence() *trace.Incident {
	if d, ok := u.Strategy.(Diverger); ok {
		return d.Divergence()
	}
	return nil
}

var _ Diverger = (*untilEnd)(nil)
