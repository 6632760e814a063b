package actor

import (
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// This file has the driver choose a step where so many are possible that a list of them before each step takes long.

// offer is explore.Offer.
type offer struct {
	m     *machine
	fires []trace.Step // timers that may fire
	step  trace.Step   // that was chosen
}

// offers reports whether the driver need not see a list.
func (m *machine) offers() bool {
	_, ok := m.d.(explore.OfferTaker)
	return ok
}

// chooseOf is choose where the last list was long. The machine stays with it for the rest of the execution: that costs
// little where there are few again.
func (m *machine) chooseOf() (*trace.Step, bool) {
	o := &m.offer
	for {
		if o.fires = m.timers.firings(o.fires[:0]); o.Len() > 0 {
			break
		}
		if !m.timers.advance() {
			return nil, false
		}
	}
	if m.undo.on {
		m.undo.mark(false)
	}
	var ok bool
	o.step, m.choice, ok = m.d.(explore.OfferTaker).ChooseOf(o)
	return &o.step, ok
}

// Len is explore.Offer.Len.
func (o *offer) Len() int { return o.m.pool.Count(&o.m.handlers) + len(o.fires) }

// First is explore.Offer.First.
func (o *offer) First() trace.Step {
	s, ok := o.m.pool.First(&o.m.handlers)
	for i := range o.fires {
		if !ok || o.fires[i].Before(&s) {
			s, ok = o.fires[i], true
		}
	}
	return s
}

// Find is explore.Offer.Find.
func (o *offer) Find(actor int32, id trace.ID) (trace.Step, bool) {
	if i := trace.Find(o.fires, id); i >= 0 {
		return o.fires[i], true
	}
	return o.m.pool.Find(&o.m.handlers, actor, id)
}

// All is explore.Offer.All.
func (o *offer) All() []trace.Step {
	m := o.m
	m.steps = append(m.pool.Enabled(m.steps[:0], &m.handlers), o.fires...)
	return m.steps
}
