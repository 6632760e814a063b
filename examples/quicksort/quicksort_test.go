package quicksort_test

import (
	"slices"
	"testing"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/examples/internal/shows"
	"github.com/rehearse-go/rehearse/examples/quicksort"
)

func sorted(values ...int) rehearse.System {
	want := slices.Sorted(slices.Values(values))
	return protoactor.System(func(t *rehearse.T) {
		var result quicksort.Result
		var tree quicksort.Tree
		t.SetUp(func() { tree = quicksort.New(actor.NewActorSystem(), &result) })
		tree.Sort(values)
		t.AtEnd(func() {
			if !slices.Equal(result.Values, want) {
				t.Errorf("sorted %v, want %v", result.Values, want)
			}
		})
	})
}

func TestQuicksort(t *testing.T) {
	rehearse.Check(t, rehearse.Config{}, sorted(81, 28, 47, 38, 97, 98))
}

func TestQuicksortCounts(t *testing.T) {
	shows.Count(t, sorted(1, 2, 2), map[rehearse.Model]int{rehearse.Mailbox: 400, rehearse.MailboxSerial: 14, rehearse.Bag: 20})
}

// As many as on native actors.
func TestQuicksortClasses(t *testing.T) {
	shows.Classes(t, sorted(81, 28, 47, 38, 97, 98), map[rehearse.Model]int{rehearse.Bag: 32, rehearse.FIFO: 32, rehearse.Causal: 32, rehearse.Mailbox: 32, rehearse.MailboxSerial: 32})
}
