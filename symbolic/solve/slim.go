package solve

import (
	"cmp"
	"slices"

	"github.com/rehearse-go/rehearse/symbolic/term"
)

// This file leaves conditions out that others imply, where each is about one variable and a constant: x + c < k and its
// like. A counter that an actor counts down has one such condition for each message, and a hundred of them take a
// circuit seconds.
//
// Such a condition excludes an arc of the circle of the words. Conditions on one variable are what the union of their
// arcs excludes, and few arcs have the same union.
//
//	source:     covering of a circle by arcs; no paper
//	invariants: I1 what is left holds for the same values. I2 if nothing is left over of the circle, the arcs that cover
//	               it are a core
//	cost:       sorting the conditions on a variable
//	checked by: slim_test.go, against enumeration of words of 8 bits, and with the other conditions by twin_test.go

// arc is a part of the circle of words that a condition excludes: length words from first on, at least one and not all.
type arc struct {
	first, length uint64
	cond          *term.Term
}

// stretch is an arc, or a part of one, that does not go past the greatest word.
type stretch struct {
	low, high uint64
	cond      *term.Term
}

// slim gives conditions that hold for the same values, or that exclude each other.
func slim(conds []*term.Term) (few []*term.Term, exclude bool) {
	by := map[*term.Term][]arc{}
	var order []*term.Term
	for _, c := range conds {
		v, a, ok := excluded(c)
		if !ok {
			continue
		}
		if by[v] == nil {
			order = append(order, v)
		}
		by[v] = append(by[v], a)
	}
	drop := map[*term.Term]bool{}
	for _, v := range order {
		if len(by[v]) < 2 {
			continue
		}
		kept, all := cover(by[v], v.Sort.Mask())
		if all {
			return slices.DeleteFunc(slices.Clone(conds), func(c *term.Term) bool { return !kept[c] }), true
		}
		for _, a := range by[v] {
			drop[a.cond] = !kept[a.cond]
		}
	}
	if len(order) == 0 {
		return conds, false
	}
	return slices.DeleteFunc(slices.Clone(conds), func(c *term.Term) bool { return drop[c] }), false
}

// excluded gives the arc that a condition excludes, if it is about a variable and a constant.
func excluded(c *term.Term) (v *term.Term, a arc, ok bool) {
	holds := true
	cond := c
	if c.Op == term.OpNot {
		c, holds = c.Args[0], false
	}
	if len(c.Args) != 2 || !c.Args[1].Const() {
		return nil, a, false
	}
	v, shift, ok := shifted(c.Args[0])
	if !ok {
		return nil, a, false
	}
	mask, k := v.Sort.Mask(), c.Args[1].Val
	least := uint64(0) // of the order
	switch c.Op {
	case term.OpSLess:
		least = mask>>1 + 1
	case term.OpULess:
	case term.OpEq:
		a = arc{(k - shift) & mask, 1, cond} // which is left out if the words are to differ
		if holds {
			a.first, a.length = (a.first+1)&mask, mask
		}
		return v, a, mask > 0
	default:
		return nil, a, false
	}
	below := (k - least) & mask // how many words are less
	if below == 0 {
		return nil, a, false // always, or never: nothing that a store makes
	}
	if holds { // what is not less
		return v, arc{(k - shift) & mask, (mask - below) + 1, cond}, true
	}
	return v, arc{(least - shift) & mask, below, cond}, true
}

// shifted takes a term apart that is a variable and a constant.
func shifted(t *term.Term) (v *term.Term, shift uint64, ok bool) {
	if t.Sort.Kind != term.WordKind {
		return nil, 0, false
	}
	switch {
	case t.Op == term.OpVar:
		return t, 0, true
	case t.Op == term.OpSum && len(t.Args) == 1 && t.Coef[0] == 1 && t.Args[0].Op == term.OpVar:
		return t.Args[0], t.Val, true
	}
	return nil, 0, false
}

// cover picks arcs with the same union as all, few of them, and reports whether that is the whole circle.
func cover(arcs []arc, mask uint64) (kept map[*term.Term]bool, all bool) {
	line := stretches(arcs, mask)
	kept = map[*term.Term]bool{}
	for i := 0; i < len(line); {
		start := line[i].low
		for next := start; ; { // the first word that is not covered yet
			var best *stretch
			for ; i < len(line) && line[i].low <= next; i++ {
				if line[i].high >= next && (best == nil || line[i].high > best.high) {
					best = &line[i]
				}
			}
			if best == nil {
				break
			}
			kept[best.cond] = true
			if best.high == mask {
				return kept, start == 0
			}
			next = best.high + 1
		}
	}
	return kept, false
}

// stretches cuts arcs where the circle of words is cut, and sorts what comes of it.
func stretches(arcs []arc, mask uint64) (line []stretch) {
	for _, a := range arcs {
		last := (a.first + a.length - 1) & mask
		if last < a.first {
			line = append(line, stretch{a.first, mask, a.cond}, stretch{0, last, a.cond})
		} else {
			line = append(line, stretch{a.first, last, a.cond})
		}
	}
	slices.SortStableFunc(line, func(a, b stretch) int { return cmp.Compare(a.low, b.low) })
	return line
}
