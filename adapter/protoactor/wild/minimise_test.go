package wild

import (
	"slices"

	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// This file: programs are made smaller as long as a comparison fails, so that a person can see what is wrong.

// minimise gives a trial that still fails and of which no part can be left out.
func (x *trial) minimise() *trial { return x.minimiseFor((*trial).disagrees) }

func (x *trial) minimiseFor(fails func(*trial) bool) *trial {
	return toy.Smallest(x, func(x *trial, i int) (*trial, bool) {
		n := x.clone()
		return n, n.simplify(i)
	}, fails)
}

func (x *trial) clone() *trial {
	n, p := *x, *x.program
	n.program = &p
	p.first, p.roots, p.routers, p.setUps = slices.Clone(p.first), slices.Clone(p.roots), slices.Clone(p.routers), slices.Clone(p.setUps)
	return &n
}

// simplify does the i-th of all simplifications; false: there are not so many.
func (x *trial) simplify(i int) bool {
	pick := func() bool { i--; return i < 0 }
	ok := false
	if x.first, ok = without(x.first, pick); ok {
		return true
	}
	if x.setUps, ok = without(x.setUps, pick); ok {
		return true
	}
	if x.routers, ok = without(x.routers, pick); ok {
		return true
	}
	if len(x.roots) > 1 {
		if x.roots, ok = without(x.roots, pick); ok {
			return true
		}
	}
	for i := range x.kinds {
		if x.kinds[i].simplify(pick) {
			return true
		}
	}
	return x.plainer(pick)
}

// simplify leaves a deed out, or what is around an actor.
func (k *kind) simplify(pick func() bool) bool {
	for mode := range k.handlers {
		for event := range k.handlers[mode] {
			deeds, ok := without(k.handlers[mode][event], pick)
			if ok {
				k.handlers[mode][event] = deeds
				return true
			}
			for j, d := range deeds {
				if d.what != "send" && pick() {
					deeds = slices.Clone(deeds)
					deeds[j] = deed{what: "send", to: d.to, typ: d.typ}
					k.handlers[mode][event] = deeds
					return true
				}
			}
		}
	}
	switch {
	case k.around != "" && pick():
		k.around = ""
	case k.strategy != "" && pick():
		k.strategy = ""
	default:
		return false
	}
	return true
}

// plainer makes the conditions plainer.
func (x *trial) plainer(pick func() bool) bool {
	switch {
	case x.hops > 1 && pick():
		x.hops--
	case x.listens && pick():
		x.listens = false
	case x.guarded && pick():
		x.guarded = false
	case x.cond.Timers != trace.Quiescent && pick():
		x.cond.Timers = trace.Quiescent
	case x.cond.Faults.On() && pick():
		x.cond.Faults = trace.Faults{}
	default:
		return false
	}
	return true
}

// without leaves one out.
func without[T any](list []T, pick func() bool) ([]T, bool) {
	for i := range list {
		if pick() {
			return slices.Delete(slices.Clone(list), i, i+1), true
		}
	}
	return list, false
}
