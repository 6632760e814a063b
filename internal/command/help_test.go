package command_test

import (
	"flag"
	"strings"
	"testing"
	"time"

	"github.com/rehearse-go/rehearse/internal/command"
)

// Help tells defaults, but not of flags that are off, nor where the line says it.
func TestHelpDefaults(t *testing.T) {
	c := command.Command{Name: "sow", Setup: func(fs *flag.FlagSet) func(command.Streams, command.Arguments) int {
		fs.Int("beds", 8, "`number` of beds")
		fs.Duration("wait", time.Minute, "`time` for one bed")
		fs.Duration("rest", 90*time.Second, "`time` between two")
		fs.Duration("late", 0, "`time` that it may be late")
		fs.Bool("n", false, "sow nothing")
		fs.String("seed", "oats", "`name` of the seed; default: oats")
		return nil
	}}
	const want = `
Flags:
  -beds number         number of beds (default: 8)
  -late time           time that it may be late
  -n                   sow nothing
  -rest time           time between two (default: 1m30s)
  -seed name           name of the seed; default: oats
  -wait time           time for one bed (default: 1m)
`
	if _, got, _ := strings.Cut(c.Help(), "\n\n"); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
