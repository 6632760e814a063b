package actor_test

import (
	"os"
	"sync"
	"testing"

	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/internal/tests/uncontrolled"
)

// writesFile writes one in a goroutine that ends with its handler.
func writesFile(file string) {
	var all sync.WaitGroup
	all.Go(func() { _ = os.WriteFile(file, []byte("x"), 0o600) })
	all.Wait()
}

// A handler that takes its goroutines out of our hands leaves the result incomplete, which says who and how; one that
// sets the collector is told of.
func TestOutOfOurHands(t *testing.T) {
	uncontrolled.CheckLoose(t, "twoOrders", "handlers start goroutines, at loose_test.go:", writesFile,
		func(_ *testing.T, does func()) (explore.Outcome, error) {
			return explore.Run(twoOrders(noDriver, does, nothing), search.NewNaive(), twice(explore.Options{}))
		})
}
