package goakt_test

import (
	"context"
	"os"
	"runtime/debug"
	"testing"

	"github.com/tochemey/goakt/v4/actor"

	"github.com/rehearse-go/rehearse/adapter/goakt"
	"github.com/rehearse-go/rehearse/internal/tests/features"
)

// TestMain has memory collected seldom.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}

var background = context.Background()

// start makes a system under control.
func start(options ...actor.Option) actor.ActorSystem {
	s, err := goakt.NewActorSystem("test", options...)
	if err != nil {
		panic(err)
	}
	return s
}

// acts is an actor made of a function.
type acts struct {
	receive func(*actor.ReceiveContext)
	stop    func()
}

func (a *acts) PreStart(*actor.Context) error { return nil }

func (a *acts) Receive(c *actor.ReceiveContext) { a.receive(c) }

func (a *acts) PostStop(*actor.Context) error {
	if a.stop != nil {
		a.stop()
	}
	return nil
}

// spawn spawns an actor made of a function.
func spawn(s actor.ActorSystem, name string, receive func(*actor.ReceiveContext),
	options ...actor.SpawnOption) *actor.PID {
	pid, err := s.Spawn(background, name, &acts{receive: receive}, options...)
	if err != nil {
		panic(err)
	}
	return pid
}

// tell sends messages from outside of actors.
func tell(to *actor.PID, messages ...any) {
	for _, m := range messages {
		_ = actor.Tell(background, to, m)
	}
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
	features.RunBoth(t, goakt.System, list)
}

// sink notes the numbers it is told, with a name.
func sink(name string, j *journal) func(*actor.ReceiveContext) {
	return func(c *actor.ReceiveContext) {
		if m, ok := c.Message().(told); ok {
			j.Note("%s %d", name, m.n)
		}
	}
}

// doubler answers ask with told.
func doubler(c *actor.ReceiveContext) {
	if m, ok := c.Message().(ask); ok {
		c.Response(told{2 * m.n})
	}
}
