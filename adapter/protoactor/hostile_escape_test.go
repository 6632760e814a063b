package protoactor_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
)

func init() {
	escape := func(name string, f func(t *testing.T, rt *rehearse.T, ctx actor.Context)) {
		hostile[name] = func(t *testing.T) {
			rehearse.Check(t, quick(), does(2, func(rt *rehearse.T, ctx actor.Context, _ ping) { f(t, rt, ctx) }))
		}
	}
	escape("outer FailNow", func(t *testing.T, _ *rehearse.T, _ actor.Context) { t.FailNow() })
	escape("outer Skip", func(t *testing.T, _ *rehearse.T, _ actor.Context) { t.Skip("no") })
	escape("panic nil", func(*testing.T, *rehearse.T, actor.Context) { panic(nil) })
	escape("panic error", func(*testing.T, *rehearse.T, actor.Context) { panic(errors.New("an error of its own")) })
	escape("panic struct", func(*testing.T, *rehearse.T, actor.Context) { panic(struct{ A, B int }{1, 2}) })
	escape("panic huge", func(*testing.T, *rehearse.T, actor.Context) { panic(strings.Repeat("huge ", 1<<20)) })
	escape("panic in String", func(*testing.T, *rehearse.T, actor.Context) { panic(secretive{}) })
	escape("panic while stopping", func(_ *testing.T, _ *rehearse.T, ctx actor.Context) {
		ctx.Stop(ctx.Spawn(actor.PropsFromFunc(func(ctx actor.Context) {
			if _, ok := ctx.Message().(*actor.Stopping); ok {
				panic("not now")
			}
		})))
	})
	escape("panic in Started", func(_ *testing.T, _ *rehearse.T, ctx actor.Context) {
		ctx.Spawn(actor.PropsFromFunc(func(ctx actor.Context) {
			if _, ok := ctx.Message().(*actor.Started); ok {
				panic("no start")
			}
		}))
	})
	escape("panic in producer", func(_ *testing.T, _ *rehearse.T, ctx actor.Context) {
		ctx.Spawn(actor.PropsFromProducer(func() actor.Actor { panic("no actor") }))
	})
	escape("panic in spawn middleware", func(_ *testing.T, _ *rehearse.T, ctx actor.Context) {
		rude := func(actor.SpawnFunc) actor.SpawnFunc {
			return func(*actor.ActorSystem, string, *actor.Props, actor.SpawnerContext) (*actor.PID, error) {
				panic("no spawn")
			}
		}
		ctx.ActorSystem().Root.Copy().WithSpawnMiddleware(rude).Spawn(actor.PropsFromFunc(func(actor.Context) {}))
	})
	escape("panic in supervisor", func(_ *testing.T, _ *rehearse.T, ctx actor.Context) {
		decider := func(any) actor.Directive { panic("no decision") }
		props := actor.PropsFromFunc(func(actor.Context) { panic("child") },
			actor.WithGuardian(actor.NewOneForOneStrategy(1, 1, decider)))
		ctx.ActorSystem().Root.Send(ctx.ActorSystem().Root.Spawn(props), ping{})
	})
	escape("recovers FailNow", func(_ *testing.T, rt *rehearse.T, _ actor.Context) {
		defer func() { _ = recover() }()
		rt.Fatal("this is wrong")
	})
	hostile["panic in the test function"] = func(t *testing.T) {
		rehearse.Check(t, quick(), protoactor.System(func(*rehearse.T) { panic("no test") }))
	}
	hostile["panic in set-up"] = func(t *testing.T) {
		rehearse.Check(t, quick(), protoactor.System(func(t *rehearse.T) { t.SetUp(func() { panic("no test") }) }))
	}
	hostile["panic at the end"] = func(t *testing.T) {
		rehearse.Check(t, quick(), atEnd(func(*rehearse.T) { panic("no end") }))
	}
	hostile["outer FailNow at the end"] = func(t *testing.T) {
		rehearse.Check(t, quick(), atEnd(func(*rehearse.T) { t.FailNow() }))
	}
	hostile["outer FailNow in the test function"] = func(t *testing.T) {
		rehearse.Check(t, quick(), protoactor.System(func(*rehearse.T) { t.FailNow() }))
	}
	hostile["outer Error"] = func(t *testing.T) {
		rehearse.Check(t, quick(), does(2, func(*rehearse.T, actor.Context, ping) { t.Error("told to the outer test") }))
	}
}

// secretive does not want to be printed.
type secretive struct{}

// String panics when the report wants it.
func (secretive) String() string { panic("no text") }

// atEnd is a program with one message whose end does as told.
func atEnd(f func(t *rehearse.T)) rehearse.System {
	return protoactor.System(func(t *rehearse.T) {
		root := protoactor.NewActorSystem().Root
		root.Send(spawnFunc(root, "victim", func(actor.Context) {}), ping{})
		t.AtEnd(func() { f(t) })
	})
}

// What escapes a handler is a finding, or an error that says what to do; the process goes on.
func TestEscapes(t *testing.T) {
	for name, want := range map[string]string{
		"outer FailNow":                      "runtime.Goexit",
		"outer Skip":                         "runtime.Goexit",
		"outer FailNow at the end":           "runtime.Goexit",
		"outer FailNow in the test function": "runtime.Goexit",
		"outer Error":                        "told to the outer test",
		"panic nil":                          ": panic called with nil argument",
		"panic error":                        ": an error of its own",
		"panic struct":                       ": {1 2}",
		"panic huge":                         ": huge huge",
		"panic in String":                    "victim panicked on ping from Driver: ",
		"panic while stopping":               ": not now",
		"panic in Started":                   ": no start",
		"panic in producer":                  ": no actor",
		"panic in spawn middleware":          ": no spawn",
		"panic in the test function":         "Driver panicked: no test",
		"panic in set-up":                    "Driver panicked: no test",
		"panic at the end":                   ": no end",
		"panic in supervisor":                ": child",
		"recovers FailNow":                   "this is wrong",
	} {
		if !isSampled(name) {
			continue
		}
		t.Run(strings.ReplaceAll(name, " ", "-"), func(t *testing.T) {
			v := child(t, name, "")
			v.has(t, "--- FAIL: TestHostileProgram", want, "the process goes on")
			v.lacks(t, "fatal error:", "--- FAIL: TestNextTest")
			if len(v.out) > 64<<10 {
				t.Errorf("%d bytes were printed", len(v.out))
			}
		})
	}
}
