package prototest

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain has memory collected seldom: systems of actors are made and dropped by the thousand, and collecting them
// took a third of the time.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Setenv("GOGC", "400") // of what is started: the go command, and programs
	m.Run()
}
