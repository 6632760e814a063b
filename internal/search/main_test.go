package search_test

import (
	"runtime/debug"
	"testing"
)

// TestMain has memory collected seldom: random programs are small, make much garbage, and collecting it took a fifth of
// the time.
func TestMain(m *testing.M) {
	debug.SetGCPercent(1600)
	m.Run()
}
