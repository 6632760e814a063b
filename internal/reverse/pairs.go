package reverse

import (
	"math/bits"
	"slices"

	"github.com/rehearse-go/rehearse/internal/bitset"
)

// This file finds the pairs of macro-steps of a class that may make a child: line V4 of docs/algorithms.md.

// pair are two macro-steps that depend on each other, of which the second might be taken instead of the first.
type pair struct{ p, i int32 }

// findPairs finds the pairs that may make a child, in the order of their first parts.
//
// The second step cannot come instead of the first if what it needs there needs the first. It needs what sent its
// message and, unless it takes that, the step of its actor before. So of what happens before it only the rest is looked
// at.
func (c *deviations) findPairs() {
	c.pairs, c.odd = c.pairs[:0], cleared(c.odd, c.words)
	for i := range c.blocks {
		if c.blocks[i].odd {
			c.odd.Add(int32(i))
		}
	}
	for i := range c.blocks {
		if c.env.GivesUp() {
			break
		}
		low, open := max(c.lowest[i], 0), c.openFrom(int32(i))
		c.pairsOf(int32(i), max(low, open), int32(i), nil)
		c.pairsOf(int32(i), low, open, c.odd)
		if c.tied > 0 {
			c.pairsOf(int32(i), open, min(low, c.tied), nil)
			c.pairsOf(int32(i), 0, min(low, c.tied, open), c.odd)
		}
	}
	c.sortPairs()
}

// pairsOf finds those of macro-step i whose first part is from low on and before end, and among these, if not nil.
func (c *deviations) pairsOf(i, low, end int32, among bitset.Set) {
	if end <= low {
		return
	}
	x := &c.blocks[i]
	needs := c.needed(x)
	for w := int(end-1) >> 6; w >= int(low>>6); w-- {
		left := x.past[w] &^ needs.word(w)
		if among != nil {
			left &= among[w]
		}
		for left != 0 {
			p := int32(w<<6 + bits.Len64(left) - 1)
			left &^= 1 << (p & 63)
			c.looked++
			if t := &c.blocks[p]; p >= low && p < end && t.label == byS && c.order.Collide(t.event, t.end, x.event, x.end) {
				c.pairs = append(c.pairs, pair{p, i})
			}
		}
	}
}

// needs are macro-steps with all that happens before them.
type needs struct {
	c     *deviations
	steps [2]int32 // -1: none
}

// needed gives what macro-step x needs wherever it is taken.
func (c *deviations) needed(x *block) needs {
	n := needs{c, [2]int32{-1, -1}}
	if e := c.order.Parent(x.event); e >= 0 {
		n.steps[0] = c.blockOf[e]
	}
	if e := c.order.Own(x.event); e >= 0 && !c.order.Takes(x.event) {
		n.steps[1] = c.blockOf[e]
	}
	return n
}

// word gives word w of the set.
func (n needs) word(w int) (word uint64) {
	for _, b := range n.steps {
		if b < 0 {
			continue
		}
		word |= n.c.blocks[b].past[w]
		if int(b>>6) == w {
			word |= 1 << (b & 63)
		}
	}
	return word
}

// sortPairs puts those of one first part together, and leaves these in the order in which they were found, which is
// that of their second parts: there may be millions.
func (c *deviations) sortPairs() {
	c.starts = cleared(c.starts, len(c.blocks)+1)
	for _, x := range c.pairs {
		c.starts[x.p+1]++
	}
	for p := range c.blocks {
		c.starts[p+1] += c.starts[p]
	}
	c.sorted = slices.Grow(c.sorted[:0], len(c.pairs))[:len(c.pairs)]
	for _, x := range c.pairs {
		c.sorted[c.starts[x.p]] = x
		c.starts[x.p]++
	}
	c.pairs, c.sorted = c.sorted, c.pairs
}
