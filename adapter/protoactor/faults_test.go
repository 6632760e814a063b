package protoactor_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/internal/search"
	"github.com/rehearse-go/rehearse/internal/stateful"
	"github.com/rehearse-go/rehearse/trace"
)

// tally counts what it is told; its state is lost in a restart.
type tally struct {
	j     *journal
	total int
}

func (s *tally) Receive(ctx actor.Context) {
	switch m := ctx.Message().(type) {
	case told:
		s.total += m.n
		s.j.Note("%d", s.total)
	case *actor.Restarting, *actor.Stopping, *actor.Stopped:
		s.j.Note("%s", strings.TrimPrefix(fmt.Sprintf("%T", m), "*actor."))
	}
}

func startTally(s *actor.ActorSystem, j *journal) *actor.PID {
	pid, err := s.Root.SpawnNamed(actor.PropsFromProducer(func() actor.Actor { return &tally{j: j} }), "store")
	if err != nil {
		panic(err)
	}
	return pid
}

// tells makes a program in which the test tells a store these numbers.
func tells(numbers ...int) func(*explore.T, *journal) {
	return func(t *explore.T, j *journal) {
		var to *actor.PID
		s := world(t, func(s *actor.ActorSystem) { to = startTally(s, j) })
		for _, n := range numbers {
			s.Root.Send(to, told{n})
		}
	}
}

// What a crash leaves behind is worth a warning: messages before the actor, and those that come later. What others do
// wrong because of it is an error.
func TestCrashConsequences(t *testing.T) {
	s := trial{Model: trace.Bag, Faults: "crash"}.Try(t, protoactor.System, tells(1, 2), nil)
	s.Quietly(t)
	var kinds []string
	for _, w := range s.Warnings {
		kinds = append(kinds, w.Kind.String()+" of "+w.Actor)
	}
	slices.Sort(kinds)
	if got := slices.Compact(kinds); !slices.Equal(got, []string{"orphan-dead of store"}) {
		t.Errorf("the warnings are %v", s.Warnings)
	}
	// The relay sends to a store that is gone.
	s = trial{Model: trace.Bag, Faults: "crash"}.Try(t, protoactor.System, func(t *explore.T, j *journal) {
		var first, to *actor.PID
		sys := world(t, func(s *actor.ActorSystem) {
			to = startTally(s, j)
			first = start(s, "relay", passer(&to))
		})
		sys.Root.Send(to, told{1})
		sys.Root.Send(first, told{2})
	}, nil)
	s.Quietly(t)
	if !slices.ContainsFunc(s.Warnings, func(v trace.Violation) bool { return v.Kind == trace.DeadLetter && v.Actor == "relay" }) {
		t.Errorf("no dead letter among the warnings: %v", s.Warnings)
	}
}

// Watchers are told of a crash, children go down with their parent, and neither sees a word of it in its code... but
// the children, which are stopped in good order.
func TestCrashIsTold(t *testing.T) {
	program := func(t *explore.T, j *journal) {
		var to *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			to = start(s, "parent", func(ctx actor.Context) {
				switch ctx.Message().(type) {
				case *actor.Started:
					ctx.Spawn(actor.PropsFromFunc(func(ctx actor.Context) {
						if _, ok := ctx.Message().(*actor.Stopped); ok {
							j.Note("child stopped")
						}
					}))
				case *actor.Stopping, *actor.Stopped:
					j.Note("parent stopped")
				case told:
					j.Note("told")
				}
			})
			start(s, "watcher", func(ctx actor.Context) {
				switch ctx.Message().(type) {
				case *actor.Started:
					ctx.Watch(to)
				case *actor.Terminated:
					j.Note("terminated")
				}
			})
		})
		s.Root.Send(to, told{1})
		s.Root.Send(to, told{2})
	}
	feature{Trial: trial{Model: trace.FIFO, Faults: "crash-losing"}, Program: program,
		Want: []string{"child stopped, terminated", "told, child stopped, terminated", "told, told"}}.Run(t, protoactor.System)
}

// A restart that takes its children along holds the messages back until they are gone; what was stashed is handled by
// the fresh instance, as the framework has it.
func TestRestartWaitsForChildren(t *testing.T) {
	program := func(t *explore.T, j *journal) {
		var to *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			to = start(s, "parent", func(ctx actor.Context) {
				switch m := ctx.Message().(type) {
				case *actor.Started:
					j.Note("up")
					ctx.Spawn(actor.PropsFromFunc(func(actor.Context) {}))
				case told:
					j.Note("%d", m.n)
				}
			})
		})
		s.Root.Send(to, told{1})
		s.Root.Send(to, told{2})
	}
	feature{Trial: trial{Model: trace.FIFO, Faults: "restart"}, Program: program,
		Want: []string{"up, 1, 2", "up, 1, up, 2", "up, 1, 2, up"}}.Run(t, protoactor.System)
}

// requests makes a program in which an actor asks another and waits for the answer, for ever or for a second.
func requests(patience time.Duration) func(*explore.T, *journal) {
	return func(t *explore.T, j *journal) {
		var from *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			to := start(s, "doubler", doubler)
			from = start(s, "asker", func(ctx actor.Context) {
				if m, ok := ctx.Message().(told); ok {
					answer, err := ctx.RequestFuture(to, ask{m.n}, patience).Result()
					j.Note("%v %v", answer, err)
				}
			})
		})
		s.Root.Send(from, told{1})
	}
}

// A lost request, or a lost answer, leaves the caller blocked, or timed out; the second answer to a doubled request is
// a warning.
func TestFaultsOfCalls(t *testing.T) {
	for _, model := range []trace.Model{trace.Bag, trace.Mailbox} {
		s := trial{Model: model, Faults: "drop", Once: true}.Try(t, protoactor.System, requests(-1), nil)
		if k := s.Kinds(); s.Err != nil || k[trace.Deadlock] != 2 || len(k) != 1 {
			t.Errorf("%s: a lost request and a lost answer give %v, %v", model, s.Violations, s.Err)
		}
		s = trial{Model: model, Faults: "drop"}.Try(t, protoactor.System, requests(time.Second), nil)
		s.Quietly(t)
		// Nothing lost; the first message, the request, the answer.
		if want := (map[string]int{"{2} <nil>": 1, "": 1, "<nil> future: timeout": 2}); !maps.Equal(s.Journals, want) {
			t.Errorf("%s: %v, want %v", model, s.Journals, want)
		}
	}
	s := trial{Model: trace.FIFO, Faults: "duplicate"}.Try(t, protoactor.System, requests(-1), nil)
	s.Quietly(t)
	if len(s.Warnings) == 0 || s.Warnings[0].Kind != trace.DeadLetter {
		t.Errorf("warnings of a doubled request: %v", s.Warnings)
	}
}

// sums adds up; its order decides what it holds.
type sums struct{ n int }

func (s *sums) Receive(ctx actor.Context) {
	if m, ok := ctx.Message().(told); ok {
		s.n = s.n*3 + m.n
	}
}

// The test may look at the instances that injected restarts replaced: strategies that compare states tell them apart by
// what these hold, too.
func TestReplacedInstances(t *testing.T) {
	var made []*sums
	ends := map[string]bool{}
	sys := protoactor.System(func(t *explore.T) {
		made = nil
		var to *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			to = s.Root.Spawn(actor.PropsFromProducer(func() actor.Actor {
				made = append(made, &sums{})
				return made[len(made)-1]
			}))
		})
		t.AtEnd(func() {
			var end []int
			for _, s := range made {
				end = append(end, s.n)
			}
			ends[fmt.Sprint(end)] = true
		})
		for n := range 3 {
			s.Root.Send(to, told{n})
		}
	})
	look := func(s explore.Strategy) []string {
		clear(ends)
		out, err := explore.Run(sys, s, explore.Options{Conditions: explore.Conditions{Model: trace.Bag, Blocked: 5 * time.Second,
			Faults: trace.Faults{Max: 1, Kinds: trace.FaultKindsOf(trace.Restart)}}})
		if err != nil || !out.Complete {
			t.Fatalf("%s: %+v, %v", s.Name(), out, err)
		}
		return slices.Sorted(maps.Keys(ends))
	}
	want := look(search.NewNaive())
	for _, options := range []string{"", "generic", "bfs"} {
		o, _ := stateful.Parse(options)
		if got := look(stateful.New(o)); !slices.Equal(got, want) {
			t.Errorf("stateful %q ends in %q, naive in %q", options, got, want)
		}
	}
}

// fragile keeps what it is told, and fails at a 2.
type fragile struct{ n int }

func (f *fragile) Receive(ctx actor.Context) {
	if m, ok := ctx.Message().(told); ok {
		if f.n = 10*f.n + m.n; m.n == 2 {
			panic("two")
		}
	}
}

// An instance that a supervisor has replaced is in no state. Where there is one the result says so.
func TestReplacedBySupervision(t *testing.T) {
	sys := protoactor.System(func(t *explore.T) {
		var to *actor.PID
		s := world(t, func(s *actor.ActorSystem) {
			to = s.Root.Spawn(actor.PropsFromProducer(func() actor.Actor { return &fragile{} }))
		})
		for n := range 3 {
			s.Root.Send(to, told{n + 1})
		}
	})
	out, err := explore.Run(sys, stateful.New(stateful.Options{}), explore.Options{Conditions: explore.Conditions{Model: trace.Bag, Blocked: 5 * time.Second}})
	if err != nil || !strings.Contains(out.PassedOver, "its old instance") {
		t.Errorf("%+v, %v: want the old instance named", out, err)
	}
}
