package protoactor_test

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// pipesToNil asks a server, which may not answer, and pipes the future to a nil PID.
func pipesToNil(answers bool) func(*explore.T, *journal) {
	return func(t *explore.T, j *journal) {
		var client *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			server := start(s, "server", func(ctx actor.Context) {
				if _, ok := ctx.Message().(ask); ok && answers {
					ctx.Respond(told{1})
				}
			})
			log := start(s, "log", func(ctx actor.Context) { writes(ctx, j) })
			client = start(s, "client", func(ctx actor.Context) {
				if _, ok := ctx.Message().(tick); ok {
					ctx.RequestFuture(server, ask{}, time.Second).PipeTo(nil, log)
				}
			})
		})
		s.Root.Send(client, tick{})
	}
}

// A future that is piped to a nil PID is a finding when it completes: by an answer, by its timer, or never. The
// framework panics there, which on the goroutine of a timer ends the process.
func TestPipeToNil(t *testing.T) {
	for _, tt := range []struct {
		name    string
		trial   trial
		answers bool
	}{
		{"answered", trial{}, true},
		{"answered, one step a handler", trial{Model: trace.MailboxSerial}, true},
		{"answered, bag", trial{Model: trace.Bag}, true},
		{"timed out", trial{}, false},
		{"any time", trial{Timers: trace.Async}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := tt.trial.Try(t, protoactor.System, pipesToNil(tt.answers), nil)
			if s.Err != nil || len(s.Violations) == 0 {
				t.Fatalf("%v, %d violations in %d executions: want one in each at least", s.Err, len(s.Violations), s.Executions)
			}
			for _, v := range s.Violations {
				if v.Kind != trace.Panic || v.Actor != "client" || v.MessageType != "protoactor_test.tick" || !strings.Contains(v.Text, "PipeTo") || !strings.HasPrefix(v.Where, "pipes_test.go:") {
					t.Errorf("%+v: want a panic of the client that handles the tick", v)
				}
			}
		})
	}
}

// The same holds of a future that nobody was asked through. It was made by a handler, or by the test function before
// any actor was.
func TestPipeOfBareFutureToNil(t *testing.T) {
	for _, tt := range []struct {
		name     string
		handler  bool
		answered bool
		trial    trial
	}{
		{"timed out", true, false, trial{}},
		{"timed out, bag", true, false, trial{Model: trace.Bag}},
		{"any time", true, false, trial{Timers: trace.Async}},
		{"answered", true, true, trial{}},
		{"of the test", false, false, trial{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := tt.trial.Try(t, protoactor.System, func(t *explore.T, j *journal) {
				pipe := func(s *actor.ActorSystem) {
					f := actor.NewFuture(s, time.Second)
					f.PipeTo(nil)
					if tt.answered {
						s.Root.Send(f.PID(), told{1})
					}
				}
				system := protoactor.NewActorSystem()
				if !tt.handler {
					pipe(system)
				}
				client := start(system, "client", func(ctx actor.Context) {
					if _, ok := ctx.Message().(tick); ok && tt.handler {
						pipe(ctx.ActorSystem())
					}
				})
				system.Root.Send(client, tick{})
			}, nil)
			if s.Err != nil || len(s.Violations) < s.Executions {
				t.Fatalf("%v, %d violations in %d executions: want one in each at least", s.Err, len(s.Violations), s.Executions)
			}
			for _, v := range s.Violations {
				if v.Kind != trace.Panic {
					t.Errorf("%+v: want a panic", v)
				}
			}
		})
	}
}

// The same holds where no actor was ever spawned. A system of an earlier execution is refused there as well.
func TestPipeToNilWithoutActors(t *testing.T) {
	var kept *actor.ActorSystem
	for _, tt := range []struct {
		name    string
		system  func() *actor.ActorSystem
		trial   trial
		refused bool
	}{
		{"ours", func() *actor.ActorSystem { return protoactor.NewActorSystem() }, trial{}, false},
		{"the framework's", func() *actor.ActorSystem { return actor.NewActorSystem(actor.WithLoggerFactory(protoactor.Silent)) }, trial{}, false},
		{"any time", func() *actor.ActorSystem { return protoactor.NewActorSystem() }, trial{Timers: trace.Async}, false},
		{"kept", func() *actor.ActorSystem {
			if kept == nil {
				kept = protoactor.NewActorSystem()
			}
			return kept
		}, trial{}, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := tt.trial.Try(t, protoactor.System, func(*explore.T, *journal) {
				actor.NewFuture(tt.system(), time.Second).PipeTo(nil)
			}, nil)
			if tt.refused {
				if s.Err == nil || !strings.Contains(s.Err.Error(), "execution") {
					t.Errorf("got error %v, want one that the system is of another execution", s.Err)
				}
				return
			}
			if s.Err != nil || len(s.Violations) < s.Executions {
				t.Fatalf("%v, %d violations in %d executions: want one in each at least", s.Err, len(s.Violations), s.Executions)
			}
			if v := s.Violations[0]; v.Kind != trace.Panic || !strings.Contains(v.Text, "PipeTo") {
				t.Errorf("%+v: want a panic", v)
			}
		})
	}
}

// However many names the framework has given before.
func TestPipeOfLateFutureToNil(t *testing.T) {
	for _, names := range []int{61, 62, 63, 64, 4093, 4094, 4095, 5000} {
		s := trial{}.Try(t, protoactor.System, func(t *explore.T, j *journal) {
			system := protoactor.NewActorSystem()
			start(system, "client", func(actor.Context) {})
			atomic.AddUint64(&system.ProcessRegistry.SequenceID, uint64(names))
			actor.NewFuture(system, time.Second).PipeTo(nil)
		}, nil)
		if s.Err != nil || len(s.Violations) == 0 {
			t.Errorf("behind %d names: %v, %d violations", names, s.Err, len(s.Violations))
		}
	}
}

// Nothing happens where the future does not complete.
func TestPipeToNilInVain(t *testing.T) {
	feature{Program: func(t *explore.T, _ *journal) {
		var client *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			server := start(s, "server", func(actor.Context) {})
			client = start(s, "client", func(ctx actor.Context) {
				if _, ok := ctx.Message().(tick); ok {
					ctx.RequestFuture(server, ask{}, -1).PipeTo(nil)
				}
			})
		})
		s.Root.Send(client, tick{})
	}, Want: []string{""}}.Run(t, protoactor.System)
}
