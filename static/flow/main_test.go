package flow_test

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain has memory collected seldom: what is loaded is small beside what is thrown away, and collecting it took a
// fifth of the time.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Setenv("GOGC", "400") // of what is started: the go command, and programs
	m.Run()
}
