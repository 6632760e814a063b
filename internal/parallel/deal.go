package parallel

import (
	"slices"

	"github.com/rehearse-go/rehearse/internal/search"
)

// mostDealt is how many items a worker gets at most: it takes time to send them, in which nobody looks whether the time
// is up.
const mostDealt = 1024

// mostBytes is how much the items of a task are at most: a message should not need the store of large objects.
const mostBytes = 256 << 10

// deal makes the new items of a report so many tasks, or more if these were too large: each has items that begin early
// and items that begin late. Of what is suspected the items stay together, but for very many.
func (r *Report) deal(parts []Part, tasks int, s Suspicion) {
	r.New, r.Tasks = nil, nil
	if s.Suspected() {
		tasks = 1
	}
	bytes := 0
	for i := range parts {
		bytes += parts[i].bytes()
	}
	tasks = max(tasks, (len(parts)+mostDealt-1)/mostDealt, (bytes+mostBytes-1)/mostBytes)
	slices.SortStableFunc(parts, func(a, b Part) int { return a.depth() - b.depth() })
	for first := range min(tasks, len(parts)) {
		n := 0
		for i := first; i < len(parts); i += tasks {
			p := parts[i]
			p.ID = 0
			r.New = append(r.New, p)
			n++
		}
		r.Tasks = append(r.Tasks, Batch{n, s})
	}
}

// bytes is about how much an item is in a message.
func (p *Part) bytes() int { return (len(p.Steps)+len(p.Rest))*4/3 + 32 }

// FirstTasks gives those of an exploration that begins. The first execution is a careful one: programs mostly die, or
// do nothing, from the beginning.
func (t *Tally) FirstTasks() []Task { return t.alone(t.ids(), Careful) }

// Tasks gives those of a report that was folded: the items that it has added.
func (t *Tally) Tasks(r *Report) []Task {
	var tasks []Task
	parts := r.New
	for _, b := range r.Tasks {
		n := min(max(0, b.Items), len(parts))
		tasks = append(tasks, Task{Parts: unplaced(parts[:n]), Suspicion: b.Suspicion, Told: t.learned})
		parts = parts[n:]
	}
	return append(tasks, t.alone(r.opened, Suspicion{})...)
}

// unplaced gives items without their spots, which whoever executes them has no use for.
func unplaced(parts Parts) Parts {
	parts = slices.Clone(parts)
	for i := range parts {
		parts[i].Spot = search.Spot{}
	}
	return parts
}

// alone makes a task of each item.
func (t *Tally) alone(ids []int, s Suspicion) (tasks []Task) {
	for _, id := range ids {
		tasks = append(tasks, Task{Parts: []Part{t.open[id]}, Suspicion: s, Told: t.learned})
	}
	return tasks
}
