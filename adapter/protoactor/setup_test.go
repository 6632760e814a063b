package protoactor_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/rehearse-go/rehearse"
	"github.com/rehearse-go/rehearse/adapter/protoactor"
	"github.com/rehearse-go/rehearse/explore"
	"github.com/rehearse-go/rehearse/trace"
)

// noter notes the numbers that it is told and doubles those that it is asked.
func noter(j *journal) actor.ReceiveFunc {
	return func(ctx actor.Context) {
		switch m := ctx.Message().(type) {
		case told:
			j.Note("%d", m.n)
		case ask:
			ctx.Respond(told{2 * m.n})
		}
	}
}

// tellAll starts a noter in set-up and tells it 1.
func tellAll(t *explore.T, j *journal) (*actor.ActorSystem, *actor.PID) {
	var pid *actor.PID
	s := world(t, func(s *actor.ActorSystem) { pid = start(s, "noter", noter(j)) })
	s.Root.Send(pid, told{1})
	return s, pid
}

func request(s *actor.ActorSystem, pid *actor.PID, n int) int {
	r, err := s.Root.RequestFuture(pid, ask{n}, time.Second).Result()
	if err != nil {
		panic(err)
	}
	return r.(told).n
}

var setUps = []feature{
	{Name: "SetUpIsNotExplored", Program: func(t *explore.T, j *journal) {
		s := protoactor.NewActorSystem()
		t.SetUp(func() {
			for _, name := range []string{"a", "b", "c"} {
				pid := start(s, name, noter(j))
				s.Root.Send(pid, told{len(j.Lines())})
				s.Root.Send(pid, told{10})
			}
		})
		j.Note("set up")
	}, Want: []string{"0, 10, 0, 10, 0, 10, set up"}, Check: func(t *testing.T, tr *trace.Trace) {
		// The starts, the numbers, the two parts of the driver.
		if len(tr.Events)-tr.Explored != 1 || tr.Explored < 10 {
			t.Errorf("%d events, %d of them set-up", len(tr.Events), tr.Explored)
		}
	}},
	{Name: "StartsWithoutSetUpAreExplored", Program: func(t *explore.T, j *journal) {
		s := protoactor.NewActorSystem()
		for _, name := range []string{"a", "b"} {
			start(s, name, func(ctx actor.Context) {
				if _, ok := ctx.Message().(*actor.Started); ok {
					j.Note("%s", name)
				}
			})
		}
	}, Want: []string{"a, b", "b, a"}},
	{Name: "SpawnBeforeSetUp", Program: func(t *explore.T, j *journal) {
		s := protoactor.NewActorSystem()
		pid := start(s, "noter", noter(j))
		t.SetUp(func() { s.Root.Send(pid, told{1}) })
		j.Note("set up")
	}, Want: []string{"1, set up"}},
	{Name: "RequestInSetUp", Program: func(t *explore.T, j *journal) {
		world(t, func(s *actor.ActorSystem) { j.Note("%d", request(s, start(s, "noter", noter(j)), 4)) })
		j.Note("set up")
	}, Want: []string{"8, set up"}},
	{Name: "RequestInHandlersOfSetUp", Program: func(t *explore.T, j *journal) {
		world(t, func(s *actor.ActorSystem) {
			pid := start(s, "noter", noter(j))
			start(s, "asker", func(ctx actor.Context) {
				if _, ok := ctx.Message().(*actor.Started); ok {
					j.Note("%d", request(ctx.ActorSystem(), pid, 3))
				}
			})
		})
		j.Note("set up")
	}, Want: []string{"6, set up"}},
	{Name: "RequestInDriver", Program: func(t *explore.T, j *journal) {
		s, pid := tellAll(t, j)
		j.Note("%d", request(s, pid, 3))
	}, Want: []string{"1, 6"}},
	{Name: "DriverChooses", Program: func(t *explore.T, j *journal) {
		s, pid := tellAll(t, j)
		s.Root.Send(pid, told{10 + t.Choose(3)})
		j.Note("chosen %d", t.Choose(1))
	}, Want: []string{"chosen 0, 1, 10", "chosen 0, 1, 11", "chosen 0, 1, 12"}},
	{Name: "ChooseInSetUpIsZero", Program: func(t *explore.T, j *journal) {
		t.SetUp(func() { j.Note("%d", t.Choose(3)) })
	}, Want: []string{"0"}},
	{Name: "AtEndAsks", Program: func(t *explore.T, j *journal) {
		s, pid := tellAll(t, j)
		t.AtEnd(func() { j.Note("end %d", request(s, pid, 5)) })
		t.AtEnd(func() { j.Note("end %d", request(s, pid, 6)) })
	}, Want: []string{"1, end 10, end 12"}, Check: func(t *testing.T, tr *trace.Trace) {
		for _, e := range tr.Events[tr.Explored:] {
			if m := e.Step.Message; m >= 0 && !e.Auto && trace.ShortType(tr.Messages[m].Type.Name) == "ask" {
				t.Error("what AtEnd asks was explored")
			}
		}
	}},
	{Name: "CleanupsInReverseOrder", Program: func(t *explore.T, j *journal) {
		t.Cleanup(func() { j.Note("first") })
		s, pid := tellAll(t, j)
		t.Cleanup(func() { j.Note("last"); s.Root.Stop(pid) })
		t.AtEnd(func() { j.Note("end") })
	}, Want: []string{"1, end, last, first"}},
}

func TestSetUp(t *testing.T) { runAll(t, setUps) }

// Clean-ups run after a violation too, once an execution.
func TestCleanupAfterViolation(t *testing.T) {
	s := trial{}.Try(t, protoactor.System, func(t *explore.T, j *journal) {
		t.Cleanup(func() { j.Note("clean") })
		t.AtEnd(func() { j.Note("end") })
		tellAll(t, j)
		t.Error("no")
	}, nil)
	if s.Err != nil || s.Kinds()[trace.Assertion] == 0 || len(s.Journals) != 1 || s.Journals["clean"] == 0 {
		t.Errorf("error %v, violations %v, journals %v", s.Err, s.Kinds(), s.Journals)
	}
}

// FailNow in the driver ends its execution, not the exploration: the next ones fail or pass on their own.
func TestFailNowInDriverEndsExecutionOnly(t *testing.T) {
	s := trial{}.Try(t, protoactor.System, func(t *explore.T, j *journal) {
		tellAll(t, j)
		if n := t.Choose(3); n == 1 {
			j.Note("failing")
			t.FailNow()
			j.Note("went on")
		}
		j.Note("fine")
	}, nil)
	if s.Err != nil || len(s.Journals) != 2 || s.Journals["failing"] != 1 || s.Journals["fine, 1"] != 2 {
		t.Errorf("error %v, journals %v", s.Err, s.Journals)
	}
}

// Set-up may wait, for replies and for time, and none of it is explored, whatever timers do; nor is what comes between
// several set-ups.
func TestSetUpWaits(t *testing.T) {
	for name, setUp := range map[string]func(*explore.T, *journal, *actor.ActorSystem){
		"for replies": func(t *explore.T, j *journal, s *actor.ActorSystem) {
			t.SetUp(func() {
				pid := start(s, "noter", noter(j))
				j.Note("%d", request(s, pid, 1))
				j.Note("%d", request(s, pid, 2))
			})
		},
		"for a future that times out": func(t *explore.T, j *journal, s *actor.ActorSystem) {
			t.SetUp(func() {
				pid := start(s, "noter", noter(j))
				actor.NewFuture(s, time.Second).Wait()
				j.Note("%d", request(s, pid, 1))
				j.Note("%d", request(s, pid, 2))
			})
		},
		"for messages to be handled": func(t *explore.T, j *journal, s *actor.ActorSystem) {
			t.SetUp(func() {
				s.Root.Send(start(s, "noter", noter(j)), told{2})
				time.Sleep(time.Second)
				j.Note("%d", 4)
			})
		},
		"in several": func(t *explore.T, j *journal, s *actor.ActorSystem) {
			var pid *actor.PID
			t.SetUp(func() { pid = start(s, "noter", noter(j)) })
			s.Root.Send(pid, told{2})
			t.SetUp(func() { time.Sleep(time.Second) })
			t.SetUp(func() { j.Note("%d", request(s, pid, 2)) })
		},
		"and after what is sent first": func(t *explore.T, j *journal, s *actor.ActorSystem) {
			pid := start(s, "noter", noter(j))
			s.Root.Send(pid, told{2})
			t.SetUp(func() { j.Note("%d", request(s, pid, 2)) })
		},
	} {
		for _, model := range []trace.Model{trace.Bag, trace.FIFO, trace.Mailbox, trace.MailboxSerial} {
			for _, timers := range []trace.TimerMode{trace.Quiescent, trace.Async} {
				t.Run(fmt.Sprintf("%s, %s, %s", name, model, timers), func(t *testing.T) {
					s := trial{Model: model, Timers: timers}.Try(t, protoactor.System, func(t *explore.T, j *journal) {
						s := protoactor.NewActorSystem()
						setUp(t, j, s)
						pid := start(s, "sink", sink(j))
						s.Root.Send(pid, told{7})
					}, func(tr *trace.Trace) {
						for _, e := range tr.Events[tr.Explored:] {
							if e.Step.Kind == trace.Advance {
								t.Error("an advance of the clock is explored")
							}
						}
					})
					s.Quietly(t)
					executions := 1
					if model == trace.Mailbox {
						executions = 2 // sink may start before it is told
					}
					if want := []string{"2, 4, 7"}; !s.Complete || !slices.Equal(s.Endings(), want) || s.Executions != executions {
						t.Errorf("%+v: %q, want %q", s.Outcome, s.Endings(), want)
					}
				})
			}
		}
	}
}

// What is wrong with a test function itself is an error that says what to do, not a finding.
func TestSetUpErrors(t *testing.T) {
	misplaced := "SetUp must come before what is explored"
	for name, c := range map[string]struct {
		program func(*rehearse.T)
		want    string
	}{
		"never quiesces": {func(t *rehearse.T) {
			world(t, func(s *actor.ActorSystem) {
				s.Root.Send(start(s, "a", func(ctx actor.Context) {
					if _, ok := ctx.Message().(tick); ok {
						ctx.Send(ctx.Self(), tick{})
					}
				}), tick{})
			})
		}, "set-up never quiesces: 500 messages were delivered and tick from a to a is next; set-up must only do what comes to an end " +
			"(move the rest after t.SetUp), or raise MaxSteps"},
		"nested": {func(t *rehearse.T) {
			t.SetUp(func() { t.SetUp(func() {}) })
		}, misplaced},
		"after a choice": {func(t *rehearse.T) {
			t.Choose(2)
			t.SetUp(func() {})
		}, misplaced},
		"after a request": {func(t *rehearse.T) {
			s := protoactor.NewActorSystem()
			request(s, start(s, "a", noter(&journal{})), 1)
			t.SetUp(func() {})
		}, misplaced},
		"in a handler": {single(func(t *rehearse.T, _ actor.Context) { t.SetUp(func() {}) }), misplaced},
		"at the end": {func(t *rehearse.T) {
			t.AtEnd(func() { t.SetUp(func() {}) })
		}, misplaced},
		"blocked at the end": {func(t *rehearse.T) {
			t.AtEnd(func() { select {} })
		}, "a function given to AtEnd or Cleanup is blocked for ever"},
	} {
		t.Run(strings.ReplaceAll(name, " ", "-"), func(t *testing.T) {
			r, err := rehearse.Explore(rehearse.Config{Budget: "20x", MaxSteps: 500}, protoactor.System(c.program))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q; findings %+v", err, c.want, r.Findings)
			}
			if len(r.Findings) > 0 {
				t.Errorf("findings %+v", r.Findings)
			}
		})
	}
}

// A panic in set-up is the program's: a finding.
func TestPanicInSetUp(t *testing.T) {
	r, err := rehearse.Explore(rehearse.Config{Budget: "20x"}, protoactor.System(func(t *rehearse.T) {
		t.SetUp(func() { panic("no") })
	}))
	if err != nil || len(r.Findings) != 1 || r.Findings[0].Violation.Kind != rehearse.Panic {
		t.Errorf("error %v, findings %+v", err, r.Findings)
	}
}

// What goes wrong in a set-up ends the execution. The next set-up, which the test function would come to, is no mistake
// of the test then.
func TestPanicBeforeSetUp(t *testing.T) {
	r, err := rehearse.Explore(rehearse.Config{Budget: "20x"}, protoactor.System(func(t *rehearse.T) {
		s := world(t, func(s *actor.ActorSystem) {
			s.Root.Send(start(s, "a", func(ctx actor.Context) {
				if _, is := ctx.Message().(boom); is {
					panic("no")
				}
			}), boom{})
		})
		t.SetUp(func() { start(s, "b", func(actor.Context) {}) })
	}))
	if err != nil || len(r.Findings) != 1 || r.Findings[0].Violation.Kind != rehearse.Panic {
		t.Errorf("error %v, findings %+v", err, r.Findings)
	}
}

// A set-up that does not come back is told so, with what it waits for.
func TestSetUpHangs(t *testing.T) {
	for want, f := range map[string]func(*actor.ActorSystem, *actor.PID){
		"a reply to protoactor_test.ask": func(s *actor.ActorSystem, pid *actor.PID) { s.Root.RequestFuture(pid, ask{1}, -1).Wait() },
		"chan receive at setup_test.go:": func(*actor.ActorSystem, *actor.PID) { <-make(chan int) },
	} {
		_, err := rehearse.Explore(rehearse.Config{Budget: "2x"}, protoactor.System(func(t *explore.T) {
			world(t, func(s *actor.ActorSystem) { f(s, start(s, "silent", func(actor.Context) {})) })
		}))
		if err == nil || !strings.Contains(err.Error(), "SetUp does not return: it waits for ever ("+want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}
