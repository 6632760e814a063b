package swarm

import (
	"maps"
	"slices"

	"github.com/rehearse-go/rehearse/internal/parallel"
)

// budget shares a number of executions among tasks, which report what they made of it. What is handed out never exceeds
// it. It depends on the results in their order alone, so whoever starts the coordinator again shares in the same way. A
// nil budget has no bound.
type budget struct {
	left int // of what nobody has
}

// spend takes back what a task did not use.
func (b *budget) spend(t *parallel.Task, r *parallel.Report) {
	if b != nil {
		b.left += t.Budget - r.Sum.Executions - r.Sum.Blocked
	}
}

// share gives what is left to the tasks that have nothing, in the order in which they were made.
func (b *budget) share(open map[string]*parallel.Task) {
	if b == nil || b.left <= 0 {
		return
	}
	var poor []*parallel.Task
	for t := range maps.Values(open) {
		if t.Budget == 0 {
			poor = append(poor, t)
		}
	}
	slices.SortFunc(poor, func(a, b *parallel.Task) int { return a.Parts[0].ID - b.Parts[0].ID })
	for i, t := range poor {
		part := (b.left + len(poor) - i - 1) / (len(poor) - i)
		if t.Suspected() {
			part = min(part, t.Executions)
		}
		t.Budget = part
		b.left -= part
	}
}

// allows reports whether a task may make executions.
func (b *budget) allows(t *parallel.Task) bool { return b == nil || t.Budget > 0 }
