package reverse

import (
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/tests/long"
	"github.com/rehearse-go/rehearse/trace"
)

func TestWorkGrowsWithLength(t *testing.T) {
	long.CheckWork(t, func() (explore.Strategy, func() int) {
		r := New()
		return r, func() int { return r.class.looked + r.order.Walked() }
	})
}

// The paths of all levels together are about as long as an execution.
func TestPathsShareWhatTheyBeginWith(t *testing.T) {
	const n = 1000
	r := New()
	long.First(t, long.Chain(n), r, trace.Bag)
	choices := 0
	for _, rec := range r.levels {
		choices += len(rec.path.ids)
	}
	if len(r.levels) != long.Budget || choices > 2*n {
		t.Errorf("%d levels hold %d choices of executions of %d", len(r.levels), choices, n)
	}
}
