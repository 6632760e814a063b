package protoactor_test

import (
	"runtime/debug"
	"testing"
)

// TestMain has memory collected seldom: systems of actors are made and dropped by the thousand, and collecting them
// took a tenth of the time.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	m.Run()
}
