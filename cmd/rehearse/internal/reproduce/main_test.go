package reproduce

import (
	"runtime/debug"
	"testing"
)

// TestMain has memory collected seldom: what is kept is small beside what is thrown away, and collecting it took a
// quarter of the time.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	m.Run()
}
