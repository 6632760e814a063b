package parallel

import "maps"

// This file: items whose executions have numbers (explore.Numbered).
//
//	invariants: I1 nobody executes what is beyond the budget, and it is not lost: another run may have a larger one

// sift tells again what is beyond the budget, which may be another one than that under which the items were made.
func (t *Tally) sift() {
	if t.numbered == nil {
		return
	}
	all := maps.Clone(t.open)
	maps.Copy(all, t.beyond)
	clear(t.open)
	clear(t.beyond)
	for id, p := range all {
		if item, err := p.item(); err == nil && t.numbered.Beyond(item) {
			t.beyond[id] = p
		} else {
			t.open[id] = p
		}
	}
}

// exhausted reports whether nothing is left, within the budget or beyond.
func (t *Tally) exhausted() bool { return len(t.open)+len(t.beyond) == 0 }

// spent is why nothing is left within the budget.
func (t *Tally) spent() string {
	if t.exhausted() {
		return "complete"
	}
	return "budget"
}

// behind opens what an item has left whose first execution is deadly. Of items without numbers nobody knows.
func (t *Tally) behind(p Part) (opened []int) {
	item, err := p.item()
	if t.numbered == nil || p.ID == 0 || err != nil {
		return nil
	}
	rest, left := t.numbered.Behind(item)
	if !left {
		return nil
	}
	t.last++
	p = newPart(rest)
	p.ID = t.last
	if t.numbered.Beyond(rest) {
		t.beyond[p.ID] = p
		return nil
	}
	t.open[p.ID] = p
	return []int{p.ID}
}
