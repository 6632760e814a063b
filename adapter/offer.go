package adapter

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// This file has the driver choose a step. Where so many are possible that a list of them before each step takes long,
// it is asked without one.

// offer is explore.Offer.
type offer struct {
	st     *stepper
	listed bool         // all of them are in enabled
	also   []trace.Step // beside those of the pool: that time passes
}

// list finds out what is possible. passes: among it that time passes.
func (st *stepper) list(passes bool) *offer {
	o := &st.offer
	_, takes := st.d.(explore.OfferTaker)
	o.st, o.listed = st, len(st.enabled) < explore.Wide || !takes
	if o.also = o.also[:0]; passes {
		o.also = append(o.also, st.clock.step())
	}
	if o.listed {
		o.All()
	}
	return o
}

// choose has the driver choose.
func (st *stepper) choose(o *offer) (trace.Step, explore.Choice, bool) {
	if o.listed {
		return st.drawing.choose(st.enabled)
	}
	return st.drawing.chooseOf(o)
}

// Len is explore.Offer.Len.
func (o *offer) Len() int {
	if o.listed {
		return len(o.st.enabled)
	}
	return o.st.pool.Count(o.st.cast) + len(o.also)
}

// First is explore.Offer.First.
func (o *offer) First() trace.Step {
	s, ok := o.st.pool.First(o.st.cast)
	for i := range o.also {
		if !ok || o.also[i].Before(&s) {
			s, ok = o.also[i], true
		}
	}
	return s
}

// Find is explore.Offer.Find.
func (o *offer) Find(actor int32, id trace.ID) (trace.Step, bool) {
	if i := trace.Find(o.also, id); i >= 0 {
		return o.also[i], true
	}
	return o.st.pool.Find(o.st.cast, actor, id)
}

// All is explore.Offer.All.
func (o *offer) All() []trace.Step {
	o.st.enabled = append(o.st.pool.Enabled(o.st.enabled[:0], o.st.cast), o.also...)
	return o.st.enabled
}
