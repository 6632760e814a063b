package parallel

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/trace"
)

// Task is what a worker elsewhere is given: items that it executes together, the last one first.
type Task struct {
	Parts Parts `json:"parts"`
	Suspicion
	Budget int    `json:"budget,omitempty"` // executions, with those for draws of final checks; 0: no bound
	Told   []byte `json:"told,omitempty"`   // what others have learned (explore.Sharer)
}

// Batch says of so many new items of a report, in their order, that they are a task together.
type Batch struct {
	Items int `json:"items"`
	Suspicion
}

// whole makes a report of a task one that closes it. What is left becomes so many tasks.
func (t *Task) whole(r *Report, pieces int) *Report {
	done := map[int]bool{}
	for _, id := range r.Done {
		done[id] = true
	}
	var left []Part
	r.Done = nil
	for _, p := range t.Parts {
		r.Done = append(r.Done, p.ID)
		if !done[p.ID] {
			p.Spot = search.Spot{Of: p.ID, Many: search.WholeItem}
			left = append(left, p)
		}
	}
	r.deal(append(left, executedInOrder(r.New)...), pieces, t.Survived())
	r.GaveUp.Executions, r.Void = 0, false
	return r
}

// executedInOrder brings new items of a sample into the order in which their executions come one after the other: a
// task is executed from its end. Else the item without an end would always be the next one, and its numbers would
// double with each task.
func executedInOrder(parts []Part) []Part {
	if slices.ContainsFunc(parts, func(p Part) bool { return len(p.Steps) > 0 }) {
		return parts
	}
	parts = slices.Clone(parts)
	slices.Reverse(parts)
	return parts
}

// died is the report of a task whose process died.
func (t *Task) died(p *process, autopsy func(int) (trace.Violation, string)) *Report {
	r := &Report{}
	next, convicts := t.Died()
	switch {
	case p.at == 0: // it had not begun: no item is to blame
		next = t.Suspicion
		if !next.Suspected() {
			next = suspected
		}
	case convicts:
		v, schedule := autopsy(p.PID())
		r = conviction(p.at, v, schedule, strings.TrimSpace(p.Output()))
	}
	return t.whole(r, 1).suspecting(next)
}

// Vanished is the report of a task that machines have vanished with, which text says. Each was in the middle of one
// execution, the same (Hand.PerformOne): that one is convicted.
func (t *Task) Vanished(text string) *Report {
	last := t.Parts[len(t.Parts)-1].ID
	v := trace.Violation{Kind: trace.RuntimeFatal, Text: text}
	return t.whole(conviction(last, v, "", ""), 1).suspecting(Suspicion{})
}

// suspecting has all new items under a suspicion.
func (r *Report) suspecting(s Suspicion) *Report {
	for i := range r.Tasks {
		r.Tasks[i].Suspicion = s
	}
	return r
}

// Check says what is wrong with a task that came from elsewhere.
func (t *Task) Check() error {
	if len(t.Parts) == 0 {
		return errors.New("it has no items")
	}
	ids := map[int]bool{}
	for i := range t.Parts {
		p := &t.Parts[i]
		if p.ID <= 0 || ids[p.ID] {
			return fmt.Errorf("item %d is none, or is there twice", p.ID)
		}
		ids[p.ID] = true
		if err := p.check(); err != nil {
			return err
		}
	}
	if t.Budget < 0 {
		return fmt.Errorf("its budget is %d executions", t.Budget)
	}
	return t.Suspicion.check()
}

func (s Suspicion) check() error {
	if s.Executions < 0 || s.Executions > trusted || s.Deaths < 0 || s.Deaths > 1 {
		return fmt.Errorf("%d executions and %d deaths are held against it", s.Executions, s.Deaths)
	}
	return nil
}

// Closes says what is wrong with a report that came from elsewhere and is said to be that of a task.
func (r *Report) Closes(t *Task) error {
	if !slices.EqualFunc(r.Done, t.Parts, func(id int, p Part) bool { return id == p.ID }) {
		return errors.New("is not about the items of the task")
	}
	if r.Deadly != 0 && !slices.Contains(r.Done, r.Deadly) {
		return errors.New("says of an item that is not of the task that it is deadly")
	}
	if r.Void || r.Last != 0 || len(r.Kept)+len(r.Owed)+len(r.Wait) > 0 {
		return errors.New("says what none of a task says")
	}
	for _, parts := range []Parts{r.New, r.Beyond} {
		for i := range parts {
			if id := parts[i].ID; id != 0 {
				return fmt.Errorf("gives the number %d to a new item", id)
			}
			if err := parts[i].check(); err != nil {
				return fmt.Errorf("has a new item of which %w", err)
			}
		}
	}
	items := 0
	for _, b := range r.Tasks {
		if b.Items <= 0 || b.Items > len(r.New)-items || b.Items > mostDealt {
			return fmt.Errorf("deals %d items of %d: want at least 1 and at most %d", b.Items, len(r.New)-items, mostDealt)
		}
		items += b.Items
		if err := b.check(); err != nil {
			return fmt.Errorf("has a task of which %w", err)
		}
	}
	if items != len(r.New) {
		return fmt.Errorf("deals %d of %d new items", items, len(r.New))
	}
	if err := r.checkEstimate(); err != nil {
		return err
	}
	for i := range r.Found {
		if f := &r.Found[i]; !countable(f.Execution) || !countable(f.CutShort) {
			return errors.New("has found something in an execution that there is not")
		}
	}
	return r.Sum.check()
}

// mostCounted is more than a task can count: a hundred million deliveries a second for three hours. The sums of eight
// million results are numbers still.
const mostCounted = 1 << 40

func countable(n int) bool { return n >= 0 && int64(n) <= mostCounted }

// check says what no counters are.
func (s *Sum) check() error {
	for _, n := range []int{s.Executions, s.Blocked, s.Classes, s.States, s.Deliveries, s.Replayed, s.Rechecked, s.Depth,
		s.Redrawn, s.Chosen} {
		if !countable(n) {
			return fmt.Errorf("counts more than a task can, or less than nothing: %d", n)
		}
	}
	v, size := &s.Verdict, 0
	for _, text := range []string{v.Uncontrolled, v.Bypassed, v.Remarks, v.Beyond, v.Varied, v.Shared, v.Unseen, v.Within,
		v.PassedOver, v.Drawn, v.OneSeed} {
		size += len(text)
	}
	if size > mostVerdict {
		return fmt.Errorf("says in %d bytes what keeps it from being complete: at most %d are read", size, mostVerdict)
	}
	return nil
}
