package exec_test

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain has memory collected seldom: circuits are small beside what making them throws away, and collecting it took
// a third of the time.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Setenv("GOGC", "400") // of what is started: the go command, and programs
	m.Run()
}
