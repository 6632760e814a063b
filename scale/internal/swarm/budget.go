package swarm

import (
	"slices"

	"github.com/rehearse-go/rehearse/internal/parallel"
)

// budget shares a number of executions among tasks, which report what they made of it. What is handed out never exceeds
// it. It depends on the results in their order alone, so whoever starts the coordinator again shares in the same way. A
// nil budget has no bound. A task costs a few steps, however many others wait for executions.
type budget struct {
	left int              // of what nobody has
	poor []*parallel.Task // that have nothing
	// they are not in the order in which they were made: those of a new epoch come as they are found
	unsorted bool
}

// spend takes back what a task did not use.
func (b *budget) spend(t *parallel.Task, r *parallel.Report) {
	if b != nil {
		b.left += t.Budget - r.Sum.Executions - r.Sum.Blocked
	}
}

// add takes note of an open task that has nothing.
func (b *budget) add(t *parallel.Task) {
	if b == nil {
		return
	}
	last := len(b.poor) - 1
	b.unsorted = b.unsorted || last >= 0 && byItem(b.poor[last], t) > 0
	b.poor = append(b.poor, t)
}

// sort brings those that have nothing into their order.
func (b *budget) sort() {
	if b.unsorted {
		slices.SortFunc(b.poor, byItem)
		b.unsorted = false
	}
}

// forget forgets a task that is open no more.
func (b *budget) forget(t *parallel.Task) {
	if b == nil || t.Budget > 0 {
		return
	}
	b.sort()
	if at, ok := slices.BinarySearchFunc(b.poor, t, byItem); ok {
		b.poor = slices.Delete(b.poor, at, at+1)
	}
}

// byItem orders tasks as they were made: each item is in one of them.
func byItem(a, b *parallel.Task) int { return a.Parts[0].ID - b.Parts[0].ID }

// share gives what is left to the tasks that have nothing, in the order in which they were made. It gives those that
// have something now.
func (b *budget) share() []*parallel.Task {
	if b == nil {
		return nil
	}
	b.sort()
	served := 0
	for ; b.left > 0 && served < len(b.poor); served++ {
		t, others := b.poor[served], len(b.poor)-served
		part := (b.left + others - 1) / others
		if t.Suspected() {
			part = min(part, t.Executions)
		}
		t.Budget = part
		b.left -= part
	}
	rich := b.poor[:served:served]
	b.poor = b.poor[served:]
	return rich
}

// allows reports whether a task may make executions.
func (b *budget) allows(t *parallel.Task) bool { return b == nil || t.Budget > 0 }
