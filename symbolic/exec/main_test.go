package exec_test

import (
	"runtime/debug"
	"testing"
)

// TestMain has memory collected seldom: circuits are small beside what making them throws away, and collecting it took a third of the time.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	m.Run()
}
