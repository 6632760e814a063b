package explore

import "github.com/rehearse-go/rehearse/trace"

// This file is for executions in which very many actors have something to do. To list what is possible before each of n
// steps takes the square of n: of 40,000 actors 24 s. A strategy that wants the first step, or a certain one, is asked
// without a list.

// Wide is from how many steps on a System offers what is possible, if the Driver is an OfferTaker. Fewer are listed
// sooner.
const Wide = 64

// Offer is what is possible now, as Driver.Choose would list it. It is valid until the step is taken.
type Offer interface {
	// Len is the number of steps, at least 1.
	Len() int
	// First is the first one in the default order.
	First() trace.Step
	// Find gives the step with this identity, which is one of this actor. It reports false if there is none.
	Find(actor int32, id trace.ID) (trace.Step, bool)
	// All lists the steps. It takes as long as there are.
	All() []trace.Step
}

// OfferTaker is a Driver that need not see all steps. The loop is one.
type OfferTaker interface {
	Driver
	// ChooseOf is Choose without a list. It gives the step; Choice.Index means nothing.
	ChooseOf(o Offer) (trace.Step, Choice, bool)
}

// Picker is a Strategy that need not see all steps. A type that embeds one and has a Choose of its own needs a Pick of
// its own, too.
type Picker interface {
	Strategy
	// Pick picks a step as Choose would, of the same steps. It reports false where it needs the list after all: Choose is
	// called then, and nothing has changed. Choice.Index means nothing.
	Pick(tr *trace.Trace, o Offer) (trace.Step, Choice, bool)
}

// PickBy has a strategy pick, if it can.
func PickBy(s Strategy, tr *trace.Trace, o Offer) (trace.Step, Choice, bool) {
	if p, ok := s.(Picker); ok {
		return p.Pick(tr, o)
	}
	return trace.Step{}, Choice{}, false
}

// ChooseOf is OfferTaker.ChooseOf.
func (r *run) ChooseOf(o Offer) (trace.Step, Choice, bool) {
	if !r.goesOn(false) {
		return trace.Step{}, Choice{}, false
	}
	if r.mayHalt() && r.halts() {
		if r.why != "" {
			first := o.First()
			r.livelock(&first)
		}
		return trace.Step{}, Choice{}, false
	}
	s, c, picked := trace.Step{}, Choice{}, false
	switch {
	case r.c.Draws > 0:
		// a choice may be one that is made again (draws.go)
	case r.left:
		s, picked = o.First(), true
	default:
		s, c, picked = PickBy(r.chooser, r.tr, o)
	}
	if !picked {
		all := o.All()
		c = r.choiceOrAgain(all)
		if c.Index < 0 || c.Index >= len(all) {
			r.cut = true
			return s, c, false
		}
		s = all[c.Index]
	}
	r.count(s.Kind, c.Replayed)
	if r.o.Step != nil {
		r.tellStep(c, &s)
	}
	return s, c, true
}

var _ OfferTaker = (*run)(nil)
