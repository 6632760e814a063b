package prove

import (
	"math"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// depth is how many steps a proof may have one behind the other.
const depth = 14

// claim says that a <= b + k, in mathematics. All its values are known where it is made.
type claim struct {
	a, b base
	k    int64
}

// atMost gives the claim that a <= b + k, none if it leaves 64 bits.
func atMost(a, b node, k int64) []claim {
	if n, ok := b.plus(k); ok {
		if n, ok = n.less(a.add); ok {
			return []claim{{a.base, b.base, n.add}}
		}
	}
	return nil
}

// less takes a number away.
func (n node) less(k int64) (node, bool) {
	if k == math.MinInt64 {
		return n, false
	}
	return n.plus(-k)
}

// from gives the claim about other bases that is more than this one by a number: what was shown of a and b needs it of
// these. A number that grows beyond 64 bits is as good as the largest; one that falls below them cannot be shown.
func (c claim) from(a, b base, more int64) (claim, bool) {
	n, ok := node{add: c.k}.plus(more)
	if !ok {
		if more < 0 {
			return c, false
		}
		n.add = math.MaxInt64
	}
	return claim{a, b, n.add}, true
}

// prover is the proof of one claim.
type prover struct {
	program *Program     // nil: nothing is known but the function
	cells   []*ssa.Alloc // variables that are being shown not to be nil
	// in the statement something writes memory while other operands are looked at: loads are not compared
	mixed bool
	open  []claim    // on the way to here, since the last phi
	known []claim    // of earlier turns of loops
	phis  []*ssa.Phi // that are being shown not to be nil
	left  int        // steps
}

// steps bounds the work for one claim.
const steps = 3000

// within shows that a <= b + k where a block begins.
func (p *prover) within(a, b node, k int64, at *ssa.BasicBlock) bool {
	p.open, p.known, p.left = nil, nil, steps
	list := atMost(a, b, k)
	return len(list) == 1 && p.shows(list[0], at, factsAt(at))
}

// shows tries all steps. facts: what is known at the end of the block, or on the way from there to a phi.
func (p *prover) shows(c claim, at *ssa.BasicBlock, facts []fact) bool {
	if p.trivial(c) {
		return true
	}
	if slices.ContainsFunc(p.known, func(o claim) bool { return o.a == c.a && o.b == c.b && o.k <= c.k }) {
		return true // I2
	}
	if slices.ContainsFunc(p.open, func(o claim) bool { return o.a == c.a && o.b == c.b }) {
		return false
	}
	if p.left--; len(p.open)+len(p.known) >= depth || p.left < 0 {
		return false
	}
	p.open = append(p.open, c)
	defer func() { p.open = p.open[:len(p.open)-1] }()
	return p.byFacts(c, at, facts) || p.below(c, at, facts) || p.above(c, at, facts)
}

// trivial reports whether a claim is true of any values.
func (p *prover) trivial(c claim) bool {
	switch {
	case c.b.v == nil && c.k == math.MaxInt64: // nothing is above that
		return true
	case c.a.v == nil && c.b.length: // a length is not negative
		return c.k >= 0
	}
	return c.k >= 0 && p.sameBase(c.a, c.b)
}

// byFacts uses a branch, x <= y + n. Where a is x, y + n <= b + k is enough, and where b is y, a <= x + k - n.
func (p *prover) byFacts(c claim, at *ssa.BasicBlock, facts []fact) bool {
	for _, f := range facts {
		for _, known := range f.inequalities() {
			if known.k == math.MinInt64 {
				continue
			}
			if p.sameBase(c.a, known.a) && p.next(c, known.b, c.b, -known.k, at, facts) {
				return true
			}
			if p.sameBase(c.b, known.b) && p.next(c, c.a, known.a, -known.k, at, facts) {
				return true
			}
		}
	}
	return false
}

// next shows a claim about other bases instead.
func (p *prover) next(c claim, a, b base, more int64, at *ssa.BasicBlock, facts []fact) bool {
	n, ok := c.from(a, b, more)
	return ok && p.shows(n, at, facts)
}

// phi shows a claim of what each way into a block brings. The other side must be the same on all of them: it is known
// before the block.
func (p *prover) phi(c claim, phi *ssa.Phi, other base, claimed func(edge ssa.Value) []claim) bool {
	block := phi.Block()
	if in, ok := other.v.(ssa.Instruction); ok && (in.Block() == block || !in.Block().Dominates(block)) {
		return false
	}
	if slices.ContainsFunc(p.known, func(o claim) bool { return o.a == c.a && o.b == c.b }) {
		return false // each turn would ask for more
	}
	open := p.open
	p.open, p.known = nil, append(p.known, c)
	defer func() { p.open, p.known = open, p.known[:len(p.known)-1] }()
	for i, edge := range phi.Edges {
		pred := block.Preds[i]
		facts := append(factsOf(pred, block), factsAt(pred)...)
		list := claimed(edge)
		if len(list) != 1 || !p.shows(list[0], pred, facts) {
			return false
		}
	}
	return true
}
