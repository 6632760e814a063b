//go:build !race

package protoactor_test

import "testing"

// A message that does not influence the receive timeout leaves the framework reading the timeout on the actor's
// goroutine and resetting it on the timer's without a lock; the race detector says so, in stock programs too.
func TestReceiveTimeoutNotInfluenced(t *testing.T) {
	runAll(t, []feature{{Name: "Timeout", Program: timing(patience, ask{3}, quiet{}), Want: []string{"quiet@1s, timeout@3s"}}})
}
