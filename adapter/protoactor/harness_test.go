package protoactor_test

import (
	"io"
	"log/slog"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/tests/features"
	"github.com/rehearse-go/rehearse/trace"
)

// What features are made of.
type (
	journal = features.Journal
	feature = features.Feature
	trial   = features.Trial
)

var off = features.Off

// short are the features that are not long, with REHEARSE_TOY all.
func short(list []feature) []feature {
	if os.Getenv("REHEARSE_TOY") != "" {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), func(f feature) bool { return f.Long })
}

func runAll(t *testing.T, list []feature) {
	t.Helper()
	features.RunAll(t, protoactor.System, list)
}

// stock is an actor system as applications create it, but for the log.
func stock() *actor.ActorSystem {
	return actor.NewActorSystem(actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger {
		return slog.New(slog.NewTextHandler(io.Discard, nil))
	}))
}

// start starts a named actor made from a function.
func start(s *actor.ActorSystem, name string, receive actor.ReceiveFunc, options ...actor.PropsOption) *actor.PID {
	pid, err := s.Root.SpawnNamed(actor.PropsFromFunc(receive, options...), name)
	if err != nil {
		panic(err)
	}
	return pid
}

// world sets up actors in an actor system of the test.
func world(t *explore.T, build func(*actor.ActorSystem)) *actor.ActorSystem {
	s := protoactor.NewActorSystem()
	t.SetUp(func() { build(s) })
	return s
}

// received gives the types of the messages that an actor handled after set-up, by its name.
func received(tr *trace.Trace, name string) string {
	var types []string
	for _, e := range tr.Events[tr.Explored:] {
		if m := e.Step.Message; m >= 0 && e.Step.Kind == trace.Deliver && tr.ActorName(e.Step.Actor) == name {
			types = append(types, trace.ShortType(tr.Messages[m].Type.Name))
		}
	}
	return strings.Join(types, " ")
}

// The messages of the test programs.
type (
	ask  struct{ n int }
	told struct{ n int }
	boom struct{}
	tick struct{}
	quit struct{}
)
