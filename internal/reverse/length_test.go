package reverse

import (
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/tests/long"
	"github.com/rehearse-go/rehearse/subjects"
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

// Under fifo and causal, too, the keys of steps say what S makes of a beginning: where hundreds of messages wait for
// each other it is not simulated on the whole record for each pair of them.
func TestWaitingMessagesAreNotSimulated(t *testing.T) {
	for _, model := range []trace.Model{trace.FIFO, trace.Causal} {
		var looks [2]int
		for i, n := range []int{20, 40} {
			r := New()
			long.First(t, subjects.Gatling(n), r, model)
			looks[i] = r.class.looked
		}
		if t.Log(model, looks); looks[1] > 5*looks[0] {
			t.Errorf("%v looks under %s at executions of which the second is twice as long", looks, model)
		}
	}
}

// Where many messages may come in any order, the children of a class share the lists of what these need.
func TestChildrenShareWhatTheyNeed(t *testing.T) {
	const n = 200
	r := New()
	long.First(t, long.Flood(n), r, trace.Bag)
	lists := map[*int32]int{} // by the end of a list: its longest part
	children, listed := 0, 0
	for _, rec := range r.levels {
		for i := range rec.children {
			if past := rec.children[i].past; len(past) > 0 {
				last := &past[len(past)-1]
				lists[last] = max(lists[last], len(past))
			}
			children++
		}
	}
	for _, length := range lists {
		listed += length
	}
	if t.Log(children, listed); children < n*n/16 || listed > 2*children {
		t.Errorf("%d children list %d steps", children, listed)
	}
}
