package toy

import "slices"

// Minimise gives a program that still fails and of which no part can be left out. p must fail.
func Minimise(p *Program, fails func(*Program) bool) *Program {
	return Smallest(p, func(p *Program, i int) (*Program, bool) {
		q := p.clone()
		return q, q.simplify(i)
	}, fails)
}

// Smallest gives what still fails and cannot be made simpler. simpler gives p after the i-th of all its
// simplifications; false: there are not so many.
func Smallest[P any](p P, simpler func(p P, i int) (P, bool), fails func(P) bool) P {
	for again := true; again; {
		again = false
		for i := 0; ; {
			q, ok := simpler(p, i)
			if !ok {
				break
			}
			if fails(q) {
				p, again = q, true
			} else {
				i++
			}
		}
	}
	return p
}

func (p *Program) clone() *Program {
	q := &Program{Actors: slices.Clone(p.Actors), Driver: slices.Clone(p.Driver)}
	for _, beh := range p.Kinds {
		beh = slices.Clone(beh)
		for m := range beh {
			beh[m].Ops = slices.Clone(beh[m].Ops)
		}
		q.Kinds = append(q.Kinds, beh)
	}
	return q
}

// simplify does the i-th of all simplifications; false: there are not so many.
func (p *Program) simplify(i int) bool {
	pick := func() bool { i--; return i < 0 }
	if dropOp(&p.Driver, pick) || p.dropActor(pick) {
		return true
	}
	for _, beh := range p.Kinds {
		for m := range beh {
			h := &beh[m]
			if dropOp(&h.Ops, pick) || settle(&h.Refuse, pick) || settle(&h.Fail, pick) || h.plain(pick) || h.undeclared(pick) {
				return true
			}
		}
	}
	return false
}

func dropOp(ops *[]Op, pick func() bool) bool {
	for k := range *ops {
		if pick() {
			*ops = slices.Delete(*ops, k, k+1)
			return true
		}
	}
	for k := range *ops {
		if settle(&(*ops)[k].When, pick) {
			return true
		}
	}
	return false
}

// settle makes a condition none.
func settle(condition *int, pick func() bool) bool {
	if *condition < 0 || !pick() {
		return false
	}
	*condition = -1
	return true
}

// plain makes the handler count.
func (h *Handler) plain(pick func() bool) bool {
	if h.Mul == 1 && h.Add == 1 || !pick() {
		return false
	}
	h.Mul, h.Add = 1, 1
	return true
}

// undeclared makes the handler one that declares nothing, or looks at nothing else.
func (h *Handler) undeclared(pick func() bool) bool {
	switch {
	case h.Declared && pick():
		h.Declared = false
	case h.Look > 0 && pick():
		h.Look = 0
	case h.Peek && pick():
		h.Peek = false
	default:
		return false
	}
	return true
}

// dropActor leaves out the last actor, if nobody refers to it.
func (p *Program) dropActor(pick func() bool) bool {
	last := len(p.Actors) - 1
	refers := func(op Op) bool { return op.To == last && (op.Kind == Send || op.Kind == Call || op.Kind == Kill) }
	used := slices.ContainsFunc(p.Driver, refers)
	for _, beh := range p.Kinds {
		for _, h := range beh {
			used = used || slices.ContainsFunc(h.Ops, refers)
		}
	}
	if last < 1 || used || !pick() {
		return false
	}
	p.Actors = p.Actors[:last]
	return true
}
