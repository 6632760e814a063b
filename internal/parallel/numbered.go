package parallel

// This file: items whose executions have numbers (explore.Numbered), and what items learn (explore.Sharer).
//
//	invariants: I1 nobody executes what is beyond the budget, and it is not lost: another run may have a larger one

// Reopen opens what is within the budget, which may be a larger one than that under which the items were made. It gives
// a task for each of these items: so a task is the same, whatever else a budget opens.
func (t *Tally) Reopen() []Task {
	if t.numbered == nil {
		return nil
	}
	var opened []int
	for _, id := range ids(t.beyond) {
		p := t.beyond[id]
		if item, err := p.item(); err != nil || t.numbered.Beyond(item) {
			continue
		}
		opened = append(opened, t.reopen(p))
	}
	return t.alone(opened, Suspicion{})
}

// SetAside takes the open items that are beyond the budget, which may be a smaller one than that under which they were
// made. It gives their numbers.
func (t *Tally) SetAside() (aside map[int]bool) {
	aside = map[int]bool{}
	if t.numbered == nil {
		return aside
	}
	for id, p := range t.open {
		if item, err := p.item(); err == nil && t.numbered.Beyond(item) {
			t.beyond[id] = p
			aside[id] = true
		}
	}
	for id := range aside {
		delete(t.open, id)
	}
	return aside
}

func (t *Tally) reopen(p Part) (id int) {
	delete(t.beyond, p.ID)
	t.open[p.ID] = p
	return p.ID
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
	if t.numbered == nil || p.ID == 0 {
		return nil
	}
	item, err := p.item()
	if err != nil {
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

// learn adds what the items of a report have learned.
func (t *Tally) learn(r *Report) (err error) {
	if r.Learned != nil && t.sharer != nil {
		t.learned, err = t.sharer.Merge(t.learned, r.Learned)
	}
	return err
}
