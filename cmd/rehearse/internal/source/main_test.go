package source

import (
	"os"
	"runtime/debug"
	"testing"

	"github.com/rehearse-go/rehearse/cmd/rehearse/internal/cli"
	"github.com/rehearse-go/rehearse/internal/targets"
)

// TestMain has memory collected seldom: what is kept is small beside what is thrown away, and collecting it took a
// quarter of the time. The test binary is also the command, for who shares targets.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Setenv("GOGC", "400") // of what is started: the go command, and programs
	if os.Getenv(targets.Variable) != "" {
		os.Exit(Main(os.Args[1:], cli.Streams{Out: os.Stdout, Err: os.Stderr}))
	}
	m.Run()
}
