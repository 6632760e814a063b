package explore

import "github.com/rehearse-go/rehearse/trace"

// ClassRepresentative is a Strategy that executes one of many equivalent executions, which stands for its class. Such
// an execution goes on after a violation: what is independent of it comes first in another execution, which is never
// executed, and may violate something too. What happens after a violation is its consequence and no finding of its own.
type ClassRepresentative interface {
	Strategy
	// HappensBefore reports, after Learn, whether event i of the last execution happens before event j; both are indices
	// into its trace.
	HappensBefore(i, j int32) bool
}

// firsts gives the violations that no other one happens before. A choice in the middle of a step and what follows it
// belong to the step: what needs a part of it comes after all.
func (r *run) firsts(tr *trace.Trace, found []trace.Violation) []trace.Violation {
	leads := func(u, v int) bool {
		if u >= len(tr.Events) || v >= len(tr.Events) {
			return r.representative.HappensBefore(int32(u), int32(v))
		}
		step := tr.StepOf(int32(u))
		return r.representative.HappensBefore(int32(u), int32(v)) || step != tr.StepOf(int32(v)) &&
			r.representative.HappensBefore(step, int32(v))
	}
	var firsts []trace.Violation
	for _, v := range found {
		first := true
		for _, u := range found {
			if u.Event != v.Event && leads(u.Event, v.Event) {
				first = false
			}
		}
		if first {
			firsts = append(firsts, v)
		}
	}
	return firsts
}

// sift decides, after an execution that went on after its first violation, what is reported. A violation in the middle
// is reported with an execution of its own, which holds only what leads to it; that is executed once for each distinct
// violation. All of an execution leads to its end, and to what final assertions bring about.
func (r *run) sift(tr *trace.Trace) {
	found := r.firsts(tr, r.found)
	r.found = nil
	for _, v := range found {
		if v.Event >= r.end {
			r.found = append(r.found, v)
			continue
		}
		key := v.Key()
		if r.met[key] {
			continue
		}
		if r.met == nil {
			r.met = map[string]bool{}
		}
		r.met[key] = true
		if r.o.Found != nil {
			r.focuses = append(r.focuses, r.focusOn(tr, v))
		}
	}
}

// focusOn makes the strategy that executes only what leads to a violation.
func (r *run) focusOn(tr *trace.Trace, v trace.Violation) *focus {
	f := &focus{whole: tr.Clone(), violation: v}
	before := false // whether the event before was taken
	for e := tr.Explored; e < len(tr.Events); e++ {
		ev := &tr.Events[e]
		before = e == v.Event || r.representative.HappensBefore(int32(e), int32(v.Event)) || before && ev.Step.Kind.Chooses()
		if !before || ev.Auto {
			continue
		}
		s := forced{id: ev.Step.ID, kind: ev.Step.Kind}
		if ev.Released >= 0 {
			s.first = tr.Messages[ev.Released].ID
		}
		f.steps = append(f.steps, s)
	}
	return f
}

// focus takes given steps and ends the execution.
type focus struct {
	whole     *trace.Trace // the execution in which the violation was found
	violation trace.Violation
	steps     []forced
	next      int
}

type forced struct {
	id    trace.ID
	kind  trace.Kind
	first trace.ID
}

// Name is Strategy.Name.
func (*focus) Name() string { return "focus" }

// Start is Strategy.Start.
func (*focus) Start() bool { return true }

// Choose takes the next step; of an injected fault that is not among the steps it takes none.
func (f *focus) Choose(_ *trace.Trace, enabled []trace.Step) Choice {
	if f.next < len(f.steps) {
		s := f.steps[f.next]
		if i := trace.Find(enabled, s.id); i >= 0 {
			f.next++
			return Choice{Index: i, First: s.first}
		}
	}
	if enabled[0].Kind == trace.Fault {
		return Choice{Index: trace.First(enabled)}
	}
	return Choice{Index: -1}
}

// Learn is Strategy.Learn.
func (*focus) Learn(*trace.Trace, bool) {}

// Complete is Strategy.Complete.
func (*focus) Complete() bool { return false }

// report executes what leads to each violation that was found in the middle of an execution.
func (r *run) report() error {
	for len(r.focuses) > 0 && !r.stopped {
		f := r.focuses[0]
		r.focuses = r.focuses[1:]
		if err := r.execute(f, r.conditions()); err != nil {
			return err
		}
		if len(r.found) == 0 && !r.o.Found(r.foundIn(f.whole, f.violation)) {
			// The steps did not lead there again; the repetition of the whole will tell why.
			r.stopped = true
		}
	}
	r.focuses = nil
	return nil
}
