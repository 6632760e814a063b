package reachtest

import "strings"

// broken gives why a Check ended without a word on its order, from what go test prints: an actor did not come to an
// end, say.
func broken(said string) string {
	if _, why, ok := strings.Cut(said, ": rehearse: "); ok {
		return lines(why, 1)
	}
	return lines(said, 3)
}
