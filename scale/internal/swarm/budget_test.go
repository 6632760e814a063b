package swarm

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/rehearse-go/rehearse/internal/parallel"
)

// sharedAmong is what share does, by looking at all open tasks.
func sharedAmong(left int, open []*parallel.Task) int {
	poor := slices.DeleteFunc(slices.Clone(open), func(t *parallel.Task) bool { return t.Budget > 0 })
	slices.SortFunc(poor, byItem)
	for i, t := range poor {
		part := (max(left, 0) + len(poor) - i - 1) / (len(poor) - i)
		if t.Suspected() {
			part = min(part, t.Executions)
		}
		t.Budget = part
		left -= part
	}
	return left
}

// However tasks come and go, each has the part that it has when all are looked at each time.
func TestShares(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		b := &budget{left: random.IntN(200)}
		left := b.left
		var open, twins []*parallel.Task
		for id := range 60 {
			// One in three is an item that was beyond the budget: it has an early number.
			number := 1000 + id
			if random.IntN(3) == 0 {
				number = 100 - id
			}
			one := parallel.Task{Parts: parallel.Parts{{ID: number}}}
			if random.IntN(5) == 0 {
				one.Executions = 1 + random.IntN(3)
			}
			same := one
			open, twins = append(open, &one), append(twins, &same)
			b.add(&one)
			if random.IntN(2) == 0 {
				left = sharedAmong(left, twins)
				for _, rich := range b.share() {
					if rich.Budget == 0 || !slices.Contains(open, rich) {
						t.Fatalf("%v has been served", rich)
					}
				}
			}
			if k := random.IntN(len(open)); random.IntN(2) == 0 {
				r := &parallel.Report{}
				r.Sum.Executions = random.IntN(twins[k].Budget + 1)
				left += twins[k].Budget - r.Sum.Executions
				b.forget(open[k])
				b.spend(open[k], r)
				open, twins = slices.Delete(open, k, k+1), slices.Delete(twins, k, k+1)
			}
			for k := range open {
				if open[k].Budget != twins[k].Budget || b.left != left {
					t.Fatalf("%v has %d of %d, want %d of %d", open[k].Parts[0].ID, open[k].Budget, b.left, twins[k].Budget, left)
				}
			}
			poor := slices.Clone(open)
			poor = slices.DeleteFunc(poor, func(t *parallel.Task) bool { return t.Budget > 0 })
			b.sort()
			if slices.SortFunc(poor, byItem); !slices.Equal(poor, b.poor) {
				t.Fatalf("%s have nothing, want %s", fmt.Sprint(len(b.poor)), fmt.Sprint(len(poor)))
			}
		}
	}
}
