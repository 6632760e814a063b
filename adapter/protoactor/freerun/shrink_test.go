package freerun

import "slices"

// shrink leaves deeds out of a program for as long as it is still wrong.
func (p *program) shrink(wrong func(*program) bool) *program {
	for {
		smaller := p.without(wrong)
		if smaller == nil {
			return p
		}
		p = smaller
	}
}

// without gives a program with a deed or a root less that is still wrong, nil if there is none.
func (p *program) without(wrong func(*program) bool) *program {
	try := func(change func(q *program)) *program {
		q := *p
		q.first, q.roots = slices.Clone(p.first), slices.Clone(p.roots)
		if change(&q); len(q.first) > 0 && len(q.roots) > 0 && wrong(&q) {
			return &q
		}
		return nil
	}
	for i := range p.first {
		if q := try(func(q *program) { q.first = slices.Delete(q.first, i, i+1) }); q != nil {
			return q
		}
	}
	if q := try(func(q *program) { q.roots = q.roots[1:] }); q != nil {
		return q
	}
	for kind := range p.handlers {
		for event, deeds := range p.handlers[kind] {
			for i := range deeds {
				less := func(q *program) { q.handlers[kind][event] = slices.Delete(slices.Clone(deeds), i, i+1) }
				if q := try(less); q != nil {
					return q
				}
			}
		}
	}
	return nil
}
