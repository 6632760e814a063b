package reverse

import (
	"slices"

	"github.com/rehearse-go/rehearse/internal/bitset"
)

// This file makes the children of a class that move the same step and differ in what comes before it: the sets Z of
// docs/decisions/0008. There may be exponentially many, so they are made a few at a time, as they are visited.
//
//	source:     ours: docs/decisions/0008
//	invariants: each set is made once; where the class is plain, each is a child
//	cost:       memory: twice the others in sets of macro-steps for each pair that has some, and the pasts of the class.
//	            Of a class that is not plain all children are made at once
//	checked by: effects_test.go

// spread stands for the children of a class that move one step before one other, one child for every set of macro-steps
// that may come before it.
type spread struct {
	of     *outline
	ch     child
	p      int32
	others []int32    // any of which may come before the step that is moved, with what they need
	must   bitset.Set // deviations that have to: where the class is not plain that is not known, and there are none
	ahead  []ahead
	open   []partial // the last is gone on with first
}

// outline is what is kept of a class for its spreads, since the class itself is overwritten by the next one.
type outline struct {
	pasts []bitset.Set // by macro-step: what it needs and itself
	spans [][2]int32
}

// ahead is an earlier deviation from the same step of S. The step that is moved has to be read after it. It is if that
// deviation has the lesser rank, or is in the past of the step.
type ahead struct {
	y    int32
	less bool
}

// partial is a set that is decided for the first k others: past comes before the step that is moved, and none of out
// does.
type partial struct {
	k         int
	past, out bitset.Set
}

const (
	atOnce   = 16 // children are made at a time
	guessed  = 10 // of the others that are not decided yet count in a guess
	mostLeft = 1 << guessed
)

// spread offers a child with every set of the others before the step that deviates, beside past. Of a class that is not
// plain it is decided now which of them are children, since that takes the class.
func (c *class) spread(p int32, ch child, past bitset.Set, r rank, others []int32) {
	s := &spread{of: c.outlined(), ch: ch, p: p, others: others, ahead: c.aheadOf(p, r)}
	s.open = []partial{{0, slices.Clone(past), make(bitset.Set, c.words)}}
	if c.plain {
		s.must = slices.Clone(c.must)
		for i := range p + 1 {
			s.must.Remove(i)
		}
		if s.ch.t = c.blocks[p].id; s.possible(&s.open[0]) {
			c.rec.spreads = append(c.rec.spreads, s)
		}
		return
	}
	for past := s.next(); past != nil; past = s.next() {
		c.offer(p, ch, past, r)
	}
}

// outlined gives the outline of the class at hand.
func (c *class) outlined() *outline {
	if c.rec.outline == nil {
		o := &outline{}
		all := make(bitset.Set, len(c.blocks)*c.words)
		for i := range c.blocks {
			past := all[i*c.words : (i+1)*c.words : (i+1)*c.words]
			copy(past, c.blocks[i].past)
			past.Add(int32(i))
			o.pasts, o.spans = append(o.pasts, past), append(o.spans, [2]int32{c.blocks[i].lo, c.blocks[i].hi})
		}
		c.rec.outline = o
	}
	return c.rec.outline
}

// aheadOf gives the deviations from macro-step p that one of this rank is read after only if it is less, the last
// first.
func (c *class) aheadOf(p int32, r rank) (list []ahead) {
	for k := len(c.displaced) - 1; k >= 0; k-- {
		y := c.blockAt(c.displaced[k].at)
		if y >= p {
			continue
		}
		if c.displaced[k].t != c.blocks[p].id || r.follows(y) {
			break
		}
		list = append(list, ahead{y, c.rankOf(y, p).before(r)})
	}
	return list
}

// next gives what comes before the step that is moved in another child, nil if there is none.
func (s *spread) next() bitset.Set {
	for len(s.open) > 0 {
		at := s.open[len(s.open)-1]
		s.open = s.open[:len(s.open)-1]
		for at.k < len(s.others) && (at.past.Has(s.others[at.k]) || s.of.pasts[s.others[at.k]].Meets(at.out)) {
			at.k++
		}
		if at.k == len(s.others) {
			return at.past
		}
		y := s.others[at.k]
		without, with := partial{at.k + 1, at.past, slices.Clone(at.out)}, partial{at.k + 1, slices.Clone(at.past), at.out}
		without.out.Add(y)
		with.past.AddAll(s.of.pasts[y])
		for _, next := range []partial{without, with} {
			if s.possible(&next) {
				s.open = append(s.open, next)
			}
		}
	}
	return nil
}

// possible reports whether a child may still come of what is decided. Take all the others that may come before. Then
// the deviations that have to come before must be among them, and the step that is moved must be read last. If that is
// not so, it is so for no smaller set.
func (s *spread) possible(at *partial) bool {
	most := slices.Clone(at.past)
	for _, y := range s.others[at.k:] {
		if past := s.of.pasts[y]; !past.Meets(at.out) {
			most.AddAll(past)
		}
	}
	for _, d := range s.ahead {
		if most.Has(d.y) {
			break
		}
		if !d.less {
			return false
		}
	}
	return s.must == nil || s.must.Within(most)
}

// children makes a few children.
func (s *spread) children(all []child) []child {
	for n := 0; n < atOnce; n++ {
		past := s.next()
		if past == nil {
			break
		}
		ch := s.ch
		for b := s.p + 1; int(b) < len(s.of.spans); b++ {
			if past.Has(b) {
				for k := s.of.spans[b][0]; k < s.of.spans[b][1]; k++ {
					ch.past = append(ch.past, k)
				}
			}
		}
		all = append(all, ch)
	}
	return all
}

// more reports whether there are children left, and makes some if those at hand are used up.
func (rec *record) more() bool {
	for len(rec.children) == 0 && len(rec.spreads) > 0 {
		last := len(rec.spreads) - 1
		rec.children = rec.spreads[last].children(rec.children)
		if len(rec.spreads[last].open) == 0 {
			rec.spreads = rec.spreads[:last]
		}
	}
	if len(rec.spreads) == 0 {
		rec.outline = nil
	}
	return len(rec.children) > 0
}

// take gives a child that is left.
func (rec *record) take() child {
	last := len(rec.children) - 1
	c := rec.children[last]
	rec.children = rec.children[:last]
	return c
}

// first gives another one, which would be visited last of those at hand.
func (rec *record) first() child {
	c := rec.children[0]
	rec.children = rec.children[1:]
	return c
}

// left is a guess of how many children are left, for estimates: those that are not made yet count as if none of the
// others needed another one.
func (rec *record) left() int {
	n := len(rec.children)
	for _, s := range rec.spreads {
		for i := range s.open {
			n += 1 << min(len(s.others)-s.open[i].k, guessed)
		}
	}
	return min(n, max(mostLeft, len(rec.children)))
}
