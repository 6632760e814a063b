package hollywood_test

import (
	"io"
	"log/slog"
	"os"
	"runtime/debug"
	"testing"

	"github.com/anthdm/hollywood/actor"

	"github.com/rehearse-go/rehearse/adapter/hollywood"
	"github.com/rehearse-go/rehearse/internal/tests/features"
)

// TestMain silences the framework, which logs to the default logger, and has memory collected seldom.
func TestMain(m *testing.M) {
	slog.SetDefault(slog.New(slog.NewTextHandler(io.Discard, nil)))
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}

// What features are made of.
type (
	journal = features.Journal
	feature = features.Feature
	trial   = features.Trial
)

var off = features.Off

// Messages of the tests.
type (
	told struct{ n int }
	ask  struct{ n int }
	boom struct{}
	tick struct{}
)

// runAll explores each feature in both modes.
func runAll(t *testing.T, list []feature) {
	t.Helper()
	features.RunBoth(t, hollywood.System, list)
}

// sink notes the numbers it is told, with a name.
func sink(name string, j *journal) func(*actor.Context) {
	return func(c *actor.Context) {
		if m, ok := c.Message().(told); ok {
			j.Note("%s %d", name, m.n)
		}
	}
}

// doubler answers ask with told.
func doubler(c *actor.Context) {
	if m, ok := c.Message().(ask); ok {
		c.Respond(told{2 * m.n})
	}
}
