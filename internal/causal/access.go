package causal

import "github.com/rehearse-go/rehearse/trace"

// Accesses gives footprints event by event, without an Order. Declared effects of handlers do not count.
//
//	cost:       what the event has of messages, stops, timers
//	checked by: access_test.go against Order
type Accesses struct{}

// Written calls f for the objects that event e writes, some more than once. everything: the event is one that all steps
// depend on. So a pending step, of which no more is known than objects that it writes (Expected), depends on the event
// if that writes one of them.
func (Accesses) Written(model trace.Model, tr *trace.Trace, e int32, f func(object trace.ID)) (everything bool) {
	if advances(tr, e) {
		return true
	}
	written := func(p place, write bool) {
		if write {
			f(p.object(tr))
		}
	}
	ownAccess(tr, &tr.Events[e].Step, written)
	otherAccesses(model, tr, &tr.Events[e], written)
	return false
}

// Expected appends the objects that a pending step is known to write before it happens. everything: the step depends on
// all.
func (Accesses) Expected(model trace.Model, tr *trace.Trace, s *trace.Step,
	objects []trace.ID) (written []trace.ID, everything bool) {
	written = objects
	f := func(p place, write bool) {
		if write {
			written = append(written, p.object(tr))
		}
	}
	switch s.Kind {
	case trace.Advance:
		return objects, true
	case trace.Timer, trace.Send:
		arrival(model, tr, s, s.Message, f)
	}
	ownAccess(tr, s, f)
	return written, false
}

// Of adds what the events [from, end) accessed, which are a step with the choices in its middle or a part of one.
func (Accesses) Of(model trace.Model, tr *trace.Trace, from, end int32, into Footprint) Footprint {
	if advances(tr, from) {
		return append(into, Advancing()...)
	}
	f := func(p place, write bool) { into = into.with(Access{p.object(tr), write}) }
	for e := from; e < end; e++ {
		ownAccess(tr, &tr.Events[e].Step, f)
		otherAccesses(model, tr, &tr.Events[e], f)
	}
	return into
}

// Union is what several steps accessed: the objects, and whether one of the steps wrote it. None of the steps is an
// advance of the clock.
type Union map[trace.ID]bool

// Add adds an access, and reports whether it is news.
func (u Union) Add(a Access) bool {
	written, known := u[a.Object]
	if known && (written || !a.Write) {
		return false
	}
	u[a.Object] = a.Write
	return true
}

// AddAll adds what is in v.
func (u Union) AddAll(v Union) {
	for object, written := range v {
		u.Add(Access{object, written})
	}
}

// Dependent is Dependent of footprints: whether one of the steps depends on one of those of v.
func (u Union) Dependent(v Union) bool {
	for object, written := range u {
		if other, both := v[object]; both && (written || other) {
			return true
		}
	}
	return false
}

// advances reports whether event e is an advance of the clock, or a choice in the middle of one.
func advances(tr *trace.Trace, e int32) bool {
	return tr.Events[tr.StepOf(e)].Step.Kind == trace.Advance
}
