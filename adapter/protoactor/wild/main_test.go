package wild

import (
	"io"
	"log"
	"runtime/debug"
	"testing"
)

// TestMain has memory collected seldom: systems of actors are made and dropped by the thousand. Routers log where
// nobody is to be routed to.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	log.SetOutput(io.Discard)
	m.Run()
}
