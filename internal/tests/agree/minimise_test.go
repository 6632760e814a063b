package agree

import (
	"maps"
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/internal/tests/toy"
	"github.com/rehearse-go/rehearse/trace"
)

// This file: wild programs are made smaller as long as a comparison fails, so that a person can see what is wrong.

// minimise gives a program that still fails and of which no part can be left out. d must fail.
func (d *drawn) minimise(fails func(*drawn) bool) *drawn {
	return toy.Smallest(d, func(d *drawn, i int) (*drawn, bool) {
		n := d.clone()
		return n, n.simplify(i)
	}, fails)
}

func (d *drawn) clone() *drawn {
	n, w := *d, *d.wild
	n.wild = &w
	w.roots, w.first, w.handlers = slices.Clone(w.roots), slices.Clone(w.first), map[[3]int][]deed{}
	for key, deeds := range d.handlers {
		w.handlers[key] = slices.Clone(deeds)
	}
	return &n
}

// simplify does the i-th of all simplifications; false: there are not so many.
func (d *drawn) simplify(i int) bool {
	pick := func() bool { i--; return i < 0 }
	var ok bool
	if d.first, ok = simpler(d.first, pick); ok {
		return true
	}
	for r := range d.roots {
		if pick() {
			d.roots = slices.Delete(d.roots, r, r+1)
			return true
		}
	}
	for _, key := range slices.SortedFunc(maps.Keys(d.handlers),
		func(a, b [3]int) int { return slices.Compare(a[:], b[:]) }) {
		if d.handlers[key], ok = simpler(d.handlers[key], pick); ok {
			return true
		}
	}
	switch {
	case d.left > 1 && pick():
		d.left--
	case d.cond.Timers != trace.Quiescent && pick():
		d.cond.Timers = trace.Quiescent
	case d.cond.Faults.On() && pick():
		d.cond.Faults = trace.Faults{}
	default:
		return false
	}
	return true
}

// simpler leaves a deed out, or makes one of a plainer kind.
func simpler(deeds []deed, pick func() bool) ([]deed, bool) {
	for i, d := range deeds {
		if pick() {
			return slices.Delete(deeds, i, i+1), true
		}
		for _, plain := range []deed{{"send", d.a, d.b}, {d.name, 0, d.b}, {d.name, d.a, 0}} {
			if plain != d && pick() {
				deeds[i] = plain
				return deeds, true
			}
		}
	}
	return deeds, false
}

func TestMinimise(t *testing.T) {
	d := feral.draw(3)
	d.handlers[[3]int{1, 1, 1}] = append(d.handlers[[3]int{1, 1, 1}], deed{"stop", 3, 2})
	has := func(d *drawn) bool { return slices.Contains(d.handlers[[3]int{1, 1, 1}], deed{"stop", 0, 2}) }
	if has(d) {
		t.Fatal("it is there before")
	}
	d.handlers[[3]int{1, 1, 1}][len(d.handlers[[3]int{1, 1, 1}])-1].a = 0
	small := d.minimise(has)
	deeds := len(small.first) + len(small.roots)
	for _, h := range small.handlers {
		deeds += len(h)
	}
	if !has(small) || deeds != 1 || small.left != 1 || small.cond.Timers != trace.Quiescent || small.cond.Faults.On() {
		t.Errorf("%d parts are left: %s", deeds, small)
	}
}
