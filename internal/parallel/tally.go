package parallel

import (
	"fmt"
	"maps"
	"slices"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/trace"
)

// Tally is what was counted and found so far, and what is open. It changes by whole reports only (I2).
type Tally struct {
	Sum    Sum
	Found  []Found           // one of each violation
	Warned []trace.Violation // the same

	open   map[int]Part
	beyond map[int]Part    // open too, and beyond the budget
	last   int             // the last number given to an item
	keys   map[string]bool // of Found and Warned
	tree   *tree           // nil: items have nothing to do with each other

	numbered explore.Numbered // nil: executions have no numbers
	sharer   explore.Sharer   // nil: items learn nothing
	learned  []byte           // by all of them

	survey      *search.Survey // how large the search is; nil: there is no estimate
	surveyed    bool           // its first report was folded
	unestimated string         // why there is none, "" if that needs no word
}

func newTally(s explore.Divisible) *Tally {
	t := &Tally{open: map[int]Part{}, beyond: map[int]Part{}, keys: map[string]bool{}}
	t.sharer, _ = s.(explore.Sharer)
	t.numbered, _ = s.(explore.Numbered)
	if joiner, ok := s.(explore.Joiner); ok {
		t.tree = &tree{joiner: joiner, nodes: map[trace.ID]*place{}, waits: map[int]trace.ID{}}
	}
	t.beginSurvey(s)
	return t
}

// Begun is the tally of an exploration of which nothing was executed: one item is open.
func Begun(s explore.Divisible) (*Tally, error) {
	t := newTally(s)
	root := &Report{New: []Part{{Spot: search.Spot{Many: 1}}}}
	t.number(root)
	_, err := t.add(root)
	return t, err
}

// number gives the new items of a report their numbers.
func (t *Tally) number(r *Report) {
	for _, parts := range [][]Part{r.New, r.Beyond} {
		for i := range parts {
			t.last++
			parts[i].ID = t.last
		}
	}
	r.Last = t.last
}

// Fold takes the next report: its new items get their numbers, which depend on the reports before it alone. An error
// says that it contradicts what is known: then nothing is worth anything.
func (t *Tally) Fold(r *Report) (err error) {
	t.number(r)
	r.opened, err = t.add(r)
	return err
}

// add takes a numbered report, and gives the items that are open because of what it owed to others. An error says that
// it contradicts what is known: then nothing is worth anything.
func (t *Tally) add(r *Report) (opened []int, err error) {
	for _, id := range r.Done {
		if _, ok := t.open[id]; !ok {
			return nil, fmt.Errorf("item %d is done, but it was not open", id)
		}
	}
	for i := range r.New {
		if _, ok := t.open[r.New[i].ID]; ok || r.New[i].ID <= 0 {
			return nil, fmt.Errorf("item %d is new, but it was open already", r.New[i].ID)
		}
	}
	if err := t.learn(r); err != nil {
		return nil, err
	}
	t.last = max(t.last, r.Last)
	deadly := t.open[r.Deadly]
	for _, id := range r.Done {
		t.tree.close(t.open[id])
		delete(t.open, id)
	}
	t.surveyReport(r)
	for _, p := range r.New {
		p.Spot = search.Spot{} // the survey has it
		t.open[p.ID] = p
		t.last = max(t.last, p.ID)
		t.tree.open(p)
	}
	for _, p := range r.Beyond {
		t.beyond[p.ID] = p
	}
	if opened, err = t.settle(r); err != nil {
		return nil, err
	}
	opened = append(opened, t.behind(deadly)...)
	for _, f := range r.Found {
		f.Execution += t.Sum.Executions + t.Sum.Blocked
		f.CutShort += t.Sum.Blocked
		if t.fresh(f.Violation.Key()) {
			t.Found = append(t.Found, f)
		}
	}
	for _, v := range r.Warned {
		if t.fresh("warning " + v.Key()) {
			t.Warned = append(t.Warned, v)
		}
	}
	t.Sum.add(&r.Sum)
	return opened, nil
}

func (t *Tally) fresh(key string) bool {
	fresh := !t.keys[key]
	t.keys[key] = true
	return fresh
}

// snapshot is one report from which a fresh tally becomes this one.
func (t *Tally) snapshot() *Report {
	r := &Report{Sum: t.Sum, Found: t.Found, Warned: t.Warned, Last: t.last, Learned: t.learned}
	for _, id := range ids(t.open) {
		r.New = append(r.New, t.open[id])
	}
	for _, id := range ids(t.beyond) {
		r.Beyond = append(r.Beyond, t.beyond[id])
	}
	r.Kept, r.Wait = t.tree.snapshot()
	t.keepSurvey(r)
	return r
}

// ids are the open items in the order of their numbers.
func (t *Tally) ids() []int { return ids(t.open) }

func ids(parts map[int]Part) []int { return slices.Sorted(maps.Keys(parts)) }

// sorted brings what was found into an order that the order of reports does not decide.
func (t *Tally) sorted() {
	slices.SortFunc(t.Found, func(a, b Found) int { return compare(a.Violation.Key(), b.Violation.Key()) })
	slices.SortFunc(t.Warned, func(a, b trace.Violation) int { return compare(a.Key(), b.Key()) })
}

func compare(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
